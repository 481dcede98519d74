/**
 * Backyard's archive: one character with pictures and at least one scenario, in a ZIP.
 * Facts: the seed page on Backyard; specification, schemas and sample archives of ahoylabs/byaf.
 */
import { type Account, accountFor, type Claim } from '../../core/account.ts';
import { isBytes } from '../../core/bytes.ts';
import { isRecord, valueAt, type Wire } from '../../core/draft.ts';
import type { Warning } from '../../core/errors.ts';
import { create, put } from '../../core/lens.ts';
import { type CardWrite, type CardWritten, cardIn, defineCard } from '../_shared/card.ts';
import { extractBook } from '../_shared/embedded-book.ts';
import { fileAt, folderOf, listOf, pointedAt, primaryOf, type Scenario, scenariosOf, textIn } from './byaf-archive.ts';
import { freshArchive } from './byaf-base.ts';
import { byafCarriers, manifestOf } from './byaf-carriers.ts';
import { byafFields, verbatimTexts } from './byaf-fields.ts';
import { openingsOf } from './byaf-greetings.ts';
import { UNKNOWN_TIME } from './dates.ts';
import { archiveLore, loreClaim, withLore } from './lore.ts';

const LORE = ['character', 'loreItems'];

function write({ twin, base, body, context }: CardWrite): CardWritten {
  const start = twin ? base : { ...base, card: freshArchive(body) };
  const wire = twin ? put(byafFields, start, body) : create(byafFields, start, body);
  const whole = withLore(wire, archiveLore, LORE, context.lorebooks);
  return { wire: whole, payloads: [], warnings: twin ? [] : tokensIn(cardIn(whole), DOUBLE) };
}

const SINGLE = /(?<!\{)\{(?:character|char|user)\}(?!\})/g;
const DOUBLE = /\{\{(?:char|user)\}\}/gi;

/** One warning for each placeholder that stands in texts, with all places: they are carried letter by letter. */
function tokensIn(card: Wire, pattern: RegExp): Warning[] {
  const places = new Map<string, string[]>();
  for (const [path, text] of verbatimTexts(card)) {
    for (const token of new Set(text.match(pattern) ?? [])) places.set(token, [...(places.get(token) ?? []), path]);
  }
  return [...places].map(([token, paths]) => ({
    code: 'byaf.placeholder',
    path: paths.join(', '),
    message: `${token} stays as typed: this format's text is carried letter by letter`,
  }));
}

const keys = (...names: readonly string[]): Claim[] => names.map((name) => ({ keys: [name] }));

/** What of an opening's row is read. */
const spoken =
  (isRead: (row: number) => boolean) =>
  (raw: unknown, path: string, out: Account): void => {
    listOf(raw).forEach((row, index) => {
      const place = `${path}[${index}]`;
      if (!isRead(index) || textIn(row, 'text') === undefined) out.unread(place, row);
      else accountFor(keys('characterID', 'text'), row, place, out);
    });
  };

/** What of a scenario is read: all of the primary's story, of a later one its opening and its name. */
function scenarioClaims(wire: Wire, { path, value }: Scenario, index: number): Claim[] {
  const rows = openingsOf(wire).flatMap((opening) => (opening.path === path ? [opening.row ?? 0] : []));
  const first = (row: number) => rows.includes(row) || (index === 0 && row === 0);
  const openings: Claim = { keys: ['firstMessages'], inside: spoken(first) };
  const structure = [...keys('schemaVersion', '$schema'), openings];
  const primary = primaryOf(wire);
  if (index === 0) {
    const examples: Claim = { keys: ['exampleMessages'], inside: spoken(() => true) };
    const shown = fileAt(wire, textIn(value, 'backgroundImage')) ? keys('backgroundImage') : [];
    return [...structure, ...keys('narrative', 'formattingInstructions'), examples, ...shown];
  }
  const title = openingsOf(wire).find((opening) => opening.path === path)?.greeting.title;
  const named = ['narrative', 'title'].filter((key) => value[key] === title);
  const shared = ['narrative', 'formattingInstructions'].filter((key) => value[key] === primary[key]);
  return [...structure, ...keys(...named, ...shared)];
}

/** Homes that say what the file is, and what the joint fields take. */
function structure(wire: Wire): Claim[] {
  const card = cardIn(wire);
  const under = (document: string, names: readonly string[]): Claim[] =>
    names.map((name) => ({ keys: ['card', document, name] }));
  const unknown = valueAt(card, ['character', 'updatedAt']) === UNKNOWN_TIME ? ['updatedAt'] : [];
  return [
    ...under('manifest', ['schemaVersion', '$schema', 'characters', 'scenarios']),
    ...under('character', ['schemaVersion', '$schema', 'id', ...unknown]),
    { keys: ['card', 'character', 'images'], inside: pictureAccount(wire) },
    {
      keys: ['card', 'scenarios'],
      inside: (_, path, out) =>
        scenariosOf(wire).forEach((scenario, index) =>
          accountFor(scenarioClaims(wire, scenario, index), scenario.value, `${path}[${index}]`, out),
        ),
    },
    {
      keys: ['card', 'files'],
      inside(raw, path, out) {
        const pointed = pointedAt(wire);
        for (const [name, bytes] of Object.entries(isRecord(raw) ? raw : {})) {
          if (!pointed.has(name) && !name.endsWith('/') && isBytes(bytes))
            out.unread(`${path}[${JSON.stringify(name)}]`, bytes);
        }
      },
    },
    loreClaim(['card', ...LORE]),
  ];
}

/** Rows whose file is not there, and keys beside path and label. */
const pictureAccount =
  (wire: Wire) =>
  (raw: unknown, path: string, out: Account): void => {
    listOf(raw).forEach((row, index) => {
      const place = `${path}[${index}]`;
      const name = textIn(row, 'path');
      if (name === undefined || !fileAt(wire, folderOf(wire) + name)) out.unread(place, row);
      else accountFor(keys('path', 'label'), row, place, out);
    });
  };

/** The `byaf` adapter. */
export const byaf = defineCard({
  id: 'byaf',
  family: 'backyard',
  label: 'Backyard archive',
  containers: [{ name: 'byaf', extension: 'byaf', mime: 'application/zip' }],
  carriers: [byafCarriers],
  table: () => byafFields,
  shown: (wire) => wire.replaceAll('scenarios.0.value.', 'scenarios[0].'),
  detect: (source) => (manifestOf(source) ? 1 : 0),
  fields: () => byafFields,
  structure,
  fresh: () => ({}),
  write,
  doubts: ({ wire }) => ({ left: [], warnings: tokensIn(cardIn(wire), SINGLE) }),
  book: archiveLore,
  extractLorebook: (card) => extractBook(card, archiveLore, [LORE]),
});
