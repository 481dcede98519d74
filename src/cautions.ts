/** What a person should know of a card before it is used: code it carries, rights it asks for, files it fetches. */
import { isBytes } from './core/bytes.ts';
import { isRecord, valueAt } from './core/draft.ts';
import type { Warning } from './core/errors.ts';
import { boxedPictureType } from './core/picture-type.ts';
import type { MediaAsset } from './entities/character/schema.ts';
import type { AnyEntity } from './entities/kinds.ts';
import { canRunAway, RUNAWAY } from './entities/regex/runaway.ts';
import { unwrapped } from './formats/_shared/regex-codecs.ts';
import { eachText, few } from './texts.ts';

/** Rules and scripts of a card, counted where each app keeps them. */
export interface CarriedCode {
  /** Find-and-replace rules. */
  readonly rules: number;
  /** Triggers and programs. */
  readonly scripts: number;
  /** The wire paths they were found at. */
  readonly paths: readonly string[];
}

interface Home {
  readonly part: 'rules' | 'scripts';
  readonly keys: readonly string[];
}

const HOMES: readonly Home[] = [
  { part: 'rules', keys: ['regex_scripts'] },
  { part: 'rules', keys: ['rolecall', 'linkedRegexScripts'] },
  { part: 'rules', keys: ['risuai', 'customScripts'] },
  { part: 'scripts', keys: ['risuai', 'triggerscript'] },
  { part: 'scripts', keys: ['risuai', 'virtualscript'] },
  { part: 'scripts', keys: ['tavern_helper'] },
  { part: 'scripts', keys: ['TavernHelper_scripts'] },
];

/** The code in a parsed card, and what its reader made of it; never run, only counted. */
export function carriedCode(raw: unknown, entity: AnyEntity): CarriedCode {
  const found = { rules: 0, scripts: 0 };
  const paths: string[] = [];
  const root = isRecord(raw) && isRecord(raw.card) ? raw.card : raw;
  // Marinara wraps the envelope once more.
  const data = valueAt(root, ['data', 'data']) ?? valueAt(root, ['data']) ?? root;
  for (const { part, keys } of HOMES) {
    const count = amount(valueAt(data, ['extensions', ...keys]));
    if (count === 0) continue;
    found[part] += count;
    paths.push(['data', 'extensions', ...keys].join('.'));
  }
  if (entity.kind !== 'character') return { ...found, paths };
  const { regexScripts = [], triggerScripts = [], virtualScript } = entity.body.behavior ?? {};
  const read = { rules: regexScripts.length, scripts: triggerScripts.length + (virtualScript ? 1 : 0) };
  if (paths.length === 0 && read.rules + read.scripts > 0) paths.push('behavior');
  return { rules: Math.max(found.rules, read.rules), scripts: Math.max(found.scripts, read.scripts), paths };
}

/** Rows of a list or of a keyed object; a text is one. TavernHelper keeps its rows under `scripts`, in two spellings. */
function amount(value: unknown): number {
  if (typeof value === 'string') return value.trim() === '' ? 0 : 1;
  if (Array.isArray(value)) {
    const pair = value.find((row) => Array.isArray(row) && row[0] === 'scripts');
    return pair ? amount(pair[1]) : value.length;
  }
  if (!isRecord(value)) return 0;
  return Array.isArray(value.scripts) ? value.scripts.length : Object.keys(value).length;
}

/** Wire paths of carried patterns that can run away; SillyTavern spells them `findRegex`, RisuAI `in` and `flag`. */
function runawayPaths(raw: unknown): string[] {
  const root = isRecord(raw) && isRecord(raw.card) ? raw.card : raw;
  const data = valueAt(root, ['data']) ?? root;
  return HOMES.flatMap(({ part, keys }) => {
    const rows = part === 'rules' ? valueAt(data, ['extensions', ...keys]) : undefined;
    const place = ['data', 'extensions', ...keys].join('.');
    return (Array.isArray(rows) ? rows : []).flatMap((row: unknown, index) => {
      const own = valueAt(row, ['findRegex']);
      const { find, flags } = typeof own === 'string' ? unwrapped(own) : risuPattern(row);
      return canRunAway(find, flags) ? [`${place}[${index}].${typeof own === 'string' ? 'findRegex' : 'in'}`] : [];
    });
  });
}

const risuPattern = (row: unknown): { find: string; flags?: string } => {
  const [find, flags] = [valueAt(row, ['in']), valueAt(row, ['flag'])];
  return { find: typeof find === 'string' ? find : '', ...(typeof flags === 'string' ? { flags } : {}) };
};

/** Whether the card asks for RisuAI's low-level script interface. */
const isPrivileged = (raw: unknown, entity: AnyEntity): boolean =>
  valueAt(raw, ['data', 'extensions', 'risuai', 'lowLevelAccess']) === true ||
  valueAt(raw, ['card', 'data', 'extensions', 'risuai', 'lowLevelAccess']) === true ||
  (entity.kind === 'character' && entity.body.behavior?.privileged === true);

