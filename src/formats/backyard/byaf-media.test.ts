import { beforeAll, describe, expect, test } from 'vitest';
import {
  alike,
  archive,
  at,
  differingMembers,
  made,
  membersOf,
  pixel,
  readOne,
  reread,
  sample,
  withSlot,
  write,
} from '../../../test/backyard/kit.ts';
import { type Bytes, bytesOf, equalBytes, isBytes } from '../../core/bytes.ts';
import type { MediaAsset } from '../../entities/character/schema.ts';
import { byaf } from './byaf.ts';

const LAMP = sample('byaf/byaf.lampkeeper.byaf');
const FOLDER = 'characters/lampkeeper/';
const CHARACTER = `${FOLDER}character.json`;

beforeAll(() => byaf.prepare?.('write'));

const lamp = () => readOne(byaf, LAMP);
const edited = (path: string, value: unknown) => write(byaf, withSlot(lamp(), path, value)).bytes;
const images = (bytes: Uint8Array, name = CHARACTER) =>
  at(membersOf(bytes)[name], 'images') as { path: string; label: string }[];
const pictures = (bytes: Uint8Array) =>
  Object.keys(membersOf(bytes)).filter((name) => /\.(png|jpg|webp|gif)$/.test(name));
const sameRef = (a: unknown, b: Bytes) => isBytes(a) && equalBytes(a, b);

describe('pictures of the character', () => {
  test('the portrait is the row labelled avatar, in any letter case, else the first one', () => {
    const members = membersOf(LAMP);
    const labelled = (...labels: string[]) => {
      const rows = images(LAMP).map((row, i) => ({ ...row, label: labels[i] }));
      return readOne(byaf, archive({ ...members, [CHARACTER]: { ...(members[CHARACTER] as object), images: rows } }))
        .body.media;
    };
    expect(labelled('x', 'AVATAR').assets?.[0]?.label).toBe('x');
    expect(labelled('x', 'y').assets?.[0]?.label).toBe('y');
  });
  test('a row whose file is missing is skipped and named', () => {
    const { [`${FOLDER}images/portrait.png`]: _, ...members } = membersOf(LAMP);
    const entity = readOne(byaf, archive(members));
    expect(entity.body.media.portrait?.label).toBe('шторм');
    expect(byaf.account(entity).left.map(({ path }) => path)).toContain('character.images[0]');
    const after = write(byaf, withSlot(entity, 'identity.name', 'x')).bytes;
    expect(images(after)).toEqual(images(LAMP));
  });
  test('another portrait takes the place and label of the old one, whose file goes', () => {
    const bytes = edited('media.portrait', { role: 'portrait', ref: pixel(1), label: 'new' });
    expect(images(bytes)).toEqual([{ path: 'images/new.png', label: 'avatar' }, images(LAMP)[1]]);
    expect(differingMembers(LAMP, bytes)).toEqual([
      CHARACTER,
      `${FOLDER}images/new.png`,
      `${FOLDER}images/portrait.png`,
    ]);
    expect(sameRef(readOne(byaf, bytes).body.media.portrait?.ref, pixel(1))).toBe(true);
  });
  test('a new picture gets a safe name that no other has', () => {
    const assets: MediaAsset[] = ['../../x', '../../x', 'storm', '', '한글/🌊'].map((label, i) => ({
      role: 'emotion',
      ref: pixel(i),
      ...(label === '' ? {} : { label }),
    }));
    const bytes = edited('media.assets', assets);
    expect(
      images(bytes)
        .slice(1)
        .map(({ path, label }) => [path, label]),
    ).toEqual([
      ['images/_.._x.png', '../../x'],
      ['images/_.._x-2.png', '../../x'],
      ['images/storm-2.png', 'storm'],
      ['images/emotion.png', ''],
      ['images/한글_🌊.png', '한글/🌊'],
    ]);
    expect(readOne(byaf, bytes).body.media.assets?.map(({ ref }, i) => sameRef(ref, pixel(i)))).toEqual(
      Array(5).fill(true),
    );
  });
  test('only pictures of the five types whose bytes are here can be said', () => {
    const assets: MediaAsset[] = [
      { role: 'other', ref: 'https://example.invalid/a.png' },
      { role: 'other', ref: bytesOf(new TextEncoder().encode('ID3 sound'), 'audio/mpeg') },
      { role: 'other', ref: bytesOf(new TextEncoder().encode('GIF89a'), 'image/gif'), label: 'moves' },
    ];
    expect(images(edited('media.assets', assets)).slice(1)).toEqual([{ path: 'images/moves.gif', label: 'moves' }]);
  });
  test('cleared, all rows and files go; a file that a scenario still shows stays', () => {
    const clear = (entity: ReturnType<typeof lamp>) => write(byaf, withSlot(entity, 'media', {})).bytes;
    expect(images(clear(lamp()))).toEqual([]);
    expect(pictures(clear(lamp()))).toEqual(['scenarios/scenario1-background.png']);
    const members = membersOf(LAMP);
    const two = { ...(members['scenarios/scenario2.json'] as object), backgroundImage: `${FOLDER}images/storm.png` };
    const bytes = clear(readOne(byaf, archive({ ...members, 'scenarios/scenario2.json': two })));
    expect(pictures(bytes)).toEqual([`${FOLDER}images/storm.png`, 'scenarios/scenario1-background.png']);
  });
  test('a removed asset takes its own file and no other', () => {
    expect(differingMembers(LAMP, edited('media.assets', undefined))).toEqual([CHARACTER, `${FOLDER}images/storm.png`]);
  });
  test('an asset that is labelled avatar does not become the portrait', () => {
    const media = {
      portrait: { role: 'portrait' as const, ref: pixel(1) },
      assets: [{ role: 'emotion' as const, ref: pixel(2), label: 'Avatar' }],
    };
    const fresh = reread(byaf, made({ media })).body.media;
    expect([sameRef(fresh.portrait?.ref, pixel(1)), sameRef(fresh.assets?.[0]?.ref, pixel(2))]).toEqual([true, true]);
    const members = membersOf(LAMP);
    const unlabelled = images(LAMP).map((row) => ({ ...row, label: '' }));
    const entity = readOne(
      byaf,
      archive({ ...members, [CHARACTER]: { ...(members[CHARACTER] as object), images: unlabelled } }),
    );
    const assets = (entity.body.media.assets ?? []).map((asset) => ({ ...asset, label: 'avatar' }));
    const back = reread(byaf, withSlot(entity, 'media.assets', assets)).body.media;
    expect(JSON.stringify(back.portrait?.ref)).toBe(JSON.stringify(entity.body.media.portrait?.ref));
  });
});

