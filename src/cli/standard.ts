import { readAll, readInput } from '../node.ts';

/** The name that stands for standard input, and for standard output after `-o`. */
export const STANDARD = '-';

/** Everything on standard input. */
export const readStandard = (): Promise<Uint8Array> => readAll(process.stdin, 'standard input');

/** A file, or everything on standard input, which has no name. */
export const openPath = async (path: string): Promise<{ bytes: Uint8Array; filename?: string }> =>
  path === STANDARD ? { bytes: await readStandard() } : readInput(path);
