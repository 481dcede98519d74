import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { encode, parse, withValue } from '../../../test/kit/adapter.ts';
import { CORPUS } from '../../../test/kit/corpus.ts';
import { sampleBytes, sampleJson, sampleNames } from '../../../test/kit/lumiverse.ts';
import { bytesOf } from '../../core/bytes.ts';
import { sourceOf } from '../../core/source.ts';
import { createEngine } from '../../engine.ts';
import type { AnyAdapter } from '../../entities/kinds.ts';
import { loadDeflate } from '../_shared/inflate.ts';
import { writeZip } from '../_shared/zip.ts';
import risu from '../risu/index.ts';
import sillytavern from '../sillytavern/index.ts';
import adapters from './index.ts';

const all: readonly AnyAdapter[] = [...sillytavern, ...risu, ...adapters];
const engine = createEngine(all);
await loadDeflate();

const scores = (bytes: Uint8Array) =>
  engine.registry.scores(sourceOf(bytes)).map(({ adapter, score }) => `${adapter.id} ${score}`);
const score = (value: unknown) => scores(encode(value));
const archive = (files: Readonly<Record<string, unknown>>) =>
  writeZip(Object.entries(files).map(([name, value]) => ({ name, content: bytesOf(encode(value)) })));
const ananya = sampleJson('lumiverse.ananya.json');
const plain = withValue(ananya, 'data.extensions', {});

describe('samples', () => {
  test.each(sampleNames)('%s goes to the adapter in its name, whatever the order', (name) => {
    const id = name.split('.')[0];
    for (const order of [all, [...all].reverse()])
      expect(createEngine(order).registry.detect(sourceOf(sampleBytes(name)))?.adapter.id).toBe(id);
    const [first, second] = engine.registry.scores(sourceOf(sampleBytes(name)));
    expect(first?.score).toBeGreaterThan(second?.score ?? 0);
  });
  test.each(sampleNames)('%s round-trips unedited without losses', async (name) => {
    const { entities } = await engine.read(sampleBytes(name));
    const { files, report } = await engine.write(entities, name.split('.')[0] ?? '');
    expect([report.losses, report.escrowShadowed, files.length]).toEqual([[], [], 1]);
    if (name.endsWith('.json')) expect(parse(files[0]?.bytes)).toEqual(sampleJson(name));
  });
});

describe('archives', () => {
  const card = { 'card.json': ananya };
  test('with modules 1, and RisuAI yields', () => {
    expect(scores(archive({ ...card, 'lumiverse_modules.json': { version: 1 } }))).toEqual(['lumiverse 1']);
    expect(scores(archive({ 'card.json': plain, 'lumiverse_modules.json': {} }))).toEqual(['lumiverse 1']);
  });
  test('without modules but with keys of the app 0.96, and RisuAI wins', () => {
    expect(scores(archive(card))).toEqual(['risu 1', 'lumiverse 0.96']);
  });
  test('with a RisuAI module 0', () => {
    expect(scores(archive({ ...card, 'module.risum': 1 }))).not.toContain('lumiverse 0.96');
  });
  test('a plain card is RisuAI’s alone', () => {
    expect(scores(archive({ 'card.json': plain }))).toEqual(['risu 1']);
    expect(scores(archive({ 'card.json': 'no card' }))).toEqual(['risu 1']);
  });
});