/** Web addresses among the media of a character, and the hosts they point at. */
function remoteMedia(entity: AnyEntity): { count: number; hosts: string[] } {
  if (entity.kind !== 'character') return { count: 0, hosts: [] };
  const { media, presentation } = entity.body;
  const refs = [media.portrait?.ref, ...(media.assets ?? []).map(({ ref }) => ref), presentation?.background?.ref];
  const all = [...refs, ...(presentation?.mediaLinks ?? [])];
  // A portrait may be one of the assets.
  const links = [...new Set(all.filter((ref): ref is string => typeof ref === 'string' && /^https?:\/\//i.test(ref)))];
  const hosts = links.flatMap((link) => /^https?:\/\/([^/?#]+)/i.exec(link)?.[1]?.toLowerCase() ?? []);
  return { count: links.length, hosts: [...new Set(hosts)] };
}

const HOST = /https?:\/\/([^\s/?#"'<>)\\]+)/gi;
/** How far before an address its mark is looked for. */
const MAX_MARK = 300;
const TAG = /^<(?:img|video|audio|source|embed|iframe)\b[^>]*\bsrc\s*=\s*["']?$/i;

/** Whether the address at `at` is a picture, film or sound that is fetched: in Markdown, CSS or HTML. */
function isFetched(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - MAX_MARK), at);
  const end = before.slice(-12);
  if (/url\(\s*["']?$/i.test(end)) return true;
  if (!/\]\(\s*<?$/.test(end)) return TAG.test(before.slice(before.lastIndexOf('<')));
  const open = before.lastIndexOf('[');
  return before[open - 1] === '!' && before.indexOf(']', open) === before.lastIndexOf(']');
}

/** Addresses in the texts of a body that an app would fetch to show them, and where they stand. */
function remoteInTexts(body: object): { count: number; hosts: string[]; paths: string[] } {
  const hosts: string[] = [];
  const paths = new Set<string>();
  eachText(
    body,
    (text, path) => {
      for (const { 1: host = '', index } of text.matchAll(HOST)) {
        if (!isFetched(text, index)) continue;
        hosts.push(host.toLowerCase());
        paths.add(path);
      }
    },
    '://',
  );
  return { count: hosts.length, hosts: [...new Set(hosts)], paths: [...paths] };
}

/** Picture types that many apps and browsers cannot show, or show as live markup. */
const RARELY_SHOWN = /^image\/(?:heic|heif|avif|tiff|jxl|svg\+xml)$/;

/** The type that the bytes of a picture themselves say; undefined for plain ones, and for bytes that cannot be had. */
function typeByBytes(asset: MediaAsset | undefined): string | undefined {
  try {
    return isBytes(asset?.ref) ? boxedPictureType(asset.ref.segments()[0] ?? new Uint8Array()) : undefined;
  } catch {
    return undefined;
  }
}

/** Media that is carried as it is and may stay unseen, by its type; a portrait is told by its bytes, whatever its name. */
function rarelyShown(entity: AnyEntity): Map<string, string[]> {
  const found = new Map<string, string[]>();
  if (entity.kind !== 'character') return found;
  const { portrait, assets = [] } = entity.body.media;
  const see = (asset: MediaAsset | undefined, path: string) => {
    const named = asset?.mime ?? (isBytes(asset?.ref) ? asset.ref.mime : undefined);
    const mime = (asset === portrait ? typeByBytes(asset) : undefined) ?? named;
    if (mime && RARELY_SHOWN.test(mime)) found.set(mime, [...(found.get(mime) ?? []), path]);
  };
  see(portrait, 'media.portrait');
  assets.forEach((asset, index) => see(asset, `media.assets[${index}]`));
  return found;
}

const some = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

/** The warnings of one entity, from its parsed source and its body. */
export function cautionsOf(raw: unknown, entity: AnyEntity): Warning[] {
  const warnings: Warning[] = [];
  const { rules, scripts, paths } = carriedCode(raw, entity);
  const place = paths[0] === undefined ? {} : { path: paths.join(', ') };
  const parts = [...(rules > 0 ? [some(rules, 'rule')] : []), ...(scripts > 0 ? [some(scripts, 'script')] : [])];
  if (parts.length > 0) {
    const message = `carries ${parts.join(' and ')} that an app may run; bunzai never runs them`;
    warnings.push({ code: 'card.carries-code', ...place, message });
  }
  for (const path of runawayPaths(raw)) {
    warnings.push({ code: 'regex.run-away', path, message: RUNAWAY });
  }
  if (isPrivileged(raw, entity)) {
    const message = 'asks for privileged access (low-level scripts): allow it only if you trust the author';
    warnings.push({ code: 'card.privileged', path: 'data.extensions.risuai.lowLevelAccess', message });
  }
  const { count, hosts } = remoteMedia(entity);
  if (count > 0) {
    const message = `${some(count, 'media file')} would be fetched from the web (${few(hosts)}), not in the file`;
    warnings.push({ code: 'card.remote-media', path: 'media', message });
  }
  const texts = remoteInTexts(entity.body);
  if (texts.count > 0) {
    const message = `${some(texts.count, 'media link')} in the texts would be fetched from the web (${few(texts.hosts)}), not in the file`;
    warnings.push({ code: 'card.remote-media', path: few(texts.paths), message });
  }
  for (const [mime, places] of rarelyShown(entity)) {
    const message = `${mime} is carried as it is, but many apps cannot show it`;
    warnings.push({ code: 'card.picture-type', path: few(places), message });
  }
  return warnings;
}
