import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BunzaiError } from '../../src/core/errors.ts';
import { MAX_FILE_NAME_BYTES, safeFileName, writeFiles } from '../../src/node.ts';
import {
  base64,
  character,
  charx,
  dataUri,
  engine,
  IDAT,
  IHDR,
  json,
  png,
  targetsOf,
  text,
  textChunk,
  utf8,
  v2,
  v3,
  zip,
} from './rest-kit.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bunzai-cases-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const entry = (n: number) => ({
  keys: [`key${n}`],
  content: `Entry ${n}.`,
  extensions: {},
  enabled: true,
  insertion_order: n,
});
const book = (count: number) => ({
  name: 'Harbour',
  extensions: {},
  entries: Array.from({ length: count }, (_, n) => entry(n)),
});

test('RW-096 a card of 60 MB with a thousand embedded pictures opens, and goes back as it was', async () => {
  const filler = Buffer.alloc(45_000, 7).toString('base64');
  const assets = Array.from({ length: 1000 }, (_, n) => ({
    type: 'emotion',
    name: `e${n}`,
    uri: `data:image/png;base64,${filler}`,
    ext: 'png',
  }));
  const input = text(v3({ assets }));
  expect(input.length).toBeGreaterThan(60e6);
  const { entities } = await engine.read(input);
  expect(character(entities).body.media.assets).toHaveLength(1000);
  const { files } = await engine.write(entities, 'sillytavern');
  expect(text(json(files[0]?.bytes)) === input).toBe(true);
});

test('RW-096 a list of 60 MB with a thousand characters is refused early, with what it is and what to do', async () => {
  const uri = `data:image/png;base64,${Buffer.alloc(45_000, 7).toString('base64')}`;
  const card = v3({ assets: [{ type: 'icon', name: 'main', uri, ext: 'png' }] });
  const input = text(Array.from({ length: 1000 }, () => card));
  expect(input.length).toBeGreaterThan(60e6);
  await expect(engine.read({ bytes: input, filename: 'library.json' })).rejects.toMatchObject({
    file: 'library.json',
    detail: expect.stringContaining('a list of 1000 items'),
    hint: 'give each item as a file of its own',
  });
});

describe('counts', () => {
  test.each(targetsOf('character'))(
    'RW-103 the 49 entries of a book are all in the files for %s, or named',
    async (target) => {
      const { files, report } = await engine.convert(text(v2({ character_book: book(49) })), target);
      const read = await Promise.all(files.map(({ bytes }) => engine.read(bytes)));
      const entries = read
        .flatMap((one) => one.entities)
        .flatMap((one) => (one.kind === 'lorebook' ? one.body.entries : []));
      const named = report.losses.filter(({ path }) => /^entries(\[\d+\])?$/.test(path));
      expect(entries.length + named.length).toBe(49);
      expect(report.counts.populated).toBeGreaterThan(49 * 2);
    },
  );

  test.each(targetsOf('lorebook').filter((id) => id !== 'risu-module'))(
    'RW-103 a book of 49 entries is whole in %s',
    async (target) => {
      const { files, report } = await engine.convert(text(book(49)), target);
      const [back] = (await engine.read(files[0]?.bytes ?? '')).entities;
      if (back?.kind !== 'lorebook') throw new Error('not a book');
      const named = report.losses.filter(({ path }) => /^entries\[\d+\]$/.test(path));
      expect(back.body.entries.length + named.length).toBe(49);
    },
  );

  test('RW-107 the summary of a file counts every part of it', async () => {
    const rows = [0, 1, 2].map((n) => ({ type: 'emotion', name: `e${n}`, uri: dataUri(n), ext: 'png' }));
    const rules = [{ id: 'r', scriptName: 'r', findRegex: 'a', replaceString: 'b', placement: [2] }];
    const card = v3({
      character_book: book(4),
      alternate_greetings: ['Second.'],
      assets: rows,
      extensions: { regex_scripts: rules },
    });
    const { entities } = await engine.inspect(text(card));
    expect(entities.map(({ kind, parts }) => [kind, parts])).toEqual([
      ['character', expect.objectContaining({ greetings: 2, books: 1, assets: 3, rules: 1 })],
      ['lorebook', expect.objectContaining({ entries: 4 })],
    ]);
    const { files } = await engine.convert(text(card), 'agnai');
    expect(files.flatMap((file) => file.entities)).toEqual(entities.map(({ id }) => id));
  });
});

