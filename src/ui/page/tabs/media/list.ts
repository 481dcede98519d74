/** The media of a card or persona as one list. */
import type { CharacterBody, MediaAsset } from '../../../../entities/character/schema.ts';
import type { PlainEntity } from '../../../item/model.ts';
import type { Patch, Path } from '../../../item/patch.ts';

/** One piece of media and where it stands in the body. */
export interface Piece {
  readonly path: Path;
  readonly asset: MediaAsset;
  /** Number among the further ones; absent: the portrait, or the background. */
  readonly at?: number;
}

/** The portrait first, then the background, then the rest in order. */
export function piecesOf(entity: PlainEntity): Piece[] {
  if (entity.kind === 'persona') {
    const portrait = entity.body.media?.portrait;
    return portrait ? [{ path: ['media', 'portrait'], asset: portrait }] : [];
  }
  if (entity.kind !== 'character') return [];
  const { media, presentation } = entity.body;
  const background = presentation?.background;
  return [
    ...(media.portrait ? [{ path: ['media', 'portrait'], asset: media.portrait }] : []),
    ...(background
      ? [{ path: ['presentation', 'background'], asset: { role: 'background' as const, ref: background.ref } }]
      : []),
    ...(media.assets ?? []).map((asset, at) => ({ path: ['media', 'assets', at], asset, at })),
  ];
}

/** Makes one of the further pictures the portrait; the old portrait takes its place in the list. */
export function portraitPatches(entity: number, body: CharacterBody, at: number): Patch[] {
  const { portrait, assets = [] } = body.media;
  const chosen = assets[at];
  if (!chosen) return [];
  const { primary: _, ...rest } = chosen;
  const next = portrait
    ? assets.with(at, { ...portrait, role: chosen.role === 'portrait' ? 'portrait' : chosen.role })
    : assets.toSpliced(at, 1);
  return [
    { path: [entity, 'body', 'media', 'portrait'], value: { ...rest, role: 'portrait' } },
    { path: [entity, 'body', 'media', 'assets'], value: next.length > 0 ? next : undefined },
  ];
}

/** A file name for a piece: its own, else its label or role, with an ending. */
export function fileNameOf({ name, label, role }: MediaAsset, type: string): string {
  const stem =
    (name || label || role)
      .replace(/[\\/:*?"<>|\p{Cc}]/gu, '_')
      .replace(/^\.+/, '_')
      .slice(0, 80) || 'media';
  return type === 'unknown' || stem.toLowerCase().endsWith(`.${type}`) ? stem : `${stem}.${type}`;
}
