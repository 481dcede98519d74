import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where the shared corpus of real files is, beside the repository; most checkouts have none. */
export const CORPUS = new URL('../../../shared/corpus/', import.meta.url);
const folder = fileURLToPath(CORPUS);

export const corpusIsThere = existsSync(`${folder}MANIFEST.tsv`);

/** Why corpus tests are skipped. */
export const NO_CORPUS = 'there is no ../shared/corpus beside this checkout: corpus tests are skipped';

export interface CorpusRow {
  readonly path: string;
  /** Adapter id, or `none`. */
  readonly format: string;
  readonly notes: string;
}

/** The rows of the manifest; a book of the card dialect that stands alone is read by the World Info adapter. */
export function corpusRows(): CorpusRow[] {
  if (!corpusIsThere) return [];
  const [, ...lines] = readFileSync(`${folder}MANIFEST.tsv`, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [path = '', , , format = '', , , , , notes = ''] = line.split('\t');
    return { path, format: format === 'character-book' ? 'sillytavern-lorebook' : format, notes };
  });
}

export const corpusFile = ({ path }: CorpusRow): Buffer => readFileSync(folder + path);
