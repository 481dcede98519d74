// Written by `npm run generate`: one import for each format folder, sorted.
import sillytavern from './sillytavern/index.ts';

export const formats = [...sillytavern];
