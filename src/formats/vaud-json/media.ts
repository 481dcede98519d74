import { asBytes } from '../../core/bytes.ts';
import type { Entity, Original } from '../../core/canonical.ts';
import { isRecord } from '../../core/draft.ts';
import { carrySpelling } from '../../core/spelling.ts';

/** A copy with some keys replaced that prints its numbers as the original did. */
function withKeys<T extends object>(holder: T, changes: object): T {
  const copy = { ...holder, ...changes };
  carrySpelling(holder, copy);
  return copy;
}

/** The parsed entity with bytes where its JSON has `data:` texts and `{ b64, mime }`; nothing is decoded yet. */
export function revived<E extends Entity>(entity: E): E {
  const { body, original } = entity as { body: unknown; original?: Original };
  const changes = {
    ...(isRecord(body) ? { body: revivedBody(body) } : {}),
    ...(isRecord(original) ? { original: revivedEscrow(original) } : {}),
  };
  return withKeys(entity, changes);
}

function revivedBody(body: object): object {
  const { media, presentation } = body as { media?: unknown; presentation?: unknown };
  const changes: Record<string, unknown> = {};
  if (isRecord(media)) {
    const { portrait, assets } = media;
    const next = {
      ...(portrait === undefined ? {} : { portrait: withRef(portrait) }),
      ...(Array.isArray(assets) ? { assets: assets.map(withRef) } : {}),
    };
    changes.media = withKeys(media, next);
  }
  if (isRecord(presentation) && presentation.background !== undefined) {
    changes.presentation = withKeys(presentation, { background: withRef(presentation.background) });
  }
  return withKeys(body, changes);
}

function withRef(asset: unknown): unknown {
  if (!isRecord(asset)) return asset;
  const bytes = asBytes(asset.ref);
  return bytes ? withKeys(asset, { ref: bytes }) : asset;
}

function revivedEscrow(original: Original): Original {
  const entries = Object.entries(original).map(([id, entry]) => {
    const media = asBytes(entry.sourceMedia);
    return [id, media ? withKeys(entry, { sourceMedia: media }) : entry] as const;
  });
  return Object.fromEntries(entries);
}
