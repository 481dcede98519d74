/** Small invented inputs for the real-world cases, built without the library. */
import { crc32, deflateRawSync, deflateSync } from 'node:zlib';
import { createEngine } from '../../src/engine.ts';
import type { AnyAdapter, AnyEntity, EntityOf } from '../../src/entities/kinds.ts';
import { formats } from '../../src/formats/index.generated.ts';
import { PNGS, pngBytes } from '../entities/pictures.ts';
import { pngPieces } from '../kit/carriers.ts';

export const engine = createEngine(formats as readonly AnyAdapter[]);
/** Ids of every adapter of a kind that other apps own. */
export const targetsOf = (kind: string): string[] =>
  engine
    .formats()
    .filter((format) => format.kind === kind && !format.native && format.id !== 'sillytavern-quickreply')
    .map(({ id }) => id);

export const json = (bytes: Uint8Array | undefined) => JSON.parse(Buffer.from(bytes ?? []).toString('utf8'));
export const utf8 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text));
export const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');
export const dataUri = (shade: number): string => `data:image/png;base64,${PNGS[shade]}`;
export const picture = (shade: number): Buffer => Buffer.from(pngBytes(shade));

/** The data block of a Tavern card. */
export const cardData = (change: object = {}): Record<string, unknown> => ({
  name: 'Ada Reef',
  description: 'Keeps the tide tables.',
  personality: 'Patient.',
  scenario: 'A pier at night.',
  first_mes: 'The tide is late.',
  mes_example: '',
  creator_notes: '',
  system_prompt: '',
  post_history_instructions: '',
  alternate_greetings: [],
  tags: [],
  creator: '',
  character_version: '',
  extensions: {},
  ...change,
});
export const v2 = (change: object = {}, root: object = {}) => ({
  spec: 'chara_card_v2',
  spec_version: '2.0',
  data: cardData(change),
  ...root,
});
export const v3 = (change: object = {}, root: object = {}) => ({
  spec: 'chara_card_v3',
  spec_version: '3.0',
  data: cardData({ group_only_greetings: [], ...change }),
  ...root,
});

export const text = (value: unknown): string => JSON.stringify(value);

/** The first entity of a result as a character. */
export function character(entities: readonly AnyEntity[]): EntityOf<'character'> {
  const [first] = entities;
  if (first?.kind !== 'character') throw new Error('not a character');
  return first;
}

/** A character with another first message. */
export const greeted = (entity: EntityOf<'character'>, firstMessage: string): EntityOf<'character'> => ({
  ...entity,
  body: { ...entity.body, greetings: { ...entity.body.greetings, firstMessage } },
});

/** A PNG chunk. */
export function chunk(type: string, body: Uint8Array | string = ''): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), Buffer.from(body as string, 'latin1')]);
  const out = Buffer.alloc(named.length + 8);
  out.writeUInt32BE(named.length - 4);
  named.copy(out, 4);
  out.writeUInt32BE(crc32(named), named.length + 4);
  return out;
}
export const textChunk = (keyword: string, value: string): Buffer => chunk('tEXt', `${keyword}\0${value}`);
export const packedChunk = (keyword: string, value: string): Buffer =>
  chunk('zTXt', Buffer.concat([Buffer.from(`${keyword}\0\0`), deflateSync(value)]));

const [IHDR, IDAT, IEND] = pngPieces(picture(0)).map(({ whole }) => whole) as [Buffer, Buffer, Buffer];

export { IDAT, IEND, IHDR };
/** A PNG of these chunks, between the signature and IEND. */
export const png = (...chunks: Uint8Array[]): Uint8Array =>
  Uint8Array.from(Buffer.concat([picture(0).subarray(0, 8), ...chunks, IEND]));

export interface Member {
  readonly name: string;
  readonly body: Uint8Array;
  /** Deflated; absent: stored. */
  readonly packed?: boolean;
}

/** A zip archive. */
export function zip(members: readonly Member[]): Uint8Array {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let at = 0;
  for (const { name, body, packed = false } of members) {
    const label = Buffer.from(name);
    const content = packed ? deflateRawSync(body, { level: 1 }) : body;
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(0x800, 2);
    shared.writeUInt16LE(packed ? 8 : 0, 4);
    shared.writeUInt16LE(0x21, 8);
    shared.writeUInt32LE(crc32(body), 10);
    shared.writeUInt32LE(content.byteLength, 14);
    shared.writeUInt32LE(body.byteLength, 18);
    shared.writeUInt16LE(label.length, 22);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(at, 10);
    parts.push(Buffer.from('PK\x03\x04'), shared, label, content);
    directory.push(Buffer.from('PK\x01\x02\x14\0'), shared, tail, label);
    at += 30 + label.length + content.byteLength;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(at, 16);
  return Uint8Array.from(Buffer.concat([...parts, list, end]));
}

/** A charx archive: the card and its members. */
export const charx = (card: unknown, members: readonly Member[] = []): Uint8Array =>
  zip([{ name: 'card.json', body: utf8(text(card)) }, ...members]);
