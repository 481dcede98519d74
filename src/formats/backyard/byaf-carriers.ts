import { append } from '../../core/append.ts';
import { asBytes, type Bytes, bytesOf, isBytes } from '../../core/bytes.ts';
import { define, isRecord, type Wire } from '../../core/draft.ts';
import { BunzaiError, type Warning } from '../../core/errors.ts';
import { hidden } from '../../core/hidden.ts';
import { parseJson } from '../../core/json.ts';
import { printJson } from '../../core/json-print.ts';
import type { Source } from '../../core/source.ts';
import { encodeText, mustDecodeText } from '../../core/text.ts';
import type { CardCarriers, CardJob } from '../_shared/card-carriers.ts';
import { loadDeflate } from '../_shared/inflate.ts';
import {
  isSafeName,
  MAX_MANIFEST_BYTES,
  type Member,
  writeZip,
  type Zip,
  type ZipEntry,
  zipOf,
} from '../_shared/zip.ts';
import { characterPathOf, listOf, MANIFEST, type Scenario, scenariosOf } from './byaf-archive.ts';

/** The manifest of an archive of this format, or undefined. For detectors: never throws, inflates nothing else. */
export const manifestOf = (source: Source): Wire | undefined => source.once(findManifest);

function findManifest(source: Source): Wire | undefined {
  const zip = zipOf(source);
  if (!zip || zip instanceof BunzaiError) return undefined;
  const member = zip.get(MANIFEST);
  if (!member || member.size > MAX_MANIFEST_BYTES) return undefined;
  try {
    const { value } = parsed(member);
    const shaped = isRecord(value) && characterPathOf(value) !== undefined && Array.isArray(value.scenarios);
    return shaped ? value : undefined;
  } catch (refusal) {
    if (refusal instanceof BunzaiError) return undefined;
    throw refusal;
  }
}

/** The member that a parsed document came from, so that an unedited one is passed through. */
const memberBytes = hidden<Bytes>('the member of a document');
/** The file that an opened archive came from, so that an unedited one is the file itself. */
const whole = hidden<Uint8Array>('the whole archive');

/** The `.byaf` archive. */
export const byafCarriers: CardCarriers = {
  names: ['byaf'],
  open(source) {
    const zip = zipOf(source);
    if (zip instanceof BunzaiError) throw zip;
    if (!zip) return undefined;
    const warnings: Warning[] = [];
    const manifest = documentAt(zip, MANIFEST, warnings);
    const path = characterPathOf(manifest);
    if (path === undefined) {
      throw new BunzaiError('format.mismatch', {
        format: 'byaf',
        path: `${MANIFEST}, characters`,
        detail: 'names no character',
      });
    }
    const character = documentAt(zip, path, warnings);
    const scenarios = scenariosIn(zip, manifest, warnings);
    const documents = new Set([MANIFEST, path, ...scenarios.map((scenario) => scenario.path)]);
    const card = { manifest, character, scenarios, files: filesIn(zip, documents, warnings) };
    whole.keep(card, source.bytes);
    const unmapped = {
      order: zip.members.map(({ name }) => name),
      ...(zip.prefix.size > 0 ? { prefix: zip.prefix } : {}),
      ...(zip.comment === '' ? {} : { comment: zip.comment }),
    };
    return { wire: { carrier: 'byaf', card }, entry: { raw: card, unmapped }, warnings };
  },
  reopen(entry) {
    if (!isRecord(entry.raw) || !isRecord(entry.raw.manifest)) return undefined;
    const held = entry.raw.files;
    if (isRecord(held) && Object.values(held).every(isBytes)) {
      return { wire: { carrier: 'byaf', card: entry.raw }, entry, warnings: [] };
    }
    const files: Record<string, Bytes> = {};
    for (const [path, value] of Object.entries(isRecord(held) ? held : {})) {
      const bytes = asBytes(value);
      if (bytes) define(files, path, bytes);
    }
    return { wire: { carrier: 'byaf', card: { ...entry.raw, files } }, entry, warnings: [] };
  },
  seal(job) {
    const { card } = job.wire;
    const untouched = isRecord(card) && card === job.twin?.wire.card ? whole.of(card) : undefined;
    if (untouched) return { bytes: untouched, warnings: [] };
    const { prefix, comment } = job.twin?.entry.unmapped ?? {};
    const text = typeof comment === 'string' ? comment : undefined;
    return { bytes: writeZip(entriesOf(job), { prefix: asBytes(prefix), comment: text }), warnings: [] };
  },
  prepare: () => loadDeflate(),
};

