import { append } from '../../core/append.ts';
import { asBytes, type Bytes, bytesOf } from '../../core/bytes.ts';
import type { OriginalEntry } from '../../core/canonical.ts';
import { define, isRecord, type Wire } from '../../core/draft.ts';
import { BunzaiError, type Warning } from '../../core/errors.ts';
import { hidden } from '../../core/hidden.ts';
import { type ParsedJson, parseJson } from '../../core/json.ts';
import { printJson } from '../../core/json-print.ts';
import type { Source } from '../../core/source.ts';
import { encodeText, mustDecodeText } from '../../core/text.ts';
import type { CardCarriers, CardJob, OpenedCard } from './card-carriers.ts';
import { isJpeg } from './exif.ts';
import { loadDeflate } from './inflate.ts';
import { placeholderPng } from './placeholder.ts';
import { isSafeName, writeZip, type Zip, type ZipEntry, zipOf } from './zip.ts';

export const CARD_MEMBER = 'card.json';

/** The zip of a source that holds a card, or undefined; for detectors, so it never throws. */
export function charxOf(source: Source): Zip | undefined {
  const zip = zipOf(source);
  return zip && !(zip instanceof BunzaiError) && zip.get(CARD_MEMBER) ? zip : undefined;
}

/** The parsed card of an archive, or why it cannot be read; for detectors too, so that it is parsed once. */
function cardInArchive(source: Source): ParsedJson | BunzaiError | undefined {
  try {
    const member = charxOf(source)?.get(CARD_MEMBER);
    return member && parseCard(member.content);
  } catch (fault) {
    if (fault instanceof BunzaiError) return fault;
    throw fault;
  }
}

/** The parsed card of an archive, or undefined. For detectors. */
export function archivedCardOf(source: Source): unknown {
  const parsed = source.once(cardInArchive);
  return parsed instanceof BunzaiError ? undefined : parsed?.value;
}

/** The bytes that a parsed card came from, so that an unedited one is passed through. */
const cardBytes = hidden<Bytes>('bytes of the card');

/** The archive that a parsed card stood in; absent where something stands before it. */
const whole = hidden<Uint8Array>('the whole archive');

/** A member beside the card that fields see parsed, under a key of the opened file. JSON, unless it says how it is read. */
export interface CharxPart {
  readonly member: string;
  readonly key: string;
  /** What a new member says before any field does; absent: an archive gains none. */
  readonly base?: Wire;
  /** The object in the member. Throws a `BunzaiError` when it cannot be read. */
  open?(content: Bytes): { readonly value: unknown; readonly warnings: readonly Warning[] };
  /** The member with a changed object; `twin` is what it was. */
  seal?(value: Wire, twin: Bytes | undefined): Bytes;
}

/** The bytes that a parsed part came from. */
const partBytes = hidden<Bytes>('bytes of the part');

/** A zip with `card.json`: its members are files that the card points at with `embeded://`. */
export const charxCarriers: CardCarriers = charxWith([]);

/** The same, for an app that has JSON members of its own beside the card. */
export function charxWith(parts: readonly CharxPart[]): CardCarriers {
  return {
    names: ['charx'],
    open(source) {
      const zip = zipOf(source);
      if (zip instanceof BunzaiError) throw zip;
      if (!zip) return undefined;
      const member = zip.get(CARD_MEMBER);
      if (!member) throw missingCard(zip);
      const parsed = source.once(cardInArchive);
      if (parsed instanceof BunzaiError) throw parsed;
      const { value, warnings } = parsed ?? parseCard(member.content);
      if (!isRecord(value))
        throw new BunzaiError('card.payload', { path: CARD_MEMBER, detail: 'it is not a JSON object' });
      cardBytes.keep(value, member.content);
      if (zip.prefix.size === 0) whole.keep(value, source.bytes);
      const files: Record<string, Bytes> = {};
      for (const { name, content } of zip.members)
        if (name !== CARD_MEMBER && !Object.hasOwn(files, name)) define(files, name, content);
      const unmapped = {
        assetFiles: files,
        order: zip.members.map(({ name }) => name),
        ...(zip.prefix.size > 0 ? { prefix: zip.prefix } : {}),
        ...(zip.comment === '' ? {} : { comment: zip.comment }),
      };
      const doubled = zip.duplicates.map(
        (name): Warning => ({
          code: 'zip.repeated',
          path: name,
          message: 'stands in the archive more than once: the first one counts',
        }),
      );
      return openedOf({ raw: value, unmapped }, value, files, zip.prefix, [...warnings, ...doubled], parts);
    },
    reopen(entry) {
      if (!isRecord(entry.raw) || entry.sourceMedia) return undefined;
      if (parts.length > 0 && !isRecord(entry.unmapped?.assetFiles)) return undefined;
      const held = entry.unmapped?.assetFiles;
      const files: Record<string, Bytes> = {};
      for (const [path, value] of Object.entries(isRecord(held) ? held : {})) {
        const bytes = asBytes(value);
        if (bytes) define(files, path, bytes);
      }
      return openedOf(entry, entry.raw, files, asBytes(entry.unmapped?.prefix), [], parts);
    },
    seal(job) {
      const untouched = untouchedArchive(job);
      if (untouched) return { bytes: untouched, warnings: [] };
      const warnings: Warning[] = [];
      const bytes = writeZip(entriesOf(job, warnings, parts), zipOptions(job.twin?.entry));
      return { bytes, warnings };
    },
    prepare: () => loadDeflate(),
  };
}

/** The archive itself where nothing in it changed; names that are unsafe to unpack are not passed on. */
function untouchedArchive({ wire, twin }: CardJob): Uint8Array | undefined {
  if (wire !== twin?.wire || !isRecord(wire.card)) return undefined;
  const order = twin.entry.unmapped?.order;
  return Array.isArray(order) && order.every(isSafeName) ? whole.of(wire.card) : undefined;
}

