#!/usr/bin/env node
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { preload } from './cli/code-cache.ts';

// The build puts in which engine this starter belongs to.
const keep = preload(join(__dirname, 'cli', 'engine.cjs'), '@engine@');
const { main, pooled } = createRequire(__filename)('./cli/main.cjs') as typeof import('./cli/main.ts');

void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
  if (code === 0 && process.argv[2] === 'convert' && !pooled.yes) keep();
});
