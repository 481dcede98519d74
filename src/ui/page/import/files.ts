/** Files out of a drop, a paste or a file chooser, folders walked through. */
import type { NamedBlob } from '../state/intake.svelte.ts';

/** What an operating system puts into folders for itself. */
const NOISE = /(?:^|\/)(?:\.[^/]*|Thumbs\.db|desktop\.ini)$/i;

/** Everything that was dropped. Has to be called in the event itself: later the browser has emptied it. */
export async function filesOf(transfer: DataTransfer): Promise<NamedBlob[]> {
  const roots = [...transfer.items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  const plain = [...transfer.files];
  if (roots.length === 0 || roots.every((entry) => entry.isFile)) return plain.map(named);
  const found: NamedBlob[] = [];
  for (const root of roots) await walk(root, found);
  return found;
}

export const named = (file: File): NamedBlob => ({ name: file.webkitRelativePath || file.name, blob: file });

async function walk(entry: FileSystemEntry, found: NamedBlob[]): Promise<void> {
  if (NOISE.test(entry.name)) return;
  if (entry.isFile) {
    const file = await new Promise<File>((done, fail) => (entry as FileSystemFileEntry).file(done, fail));
    found.push({ name: entry.fullPath.replace(/^\//, ''), blob: file });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    // A browser hands out a folder in pieces.
    const some = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail));
    if (some.length === 0) return;
    for (const one of some) await walk(one, found);
  }
}

/** Pasted text as a file. */
export const pasted = (text: string): NamedBlob => ({ name: 'pasted.json', blob: new Blob([text]) });
