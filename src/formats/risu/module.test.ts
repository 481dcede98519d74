import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { changes, corpus, hasCorpus, NO_CORPUS, read, sample, source } from '../../../test/formats/files.ts';
import { engine, parse } from '../../../test/risu/kit.ts';
import { valueAt, type Wire } from '../../core/draft.ts';
import { emptyLorebook } from '../../entities/lorebook/schema.ts';
import { emptyRule, type RegexBody } from '../../entities/regex/schema.ts';
import { risuLorebook } from './lorebook.ts';
import { risuModule } from './module.ts';
import { risuRegex } from './regex.ts';
import { openModule, sealModule } from './risum.ts';
import { packed, RPACK, unpacked } from './rpack.ts';

const bay = new Uint8Array(sample('risu', 'risu-module.bay.risum').bytes);
const moduleOf = (bytes: Uint8Array): Wire => openModule(bytes).value as Wire;
const blocks = (bytes: Uint8Array): Uint8Array =>
  bytes.subarray(6 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(2, true));

describe('RPack', () => {
  test('the table is the one of the facts, and the same for every place', () => {
    expect(createHash('sha256').update(RPACK).digest('hex')).toBe(
      '2d880e6ead42e267fd55b03cb961491c21576ceba38eb09ea71906e0ef1b3af9',
    );
    expect(packed(Uint8Array.of(0x7b, 0x22))).toEqual(Uint8Array.of(0xe6, 0x20));
    const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    expect(unpacked(packed(all))).toEqual(all);
    expect(all.some((byte) => RPACK[byte] === byte)).toBe(false);
  });
});

describe('the container', () => {
  test('a sealed module opens again; its assets are those of the twin', () => {
    const file = sealModule({ module: { name: '만' }, type: 'risuModule' }, bay);
    expect(openModule(file)).toEqual({ value: { module: { name: '만' }, type: 'risuModule' }, warnings: [] });
    expect(blocks(file)).toEqual(blocks(bay));
    expect(sealModule({}, undefined).at(-1)).toBe(0);
  });
  test.each<[string, Uint8Array, number]>([
    ['a file cut off in its text', bay.subarray(0, 90), 0.9],
    ['a text that is no JSON', sealModule({ a: 1 }, undefined).map((byte, at) => (at === 8 ? 0 : byte)), 0.9],
    ['only a head', bay.subarray(0, 6), 0],
    ['another version', bay.map((byte, at) => (at === 1 ? 1 : byte)), 0],
    ['another text', new TextEncoder().encode('o\0ther text that is long enough'), 0],
    ['a length past the end', Uint8Array.of(0x6f, 0, 255, 255, 255, 255, 0xe6, 0x20), 0.9],
  ])('%s', async (_, bytes, claimed) => {
    expect(risuModule.detect(source(bytes))).toBe(claimed);
    expect(risuRegex.detect(source(bytes))).toBe(0);
    await expect(engine.read(bytes)).rejects.toMatchObject({ code: claimed > 0 ? 'card.payload' : expect.any(String) });
  });
  test('damaged assets are kept, with a warning', async () => {
    const cut = bay.subarray(0, bay.length - 20);
    const { warnings, entities } = await engine.read(cut);
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'risu.module-assets' }));
    const { files } = await engine.write(entities, 'risu-module');
    expect(files[0]?.bytes).toEqual(cut);
  });
});

