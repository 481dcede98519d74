/**
 * Where files come from and where results go: a folder. For an object store write the same three functions; a key is
 * a path with `/`. `put` must be whole or not at all, and may be called twice with the same bytes.
 */
import { readdirSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';

export function folderStore(root) {
  const place = (key) => {
    const path = resolve(root, key);
    if (!path.startsWith(resolve(root) + sep)) throw new Error(`outside of the store: ${key}`);
    return path;
  };
  return {
    /** Keys of all files, in order; hidden ones are left out. */
    list: () =>
      readdirSync(root, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) =>
          relative(root, join(entry.parentPath ?? entry.path, entry.name))
            .split(sep)
            .join('/'),
        )
        .filter((key) => !/(^|\/)\./.test(key))
        .sort(),
    get: (key) => readFile(place(key)),
    async put(key, bytes) {
      const path = place(key);
      await mkdir(dirname(path), { recursive: true });
      const half = join(dirname(path), `.${process.pid}.${Date.now()}.half`);
      await writeFile(half, bytes, { flag: 'wx' });
      await rename(half, path);
    },
  };
}
