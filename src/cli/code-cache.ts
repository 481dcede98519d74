/**
 * Keeps the compiled form of the engine beside its script, so that the next start need not compile it again: that is
 * a third of what a small conversion costs. The file lies in the folder of the code and is trusted as much as the code
 * itself. V8 refuses what another version of it has made, and the mark in the name tells one engine from another.
 * Where it cannot be kept, nothing happens.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { dirname } from 'node:path';
import { Script } from 'node:vm';

/** Node's own switch against compiled code on the disk. */
const OFF = 'NODE_DISABLE_COMPILE_CACHE';

/**
 * Loads a script as `require` would, from its compiled form where there is one. Returns what keeps that form.
 * `mark` changes with the script: V8 itself looks at its length only. The script is plain ASCII.
 */
export function preload(path: string, mark: string): () => void {
  const nothing = () => {};
  if (process.env[OFF]) return nothing;
  try {
    const cache = `${path}.${mark}-${process.version}-${process.arch}.cache`;
    const cachedData = readIfThere(cache);
    const source = Module.wrap(readFileSync(path, 'latin1'));
    const script = new Script(source, { filename: path, ...(cachedData ? { cachedData } : {}) });
    if (cachedData && !script.cachedDataRejected) {
      run(path, script);
      return nothing;
    }
    run(path, script);
    return () => keep(cache, script);
  } catch {
    return nothing;
  }
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** The module that `require` finds from now on. */
function run(path: string, script: Script): void {
  const own = createRequire(path);
  const module = new Module(path);
  module.filename = path;
  const start = script.runInThisContext() as (...parts: unknown[]) => void;
  start.call(module.exports, module.exports, own, module, path, dirname(path));
  module.loaded = true;
  own.cache[path] = module;
}

/** After a run, so that everything it has compiled on the way is in it. */
function keep(cache: string, script: Script): void {
  const temporary = `${cache}.${process.pid}`;
  try {
    writeFileSync(temporary, script.createCachedData(), { flag: 'wx' });
    renameSync(temporary, cache);
  } catch {
    // A folder that cannot be written to: the next start compiles again.
  }
}
