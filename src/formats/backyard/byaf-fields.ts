import { required, text } from '../../core/codec.ts';
import { isRecord, valueAt, type Wire } from '../../core/draft.ts';
import type { Lens } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import { character } from '../../entities/character/lenses.ts';
import type { CharacterBody } from '../../entities/character/schema.ts';
import { editPrimary, listOf, primaryOf, speakerOf, textIn } from './byaf-archive.ts';
import { openingLens } from './byaf-greetings.ts';
import { backgroundLens, pictureLens } from './byaf-media.ts';
import { isoTime, UNKNOWN_TIME } from './dates.ts';
import { adultFlag } from './fields.ts';
import { nameLens } from './names.ts';

const CHARACTER = ['card', 'character'];
const INSTRUCTIONS = 'formattingInstructions';

const instructions = character.joint(['prompts.systemPrompt'], {
  wire: [`card.scenarios.0.value.${INSTRUCTIONS}`],
  shape: 'text',
  read: (wire) => ({ 'prompts.systemPrompt': textIn(primaryOf(wire), INSTRUCTIONS) }),
  write(draft, now) {
    editPrimary(draft, (value) => ({ ...value, [INSTRUCTIONS]: now['prompts.systemPrompt'] ?? '' }));
  },
  claims: () => [],
});

const exampleText = (row: unknown): string | undefined => textIn(row, 'text');

/** Rows whose text still stands, whole lines of it, at the start or the end of the new text are kept. */
function exampleRows(old: readonly unknown[], next: string, speaker: string): unknown[] {
  const rows = old.filter((row) => exampleText(row) !== undefined);
  let rest: string | undefined = next;
  let [from, to] = [0, rows.length];
  const head = () => exampleText(rows[from]) ?? '';
  while (rest !== undefined && from < to && (rest === head() || rest.startsWith(`${head()}\n`))) {
    rest = rest === head() ? undefined : rest.slice(head().length + 1);
    from++;
  }
  const tail = () => exampleText(rows[to - 1]) ?? '';
  while (rest !== undefined && from < to && (rest === tail() || rest.endsWith(`\n${tail()}`))) {
    rest = rest === tail() ? undefined : rest.slice(0, -tail().length - 1);
    to--;
  }
  const over = rows[from];
  const changed = from < to && isRecord(over) ? { ...over, text: rest } : { characterID: speaker, text: rest };
  return [...rows.slice(0, from), ...(rest === undefined ? [] : [changed]), ...rows.slice(to)];
}

const examples = character.joint(['examples.exampleMessages'], {
  wire: ['card.scenarios.0.value.exampleMessages'],
  shape: 'list of messages, one text',
  lossy: true,
  note: 'the borders between the messages are line breaks in the model',
  read(wire) {
    const texts = listOf(primaryOf(wire).exampleMessages).flatMap((row) => exampleText(row) ?? []);
    return { 'examples.exampleMessages': texts.join('\n') };
  },
  write(draft, now) {
    const next = now['examples.exampleMessages'] ?? '';
    editPrimary(draft, (value) => {
      const old = listOf(value.exampleMessages);
      const unread = old.filter((row) => exampleText(row) === undefined);
      const rows = next === '' ? [] : exampleRows(old, next, speakerOf(draft.wire));
      return { ...value, exampleMessages: [...rows, ...unread] };
    });
  },
  claims: () => [],
});

/** The creation date; the date of the archive stands in where the character has none that can be read. */
const created = character.joint(['attribution.createdAt'], {
  wire: ['card.character.createdAt', 'card.manifest.createdAt'],
  shape: 'ISO 8601 time',
  lossy: true,
  note: 'written to the character, never to the archive',
  read(wire) {
    const own = textIn(wire, ...CHARACTER, 'createdAt');
    const of =
      own === UNKNOWN_TIME || isoTime().read(own) !== undefined ? own : textIn(wire, 'card', 'manifest', 'createdAt');
    return { 'attribution.createdAt': isoTime().read(of) };
  },
  write(draft, { 'attribution.createdAt': now }) {
    const next = now === undefined ? UNKNOWN_TIME : isoTime().write(now, undefined);
    if (next !== undefined) draft.set([...CHARACTER, 'createdAt'], next);
  },
  claims(wire) {
    const [own, archive] = [CHARACTER, ['card', 'manifest']].map((keys) => valueAt(wire, [...keys, 'createdAt']));
    const [a, b] = [isoTime().read(own), isoTime().read(archive)];
    const readable = own === UNKNOWN_TIME || a !== undefined;
    return [
      ...(readable ? [{ keys: [...CHARACTER, 'createdAt'] }] : []),
      ...(!readable || a === b ? [{ keys: ['card', 'manifest', 'createdAt'] }] : []),
    ];
  },
});