function openedOf(
  entry: OriginalEntry,
  card: Wire,
  files: Record<string, Bytes>,
  prefix: Bytes | undefined,
  warnings: readonly Warning[],
  parts: readonly CharxPart[],
): OpenedCard {
  const beside: Record<string, Wire> = {};
  const doubts: Warning[] = [];
  const rest = parts.some(({ member }) => Object.hasOwn(files, member)) ? { ...files } : files;
  for (const part of parts) {
    const content = files[part.member];
    const value = content && parsedPart(content, part, doubts);
    if (!value) continue;
    beside[part.key] = value;
    delete rest[part.member];
  }
  const front =
    prefix && prefix.size > 0 && isJpeg(prefix.segments()[0] ?? new Uint8Array())
      ? bytesOf(prefix.bytes(), 'image/jpeg')
      : undefined;
  const wire = { carrier: 'charx', card, files: rest, ...(front ? { picture: front } : {}), ...beside };
  return { wire, entry, warnings: [...warnings, ...doubts] };
}

/** A part that is no object stays a file among the others. */
function parsedPart(content: Bytes, { member, open }: CharxPart, doubts: Warning[]): Wire | undefined {
  try {
    const { value, warnings } = open ? open(content) : parseJson(mustDecodeText(content.bytes(), member));
    if (isRecord(value)) {
      partBytes.keep(value, content);
      if (open) append(doubts, warnings);
      return value;
    }
  } catch (cause) {
    if (!(cause instanceof BunzaiError)) throw cause;
  }
  doubts.push({ code: 'charx.part', path: member, message: 'cannot be read: it is kept as it is' });
  return undefined;
}

function parseCard(content: Bytes) {
  try {
    return parseJson(mustDecodeText(content.bytes(), CARD_MEMBER));
  } catch (cause) {
    if (!(cause instanceof BunzaiError) || !cause.code.startsWith('json.')) throw cause;
    throw new BunzaiError(cause.code, {
      path: `${CARD_MEMBER}, ${cause.path ?? ''}`,
      detail: cause.detail,
      hint: cause.hint,
      cause,
    });
  }
}

/** The archive says where its card is, or that there is none. */
function missingCard(zip: Zip): BunzaiError {
  const deeper = zip.members.find(({ name }) => name.endsWith(`/${CARD_MEMBER}`));
  const names = zip.members
    .slice(0, 5)
    .map(({ name }) => name)
    .join(', ');
  return new BunzaiError('zip.missing-member', {
    path: CARD_MEMBER,
    detail: deeper ? `it stands one folder deep, as ${deeper.name}` : `found ${zip.members.length} members: ${names}`,
    hint: deeper ? 'zip the content of that folder, not the folder' : 'a charx has card.json at its top',
  });
}

/** Members in the order they had, the card where it stood; new ones follow. A fresh archive begins with the card. */
function entriesOf(job: CardJob, warnings: Warning[], parts: readonly CharxPart[]): ZipEntry[] {
  const card = cardEntry(job.wire.card);
  const files = isRecord(job.wire.files) ? job.wire.files : {};
  const left = new Map<string, Bytes>();
  for (const path of Object.keys(files)) {
    const bytes = asBytes(files[path]);
    if (bytes) left.set(path, bytes);
  }
  const known = job.twin?.entry.unmapped?.order;
  for (const part of parts) {
    const content = partContent(job, part, Array.isArray(known) ? known : undefined);
    if (content) left.set(part.member, content);
  }
  const entries: ZipEntry[] = [];
  for (const name of Array.isArray(known) ? known : [CARD_MEMBER]) {
    if (name === CARD_MEMBER) entries.push(card);
    else if (left.has(name)) entries.push({ name, content: left.get(name) as Bytes, stays: true });
    left.delete(name);
  }
  for (const [name, content] of left) entries.push({ name, content });
  if (!job.twin && entries.length === 1) {
    warnings.push({
      code: 'charx.placeholder',
      path: 'media.portrait',
      message: 'there is no picture: a neutral placeholder stands in',
    });
    entries.push({ name: PLACEHOLDER_MEMBER, content: bytesOf(placeholderPng(), 'image/png') });
  }
  return entries;
}

/** A part as it was, as it is now, or new; an archive of another app gains none as long as nothing is to be said in it. */
function partContent(
  { wire, twin }: CardJob,
  { key, member, base, seal }: CharxPart,
  known: readonly unknown[] | undefined,
): Bytes | undefined {
  const value = wire[key];
  if (!isRecord(value)) return known || !base ? undefined : jsonBytes(base, 2);
  const before = twin?.wire[key];
  const held = partBytes.of(value);
  if (held) return held;
  if (seal) return seal(value, isRecord(before) ? partBytes.of(before) : undefined);
  return jsonBytes(known?.includes(member) ? value : { ...base, ...value }, 2);
}

const jsonBytes = (value: unknown, indent: number): Bytes =>
  bytesOf(encodeText(printJson(value, indent)), 'application/json');

/** RisuAI never finishes an archive without any asset. */
const PLACEHOLDER_MEMBER = 'assets/icon/image/main.png';

function cardEntry(card: unknown): ZipEntry {
  const known = isRecord(card) ? cardBytes.of(card) : undefined;
  return { name: CARD_MEMBER, content: known ?? jsonBytes(card, 4), stays: true };
}

function zipOptions(entry: OriginalEntry | undefined) {
  const prefix = asBytes(entry?.unmapped?.prefix);
  const comment = entry?.unmapped?.comment;
  return { ...(prefix ? { prefix } : {}), ...(typeof comment === 'string' ? { comment } : {}) };
}
