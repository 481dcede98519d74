#!/usr/bin/env node
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { preload } from './cli/code-cache.ts';

const line = process.argv.slice(2);
if (line.length === 1 && (line[0] === '--version' || line[0] === '-V')) {
  // The build puts in the version: nothing has to be loaded for it.
  console.log('@version@');
} else {
  // And which engine this starter belongs to.
  const keep = preload(join(__dirname, 'cli', 'engine.cjs'), '@engine@');
  const { main, pooled } = createRequire(__filename)('./cli/main.cjs') as typeof import('./cli/main.ts');

  void main(line).then((code) => {
    process.exitCode = code;
    if (code === 0 && line[0] === 'convert' && !pooled.yes) keep();
  });
}
