/** Assets that a card keeps as maps from a label to an address, beside its asset rows: Chub's expressions. */
import type { Account, Claim } from '../../core/account.ts';
import { type Draft, define, isRecord, type Keys, keysOf, same, valueAt, type Wire } from '../../core/draft.ts';
import type { MediaAsset } from '../../entities/character/schema.ts';

/** The maps of a card as the media fields see them. */
export interface AssetMaps {
  /** Wire homes, for docs and laws. */
  readonly wire: readonly string[];
  read(wire: Wire): MediaAsset[];
  /** Puts assets into the maps they came from and returns the others; new ones join where `open`. */
  put(draft: Draft, assets: readonly MediaAsset[], open: boolean): MediaAsset[];
  claims(wire: Wire): readonly Claim[];
}

/** Maps at homes below `data`; a `*` in a home stands for every key, which names the pack. */
export const assetMaps =
  (...homes: readonly string[]) =>
  (data: string): AssetMaps => {
    const wire = homes.map((home) => `${data}.${home}`);
    const places = wire.map((home) => keysOf(home));
    return {
      wire,
      read: (file) => mapAssets(file, places),
      put: (draft, assets, open) => putMapAssets(draft, places, assets, open),
      claims: (file) => mapClaims(file, places),
    };
  };

/** One map of a card. Labels of a map that is one of several are `pack/label`. */
interface AssetMap {
  readonly keys: Keys;
  readonly prefix: string;
  readonly held: Wire;
}

/** One readable member of a map. */
interface Member {
  readonly map: AssetMap;
  readonly key: string;
  readonly asset: MediaAsset;
}

/** The maps at `homes`, as far as the card has them. A `*` in a home stands for every key, which names the pack. */
function mapsIn(wire: Wire, homes: readonly Keys[]): AssetMap[] {
  return homes.flatMap((keys) => {
    const star = keys.indexOf('*');
    const packs = star < 0 ? undefined : valueAt(wire, keys.slice(0, star));
    const places: (readonly [Keys, string])[] = isRecord(packs)
      ? Object.keys(packs).map((pack) => [keys.map((key, i) => (i === star ? pack : key)), `${pack}/`])
      : star < 0
        ? [[keys, '']]
        : [];
    return places.flatMap(([place, prefix]) => {
      const held = valueAt(wire, place);
      return isRecord(held) ? [{ keys: place, prefix, held }] : [];
    });
  });
}

const isAddress = (ref: unknown): ref is string => typeof ref === 'string' && /^https?:\/\//i.test(ref);
const isReadable = (ref: unknown): ref is string => typeof ref === 'string' && ref !== '';

const membersOf = (maps: readonly AssetMap[]): Member[] =>
  maps.flatMap((map) =>
    Object.entries(map.held).flatMap(([key, ref]): Member[] =>
      isReadable(ref) ? [{ map, key, asset: { role: 'emotion', label: map.prefix + key, ref } }] : [],
    ),
  );

/** The assets of the maps at `homes`, in their order. Nothing is fetched. */
const mapAssets = (wire: Wire, homes: readonly Keys[]): MediaAsset[] =>
  membersOf(mapsIn(wire, homes)).map(({ asset }) => asset);

/** Every map there is, with what in it is no address. */
const mapClaims = (wire: Wire, homes: readonly Keys[]): Claim[] =>
  mapsIn(wire, homes).map(({ keys }) => ({
    keys,
    inside(raw: unknown, path: string, out: Account) {
      for (const [key, ref] of Object.entries(isRecord(raw) ? raw : {})) {
        if (!isReadable(ref) && ref !== null) out.unread(`${path}.${key}`, ref);
      }
    },
  }));

/**
 * Puts assets into the maps they came from and returns the others. An asset keeps its member by label and address, else
 * by label, else by address under a new label. A new expression joins the expressions a card has, where `open` says so.
 */
function putMapAssets(
  draft: Draft,
  homes: readonly Keys[],
  assets: readonly MediaAsset[],
  open: boolean,
): MediaAsset[] {
  const maps = mapsIn(draft.twin, homes);
  if (maps.length === 0) return [...assets];
  const free = new Set(membersOf(maps));
  const placed = new Map<MediaAsset, Member>();
  const mapOf = (label: string) =>
    maps.find(({ prefix }) => prefix !== '' && label.startsWith(prefix)) ?? maps.find(({ prefix }) => prefix === '');
  /** Pairs assets with free members of equal key, in order. */
  const settle = (keyOf: (asset: MediaAsset) => string, may: (asset: MediaAsset) => boolean) => {
    const waiting = new Map<string, Member[]>();
    for (const member of free) {
      const key = keyOf(member.asset);
      const queue = waiting.get(key);
      if (queue) queue.push(member);
      else waiting.set(key, [member]);
    }
    for (const queue of waiting.values()) queue.reverse();
    for (const asset of assets) {
      if (placed.has(asset) || asset.role !== 'emotion' || !asset.label || !may(asset)) continue;
      const member = waiting.get(keyOf(asset))?.pop();
      if (!member) continue;
      placed.set(asset, member);
      free.delete(member);
    }
  };
  const known = ({ ref }: MediaAsset) => isReadable(ref);
  settle(({ label, ref }) => JSON.stringify([label, isReadable(ref) ? ref : null]), known);
  settle(
    ({ label }) => label ?? '',
    ({ ref }) => isAddress(ref),
  );
  settle(({ label = '', ref }) => JSON.stringify([mapOf(label)?.keys, isReadable(ref) ? ref : null]), known);

  const now = new Map(maps.map((map) => [map, membersToBe(map, placed)]));
  const rest = assets.filter((asset) => {
    if (placed.has(asset)) return false;
    const map = asset.role === 'emotion' && isAddress(asset.ref) && asset.label ? mapOf(asset.label) : undefined;
    const members = map && now.get(map);
    const key = asset.label?.slice(map?.prefix.length) ?? '';
    const lives = map && Object.values(map.held).some(isReadable);
    if (!open || !members || !lives || key === '' || Object.hasOwn(members, key)) return true;
    define(members, key, asset.ref);
    return false;
  });
  for (const [map, members] of now) if (!same(members, map.held)) draft.set(map.keys, members);
  return rest;
}

/** The map with what is placed in it; a renamed member stays at its place, what cannot be read stays. */
function membersToBe(map: AssetMap, placed: ReadonlyMap<MediaAsset, Member>): Record<string, unknown> {
  const next = new Map<string, MediaAsset>();
  for (const [asset, member] of placed) if (member.map === map) next.set(member.key, asset);
  const out: Record<string, unknown> = {};
  for (const [key, ref] of Object.entries(map.held)) {
    const asset = next.get(key);
    if (asset) define(out, asset.label?.slice(map.prefix.length) ?? key, asset.ref);
    else if (!isReadable(ref)) define(out, key, ref);
  }
  return out;
}
