import { expect, test } from 'vitest';
import { bytesOf } from '../../../core/bytes.ts';
import { emptyCharacter } from '../../../entities/character/schema.ts';
import type { AnyEntity } from '../../../entities/kinds.ts';
import { emptyEntry } from '../../../entities/lorebook/schema.ts';
import { fileKind } from './file-kind.ts';
import { renewal } from './updating.ts';

const letters = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const card = (over: object): AnyEntity => ({
  schemaVersion: '1',
  kind: 'character',
  id: 'mira',
  body: { ...emptyCharacter(), ...over },
});
const book = (id: string, name: string, content: string): AnyEntity => ({
  schemaVersion: '1',
  kind: 'lorebook',
  id,
  body: { name, entries: [{ ...emptyEntry('0'), content }] },
});

test('RW-108 RW-115 a newer file updates the card and its book in place; picture and links stay', () => {
  const portrait = { role: 'portrait', ref: bytesOf(letters('\x89PNG')) };
  const mine = [
    card({ identity: { name: 'Mira', tagline: 'mine' }, media: { portrait }, knowledgeRefs: ['b'] }),
    book('b', 'Pier', 'old'),
  ];
  const from = [
    card({ identity: { name: 'Mira', description: 'New.' }, knowledgeRefs: ['x', 'y'] }),
    book('x', 'Pier', 'new'),
    book('b', 'Tides', 'low'),
  ];
  const made = renewal(mine, from, new Set());
  expect(made?.lines.map(({ entity, path, kind }) => `${entity} ${path} ${kind}`)).toEqual([
    '0 identity.tagline kept',
    '0 media.portrait.ref kept',
    '0 identity.description added',
    '1 entries[0].content replaced',
  ]);
  const [first, second] = made?.changed ?? [];
  expect(first?.body).toMatchObject({
    identity: { name: 'Mira', tagline: 'mine', description: 'New.' },
    media: { portrait },
    knowledgeRefs: ['b', 'b-2'],
  });
  expect(second?.body).toMatchObject({ name: 'Pier', entries: [{ content: 'new' }] });
  expect(made?.fresh.map(({ id }) => id)).toEqual(['b-2']);
});

test('what is to be kept is kept, and a file of another kind is refused', () => {
  const mine = [card({ identity: { name: 'Mira', tagline: 'mine' } })];
  const from = [card({ identity: { name: 'Mira V.', tagline: 'theirs' } })];
  const made = renewal(mine, from, new Set(['0:identity.tagline']));
  expect(made?.changed[0]?.body).toMatchObject({ identity: { name: 'Mira V.', tagline: 'mine' } });
  expect(renewal(mine, [book('b', '', '')], new Set())).toBeUndefined();
});

test('media is named by its bytes', () => {
  const kinds: [string, string, boolean][] = [
    ['\x89PNG\r\n\x1a\n....IHDR', 'png', false],
    ['\x89PNG\r\n\x1a\n....IHDR....acTL', 'png', true],
    ['GIF89a', 'gif', true],
    ['RIFF....WEBPVP8X....ANIM', 'webp', true],
    ['RIFF....WAVE', 'wav', false],
    ['....ftypheic', 'heic', false],
    ['....ftypavif', 'avif', false],
    ['....ftypisom', 'mp4', true],
    ['<?xml version="1.0"?><svg onload="x()">', 'svg', false],
    ['ID3....', 'mp3', false],
    ['OggS', 'ogg', false],
    ['', 'unknown', false],
  ];
  for (const [bytes, type, moves] of kinds) expect(fileKind(letters(bytes)), bytes).toEqual({ type, moves });
});