describe('a module as its book', () => {
  test('it is detected as a module, and says the same as the book file', async () => {
    expect(risuModule.detect(source(bay))).toBe(1);
    expect((await engine.detect(bay))?.format).toBe('risu-module');
    const body = read(risuModule, bay)[0].body;
    const { name: _, ...book } = read(risuLorebook, sample('risu', 'risu-lorebook.harbour.json').bytes)[0].body;
    expect(body).toEqual({ ...book, name: 'Bay 만', description: 'Töne der Bucht' });
  });
  test('unedited it keeps its bytes', () => {
    const [entity] = read(risuModule, bay);
    expect(risuModule.fromCanonical([entity], {})).toMatchObject({ bytes: bay, container: { name: 'risum' } });
  });
  test('an edit writes the text anew and leaves assets, rules and triggers alone', () => {
    const [entity] = read(risuModule, bay);
    const body = structuredClone(entity.body);
    Object.assign(body.entries[0] ?? {}, { content: '조용하다.' });
    body.name = 'Bucht';
    const { bytes } = risuModule.fromCanonical([{ ...entity, body }], {});
    expect(changes(moduleOf(bay), moduleOf(bytes))).toEqual(['module.name', 'module.lorebook.1.content']);
    expect(blocks(bytes)).toEqual(blocks(bay));
  });
  test('what is no book stays in the twin, and is named', () => {
    expect(risuModule.account(read(risuModule, bay)[0]).left.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['module.regex', 'module.trigger', 'module.assets', 'module.customModuleToggle']),
    );
  });
  test('a module without a book is an empty book', () => {
    const file = sealModule({ module: { name: 'x', id: '1' }, type: 'risuModule' }, undefined);
    expect(read(risuModule, file)[0].body).toEqual({ ...emptyLorebook(), name: 'x' });
  });
  test('a book of another app becomes a module that opens again', () => {
    const [entity] = read(risuLorebook, sample('risu', 'risu-lorebook.rows.json').bytes);
    const { bytes, container } = risuModule.fromCanonical([{ ...entity, body: { ...entity.body, name: 'W' } }], {});
    expect(container.name).toBe('risum');
    expect(read(risuModule, bytes)[0].body).toEqual({ ...entity.body, name: 'W', description: '' });
    expect(() => risuModule.fromCanonical([entity], { container: 'json' })).toThrow(
      expect.objectContaining({ code: 'container.unsupported' }),
    );
  });
  test('it is never JSON text', () => {
    expect(risuModule.detect(source(moduleOf(bay)))).toBe(0);
  });
});

describe('a module as its rules', () => {
  test('they are read when asked for, below the module itself', () => {
    expect(risuRegex.detect(source(bay))).toBe(0.8);
    expect(read(risuRegex, bay)[0].body.rules.map(({ label }) => label)).toEqual(['종소리', '括弧']);
  });
  test('unedited the module keeps its bytes; an edit touches its rule alone', () => {
    const [entity] = read(risuRegex, bay);
    expect(risuRegex.fromCanonical([entity], {}).bytes).toEqual(bay);
    const body = structuredClone(entity.body);
    Object.assign(body.rules[1] ?? {}, { find: 'x' });
    const { bytes } = risuRegex.fromCanonical([{ ...entity, body }], {});
    expect(changes(moduleOf(bay), moduleOf(bytes))).toEqual(['module.regex.1.in']);
    expect(blocks(bytes)).toEqual(blocks(bay));
  });
  test('as JSON they are the file that RisuAI imports', () => {
    const [entity] = read(risuRegex, bay);
    const file = parse<Wire>(risuRegex.fromCanonical([entity], { container: 'json' }).bytes);
    expect(file).toEqual({ type: 'regex', data: valueAt(moduleOf(bay), ['module', 'regex']) });
  });
  test('rules of another file become a module', () => {
    const body: RegexBody = { name: '', rules: [{ ...emptyRule('0'), find: 'a', label: 'b' }] };
    const entity = { schemaVersion: '1', kind: 'regex', id: 'r', body } as const;
    const { bytes } = risuRegex.fromCanonical([entity], { container: 'risum' });
    expect(read(risuRegex, bytes)[0].body).toEqual(body);
  });
  test('a module without rules has none', () => {
    const file = sealModule({ module: { name: 'x', regex: [] }, type: 'risuModule' }, undefined);
    expect(risuRegex.detect(source(file))).toBe(0);
    expect(() => risuRegex.toCanonical(source(file))).toThrow(expect.objectContaining({ code: 'format.mismatch' }));
  });
});

describe.skipIf(!hasCorpus)(`real files (${NO_CORPUS})`, () => {
  test.each(corpus('risum'))('$name', async ({ bytes, expected }) => {
    expect((await engine.detect(bytes))?.format).toBe(expected);
    expect(Buffer.compare(risuModule.fromCanonical([read(risuModule, bytes)[0]], {}).bytes, bytes)).toBe(0);
    const [entity] = read(risuModule, bytes);
    const { bytes: next } = risuModule.fromCanonical([{ ...entity, body: { ...entity.body, name: 'n' } }], {});
    expect(changes(moduleOf(bytes), moduleOf(next))).toEqual(['module.name']);
    expect(Buffer.compare(blocks(next), blocks(bytes))).toBe(0);
  });
});