describe('refusals', () => {
  const cases: [what: string, bytes: Uint8Array | string, format: string | undefined, seen: RegExp][] = [
    ['broken JSON', '{"name": "Ada",\n "first_mes": }', undefined, /line 2/],
    [
      'an archive without a manifest',
      zip([{ name: 'notes.txt', body: utf8('mine') }]),
      undefined,
      /card\.json|manifest/,
    ],
    ['an archive without a card', zip([{ name: 'notes.txt', body: utf8('mine') }]), 'risu', /card\.json/],
    ['an empty file', '', undefined, /empty|no bytes/],
    ['a picture cut short', png(IHDR, IDAT).subarray(0, 40), undefined, /PNG/],
    ['a picture with a damaged card', png(IHDR, textChunk('chara', '%%%'), IDAT), undefined, /chara|card/],
    ['text of another kind', 'Dear diary', undefined, /text/],
    ['JSON of another kind', '{"a": 1}', undefined, /JSON.* an object with "a"/],
    ['a damaged archive', charx(v3()).subarray(0, 400), undefined, /archive|ZIP/i],
  ];
  test.each(cases)(
    'RW-106 %s: the refusal has the file, what was found and what to do',
    async (_, bytes, format, seen) => {
      const options = format === undefined ? {} : { format };
      const error = await engine.read({ bytes, filename: 'ada.file' }, options).catch((refusal: unknown) => refusal);
      if (!(error instanceof BunzaiError)) throw new Error('not refused');
      const { file, message, path, hint } = error;
      expect(file).toBe('ada.file');
      expect(`${message} ${path} ${hint}`).toMatch(seen);
      expect(hint).toMatch(/\w/);
    },
  );

  test('RW-106 the wrong kind is named with both kinds and a remedy', async () => {
    const input = { bytes: text(book(2)), filename: 'harbour.json' };
    const error = await engine.convert(input, 'pygmalion').catch((refusal: unknown) => refusal);
    if (!(error instanceof BunzaiError)) throw new Error('not refused');
    expect(error).toMatchObject({ file: 'harbour.json', hint: expect.stringMatching(/\w/) });
    expect(error.message).toMatch(/lorebook/);
  });
});

describe('output files', () => {
  const card = v2({ character_book: book(2) });

  test('RW-110 nothing is overwritten: a taken name is refused before anything is written', async () => {
    const { files } = await engine.convert({ bytes: text(card), filename: 'ada.json' }, 'pygmalion', {
      container: 'json',
    });
    expect(files).toHaveLength(2);
    const [, second] = files.map(({ name }) => name);
    writeFileSync(join(folder, second ?? ''), 'mine');
    await expect(writeFiles(`${folder}${sep}`, files)).rejects.toMatchObject({ code: 'output.exists' });
    expect(readdirSync(folder)).toEqual([second]);
    expect(readFileSync(join(folder, second ?? ''), 'utf8')).toBe('mine');
    await writeFiles(`${folder}${sep}`, files, { overwrite: true });
    expect(readdirSync(folder).sort()).toEqual(files.map(({ name }) => name).sort());
  });

  test('RW-110 two cards of one write that lead to one name get a numbered sibling', async () => {
    const read = await Promise.all([v2(), v2({ creator: 'somebody else' })].map((one) => engine.read(text(one))));
    const { files } = await engine.write(
      read.flatMap(({ entities }) => entities),
      'sillytavern',
    );
    const paths = await writeFiles(`${folder}${sep}`, files);
    expect(new Set(paths).size).toBe(2);
  });

  test('RW-110 files that belong together get the same number, and the report says their final names', async () => {
    const cards = ['Tides', 'Harbour'].map((name) => v2({ character_book: { ...book(2), name } }));
    const read = await Promise.all(cards.map((one) => engine.read(text(one))));
    const entities = read.flatMap((one) => one.entities);
    const { files } = await engine.write(entities, 'pygmalion', { container: 'json' });
    expect(files.map(({ name }) => name)).toEqual(['ada-reef.json', 'tides.json', 'ada-reef-2.json', 'harbour-2.json']);
    const twice = await Promise.all(
      [1, 2].map(() => engine.read(text(v2({ character_book: { ...book(2), name: 'Tides' } })))),
    );
    const same = await engine.write(
      twice.flatMap((one) => one.entities.map((entity) => ({ ...entity }))),
      'pygmalion',
      { container: 'json' },
    );
    const names = same.files.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { beside = [], reason } of same.report.losses)
      for (const name of beside) expect([names.includes(name), reason?.includes(name)]).toEqual([true, true]);
    expect(same.report.losses.flatMap(({ beside = [] }) => beside).sort()).toEqual(
      names.filter((name) => name.startsWith('tides')).sort(),
    );
  });

  test.each(['Мира Вейл', '灯台の番人', '미라 베일', 'نورا', 'Ada Reef'])(
    'RW-111 the letters of %s stay in the file name',
    async (name) => {
      const { files } = await engine.convert({ bytes: text(v2({ name })), filename: `${name}.json` }, 'sillytavern');
      const [path = ''] = await writeFiles(`${folder}${sep}`, files);
      expect(path).toBe(join(folder, `${name}.json`));
      const bare = await engine.convert(text(v2({ name })), 'sillytavern');
      expect(bare.files[0]?.name).toMatch(/^[\p{L}\p{M}\p{N}-]+\.json$/u);
    },
  );

  test('RW-111 a name of 200 letters is cut before its extension and never inside a character', async () => {
    for (const letter of ['a', '灯', '😀', '👩‍👩‍👧']) {
      const name = letter.repeat(200);
      const { files } = await engine.convert(png(IHDR, textChunk('chara', base64(v2({ name }))), IDAT), 'sillytavern', {
        name,
      });
      const safe = safeFileName(files[0]?.name ?? '');
      expect(safe).toMatch(/\.png$/);
      expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(MAX_FILE_NAME_BYTES);
      expect(safe.slice(0, -4).replaceAll(letter, '')).toBe('');
    }
  });
});
