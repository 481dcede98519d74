import { type Codec, list } from '../../core/codec.ts';
import { existsAt, isRecord, type Keys, keysOf, valueAt, type Wire } from '../../core/draft.ts';
import type { Lens } from '../../core/lens.ts';
import { character } from '../../entities/character/lenses.ts';
import type { CharacterBody, Greeting } from '../../entities/character/schema.ts';

/** A greeting and the title that stands at the same place of the list beside it. */
interface Pair {
  readonly text: unknown;
  readonly title: unknown;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const pair: Codec<Greeting> = {
  shape: 'text, title in a list beside it',
  read(raw) {
    if (!isRecord(raw) || !isText(raw.text)) return undefined;
    return { text: raw.text, ...(isText(raw.title) ? { title: raw.title } : {}) };
  },
  write: (value, previous): Pair => {
    const old = isRecord(previous) ? previous.title : undefined;
    return { text: value.text, title: value.title ?? (isText(old) ? null : old) };
  },
};

/**
 * Greetings are texts in `alternate_greetings`; their titles are a list in RoleCall's block, in step by place, null for
 * none. An empty greeting is no greeting but keeps its place, and so does its title.
 */
export function greetings(data: string): Lens<CharacterBody> {
  const texts = keysOf(`${data}.alternate_greetings`);
  const titles = keysOf(`${data}.extensions.rolecall.alternate_greeting_titles`);
  const listAt = (wire: Wire, keys: Keys): readonly unknown[] => {
    const raw = valueAt(wire, keys);
    return Array.isArray(raw) ? raw : [];
  };
  /** A lone text is the only greeting. */
  const textsOf = (wire: Wire): readonly unknown[] => {
    const raw = valueAt(wire, texts);
    return isText(raw) ? [raw] : listAt(wire, texts);
  };
  const pairsOf = (wire: Wire): readonly Pair[] => {
    const beside = listAt(wire, titles);
    return textsOf(wire).map((row, index) => ({ text: row, title: beside[index] }));
  };
  const rows = list(pair);

  return character.joint(['greetings.alternateGreetings'], {
    wire: [texts.join('.'), titles.join('.')],
    shape: 'list of text, and a list of titles beside it',
    lossy: true,
    note: 'empty greetings have no place',
    read: (wire) => ({ 'greetings.alternateGreetings': rows.read(pairsOf(wire)) }),
    write(draft, { 'greetings.alternateGreetings': now = [] }) {
      const { twin } = draft;
      const old = pairsOf(twin);
      const next = rows.write(
        now.filter((greeting) => isText(greeting.text)),
        old,
      ) as readonly Pair[];
      const raw = valueAt(twin, texts);
      const said = next.map((row) => row.text);
      if (typeof raw === 'string' && said.length === 1) draft.set(texts, said[0]);
      else if (differs(said, textsOf(twin))) draft.set(texts, said);
      const tail = listAt(twin, titles).slice(old.length);
      const named = [...next.map(({ title }) => title ?? null), ...tail];
      if (named.some((title) => title !== null)) {
        if (differs(named, listAt(twin, titles))) draft.set(titles, named);
      } else if (listAt(twin, titles).some(isText)) draft.delete(titles);
      else if (existsAt(twin, titles) && said.length !== old.length) draft.set(titles, named);
    },
    claims: (wire) => [
      {
        keys: texts,
        inside(raw, path, out) {
          if (typeof raw === 'string') return out.repaired(path, 'one text where a list belongs');
          if (!Array.isArray(raw)) return raw === null ? undefined : out.unread(path, raw);
          raw.forEach((row, index) => {
            if (typeof row !== 'string' && row !== null) out.unread(`${path}[${index}]`, row);
          });
        },
      },
      {
        keys: titles,
        inside(raw, path, out) {
          const pairs = pairsOf(wire);
          if (!Array.isArray(raw)) return raw === null ? undefined : out.unread(path, raw);
          raw.forEach((title, index) => {
            const read = index < pairs.length && isText(pairs[index]?.text) && isText(title);
            if (!read && title !== null && title !== '') out.unread(`${path}[${index}]`, title);
          });
        },
      },
    ],
  }) as Lens<CharacterBody>;
}

const differs = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length !== b.length || a.some((row, index) => row !== b[index]);
