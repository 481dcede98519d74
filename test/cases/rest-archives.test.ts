import { describe, expect, test } from 'vitest';
import type { EntityOf } from '../../src/entities/kinds.ts';
import { zipPieces } from '../kit/carriers.ts';
import {
  base64,
  character,
  charx,
  dataUri,
  engine,
  greeted,
  IDAT,
  IHDR,
  type Member,
  picture,
  png,
  text,
  textChunk,
  utf8,
  v3,
  zip,
} from './rest-kit.ts';

const asset = (type: string, name: string | undefined, uri: string, ext = 'png') => ({
  type,
  ...(name === undefined ? {} : { name }),
  uri,
  ext,
});
const inside = (n: number) => `embeded://assets/${n}.png`;
const members: Member[] = [0, 1, 2, 3].map((n) => ({ name: `assets/${n}.png`, body: picture(n) }));
const mediaOf = (one: EntityOf<'character'>) => one.body.media;
const bytesIn = (ref: EntityOf<'character'>['body']['media']['portrait']): Buffer => {
  if (ref === undefined || typeof ref.ref === 'string') throw new Error('no bytes');
  return Buffer.from(ref.ref.bytes());
};
const opened = async (file: Uint8Array | undefined) => character((await engine.read(file ?? '')).entities);

describe('assets', () => {
  const icons = [
    asset('emotion', 'happy', inside(0)),
    asset('icon', 'side', inside(1)),
    asset('icon', 'main', inside(2)),
    asset('icon', undefined, inside(3)),
  ];
  test('RW-084 the icon named main is the portrait, else the first icon, never an emotion', async () => {
    const portrait = async (rows: object[]) =>
      bytesIn(mediaOf(await opened(charx(v3({ assets: rows }), members))).portrait);
    expect(await portrait(icons)).toEqual(picture(2));
    expect(await portrait(icons.filter(({ name }) => name !== 'main'))).toEqual(picture(1));
    expect(await portrait([icons[0]!, icons[3]!])).toEqual(picture(3));
  });

  test('RW-084 without an icon the first picture is the portrait, stays what it is, and the report says so', async () => {
    const rows = [asset('x_note', 'text', 'embeded://assets/n.txt', 'txt'), asset('emotion', 'happy', inside(0))];
    const file = charx(v3({ assets: [...rows, asset('emotion', 'sad', inside(1))] }), members);
    const { entities, warnings } = await engine.read(file);
    const main = character(entities);
    expect(bytesIn(mediaOf(main).portrait)).toEqual(picture(0));
    expect(mediaOf(main).assets?.map(({ label }) => label)).toEqual(['text', 'happy', 'sad']);
    expect(warnings.map(({ message }) => message)).toContain('no icon: the first picture is the portrait');
    const pieces = (bytes: Uint8Array) => zipPieces(Buffer.from(bytes)).map(({ name, body }) => [name, body]);
    expect(pieces((await engine.convert(file, 'risu')).files[0]?.bytes ?? file.subarray(0, 0))).toEqual(pieces(file));

    const [note, happy, sad] = mediaOf(main).assets ?? [];
    const turned = { ...mediaOf(main), assets: [note!, sad!, happy!] };
    const written = await engine.write([{ ...main, body: { ...main.body, media: turned } }], 'risu');
    expect(written.report.losses).toEqual([]);
    expect(bytesIn(mediaOf(await opened(written.files[0]?.bytes)).portrait)).toEqual(picture(0));
  });

  const rows = [
    asset('icon', 'main', inside(0)),
    ...['happy', 'sad', 'cross', 'shy'].map((name, n) => asset('emotion', name, inside(n))),
    asset('background', 'pier', inside(1)),
    asset('audio', 'song', 'embeded://assets/s.mp3', 'mp3'),
    asset('x_odd', 'odd', 'embeded://assets/o.bin', 'bin'),
  ];
  const full = charx(v3({ assets: rows }), [
    ...members,
    { name: 'assets/s.mp3', body: utf8('ID3 song') },
    { name: 'assets/o.bin', body: utf8('odd') },
  ]);

  test('RW-085 every asset is kept in the same format, edited or not', async () => {
    const pieces = (file: Uint8Array | undefined) =>
      zipPieces(Buffer.from(file ?? []))
        .filter(({ name }) => name !== 'card.json')
        .map(({ name, body }) => [name, body.toString('latin1')]);
    expect(pieces((await engine.convert(full, 'risu')).files[0]?.bytes)).toEqual(pieces(full));
    const { files } = await engine.write([greeted(await opened(full), 'New.')], 'risu');
    expect(pieces(files[0]?.bytes)).toEqual(pieces(full));
  });

  test.each(['sillytavern', 'lumiverse', 'rolecall', 'marinara', 'agnai', 'byaf', 'backyard', 'pygmalion'])(
    'RW-085 each asset is carried to %s or listed',
    async (target) => {
      const { files, report } = await engine.convert(full, target);
      const carried = mediaOf(await opened(files[0]?.bytes)).assets ?? [];
      const named = report.losses.filter(({ path }) => /^media\.assets\[\d+\]$/.test(path));
      expect(carried.length + named.length).toBe(7);
    },
  );

  test('RW-086 every key spelling of an asset in a picture resolves, a missing one is named', async () => {
    const uris = ['__asset:0', '__asset:1', '__asset:name', '__asset:7'];
    const file = png(
      IHDR,
      textChunk('chara-ext-asset_:0', picture(0).toString('base64')),
      textChunk('chara-ext-asset_1', picture(1).toString('base64')),
      textChunk('chara-ext-asset_:name', picture(2).toString('base64')),
      textChunk('ccv3', base64(v3({ assets: uris.map((uri, n) => asset(n ? 'emotion' : 'icon', `n${n}`, uri)) }))),
      IDAT,
    );
    const { portrait, assets = [] } = mediaOf(await opened(file));
    expect([portrait, assets[0], assets[1]].map(bytesIn)).toEqual([0, 1, 2].map(picture));
    const { report, files } = await engine.convert(file, 'risu', { container: 'charx' });
    expect(report.losses).toEqual([expect.objectContaining({ path: 'media.assets[2]', value: 'n3' })]);
    expect(report.warnings.map(({ message }) => message).join()).toContain('__asset:7');
    const back = mediaOf(await opened(files[0]?.bytes));
    expect([back.portrait, ...(back.assets ?? [])].map(bytesIn)).toEqual([0, 1, 2].map(picture));
  });

  test('RW-087 odd asset names become unique safe paths, and their labels stay', async () => {
    const names = ['a/b', '..', 'con', 'x.png', 'x.png', 'n'.repeat(300), '😀', '../../x', 'a\\b', 'NUL'];
    const assets = [
      asset('icon', 'main', dataUri(0)),
      ...names.map((name, n) => asset('emotion', name, dataUri(n % 4))),
    ];
    const { files } = await engine.convert(text(v3({ assets })), 'risu', { container: 'charx' });
    const paths = zipPieces(Buffer.from(files[0]?.bytes ?? [])).map(({ name }) => name);
    expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(names.length + 2);
    for (const path of paths) {
      expect(path.split('/').every((part) => part !== '..' && part.length < 256 && !/^(con|nul)\b/i.test(part))).toBe(
        true,
      );
      expect(path).not.toContain('\\');
    }
    const back = mediaOf(await opened(files[0]?.bytes)).assets ?? [];
    expect(back.map(({ label }) => label)).toEqual(names);
    expect(back.map(bytesIn)).toEqual(names.map((_, n) => picture(n % 4)));
  });

  const SEEN =
    'Look: ![pier](https://img.invalid/pier.png) <img src="https://cdn.invalid/x.webp"> [page](https://page.invalid/)';
  test('RW-088 pictures on other servers are listed, never fetched, and the text stays', async () => {
    const card = text(v3({ first_mes: SEEN, assets: [asset('icon', 'main', 'https://far.invalid/a.png')] }));
    const { warnings } = await engine.inspect(card);
    const remote = warnings.filter(({ code }) => code === 'card.remote-media').map(({ message }) => message);
    for (const host of ['far.invalid', 'img.invalid', 'cdn.invalid']) expect(remote.join()).toContain(host);
    expect(remote.join()).not.toContain('page.invalid');
    const { files } = await engine.convert(card, 'lumiverse');
    const back = await opened(files[0]?.bytes);
    expect(back.body.greetings.firstMessage).toBe(SEEN);
    expect(back.body.media.portrait?.ref).toBe('https://far.invalid/a.png');
  });

  test.each([
    ['heic', 'image/heic', '\0\0\0\x18ftypheic\0\0\0\0mif1heic'],
    ['avif', 'image/avif', '\0\0\0\x18ftypavif\0\0\0\0mif1avif'],
    ['svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ])(
    'RW-089 a portrait of type %s is carried with its type and reported as not displayable',
    async (ext, mime, body) => {
      const row = asset('icon', 'main', `embeded://assets/i.${ext}`, ext);
      const file = charx(v3({ assets: [row] }), [{ name: `assets/i.${ext}`, body: utf8(body) }]);
      const entity = await opened(file);
      expect([entity.body.media.portrait?.mime, bytesIn(entity.body.media.portrait).toString()]).toEqual([mime, body]);
      const { warnings } = await engine.inspect(file);
      expect(warnings).toContainEqual(expect.objectContaining({ code: 'card.picture-type', path: 'media.portrait' }));
      const { report } = await engine.convert(file, 'sillytavern', { container: 'png' });
      expect(report.warnings.map(({ code }) => code)).toContain('png.placeholder');
    },
  );

  test.each([
    ['heic', '\0\0\0\x18ftypheic\0\0\0\0mif1heic'],
    ['avif', '\0\0\0\x18ftypavif\0\0\0\0mif1avif'],
  ])('RW-089 a portrait of type %s that is called a PNG is told by its bytes', async (type, body) => {
    const row = asset('icon', 'main', 'embeded://assets/i.png');
    const file = charx(v3({ assets: [row] }), [{ name: 'assets/i.png', body: utf8(body) }]);
    expect(bytesIn((await opened(file)).body.media.portrait).toString()).toBe(body);
    const { warnings } = await engine.inspect(file);
    const message = expect.stringContaining(`image/${type}`);
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'card.picture-type', message }));
  });
});

