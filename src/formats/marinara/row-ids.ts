import { derivedUuid } from '../../core/derived-id.ts';

/** The id of a row without a twin: the one it brings along, else one made from what it says; free among `taken`. */
export function ownId(id: string, content: readonly string[], taken: ReadonlySet<string>): string {
  if (id !== '' && !taken.has(id)) return id;
  for (let n = 1; ; n++) {
    const made = derivedUuid(JSON.stringify([...content, n]));
    if (!taken.has(made)) return made;
  }
}
