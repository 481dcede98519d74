import type { Claim } from '../../core/account.ts';
import { type Bytes, isBytes } from '../../core/bytes.ts';
import { type Draft, define, isRecord, type Keys, same, saysNothing, valueAt, type Wire } from '../../core/draft.ts';
import type { MediaAsset } from '../../entities/character/schema.ts';
import type { MediaHome } from '../_shared/tavern-media.ts';
import { addMember, bytesFor, dropMembers, ICONS, memberAt, OTHERS, pointedAt } from './archive.ts';

const EXPRESSIONS: Keys = ['modules', 'expressions', 'mappings'];
const GROUPS: Keys = ['modules', 'expression_groups', 'groups'];
const PICTURE = /\.(?:png|jpe?g|gif|webp|avif|bmp|svg)$/i;
const GALLERY = /^(?:gallery_)?(.+)\.[^.]+$/;
/** Pictures in these folders that nothing points at are the gallery. */
const GALLERY_FOLDERS = [ICONS, OTHERS];

/** One expression of the modules. */
interface Face {
  readonly map: Keys;
  readonly key: string;
  readonly path: string;
  readonly asset: MediaAsset;
}

const mapsIn = (wire: Wire): readonly (readonly [keys: Keys, prefix: string])[] => {
  const groups = valueAt(wire, GROUPS);
  const names = isRecord(groups) ? Object.keys(groups) : [];
  return [[EXPRESSIONS, ''], ...names.map((name) => [[...GROUPS, name], `${name}/`] as const)];
};

const asset = (role: MediaAsset['role'], ref: MediaAsset['ref'], label?: string): MediaAsset => ({
  role,
  ref,
  ...(label === undefined ? {} : { label }),
  ...(isBytes(ref) && ref.mime !== undefined ? { mime: ref.mime } : {}),
});

function facesIn(wire: Wire): Face[] {
  return mapsIn(wire).flatMap(([map, prefix]) => {
    const held = valueAt(wire, map);
    if (!isRecord(held)) return [];
    return Object.entries(held).flatMap(([key, path]): Face[] => {
      const ref = memberAt(wire, path);
      return ref === undefined ? [] : [{ map, key, path: String(path), asset: asset('emotion', ref, prefix + key) }];
    });
  });
}

/** Pictures that nothing points at: the main one, unless a row of the card is the portrait, and the gallery. */
export function looseIn(wire: Wire, inRow: boolean): { readonly main?: string; readonly gallery: readonly string[] } {
  const files = isRecord(wire.files) ? wire.files : {};
  const pointed = pointedAt(wire);
  const loose = Object.keys(files).filter(
    (path) => PICTURE.test(path) && !pointed.has(path) && GALLERY_FOLDERS.some((folder) => path.startsWith(folder)),
  );
  const icon = loose.find((path) => path.startsWith(`${ICONS}main.`)) ?? loose.find((path) => path.startsWith(ICONS));
  const main = inRow ? undefined : icon;
  return main === undefined ? { gallery: loose } : { main, gallery: loose.filter((path) => path !== main) };
}

const galleryLabel = (path: string): string => GALLERY.exec(path.slice(path.lastIndexOf('/') + 1))?.[1] ?? path;

/** Expressions, groups of them, the main picture and the gallery, as the app lays them into its archive. */
export const archiveMedia: MediaHome = {
  wire: ['modules.expressions.mappings', 'modules.expression_groups.groups', 'files'],
  read(wire, inRow) {
    if (wire.carrier !== 'charx') return { assets: [] };
    const { main, gallery } = looseIn(wire, inRow);
    const portrait = main === undefined ? undefined : memberAt(wire, main);
    return {
      ...(portrait === undefined ? {} : { portrait: asset('portrait', portrait) }),
      assets: [
        ...facesIn(wire).map((face) => face.asset),
        ...gallery.flatMap((path) => {
          const ref = memberAt(wire, path);
          return ref === undefined ? [] : [asset('other', ref, galleryLabel(path))];
        }),
      ],
    };
  },
  write(draft, now, moved, inRow) {
    if (draft.twin.carrier !== 'charx') return now;
    const portrait = moved ? writeMain(draft, now.portrait) : now.portrait;
    const shown = writeGallery(draft, now.assets, inRow);
    const assets = writeFaces(
      draft,
      now.assets.filter((one) => !shown.has(one)),
    );
    return portrait === undefined ? { assets } : { portrait, assets };
  },
  claims: (wire) =>
    wire.carrier === 'charx'
      ? (mapsIn(wire).map(([keys]) => ({
          keys,
          inside(raw, path, out) {
            for (const [key, held] of Object.entries(isRecord(raw) ? raw : {})) {
              const ref = memberAt(wire, held);
              if (ref === undefined && !saysNothing(held)) out.unread(`${path}.${key}`, held);
              if (typeof ref === 'string') out.repaired(`${path}.${key}`, 'points at a file that is not there');
            }
          },
        })) satisfies Claim[])
      : [],
};

/** The main picture goes where the app looks for it. In a file that has none yet a row of the card names it as well. */
function writeMain(draft: Draft, portrait: MediaAsset | undefined): MediaAsset | undefined {
  const { main } = looseIn(draft.twin, false);
  const bytes = bytesFor(portrait?.ref);
  if (main !== undefined && !portrait) dropMembers(draft, [main]);
  if (!portrait || !bytes) return portrait;
  addMember(draft, { folder: ICONS, label: 'main', bytes, mime: portrait.mime, instead: main });
  return main === undefined ? { ...portrait, ref: bytes } : undefined;
}

