/** Covers by hash, as addresses that pictures can show; the oldest are given up. */
import { engine } from '../engine.ts';

const MAX_KEPT = 600;
const kept = new Map<string, Promise<string | undefined>>();

/** The address of a cover; undefined where it is gone. */
export function coverUrl(hash: string): Promise<string | undefined> {
  const known = kept.get(hash);
  if (known) {
    // The most recently used one is last.
    kept.delete(hash);
    kept.set(hash, known);
    return known;
  }
  const made = engine.blob(hash).then((blob) => blob && URL.createObjectURL(blob));
  kept.set(hash, made);
  for (const [old, url] of kept) {
    if (kept.size <= MAX_KEPT) break;
    kept.delete(old);
    url.then((address) => address && URL.revokeObjectURL(address));
  }
  return made;
}
