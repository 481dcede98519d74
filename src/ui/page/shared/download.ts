/** Hands files to the browser's own download. */
import type { ExportedFile } from '../worker/api.ts';

/** Milliseconds until the address of a download is given up: the browser has taken the bytes by then. */
const HOLD = 60_000;

export function download({ name, blob }: ExportedFile): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), HOLD);
}
