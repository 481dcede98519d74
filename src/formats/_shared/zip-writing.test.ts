/** Writing archives and naming their members. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { CORPUS } from '../../../test/kit/corpus.ts';
import {
  byYauzl,
  byZipJs,
  centralAt,
  JPEG,
  LOREM,
  made,
  noise,
  opened,
  plain,
  refusal,
  SMALL,
  said,
  text,
  the,
} from '../../../test/kit/zip.ts';
import { type Bytes, bytesOf, equalBytes, lazyBytes } from '../../core/bytes.ts';
import { sourceOf } from '../../core/source.ts';
import * as inflating from './inflate.ts';
import { isSafeName, openZip, safeMemberName, writeZip, type ZipEntry } from './zip.ts';

describe('writing', () => {
  test('both judges read every content back', async () => {
    const entries: (ZipEntry & { content: Bytes })[] = [
      { name: 'card.json', content: bytesOf(text(LOREM)) },
      { name: 'stored.json', content: bytesOf(text(LOREM)), store: true },
      { name: 'tiny.txt', content: bytesOf(text('a')) },
      { name: 'assets/', content: bytesOf(new Uint8Array()) },
      { name: 'assets/ü 漢字 😀.png', content: lazyBytes(12, 'image/png', () => [noise(5), noise(7)]) },
      { name: 'module.risum', content: bytesOf(text(LOREM)) },
    ];
    const bytes = writeZip(entries, { comment: 'hello' });
    const zip = opened(bytes);
    expect(zip.members.map((member) => member.method)).toEqual([8, 0, 0, 0, 0, 0]);
    expect(zip.comment).toBe('hello');
    for (const judged of [await byYauzl(bytes), await byZipJs(bytes)]) {
      expect(judged.map((file) => file.name)).toEqual(entries.map((entry) => entry.name));
      for (const [i, file] of judged.entries()) {
        expect(Buffer.compare(file.content, entries[i]?.content.bytes() ?? new Uint8Array())).toBe(0);
      }
    }
  });

  test('is reproducible, without clock, extra fields, descriptors', () => {
    const bytes = plain(SMALL);
    expect(Buffer.compare(bytes, plain(SMALL))).toBe(0);
    const view = new DataView(bytes.buffer);
    for (const at of centralAt(bytes)) {
      expect(view.getUint16(at + 8, true)).toBe(0);
      expect(view.getUint32(at + 12, true)).toBe(0x00210000);
      expect(view.getUint16(at + 30, true)).toBe(0);
    }
    const named = plain([['é', text('')]]);
    expect(new DataView(named.buffer).getUint16(6, true)).toBe(0x0800);
  });

  test('with a picture in front offsets count from the archive', async () => {
    const bytes = plain(SMALL, JPEG);
    expect(Buffer.compare(bytes.subarray(0, JPEG.length), JPEG)).toBe(0);
    expect(Buffer.compare(bytes.subarray(JPEG.length), plain(SMALL))).toBe(0);
    const zip = opened(bytes);
    expect(Buffer.compare(zip.prefix.bytes(), JPEG)).toBe(0);
    const again = writeZip(
      zip.members.map((member) => ({ name: member.name, content: member })),
      { prefix: zip.prefix },
    );
    expect(Buffer.compare(again, bytes)).toBe(0);
    expect(await byYauzl(bytes.subarray(JPEG.length))).toHaveLength(3);
  });

  test('members and their untouched content pass through as compressed, not inflated', async () => {
    const foreign = await made(
      [
        ['card.json', text(LOREM), { level: 1 }],
        ['a.png', noise(300), { level: 9 }],
      ],
      { dataDescriptor: true },
    );
    const zip = opened(foreign);
    const spy = vi.spyOn(inflating, 'inflateRaw');
    const bytes = writeZip([
      { name: 'card.json', content: the(zip, 'card.json').content },
      { name: 'renamed.png', content: the(zip, 'a.png'), store: true },
      { name: 'new.txt', content: bytesOf(text('new')) },
    ]);
    expect(spy).not.toHaveBeenCalled();
    spy.mockRestore();
    const again = opened(bytes);
    for (const [before, after] of [
      ['card.json', 'card.json'],
      ['a.png', 'renamed.png'],
    ] as const) {
      expect(Buffer.compare(the(again, after).raw(), the(zip, before).raw())).toBe(0);
      expect(the(again, after).method).toBe(the(zip, before).method);
    }
    expect((await byYauzl(bytes)).map((file) => file.name)).toEqual(['card.json', 'renamed.png', 'new.txt']);
    expect(said((await byZipJs(bytes))[0]?.content ?? new Uint8Array())).toBe(LOREM);
  });

  test('new text is deflated where it is a part of the archive that counts', () => {
    const methodBeside = (media: number) =>
      the(
        opened(
          plain([
            ['card.json', text(LOREM)],
            ['a.png', noise(media)],
          ]),
        ),
        'card.json',
      ).method;
    expect(methodBeside(LOREM.length * 62)).toBe(8);
    expect(methodBeside(LOREM.length * 64)).toBe(0);
  });

  test('new content is compared with what was written of it without unpacking', () => {
    const content = bytesOf(text(LOREM));
    const bytes = writeZip([{ name: 'a.txt', content }]);
    const other = writeZip([{ name: 'a.txt', content: bytesOf(text(LOREM.toUpperCase())) }]);
    const spy = vi.spyOn(inflating, 'inflateRaw');
    expect(equalBytes(content, the(opened(bytes), 'a.txt').content)).toBe(true);
    expect(spy).not.toHaveBeenCalled();
    expect(equalBytes(content, the(opened(other), 'a.txt').content)).toBe(false);
    expect(spy).toHaveBeenCalledOnce();
    spy.mockRestore();
  });

  test('a written member with another checksum or other bytes is not taken for its content', () => {
    const content = bytesOf(noise(300));
    const bytes = writeZip([{ name: 'a.png', content }]);
    for (const at of [centralAt(bytes)[0]! + 16, 200]) {
      const broken = bytes.slice();
      broken[at]! ^= 1;
      expect(refusal(() => equalBytes(content, the(opened(broken), 'a.png').content)).code).toBe('zip.crc');
    }
  });

  test('a damaged member that was passed through is found when the copies are compared', () => {
    const bytes = plain([['a.png', noise(300)]]);
    bytes[200]! ^= 1;
    const { content } = the(opened(bytes), 'a.png');
    const copy = the(opened(writeZip([{ name: 'a.png', content }])), 'a.png').content;
    expect(refusal(() => equalBytes(content, copy)).code).toBe('zip.crc');
  });

  test.each(['../a', 'a/../b', '..', '/a', 'C:/a', 'c:a', 'a\\b', 'a\0b', ''])('%j is refused', (name) => {
    expect(isSafeName(name)).toBe(false);
    expect(refusal(() => plain([[name, text('')]])).code).toBe('zip.unsafe-name');
  });

  test.each(['a', 'a/b.c', '.hidden', '...', 'a..b', 'ü/漢字', '__proto__', 'dir/'])('%j is fine', (name) => {
    expect(isSafeName(name)).toBe(true);
  });
});

describe('safeMemberName', () => {
  const fresh = (label: string, extension = 'png') => safeMemberName(label, extension, new Set());

  test.each([
    ['smile', 'smile.png'],
    ['a/b', 'a_b.png'],
    ['..', 'unnamed.png'],
    ['../../etc/passwd', '_.._etc_passwd.png'],
    ['', 'unnamed.png'],
    ['con', '_con.png'],
    ['COM1.old', '_COM1.old.png'],
    ['concert', 'concert.png'],
    ['x.png', 'x.png'],
    ['x.PNG', 'x.png'],
    ['v1.2 happy', 'v1.2 happy.png'],
    ['  spaced \n out. ', 'spaced _ out.png'],
    ['what? "no" <b>|*:', 'what_ _no_ _b____.png'],
    ['ありがとう', 'ありがとう.png'],
    ['Привет', 'Привет.png'],
    ['👩‍👩‍👧 family', '👩‍👩‍👧 family.png'],
    ['\u202egnp.exe', '_gnp.exe.png'],
    ['half \ud800', 'half _.png'],
  ])('%j becomes %j', (label, name) => {
    expect(fresh(label)).toBe(name);
    expect(isSafeName(name)).toBe(true);
  });

  test('extensions are cleaned, and may be absent', () => {
    expect(fresh('a', '.PNG')).toBe('a.png');
    expect(fresh('a', '')).toBe('a');
    expect(fresh('a', '../sh')).toBe('a.sh');
  });

  test('long labels stay under what file systems take', () => {
    expect(fresh('x'.repeat(300))).toBe(`${'x'.repeat(100)}.png`);
    expect(text(fresh('漢'.repeat(300))).length).toBeLessThan(255);
    expect(text(fresh('😀'.repeat(300))).length).toBeLessThan(255);
  });

  test('equal labels are numbered, also where case does not count', () => {
    const taken = new Set(['kept.png']);
    const names = ['x', 'x', 'X', 'x-2', 'kept', 'x.png'].map((label) => safeMemberName(label, 'png', taken));
    expect(names).toEqual(['x.png', 'x-2.png', 'X-3.png', 'x-2-2.png', 'kept-2.png', 'x-4.png']);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
  });

  test('ten thousand equal labels', () => {
    const taken = new Set<string>();
    const start = performance.now();
    for (let i = 0; i < 10_000; i++) safeMemberName('same', 'png', taken);
    expect(taken.size).toBe(10_000);
    expect(performance.now() - start).toBeLessThan(1000);
  });
});

describe.skipIf(!existsSync(CORPUS))('corpus', () => {
  const ZIP_NAME = /\.(?:charx|byaf|voxpkg|jar|epub|docx|zip)$/;
  const files = ['charx', 'byaf', 'negative', 'voxta'].flatMap((folder) => {
    const at = new URL(`${folder}/`, CORPUS);
    return existsSync(at) ? readdirSync(at).map((name) => [`${folder}/${name}`] as const) : [];
  });

  test.each(files)('%s', async (path) => {
    const bytes = new Uint8Array(readFileSync(new URL(path, CORPUS)));
    const zip = openZip(sourceOf(bytes));
    expect(zip !== undefined).toBe(ZIP_NAME.test(path));
    if (zip === undefined) return;
    const passed = writeZip(zip.members.map((member) => ({ name: member.name, content: member.content })));
    const fresh = writeZip(
      zip.members.map((member) => ({ name: member.name, content: bytesOf(member.content.bytes()) })),
    );
    const truth = await byZipJs(bytes);
    for (const output of [passed, fresh]) {
      const read = await byYauzl(output);
      expect(read.map((file) => file.name)).toEqual(truth.map((file) => file.name));
      for (const [i, file] of read.entries()) {
        expect(Buffer.compare(file.content, truth[i]?.content ?? new Uint8Array())).toBe(0);
      }
      expect(opened(output).members.map((member) => member.crc)).toEqual(zip.members.map((member) => member.crc));
    }
  });
});
