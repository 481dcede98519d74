/** Where a command writes: results to one side, everything else to the other. */
import { fstatSync, statSync, writeSync } from 'node:fs';

const INKS = ['bold', 'dim', 'red', 'green', 'yellow', 'cyan'] as const;
export type Paint = Readonly<Record<(typeof INKS)[number], (text: string) => string>>;

/** One side of a terminal. A reader that went away is no fault: what follows is dropped. */
export interface Side {
  readonly paint: Paint;
  /** Columns of a line of text, 80 where nobody is looking. */
  readonly columns: number;
  readonly isTerminal: boolean;
  /** A line of text. */
  line(text: string): void;
  bytes(bytes: Uint8Array): void;
}

/** Results go to `out`, everything else to `err`. */
export interface Terminal {
  readonly out: Side;
  readonly err: Side;
}

const MAX_COLUMNS = 100;
const MIN_COLUMNS = 40;

/** The terminal of this process. Streams are asked only where a person may be looking: they are slow to set up. */
export const openTerminal = async (): Promise<Terminal> => ({
  out: await openSide(1, () => process.stdout),
  err: await openSide(2, () => process.stderr),
});

async function openSide(handle: 1 | 2, stream: () => NodeJS.WriteStream): Promise<Side> {
  const isTerminal = isDevice(handle) && stream().isTTY === true;
  const columns = isTerminal ? Math.min(MAX_COLUMNS, Math.max(MIN_COLUMNS, stream().columns || 80)) : 80;
  let open = true;
  const bytes = (all: Uint8Array): void => {
    for (let at = 0; open && at < all.byteLength; ) {
      const written = writeSome(handle, all, at);
      if (written < 0) open = false;
      else at += written;
    }
  };
  return {
    paint: wantsColor(isTerminal) ? (await import('picocolors')).default.createColors(true) : NO_PAINT,
    columns,
    isTerminal,
    line: (text) => bytes(Buffer.from(`${text}\n`)),
    bytes,
  };
}

const NO_PAINT = Object.fromEntries(INKS.map((ink) => [ink, (text: string) => text])) as Paint;

/** Whether a person may be at the other end: a device, and not the one that swallows everything. */
function isDevice(handle: number): boolean {
  try {
    const stat = fstatSync(handle);
    return stat.isCharacterDevice() && stat.rdev !== statSync('/dev/null', { throwIfNoEntry: false })?.rdev;
  } catch {
    return false;
  }
}

function wantsColor(isTerminal: boolean): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR) return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0';
  return isTerminal && TERM !== 'dumb';
}

const PAUSE_MS = 5;

/** Bytes written, or -1 when nobody reads any more. A full pipe is waited for. */
function writeSome(handle: number, all: Uint8Array, at: number): number {
  try {
    return writeSync(handle, all, at);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EAGAIN') {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
      return 0;
    }
    if (code === 'EPIPE' || code === 'EBADF' || code === 'EOF') return -1;
    throw error;
  }
}