const parsed = (member: Member) => parseJson(mustDecodeText(member.content.bytes(), member.name));

/** A parsed document. Throws when the member is missing, broken or no object. */
function documentAt(zip: Zip, path: string, warnings: Warning[]): Wire {
  const member = zip.get(path);
  if (!member) {
    throw new BunzaiError('zip.missing-member', {
      format: 'byaf',
      path,
      hint: 'the archive is not whole: export it again',
    });
  }
  try {
    const { value, warnings: repeated } = parsed(member);
    if (!isRecord(value)) throw new BunzaiError('format.mismatch', { path, detail: 'it is not a JSON object' });
    append(
      warnings,
      repeated.map((warning) => ({ ...warning, path: `${path}, ${warning.path ?? ''}` })),
    );
    memberBytes.keep(value, member.content);
    return value;
  } catch (cause) {
    if (!(cause instanceof BunzaiError) || !cause.code.startsWith('json.')) throw cause;
    const { code, detail, hint } = cause;
    throw new BunzaiError(code, { format: 'byaf', path: `${path}, ${cause.path ?? ''}`, detail, hint, cause });
  }
}

/** The scenarios there are, each path once. One that is listed and not there is left out, with a warning. */
function scenariosIn(zip: Zip, manifest: Wire, warnings: Warning[]): Scenario[] {
  const paths = new Set(listOf(manifest.scenarios).filter((path): path is string => typeof path === 'string'));
  paths.delete(MANIFEST);
  paths.delete(characterPathOf(manifest) ?? '');
  return [...paths].flatMap((path) => {
    if (zip.get(path)) return [{ path, value: documentAt(zip, path, warnings) }];
    warnings.push({
      code: 'byaf.missing-scenario',
      path,
      message: 'is listed in the manifest, but not in the archive',
    });
    return [];
  });
}

/** All members that are no documents. Names that would leave the archive stay behind when it is written anew. */
function filesIn(zip: Zip, documents: ReadonlySet<string>, warnings: Warning[]): Wire {
  const files: Record<string, Bytes> = {};
  for (const { name, content } of zip.members) {
    if (documents.has(name) || Object.hasOwn(files, name)) continue;
    if (isSafeName(name)) define(files, name, content);
    else
      warnings.push({
        code: 'byaf.unsafe-name',
        path: name,
        message: 'is no safe member name: an edited archive leaves it out',
      });
  }
  for (const name of zip.duplicates) {
    warnings.push({
      code: 'zip.repeated',
      path: name,
      message: 'stands in the archive more than once: the first one counts',
    });
  }
  return files;
}

/** Members in the order they had; new ones follow. A fresh archive has the order of the app's own writer. */
function entriesOf({ wire, twin }: CardJob): ZipEntry[] {
  const card = isRecord(wire.card) ? wire.card : {};
  const path = characterPathOf(card.manifest) ?? '';
  const scenarios = scenariosOf(wire);
  const left = new Map<string, Bytes>([
    [MANIFEST, documentBytes(card.manifest)],
    [path, documentBytes(card.character)],
    ...scenarios.map(({ path: at, value }) => [at, documentBytes(value)] as const),
  ]);
  const files = Object.entries(isRecord(card.files) ? card.files : {});
  for (const [name, bytes] of files) if (isBytes(bytes) && !left.has(name)) left.set(name, bytes);
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const usual = [MANIFEST, ...files.flatMap(([name]) => (name.startsWith(folder) ? [name] : [])), path];
  const known = twin?.entry.unmapped?.order;
  const order = new Set<string>([...(Array.isArray(known) ? known : usual), ...left.keys()]);
  return [...order].flatMap((name) => {
    const content = left.get(name);
    return content ? [{ name, content, stays: twin !== undefined }] : [];
  });
}

const documentBytes = (value: unknown): Bytes =>
  (isRecord(value) ? memberBytes.of(value) : undefined) ?? bytesOf(encodeText(printJson(value)), 'application/json');
