/** The worker's side of the editors. */
import { preview } from '../../../core/account.ts';
import { type Bytes, equalBytes, isBytes } from '../../../core/bytes.ts';
import { primaryOriginalRaw } from '../../../core/canonical.ts';
import { valueAt } from '../../../core/draft.ts';
import { BunzaiError } from '../../../core/errors.ts';
import { printJson } from '../../../core/json-print.ts';
import { characterOf, personaOf, RECAST_TABLE } from '../../../edit/recast.ts';
import type { AnyEntity } from '../../../entities/kinds.ts';
import { read, write } from '../../../index.ts';
import { nameOf } from '../../../parts.ts';
import { openFile } from '../../item/entities.ts';
import { plainEntities, sourceBytes, tokensIn } from '../../item/media.ts';
import { type ItemSummary, isMediaToken, type MediaToken, type PlainEntity } from '../../item/model.ts';
import type { LibraryStore } from '../../library/store.ts';
import { differencesOf } from './comparing.ts';
import type { EditingApi, Other } from './editing-api.ts';
import { stemOf } from './exporting.ts';
import { fileKind } from './file-kind.ts';
import { knownOf, takeIn } from './intake.ts';
import { addMedia, entitiesNow, mediaBlob, type Session } from './sessions.ts';
import { thumbnailOf } from './thumbnail.ts';
import { renewal } from './updating.ts';

/** What the worker lends the editors. */
export interface Lent {
  library(): LibraryStore;
  session(id: string): Session;
  entitiesOf(id: string): Promise<readonly AnyEntity[]>;
}

