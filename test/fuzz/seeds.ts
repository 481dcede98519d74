/** The files that changes start from: all samples, and the corpus where it lies beside the checkout. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Larger files make slow cases and find nothing more. */
const MAX_SEED_BYTES = 400_000;

export interface Seed {
  /** Path for messages. */
  readonly name: string;
  /** Adapter id. */
  readonly format: string;
  readonly bytes: Uint8Array;
}

/** Samples of `root`, named `<adapter-id>.<what>.<ext>`, sorted. */
export function sampleSeeds(root: string, ids: ReadonlySet<string>): Seed[] {
  const folder = join(root, 'samples');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => /\/.*\./.test(name) && ids.has(name.replace(/^.*\//, '').replace(/\..*$/, '')))
    .sort()
    .map((name) => ({
      name,
      format: name.replace(/^.*\//, '').replace(/\..*$/, ''),
      bytes: new Uint8Array(readFileSync(join(folder, name))),
    }));
}

/** Files of the corpus in `folder`, by its manifest; none where there is no such folder. */
export function corpusSeeds(folder: string, ids: ReadonlySet<string>): Seed[] {
  let manifest: string;
  try {
    manifest = readFileSync(join(folder, 'MANIFEST.tsv'), 'utf8');
  } catch {
    return [];
  }
  const rows = manifest
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'));
  return rows.flatMap(([name = '', , , said = '']) => {
    const format = said === 'character-book' ? 'sillytavern-lorebook' : said;
    const bytes = ids.has(format) ? new Uint8Array(readFileSync(join(folder, name))) : undefined;
    return bytes && bytes.length <= MAX_SEED_BYTES ? [{ name, format, bytes }] : [];
  });
}