describe('the background', () => {
  const BACKGROUND = 'scenarios/scenario1-background.png';
  test('a new one is a file beside the scenario, the old one goes', () => {
    const bytes = edited('presentation.background', { ref: pixel(3) });
    expect(at(membersOf(bytes)['scenarios/scenario1.json'], 'backgroundImage')).toBe(
      'scenarios/scenario1-background-2.png',
    );
    expect(differingMembers(LAMP, bytes)).toEqual([
      'scenarios/scenario1-background-2.png',
      BACKGROUND,
      'scenarios/scenario1.json',
    ]);
    expect(sameRef(readOne(byaf, bytes).body.presentation?.background?.ref, pixel(3))).toBe(true);
  });
  test('cleared, key and file go, unless another scenario shows the file', () => {
    expect(differingMembers(LAMP, edited('presentation.background', undefined))).toEqual([
      BACKGROUND,
      'scenarios/scenario1.json',
    ]);
    const members = membersOf(LAMP);
    const two = { ...(members['scenarios/scenario2.json'] as object), backgroundImage: BACKGROUND };
    const entity = readOne(byaf, archive({ ...members, 'scenarios/scenario2.json': two }));
    const bytes = write(byaf, withSlot(entity, 'presentation.background', undefined)).bytes;
    expect(pictures(bytes)).toContain(BACKGROUND);
  });
  test('an address is no picture: what stands there stays', () => {
    expect(alike(edited('presentation.background', { ref: 'https://example.invalid/b.png' }), LAMP)).toBe(true);
  });
  test('the way it is shown has no home and no effect', () => {
    const { background } = lamp().body.presentation ?? {};
    expect(alike(edited('presentation.background', { ...background, overlayOpacity: 0.5 }), LAMP)).toBe(true);
  });
});