export function editing({ library, session, entitiesOf }: Lent): EditingApi {
  const others = async (other: Other): Promise<readonly AnyEntity[]> =>
    'item' in other
      ? entitiesOf(other.item)
      : (await openFile(new Uint8Array(await other.blob.arrayBuffer()), other.name)).read;

  const recastOf = (id: string, entity: number) => {
    const own = entitiesNow(session(id))[entity];
    if (own?.kind !== 'character' && own?.kind !== 'persona')
      throw new BunzaiError('input.unreadable', { detail: 'only a card or a persona can be made into the other' });
    const { entity: made, losses } = own.kind === 'character' ? personaOf(own) : characterOf(own);
    const { knowledgeRefs: refs, ...body } = made.body;
    // A file of its own holds one of them: links into this item would lead nowhere.
    const left = refs?.length ? [{ path: 'knowledgeRefs', value: refs.join(', ') }] : [];
    return {
      from: own,
      made: { ...made, body } as AnyEntity,
      losses: [...losses.map(({ path, value }) => ({ path, value })), ...left],
    };
  };

  return {
    contents: async (other) => plainEntities(await others(other)),

    async compareWith(id, other) {
      const mine = await entitiesOf(id);
      const theirs = await others(other);
      // Those of a kind stand for each other in order, as in `differencesOf`, which follows the second list.
      const mates = mine.map(({ kind }, index) => {
        const rank = mine.slice(0, index).filter((one) => one.kind === kind).length;
        return theirs.filter((one) => one.kind === kind)[rank];
      });
      const met = new Set(mates);
      const lines = mine.flatMap((entity, index) => {
        const mate = mates[index];
        return mate
          ? differencesOf([mate], [entity]).map(({ path, was, now, kind }) => ({
              entity: index,
              path,
              ...(was === undefined ? {} : { theirs: was }),
              ...(now === undefined || kind === 'dropped' ? {} : { mine: now }),
            }))
          : [];
      });
      return {
        lines,
        mine: mine.filter((_, index) => !mates[index]).map(nameOf),
        theirs: theirs.filter((one) => !met.has(one)).map(nameOf),
      };
    },

    async still(id, token) {
      const blob = mediaBlob(session(id), token);
      if (!blob) return undefined;
      const bytes = new Uint8Array(await blob.arrayBuffer());
      const picture = await thumbnailOf(bytes);
      return { ...fileKind(bytes), size: bytes.byteLength, ...(picture ? { picture } : {}) };
    },

    async update(id, other, keep) {
      const open = session(id);
      const mine = entitiesNow(open);
      const made = renewal(mine, await others(other), new Set(keep));
      if (!made)
        throw new BunzaiError('input.unreadable', {
          ...('name' in other ? { file: other.name } : {}),
          detail: `it is not a ${mine[0]?.kind ?? 'file'} like the open item`,
          hint: 'choose a file of the same kind',
        });
      const plain = await adopter(open);
      return {
        lines: made.lines,
        bodies: await Promise.all(made.changed.map(async ({ entity, body }) => ({ entity, body: await plain(body) }))),
        fresh: await Promise.all(
          made.fresh.map(
            async ({ kind, id: own, body }) => ({ kind, id: own, body: await plain(body) }) as PlainEntity,
          ),
        ),
      };
    },

    async recasting(id, entity) {
      const { from, made, losses } = recastOf(id, entity);
      const side = from.kind as 'character' | 'persona';
      return {
        kind: made.kind as 'character' | 'persona',
        crosses: RECAST_TABLE.flatMap((row) => {
          const value = valueAt(from.body, row[side].split('.'));
          const gone = value === undefined || row[side] === 'knowledgeRefs';
          return gone ? [] : [{ character: row.character, persona: row.persona, value: preview(value) }];
        }),
        losses,
      };
    },

    async recast(id, entity) {
      const { made } = recastOf(id, entity);
      const [file] = (await write([made], 'vaud-json', { name: stemOf([made]) })).files;
      if (!file) throw new BunzaiError('input.unreadable', { detail: 'nothing was written' });
      const blob = new Blob([file.bytes as Uint8Array<ArrayBuffer>]);
      let summary: ItemSummary | undefined;
      await takeIn(
        library(),
        knownOf(await library().list()),
        { key: 'recast', name: file.name, blob, mode: 'both' },
        (row) => {
          if (row.fault) throw row.fault;
          summary = row.summary;
        },
        () => false,
      );
      if (!summary) throw new BunzaiError('input.unreadable', { detail: 'nothing was added' });
      return summary;
    },

    async written(id, entity) {
      const open = session(id);
      const now = entitiesNow(open);
      const { format } = open.stored.summary;
      const { files } = await write(now, format);
      const [file] = files;
      if (!file) return undefined;
      const { entities } = await read({ bytes: file.bytes, filename: file.name });
      const rank = now.slice(0, entity).filter(({ kind }) => kind === now[entity]?.kind).length;
      const mate = entities.filter(({ kind }) => kind === now[entity]?.kind)[rank];
      const raw = primaryOriginalRaw(mate?.original);
      return raw === undefined ? undefined : printJson(raw);
    },
  };
}

/** Makes bodies of elsewhere plain: bytes the item has get their token, others are kept beside it. */
async function adopter(open: Session): Promise<(body: AnyEntity['body']) => Promise<PlainEntity['body']>> {
  const known = new Map<Bytes, MediaToken>();
  for (const token of tokensIn(open.now.map(({ body }) => body))) {
    const { $media } = token;
    const bytes = $media.startsWith('blob:') ? open.blobs.get($media.slice(5)) : sourceBytes(open.file.read, token);
    if (bytes) known.set(bytes, token);
  }
  const adopt = async (value: unknown): Promise<unknown> => {
    if (isBytes(value)) {
      const held = known.get(value) ?? [...known].find(([bytes]) => equalBytes(bytes, value))?.[1];
      if (held) return held;
      const type = value.mime === undefined ? {} : { type: value.mime };
      return addMedia(open, new Blob([value.bytes() as Uint8Array<ArrayBuffer>], type));
    }
    if (typeof value !== 'object' || value === null || isMediaToken(value)) return value;
    if (Array.isArray(value)) return Promise.all(value.map(adopt));
    const pairs = Object.entries(value).map(async ([key, inner]) => [key, await adopt(inner)] as const);
    return Object.fromEntries(await Promise.all(pairs));
  };
  return async (body) => (await adopt(body)) as PlainEntity['body'];
}
