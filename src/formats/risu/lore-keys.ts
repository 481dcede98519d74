/** Keys of a lorebook row: two comma lists, or one regex each where the row says so. Facts: RisuAI 166.3.3, section 7. */
import { flag } from '../../core/codec.ts';
import { type Draft, same, type Wire } from '../../core/draft.ts';
import { loreEntry } from '../../entities/lorebook/lenses.ts';
import type { Trigger } from '../../entities/lorebook/schema.ts';

const REGEX = /^\/([\s\S]+)\/([dgimsuvy]*)$/;
const NOTE =
  'keys are one text with commas between them: a key with a comma has no place, a regex only where it is the one key';

/** `/pattern/flags` as a trigger without its slashes. */
export function regexOf(text: string): Trigger | undefined {
  const [, keyword, flags] = REGEX.exec(text) ?? [];
  if (keyword === undefined) return undefined;
  return { keyword, isRegex: true, ...(flags ? { flags } : {}) };
}

/** A regex with its slashes. */
export const regexText = ({ keyword, flags }: Trigger): string =>
  `/${keyword.replace(/\\[\s\S]|\//g, (hit) => (hit === '/' ? '\\/' : hit))}/${flags ?? ''}`;

const words = (text: string): Trigger[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((keyword) => ({ keyword, isRegex: false }));

/** RisuAI takes a key for a regex when the row says so and the key begins with a slash. */
const usesRegex = (wire: Wire): boolean =>
  flag().read(wire.useRegex) === true && typeof wire.key === 'string' && regexOf(wire.key.trim()) !== undefined;

function readKeys(raw: unknown, regex: boolean): Trigger[] {
  if (typeof raw !== 'string') return [];
  const one = regex ? regexOf(raw.trim()) : undefined;
  return one ? [one] : words(raw);
}

const isWord = ({ keyword, isRegex }: Trigger): boolean =>
  !isRegex && keyword !== '' && keyword === keyword.trim() && !keyword.includes(',');

/** What can be said of these keys: the regex that stands alone, else the words. */
function keyText(triggers: readonly Trigger[], regex: boolean, before: unknown): string {
  const [first] = triggers;
  if (regex && first?.isRegex) return regexText(first);
  const comma = typeof before === 'string' && before.includes(',') && !before.includes(', ') ? ',' : ', ';
  return triggers
    .filter(isWord)
    .map(({ keyword }) => keyword)
    .join(comma);
}

/** Both key lists of a row and the switch that makes them patterns. */
export const loreKeys = loreEntry.joint(['triggers', 'secondaryTriggers'], {
  wire: ['key', 'secondkey', 'useRegex'],
  shape: 'comma list, or one /pattern/flags behind a switch',
  lossy: true,
  note: NOTE,
  read: (wire) => ({
    triggers: readKeys(wire.key, usesRegex(wire)),
    secondaryTriggers: readKeys(wire.secondkey, usesRegex(wire)),
  }),
  write(draft, { triggers = [], secondaryTriggers = [] }, before) {
    const { twin } = draft;
    const regex = triggers.length > 0 && triggers.every(({ isRegex }) => isRegex);
    const was = usesRegex(twin);
    const edit = (name: string, now: Trigger[], old: Trigger[] | undefined) => {
      if (!same(now, old ?? []) || (was !== regex && now.some(({ isRegex }) => isRegex))) {
        setText(draft, name, keyText(now, regex, twin[name]));
      }
    };
    edit('key', triggers, before.triggers);
    edit('secondkey', secondaryTriggers, before.secondaryTriggers);
    if (was !== regex) draft.set(['useRegex'], regex);
  },
  claims: (wire) => [
    ...['key', 'secondkey'].filter((name) => typeof wire[name] === 'string').map((name) => ({ keys: [name] })),
    { keys: ['useRegex'] },
  ],
});

/** The switch counts with its key, so an empty text is written only where there was one. */
function setText(draft: Draft, name: string, text: string): void {
  if (text !== '' || typeof draft.twin[name] === 'string') draft.set([name], text);
}
