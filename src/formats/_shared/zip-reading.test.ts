/** Reading archives. */
import { describe, expect, test, vi } from 'vitest';
import {
  byYauzl,
  byZipJs,
  concat,
  JPEG,
  LOREM,
  made,
  noise,
  opened,
  patched,
  plain,
  refusal,
  SMALL,
  said,
  text,
  the,
} from '../../../test/kit/zip.ts';
import { bytesOf } from '../../core/bytes.ts';
import { sourceOf } from '../../core/source.ts';
import { crc32 } from './crc32.ts';
import * as inflating from './inflate.ts';
import { openZip, writeZip, type ZipEntry, zipOf } from './zip.ts';
import { decodeName, unicodePath } from './zip-names.ts';

describe('reading', () => {
  const files: readonly (readonly [string, Uint8Array])[] = [...SMALL, ['notes/日本語.md', text('漢字')]];

  test.each([
    ['deflated', { level: 6 }],
    ['stored', { level: 0 }],
    ['stored with data descriptors', { level: 0, dataDescriptor: true }],
    ['deflated with data descriptors', { level: 6, dataDescriptor: true }],
    ['Zip64', { zip64: true }],
    ['Zip64 with data descriptors', { zip64: true, dataDescriptor: true }],
    ['extended timestamps', { extendedTimestamp: true }],
    ['unflagged UTF-8 names', { useUnicodeFileNames: false }],
  ] as const)('%s', async (_label, options) => {
    const bytes = await made(files, { ...options, keepOrder: true });
    const zip = opened(bytes);
    expect(zip.prefix.size).toBe(0);
    expect(zip.members.map((member) => member.name)).toEqual(files.map(([name]) => name));
    for (const [name, content] of files) {
      const member = the(zip, name);
      expect(member.size).toBe(content.length);
      expect(Buffer.compare(member.content.bytes(), content)).toBe(0);
    }
  });

  test('opening inflates nothing, copies nothing, and is memoised', async () => {
    const source = sourceOf(await made(files));
    const spy = vi.spyOn(inflating, 'inflateRaw');
    const zip = source.once(openZip);
    expect(zipOf(source)).toBe(zip);
    expect(openZip(source)).toBe(zip);
    for (const member of zip?.members ?? []) expect(member.raw().buffer).toBe(source.bytes.buffer);
    expect(zip?.get('card.json')?.content).toBe(zip?.get('card.json')?.content);
    expect(spy).not.toHaveBeenCalled();
    for (let i = 0; i < 2; i++) zip?.get('card.json')?.content.bytes();
    expect(spy).toHaveBeenCalledTimes(1);
    spy.mockRestore();
  });

  test('mime by extension, size without reading', () => {
    const zip = opened(
      plain([
        ['a.PNG', noise(9)],
        ['b.mp3', noise(9)],
        ['c', noise(9)],
        ['d.constructor', noise(9)],
      ]),
    );
    expect(zip.members.map((member) => member.content.mime)).toEqual(['image/png', 'audio/mpeg', undefined, undefined]);
    expect(the(zip, 'c').content.size).toBe(9);
  });

  test('a picture in front, offsets counted from the archive', async () => {
    const zip = opened(concat(JPEG, await made(files)));
    expect(Buffer.compare(zip.prefix.bytes(), JPEG)).toBe(0);
    expect(zip.prefix.mime).toBe('image/jpeg');
    expect(said(the(zip, 'card.json').content.bytes())).toBe(LOREM);
  });

  test('a picture in front, offsets counted from the file', async () => {
    const bytes = patched(concat(JPEG, await made(files)), (view, central, end) => {
      for (const at of central) view.setUint32(at + 42, view.getUint32(at + 42, true) + JPEG.length, true);
      view.setUint32(end + 16, view.getUint32(end + 16, true) + JPEG.length, true);
    });
    const zip = opened(bytes);
    expect(Buffer.compare(zip.prefix.bytes(), JPEG)).toBe(0);
    expect(said(the(zip, 'card.json').content.bytes())).toBe(LOREM);
    expect((await byZipJs(bytes)).map((file) => file.name)).toEqual(files.map(([name]) => name));
  });

  test('a picture in front, only the member offsets counted from the file', async () => {
    const bytes = patched(concat(JPEG, await made(files)), (view, central) => {
      for (const at of central) view.setUint32(at + 42, view.getUint32(at + 42, true) + JPEG.length, true);
    });
    const zip = opened(bytes);
    expect(Buffer.compare(zip.prefix.bytes(), JPEG)).toBe(0);
    expect(said(the(zip, 'card.json').content.bytes())).toBe(LOREM);
  });

  test('bytes between the directory and the end record', () => {
    const bytes = plain(SMALL);
    const zip = opened(concat(bytes.subarray(0, -22), noise(33), bytes.subarray(-22)));
    expect(zip.members).toHaveLength(3);
    expect(said(the(zip, 'card.json').content.bytes())).toBe(LOREM);
  });

  test('an archive comment and bytes behind the archive', async () => {
    const commented = await made(files, {}, text('made with love ♥'));
    expect(opened(commented).comment).toBe('made with love ♥');
    expect(opened(concat(JPEG, commented)).comment).toBe('made with love ♥');
    expect(opened(concat(commented, noise(500))).members).toHaveLength(4);
    expect(opened(concat(await made(files), noise(500))).members).toHaveLength(4);
    const longest = await made(files, {}, noise(0xffff));
    expect(opened(longest).members).toHaveLength(4);
  });

  test('an end record inside the comment does not hide the real one', async () => {
    const fake = new Uint8Array(22);
    fake.set([0x50, 0x4b, 5, 6]);
    new DataView(fake.buffer).setUint16(8, 1, true);
    new DataView(fake.buffer).setUint16(10, 1, true);
    new DataView(fake.buffer).setUint32(12, 60, true);
    expect(opened(await made(files, {}, fake)).members).toHaveLength(4);
    expect(opened(await made(files, {}, concat(fake, noise(50)))).members).toHaveLength(4);
  });

  test('names: UTF-8, else code page 437', () => {
    expect(decodeName(text('Ünï'))).toBe('Ünï');
    expect(decodeName(new Uint8Array([0x61, 0x81, 0x2e, 0xff]))).toBe('aü.\u00a0');
    const bytes = patched(plain([['ab.txt', text('x')]]), (view, [at = 0]) => view.setUint8(at + 47, 0x9b));
    expect(opened(bytes).members[0]?.name).toBe('a¢.txt');
  });

  test('names: the Unicode path field counts while it is for this name', () => {
    const plainName = new Uint8Array([0x81, 0x2e, 0x61]);
    const field = concat(new Uint8Array([1, 0, 0, 0, 0]), text('ü.a'));
    new DataView(field.buffer).setUint32(1, crc32(plainName), true);
    expect(unicodePath(field, plainName)).toBe('ü.a');
    expect(unicodePath(field, text('other'))).toBeUndefined();
    expect(unicodePath(field.subarray(0, 5), plainName)).toBeUndefined();
  });

  test('equal names: the first is got, all are listed', () => {
    const zip = opened(
      plain([
        ['a.txt', text('one')],
        ['a.txt', text('two')],
        ['b.txt', text('')],
        ['a.txt', text('3')],
      ]),
    );
    expect(zip.duplicates).toEqual(['a.txt']);
    expect(said(the(zip, 'a.txt').content.bytes())).toBe('one');
    expect(zip.members.map((member) => said(member.content.bytes()))).toEqual(['one', 'two', '', '3']);
  });

  test('__proto__ and constructor are names like others', () => {
    const zip = opened(plain([['__proto__', text('p')]]));
    expect(said(the(zip, '__proto__').content.bytes())).toBe('p');
    expect(zip.get('constructor')).toBeUndefined();
    expect(zip.get('toString')).toBeUndefined();
  });

  test('traversal names are read, and not written', async () => {
    const bytes = await made([['../../evil.txt', text('boo')]]);
    const zip = opened(bytes);
    const member = the(zip, '../../evil.txt');
    expect(said(member.content.bytes())).toBe('boo');
    expect(refusal(() => writeZip([{ name: member.name, content: member }])).code).toBe('zip.unsafe-name');
    expect(writeZip([{ name: 'evil.txt', content: member }]).length).toBeGreaterThan(0);
  });

  test('an empty archive is one, only when nothing else is there', () => {
    expect(opened(writeZip([])).members).toEqual([]);
    expect(openZip(sourceOf(concat(JPEG, writeZip([]))))).toBeUndefined();
  });

  test('dead space in front of the first member is no prefix', () => {
    const dead = plain([['old.txt', text('x')]]).subarray(0, 38);
    const bytes = patched(concat(dead, plain(SMALL)), (view, central, end) => {
      for (const at of central) view.setUint32(at + 42, view.getUint32(at + 42, true) + dead.length, true);
      view.setUint32(end + 16, view.getUint32(end + 16, true) + dead.length, true);
    });
    expect(opened(bytes).prefix.size).toBe(0);
    expect(opened(bytes).members).toHaveLength(3);
  });

  test('2,200 members', async () => {
    const many = Array.from(
      { length: 2200 },
      (_, i): ZipEntry => ({ name: `assets/${i}.png`, content: bytesOf(noise(64, i)) }),
    );
    const bytes = writeZip(many);
    const zip = opened(bytes);
    expect(zip.members).toHaveLength(2200);
    expect(Buffer.compare(the(zip, 'assets/2199.png').content.bytes(), noise(64, 2199))).toBe(0);
    expect(await byYauzl(bytes)).toHaveLength(2200);
  });
});
