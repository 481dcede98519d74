import { asBytes, type Bytes, isBytes } from './core/bytes.ts';
import { type Entity, primaryOriginalRaw } from './core/canonical.ts';
import type { CompareRules } from './core/compare.ts';
import { isRecord, same, saysNothing } from './core/draft.ts';
import { sha256 } from './core/sha256.ts';
import type { AnyEntity, EntityOf } from './entities/kinds.ts';
import { comparable } from './measure.ts';

/** What counts as the content of an entity. */
export interface ContentHashOptions {
  /** The books of a character, in their order. Absent: none, so a card is not told from the same card with a book. */
  readonly books?: readonly EntityOf<'lorebook'>[];
  /** False: pictures and sounds do not count, so that a card in a picture is the same as its JSON. Default: true. */
  readonly media?: boolean;
}

/** When a copy was made or saved says nothing about what it is. Paths are general, as in the rules of comparing. */
const USAGE: ReadonlySet<string> = new Set([
  'attribution.createdAt',
  'attribution.updatedAt',
  'createdAt',
  'updatedAt',
  'media.faceLabel',
]);

/** Told from other hashes, and from later definitions of this one. */
const MARK = 'bunzai content 1';

/**
 * The identity of an entity: SHA-256, 64 hexadecimal digits, over its kind and its canonical body (and its profiles).
 * Two entities with equal hashes say the same, whatever formats and containers they came in. The rules are those of
 * the loss report: what is absent, empty or the default of its slot says nothing; the order of rows says something;
 * media are their bytes. Left out: ids, times of making and saving, the twin and everything else in `original`, notes.
 * An entity that only its own app can read (a template, a quick reply set) has no body but its name: there the twin is
 * what it says.
 */
export async function contentHash(
  entity: AnyEntity,
  { books = [], media = true }: ContentHashOptions = {},
): Promise<string> {
  const linked: string[] = [];
  for (const book of books) linked.push(await contentHash(book, { media }));
  const { rules, view } = comparable(entity.kind);
  const pictures: Bytes[] = [];
  const body = spelled(rules, media, pictures, view(entity.body));
  const profiles = Object.entries((entity as Entity).profiles ?? {})
    .sort(byKey)
    .map(([target, groups]) => [target, spelled(rules, media, pictures, groups)]);
  const twin = isBare(body) ? spelled(NO_RULES, media, pictures, primaryOriginalRaw(entity.original)) : null;
  const digests: string[] = [];
  for (const picture of pictures) digests.push(await sha256(picture.bytes()));
  return sha256(new TextEncoder().encode(JSON.stringify([MARK, entity.kind, body, twin, profiles, digests, linked])));
}

const NO_RULES: CompareRules = { defaults: {}, ignored: new Set(), rows: {} };

/** Nothing is said beside a name. */
const isBare = (body: unknown): boolean =>
  body === null || (Array.isArray(body) && body.length === 2 && body[1]?.[0] === 'name');

/**
 * A body as lists and texts that are equal exactly when the comparison finds no difference; null: it says nothing.
 * Bytes are put into `pictures` in the order in which they are met.
 */
function spelled(rules: CompareRules, media: boolean, pictures: Bytes[], body: unknown): unknown {
  const walk = (value: unknown, path: string): unknown => {
    if (rules.ignored.has(path) || USAGE.has(path) || (path === 'media' && !media)) return null;
    const fallback = rules.defaults[path];
    if (fallback !== undefined && same(value ?? fallback, fallback)) return null;
    if (saysNothing(value)) return null;
    if (Array.isArray(value) && rules.rows[path]) return ['rows', ...value.map((row) => walk(row, `${path}[*]`))];
    if (!isRecord(value) || isBytes(value)) return whole(value);
    const fields = Object.entries(value)
      .sort(byKey)
      .map(([key, held]) => [key, walk(held, path === '' ? key : `${path}.${key}`)] as const)
      .filter(([, held]) => held !== null);
    return fields.length === 0 ? null : ['fields', ...fields];
  };
  /** A value that is compared as a whole. */
  const whole = (value: unknown): unknown => {
    const isMedia = isBytes(value) || (typeof value === 'string' && value.startsWith('data:'));
    const bytes = isMedia ? asBytes(value) : undefined;
    if (bytes) return ['bytes', bytes.size, pictures.push(bytes)];
    if (Array.isArray(value)) return ['list', ...value.map(whole)];
    if (!isRecord(value)) return value;
    const held = Object.entries(value).filter(([, one]) => one !== undefined);
    return ['record', ...held.sort(byKey).map(([key, one]) => [key, whole(one)])];
  };
  return walk(body, '');
}

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : a > b ? 1 : 0;
