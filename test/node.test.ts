import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fileGuard, MAX_FILE_NAME_BYTES, readInput, safeFileName, writeFiles } from '../src/node.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bunzai-node-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (...names: string[]) => join(folder, ...names);
const bytes = (text: string) => new TextEncoder().encode(text);
const file = (name: string, text = name) => ({ name, bytes: bytes(text) });
const read = (...names: string[]) => readFileSync(at(...names), 'utf8');
const listed = () => readdirSync(folder).sort();

describe('safeFileName', () => {
  const cases: [string, string][] = [
    ['Mira Vale.json', 'Mira Vale.json'],
    ['灯台の番人.json', '灯台の番人.json'],
    ['Мира Вейл.png', 'Мира Вейл.png'],
    ['미라 베일.charx', '미라 베일.charx'],
    ['../../etc/passwd', '_.._etc_passwd'],
    ['a/b\\c:d.json', 'a_b_c_d.json'],
    ['nul.json', '_nul.json'],
    ['COM1', '_COM1'],
    ['console.json', 'console.json'],
    ['a\u0000b\nc\u001b[31m.json', 'a_b_c_[31m.json'],
    ['cod\u202egnp.json', 'cod_gnp.json'],
    ['half \ud83d.json', 'half _.json'],
    ['...', 'unnamed'],
    ['', 'unnamed'],
    ['.json', 'unnamed.json'],
    ['-rf.json', '_rf.json'],
    ['trailing. ', 'trailing'],
  ];
  test.each(cases)('%j', (name, safe) => {
    expect(safeFileName(name)).toBe(safe);
    expect(safeFileName(safe)).toBe(safe);
  });

  test('a long name is cut before its extension and never inside a character', () => {
    for (const letter of ['a', 'é', '灯', '😀', '👩‍👩‍👧', 'e\u0301\u0323']) {
      const safe = safeFileName(`${letter.repeat(300)}.json`);
      expect(safe.endsWith('.json')).toBe(true);
      expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(MAX_FILE_NAME_BYTES);
      expect(Buffer.byteLength(safe)).toBeGreaterThan(MAX_FILE_NAME_BYTES - 30);
      expect(safe.slice(0, -5).replaceAll(letter.normalize('NFC'), '')).toBe('');
    }
  });
});

describe('readInput', () => {
  test('gives the bytes and the path as it was given', async () => {
    writeFileSync(at('a.json'), 'x');
    const input = await readInput(at('a.json'));
    expect([Buffer.from(input.bytes).toString(), input.filename]).toEqual(['x', at('a.json')]);
  });
  test('refuses what cannot be read, with a remedy', async () => {
    writeFileSync(at('file'), '');
    symlinkSync('loop', at('loop'));
    for (const path of [at('missing'), folder, at('file', 'inner'), at('loop'), 'nul\u0000byte']) {
      await expect(readInput(path)).rejects.toMatchObject({
        code: 'input.unreadable',
        file: path,
        detail: expect.any(String),
      });
    }
    await expect(readInput(folder)).rejects.toMatchObject({ hint: expect.any(String) });
  });
});

describe('writeFiles', () => {
  test('into a folder, under safe names; a folder that ends in a separator is made', async () => {
    expect(await writeFiles(folder, [file('a/b.json')])).toEqual([at('a_b.json')]);
    expect(await writeFiles(`${at('new', 'deep')}/`, [file('x.json'), file('y.json')])).toHaveLength(2);
    expect(readdirSync(at('new', 'deep')).sort()).toEqual(['x.json', 'y.json']);
  });
  test('to a path, the others beside it', async () => {
    await writeFiles(at('card.png'), [file('ignored.png', 'card'), file('book.json', 'book')]);
    expect([read('card.png'), read('book.json'), listed()]).toEqual(['card', 'book', ['book.json', 'card.png']]);
  });
  test('all or none, when one of the names is taken', async () => {
    writeFileSync(at('book.json'), 'mine');
    await expect(writeFiles(at('card.png'), [file('card.png'), file('book.json')])).rejects.toMatchObject({
      code: 'output.exists',
    });
    expect([listed(), read('book.json')]).toEqual([['book.json'], 'mine']);
    await writeFiles(at('card.png'), [file('card.png'), file('book.json', 'new')], { overwrite: true });
    expect([listed(), read('book.json')]).toEqual([['book.json', 'card.png'], 'new']);
  });
  test('takes back what it wrote, when a later file fails', async () => {
    mkdirSync(at('taken'));
    await expect(writeFiles(folder, [file('a.json'), file('taken')], { overwrite: true })).rejects.toMatchObject({
      code: 'output.failed',
    });
    await expect(writeFiles(folder, [file('b.json'), file('b.json')])).rejects.toMatchObject({ code: 'output.exists' });
    expect(listed().filter((name) => name.startsWith('.') || name === 'b.json')).toEqual([]);
  });
  test('a link is replaced, never written through', async () => {
    writeFileSync(at('real.json'), 'mine');
    symlinkSync('real.json', at('link.json'));
    symlinkSync('nowhere.json', at('dangling.json'));
    await expect(writeFiles(at('dangling.json'), [file('x')])).rejects.toMatchObject({ code: 'output.exists' });
    await writeFiles(at('link.json'), [file('x', 'new')], { overwrite: true });
    expect([read('real.json'), read('link.json'), existsSync(at('nowhere.json'))]).toEqual(['mine', 'new', false]);
  });
  test('a link planted where a temporary file would go is left alone', async () => {
    writeFileSync(at('victim'), 'mine');
    for (let n = 1; n < 300; n++) symlinkSync('victim', at(`.bunzai-${process.pid}-${n}.tmp`));
    await writeFiles(at('out.json'), [file('x', 'new')]);
    expect([read('victim'), read('out.json')]).toEqual(['mine', 'new']);
  });
  test('a kept file stays, by whatever name', async () => {
    writeFileSync(at('Card.json'), 'mine');
    symlinkSync('Card.json', at('soft.json'));
    linkSync(at('Card.json'), at('hard.json'));
    const keep = fileGuard([at('Card.json')]);
    for (const name of ['Card.json', 'card.json', 'soft.json', 'hard.json']) {
      await expect(writeFiles(at(name), [file('x')], { overwrite: true, keep })).rejects.toMatchObject({
        code: 'output.in-place',
      });
    }
    expect(read('Card.json')).toBe('mine');
    await writeFiles(at('other.json'), [file('x')], { overwrite: true, keep });
  });
  test('names the fault and a remedy', async () => {
    writeFileSync(at('file'), '');
    for (const path of [at('file', 'x.json'), at('nowhere', 'x.json'), `${at('file', 'deeper')}/`]) {
      await expect(writeFiles(path, [file('x.json')])).rejects.toMatchObject({
        code: 'output.failed',
        hint: expect.any(String),
      });
    }
    expect(listed()).toEqual(['file']);
  });
});