/** Gallery pictures that stay; those that nobody asks for any more go. */
function writeGallery(draft: Draft, assets: readonly MediaAsset[], inRow: boolean): ReadonlySet<MediaAsset> {
  const stay = new Set<MediaAsset>();
  const { gallery } = looseIn(draft.twin, inRow);
  const gone = gallery.filter((path) => {
    const one = assets.find(
      (candidate) =>
        !stay.has(candidate) &&
        candidate.role === 'other' &&
        candidate.label === galleryLabel(path) &&
        same(candidate.ref, memberAt(draft.twin, path)),
    );
    if (one) stay.add(one);
    return one === undefined;
  });
  dropMembers(draft, gone);
  return stay;
}

/** An expression keeps its member by label and picture, else by label, else by picture under a new label. */
function writeFaces(draft: Draft, assets: readonly MediaAsset[]): MediaAsset[] {
  const free = new Set(facesIn(draft.twin));
  const old = [...free];
  const placed = new Map<MediaAsset, Face>();
  const settle = (fits: (asset: MediaAsset, face: Face) => boolean): void => {
    for (const one of assets) {
      if (placed.has(one) || one.role !== 'emotion' || !one.label) continue;
      const face = [...free].find((candidate) => fits(one, candidate));
      if (!face) continue;
      placed.set(one, face);
      free.delete(face);
    }
  };
  settle((one, face) => one.label === face.asset.label && same(one.ref, face.asset.ref));
  settle((one, face) => one.label === face.asset.label && bytesFor(one.ref) !== undefined);
  settle((one, face) => same(one.ref, face.asset.ref) && prefixOf(face) === groupOf(one.label));

  const rest: MediaAsset[] = [];
  const byFace = new Map([...placed].map(([one, face]) => [`${face.map.join('/')} ${face.key}`, { one, face }]));
  const maps = new Map(
    mapsIn(draft.twin).map(([keys]) => [
      keys.join('/'),
      { keys, map: keptIn(draft.twin, keys, (key) => byFace.get(`${keys.join('/')} ${key}`), draft) },
    ]),
  );
  const mapFor = (keys: Keys) => {
    const found = maps.get(keys.join('/')) ?? { keys, map: {} };
    maps.set(keys.join('/'), found);
    return found.map;
  };
  for (const one of assets) {
    if (placed.has(one)) continue;
    const bytes = one.role === 'emotion' && one.label ? bytesFor(one.ref) : undefined;
    const group = groupOf(one.label);
    const map = mapFor(group === '' ? EXPRESSIONS : [...GROUPS, group.slice(0, -1)]);
    const key = one.label?.slice(group.length) ?? '';
    if (!bytes || Object.hasOwn(map, key)) rest.push(one);
    else define(map, key, addMember(draft, { folder: OTHERS, label: memberLabel(group, key), bytes, mime: one.mime }));
  }
  for (const { keys, map } of maps.values()) writeMap(draft, keys, map);
  dropMembers(
    draft,
    old.map(({ path }) => path),
  );
  return rest;
}

/** `Group/label`, as groups are spelled in the model; the prefix with its slash. */
const groupOf = (label: string | undefined): string => /^[^/]+\/(?=.)/.exec(label ?? '')?.[0] ?? '';
const prefixOf = ({ asset: { label = '' }, key }: Face): string => label.slice(0, label.length - key.length);
const memberLabel = (group: string, key: string): string =>
  group === '' ? `expr_${key}` : `exprg_${group.slice(0, -1)}--${key}`;

/** The path of an expression: its member, or a new one where the picture is another. */
function pathFor(draft: Draft, one: MediaAsset, face: Face): string {
  const bytes: Bytes | undefined = same(one.ref, face.asset.ref) ? undefined : bytesFor(one.ref);
  if (!bytes) return face.path;
  const [group, label = ''] = [groupOf(one.label), one.label];
  const name = memberLabel(group, label.slice(group.length));
  return addMember(draft, { folder: OTHERS, label: name, bytes, mime: one.mime, instead: face.path });
}

/** A map with the expressions that stay, renamed where they are; what is no expression stays as it is. */
function keptIn(
  wire: Wire,
  keys: Keys,
  placed: (key: string) => { readonly one: MediaAsset; readonly face: Face } | undefined,
  draft: Draft,
): Record<string, unknown> {
  const held = valueAt(wire, keys);
  const map: Record<string, unknown> = {};
  for (const [key, path] of Object.entries(isRecord(held) ? held : {})) {
    const hit = placed(key);
    if (hit) define(map, hit.one.label?.slice(prefixOf(hit.face).length) ?? key, pathFor(draft, hit.one, hit.face));
    else if (memberAt(wire, path) === undefined) define(map, key, path);
  }
  return map;
}

/** A new module of expressions is switched on and names the one to start with: `neutral`, else the first. */
function writeMap(draft: Draft, keys: Keys, map: Record<string, unknown>): void {
  const held = valueAt(draft.twin, keys);
  const labels = Object.keys(map);
  if (same(held, map) || (held === undefined && labels.length === 0)) return;
  const home = keys.slice(0, -1);
  if (keys === EXPRESSIONS && (valueAt(draft.twin, home) ?? undefined) === undefined) {
    draft.set([...home, 'enabled'], true);
    draft.set([...home, 'defaultExpression'], labels.includes('neutral') ? 'neutral' : labels[0]);
  }
  draft.set(keys, map);
}