/** Stands where the app wants an address beside the name and nobody knows one. Reads as no address. */
const UNKNOWN_URL = 'https://backyard.ai/hub';
const AUTHOR = ['card', 'manifest', 'author'];
const URI = /^[a-z][a-z0-9+.-]*:(?:[\w.~:/?#@!$&'()*+,;=-]|%[0-9a-f]{2})+$/i;

/** The address as the format wants it, percent-encoded where needed; undefined for what is no address. */
function uriOf(address: string): string | undefined {
  if (URI.test(address)) return address;
  try {
    const href = new URL(address).href.replace(/[[\]]/g, encodeURIComponent);
    return URI.test(href) ? href : undefined;
  } catch {
    return undefined;
  }
}

/** The app's reader wants both keys once there is an author. */
const author = character.joint(['attribution.creator', 'attribution.sourceUrl'], {
  wire: ['card.manifest.author.name', 'card.manifest.author.backyardURL'],
  shape: 'text',
  lossy: true,
  note: 'the source has to be a web address',
  read(wire) {
    const url = textIn(wire, ...AUTHOR, 'backyardURL');
    return {
      'attribution.creator': textIn(wire, ...AUTHOR, 'name'),
      'attribution.sourceUrl': url === UNKNOWN_URL ? undefined : url,
    };
  },
  write(draft, now, before) {
    const [creator, source] = [now['attribution.creator'], now['attribution.sourceUrl']];
    const url = source === undefined ? undefined : uriOf(source);
    const held = valueAt(draft.twin, AUTHOR);
    if (creator === undefined && source === undefined) return clearAuthor();
    if (!isRecord(held) && creator === undefined && url === undefined) return;
    if (!isRecord(held) || creator !== before['attribution.creator']) draft.set([...AUTHOR, 'name'], creator ?? '');
    const moved = source !== before['attribution.sourceUrl'];
    if (!isRecord(held) || (moved && (source === undefined || url !== undefined))) {
      draft.set([...AUTHOR, 'backyardURL'], url ?? UNKNOWN_URL);
    }

    function clearAuthor(): void {
      const others = isRecord(held) ? Object.keys(held).filter((key) => key !== 'name' && key !== 'backyardURL') : [];
      if (others.length === 0) return draft.delete(AUTHOR);
      draft.delete([...AUTHOR, 'name']);
      draft.delete([...AUTHOR, 'backyardURL']);
    }
  },
});

/** The table of an archive. Instructions come before the openings: a new opening takes them over. */
export const byafFields: readonly Lens<CharacterBody>[] = [
  nameLens(CHARACTER, ['displayName', 'name'], 'name'),
  character.field('identity.description', at('card.character.persona'), required(text(), '')),
  instructions,
  openingLens,
  examples,
  pictureLens,
  backgroundLens,
  author,
  created,
  character.field('attribution.updatedAt', at('card.character.updatedAt'), required(isoTime(), UNKNOWN_TIME)),
  character.field('discovery.rating', at('card.character.isNSFW'), required(adultFlag, false), {
    note: 'true or false on the wire: mature has no spelling',
  }),
] as unknown as readonly Lens<CharacterBody>[];

/** Texts of a body that an archive carries letter by letter, by the wire path a person finds them at. */
export function verbatimTexts(card: Wire): readonly (readonly [path: string, text: string])[] {
  const out: (readonly [string, string])[] = [];
  const add = (path: string, held: unknown): void => {
    if (typeof held === 'string') out.push([path, held]);
  };
  add('character.persona', valueAt(card, ['character', 'persona']));
  listOf(valueAt(card, ['character', 'loreItems'])).forEach((row, i) =>
    add(`character.loreItems[${i}].value`, textIn(row, 'value')),
  );
  listOf(card.scenarios).forEach((scenario, i) => {
    const value = valueAt(scenario, ['value']);
    const place = `scenarios[${i}]`;
    for (const key of [INSTRUCTIONS, 'narrative']) add(`${place}.${key}`, valueAt(value, [key]));
    for (const key of ['firstMessages', 'exampleMessages']) {
      listOf(valueAt(value, [key])).forEach((row, j) => add(`${place}.${key}[${j}].text`, textIn(row, 'text')));
    }
  });
  return out;
}