describe('cards', () => {
  test.each([
    'alternate_character_name',
    'alternate_fields',
    'alternate_avatars',
    'expressions',
    'expression_groups',
    'world_book_ids',
    'databank_ids',
    'lumiverse_image_gen_lora',
  ])('%s alone is enough for 0.95', (key) => {
    const value = (ananya.data as { extensions: Record<string, unknown> }).extensions[key];
    expect(score(withValue(plain, `data.extensions.${key}`, value))).toEqual(['lumiverse 0.95', 'sillytavern 0.9']);
  });
  test('without any it is SillyTavern’s', () => expect(score(plain)).toEqual(['sillytavern 0.9']));
  test.each<readonly [string, unknown]>([
    [
      'alternates of a SillyTavern extension',
      { alternate_fields: { alt_descriptions: [{ title: 'a', content: 'b' }] } },
    ],
    ['an empty list of that extension', { alternate_fields: { alt_descriptions: [] } }],
    ['rows with titles', { alternate_fields: { description: [{ title: 'a', content: 'b' }] } }],
    ['expressions of Chub', { chub: { expressions: { expressions: { joy: 'https://a.example/joy.png' } } } }],
    ['expressions without a map', { expressions: [] }],
  ])('%s are not ours', (_, extensions) => {
    expect(score(withValue(plain, 'data.extensions', extensions))[0]).toBe('sillytavern 0.9');
  });
  test('a persona of RoleCall is refused', () => {
    expect(score(withValue(ananya, 'data.extensions.rolecall', { type: 'persona' }))).toEqual([]);
  });
});

describe('other kinds', () => {
  test.each<readonly [string, unknown, readonly string[]]>([
    ['a world book', { type: 'lumiverse_world_book' }, ['lumiverse-lorebook 1']],
    ['scripts', { type: 'lumiverse_regex_scripts', scripts: [] }, ['lumiverse-regex 1']],
    ['scripts without a list', { type: 'lumiverse_regex_scripts' }, []],
    ['personas', { type: 'lumiverse_personas', version: 1, personas: [] }, ['lumiverse-persona 1']],
    ['a wrapped preset', { type: 'lumiverse_preset', preset: { blocks: [] } }, ['lumiverse-preset 1']],
    ['blocks', { name: 'x', blocks: [] }, ['lumiverse-preset 0.95']],
    ['blocks of a web editor', { time: 1, blocks: [{ type: 'header', data: {} }] }, []],
    ['a SillyTavern preset', { prompts: [], prompt_order: [] }, ['sillytavern-preset 0.9']],
    ['a pack', { packName: 'x', lumiaItems: [], loomItems: [] }, []],
    ['a list', [], []],
  ])('%s', (_, value, expected) => expect(score(value)).toEqual(expected));
  test.each(['name', 'description', 'subjective_pronoun', 'objective_pronoun'])('a persona needs its %s', (key) => {
    const account = sampleJson('lumiverse-persona.account.json');
    expect(score(account)).toEqual(['lumiverse-persona 0.95']);
    expect(score(withValue(account, key, undefined))).toEqual([]);
  });
});

describe.skipIf(!existsSync(CORPUS))('the corpus (skipped where ../shared/corpus is absent)', () => {
  const files = (folder: string) =>
    readdirSync(new URL(`${folder}/`, CORPUS)).map((name) => new URL(`${folder}/${name}`, CORPUS));
  const bytesAt = (url: URL) => new Uint8Array(readFileSync(url));
  const claims = (url: URL) =>
    adapters.filter((adapter) => adapter.detect(sourceOf(bytesAt(url))) >= 0.5).map(({ id }) => id);

  test('lumiverse: claimed at 0.95 and unchanged without an edit', async () => {
    for (const url of files('lumiverse')) {
      expect(scores(bytesAt(url))).toEqual(['lumiverse 0.95', 'sillytavern 0.9']);
      const { files: out, report } = await engine.convert(bytesAt(url), 'lumiverse');
      expect(parse(out[0]?.bytes)).toEqual(parse(bytesAt(url)));
      expect(report.losses).toEqual([]);
    }
  });
  test('lumiverse-pack: nobody claims them', () => {
    for (const url of files('lumiverse-pack')) expect(scores(bytesAt(url)), url.pathname).toEqual([]);
  });
  test('no file of another app is ours', () => {
    const folders = readdirSync(CORPUS, { withFileTypes: true }).filter(
      (one) => one.isDirectory() && !one.name.startsWith('lumiverse'),
    );
    const ours = folders.flatMap(({ name }) =>
      files(name).flatMap((url) => (claims(url).length > 0 ? [url.pathname] : [])),
    );
    expect(ours).toEqual([]);
  }, 60_000);
});