describe('bounds', () => {
  const refusal = async (file: Uint8Array) => {
    try {
      await engine.read({ bytes: file, filename: 'bomb.charx' });
    } catch (error) {
      return error as { code: string; message: string; hint?: string };
    }
    return undefined;
  };

  test('RW-094 an archive with 65,000 entries is refused with limit and value', async () => {
    const empty = Buffer.alloc(0);
    const many = Array.from({ length: 65_000 }, (_, n) => ({ name: `${n}`, body: empty }));
    expect(await refusal(charx(v3(), many))).toMatchObject({
      code: 'zip.too-many',
      message: expect.stringMatching(/65,?001.*10,?000/),
    });
  });

  test('RW-094 a member that inflates past its limit is stopped while inflating, whatever the header says', async () => {
    const honest = Buffer.from(zip([{ name: 'card.json', body: Buffer.alloc(520 << 20), packed: true }]));
    const lying = Buffer.from(honest);
    lying.writeUInt32LE(1000, 22);
    lying.writeUInt32LE(1000, lying.lastIndexOf('PK\x01\x02', undefined, 'latin1') + 24);
    expect(honest.byteLength).toBeLessThan(4 << 20);
    for (const file of [honest, lying]) {
      const before = process.memoryUsage().arrayBuffers;
      expect(['zip.too-large', 'zip.damaged']).toContain((await refusal(file))?.code);
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1 << 30);
    }
    expect((await refusal(honest))?.message).toMatch(/MAX_/);
  });

  test('RW-094 members that inflate to more than the limit together are refused unread', async () => {
    const file = Buffer.from(
      charx(
        v3(),
        [1, 2, 3].map((n) => ({ name: `${n}`, body: utf8('x'), packed: true })),
      ),
    );
    for (let at = file.indexOf('PK\x01\x02', 0, 'latin1'); at >= 0; at = file.indexOf('PK\x01\x02', at + 4, 'latin1'))
      file.writeUInt32LE(400 << 20, at + 24);
    expect(await refusal(file)).toMatchObject({
      code: 'zip.too-large',
      message: expect.stringMatching(/1677721600.*1073741824|MAX_ZIP_INFLATED/),
    });
  });

  test('RW-094 an archive inside an archive is a member like any other', async () => {
    const nested = zip([{ name: 'inner.zip', body: zip([{ name: 'card.json', body: utf8(text(v3())) }]) }]);
    expect(await refusal(nested)).toMatchObject({ code: 'input.unknown' });
    const carried = charx(v3(), [{ name: 'inner.zip', body: nested }]);
    const { files } = await engine.convert(carried, 'risu');
    expect(Buffer.from(files[0]?.bytes ?? []).includes(Buffer.from(nested))).toBe(true);
  });

  test('RW-100 an archive with 2,200 pictures is read and written within the default limits', async () => {
    const assets = Array.from({ length: 2200 }, (_, n) => asset('emotion', `e${n}`, `embeded://assets/${n}.png`));
    const pictures = assets.map((_, n) => ({ name: `assets/${n}.png`, body: picture(n % 4) }));
    const file = charx(v3({ assets: [asset('icon', 'main', inside(0)), ...assets] }), pictures);
    const { entities, files, report } = await engine.convert(file, 'risu');
    expect(character(entities).body.media.assets).toHaveLength(2200);
    expect(report.losses).toEqual([]);
    expect(zipPieces(Buffer.from(files[0]?.bytes ?? []))).toHaveLength(2201);
  });

  test('RW-100 an archive of 200 MB with 2,000 assets is opened, and written back whole', async () => {
    const body = new Uint8Array(100 * 1024).fill(7);
    const sounds = Array.from({ length: 2048 }, (_, n) => ({ name: `assets/${n}.ogg`, body }));
    const rows = sounds.map(({ name }, n) => asset('other', `s${n}`, `embeded://${name}`, 'ogg'));
    const file = charx(v3({ assets: [asset('icon', 'main', inside(0)), ...rows] }), [
      { name: 'assets/0.png', body: picture(0) },
      ...sounds,
    ]);
    expect(file.byteLength).toBeGreaterThan(200 << 20);
    const { entities, files, report } = await engine.convert(file, 'risu');
    expect(character(entities).body.media.assets).toHaveLength(2048);
    expect(report.losses).toEqual([]);
    expect(files[0]?.bytes.byteLength).toBeGreaterThan(200 << 20);
  });

  test('a symbolic link in an archive is a member with a text: nothing follows it, and it keeps its mark and date', async () => {
    const file = Buffer.from(charx(v3(), [{ name: 'assets/link.png', body: utf8('../../etc/passwd') }]));
    const at = file.lastIndexOf('PK\x01\x02', undefined, 'latin1');
    file.writeUInt8(3, at + 5); // made on Unix
    file.writeUInt32LE((0o120777 << 16) >>> 0, at + 38);
    file.writeUInt32LE(0x5b7e6123, at + 12); // when it was made
    const { files } = await engine.convert(file, 'risu');
    const out = Buffer.from(files[0]?.bytes ?? []);
    const there = out.lastIndexOf('PK\x01\x02', undefined, 'latin1');
    expect(out.subarray(there, there + 6)).toEqual(file.subarray(at, at + 6));
    expect(out.readUInt32LE(there + 12)).toBe(0x5b7e6123);
    expect(out.readUInt32LE(there + 38)).toBe(file.readUInt32LE(at + 38));
    const fresh = await engine.convert(file, 'lumiverse', { container: 'charx' });
    expect(Buffer.from(fresh.files[0]?.bytes ?? []).includes('etc/passwd')).toBe(false);
  });
});
