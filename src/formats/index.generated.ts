// Written by `npm run generate`: one import for each format folder, sorted.
import pygmalion from './pygmalion/index.ts';
import risu from './risu/index.ts';
import sillytavern from './sillytavern/index.ts';
import vaudJson from './vaud-json/index.ts';

export const formats = [...pygmalion, ...risu, ...sillytavern, ...vaudJson];
