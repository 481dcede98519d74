// Written by `npm run generate`: one import for each format folder, sorted.
import agnai from './agnai/index.ts';
import backyard from './backyard/index.ts';
import lumiverse from './lumiverse/index.ts';
import marinara from './marinara/index.ts';
import novelai from './novelai/index.ts';
import pygmalion from './pygmalion/index.ts';
import risu from './risu/index.ts';
import rolecall from './rolecall/index.ts';
import sillytavern from './sillytavern/index.ts';
import vaudJson from './vaud-json/index.ts';

export const formats = [
  ...agnai,
  ...backyard,
  ...lumiverse,
  ...marinara,
  ...novelai,
  ...pygmalion,
  ...risu,
  ...rolecall,
  ...sillytavern,
  ...vaudJson,
];
