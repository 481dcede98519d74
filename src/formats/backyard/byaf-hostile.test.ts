import { existsSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  alike,
  archive,
  made,
  membersOf,
  pixel,
  readOne,
  sample,
  withSlot,
  write,
} from '../../../test/backyard/kit.ts';
import { CORPUS } from '../../../test/kit/corpus.ts';
import { BunzaiError } from '../../core/errors.ts';
import { sourceOf } from '../../core/source.ts';
import type { EntityOf } from '../../entities/kinds.ts';
import { openZip } from '../_shared/zip.ts';
import { byaf } from './byaf.ts';

const LAMP = sample('byaf/byaf.lampkeeper.byaf');
const CHARACTER = 'characters/lampkeeper/character.json';

beforeAll(() => byaf.prepare?.('write'));

/** A code or a result, never a crash; a result is read, accounted, edited and written. */
function survives(bytes: Uint8Array): string {
  try {
    const entity = readOne(byaf, bytes);
    byaf.account(entity);
    byaf.extractLorebook?.(entity);
    const changed = [
      ['identity.name', 'x'],
      ['greetings.firstMessage', 'x'],
      ['greetings.alternateGreetings', [{ text: 'x' }]],
      ['media.portrait', { role: 'portrait', ref: pixel(1) }],
      ['presentation.background', { ref: pixel(2) }],
      ['examples.exampleMessages', 'x'],
      ['attribution.creator', 'x'],
    ].reduce((one, [path, value]) => withSlot(one, path as string, value), entity);
    readOne(byaf, write(byaf, changed).bytes);
    return 'read';
  } catch (error) {
    if (!(error instanceof BunzaiError)) throw error;
    return error.code;
  }
}

describe('hostile archives', () => {
  const members = membersOf(LAMP);
  const swapped = (name: string, value: unknown) => survives(archive({ ...members, [name]: value }));
  const lack = (name: string) =>
    survives(archive(Object.fromEntries(Object.entries(members).filter(([key]) => key !== name))));

  test('a missing character is an error, a missing scenario a warning', () => {
    expect(lack('manifest.json')).toBe('zip.missing-member');
    expect(lack(CHARACTER)).toBe('zip.missing-member');
    expect(lack('scenarios/scenario1.json')).toBe('read');
    const { 'scenarios/scenario2.json': _, ...rest } = members;
    const entity = readOne(byaf, archive(rest));
    expect(byaf.account(entity).warnings?.map(({ code, path }) => [code, path])).toContainEqual([
      'byaf.missing-scenario',
      'scenarios/scenario2.json',
    ]);
    const manifest = membersOf(write(byaf, withSlot(entity, 'identity.name', 'x')).bytes)['manifest.json'];
    expect(manifest).toEqual(members['manifest.json']);
  });
  test('broken or foreign documents name their member', () => {
    const broken = new TextEncoder().encode('{"a": ');
    expect(swapped(CHARACTER, broken)).toBe('json.syntax');
    expect(swapped('scenarios/scenario2.json', broken)).toBe('json.syntax');
    expect(swapped(CHARACTER, [1])).toBe('format.mismatch');
    expect(swapped(CHARACTER, new Uint8Array([0xff, 0xfe, 0x00]))).toMatch(/text.encoding|json.syntax/);
    expect(() => readOne(byaf, archive({ ...members, [CHARACTER]: broken }))).toThrow(CHARACTER);
    expect(swapped('manifest.json', { characters: [], scenarios: [] })).toBe('format.mismatch');
    expect(swapped('manifest.json', { characters: ['../../etc/passwd'], scenarios: [] })).toBe('zip.missing-member');
    expect(swapped('manifest.json', { characters: ['manifest.json'], scenarios: ['manifest.json', 7, '../x'] })).toBe(
      'read',
    );
    const itself = { characters: [CHARACTER], scenarios: ['manifest.json', CHARACTER] };
    expect(readOne(byaf, archive({ ...members, 'manifest.json': itself })).original?.byaf?.raw).toMatchObject({
      scenarios: [],
    });
  });
  test('paths that leave the archive are looked up and never written', () => {
    const images = [
      { path: '../../../x.png', label: 'avatar' },
      { path: 'images/../../../x.png', label: '' },
      { path: 7 },
      'x',
    ];
    const character = { ...(members[CHARACTER] as object), id: '../../evil', images };
    const bytes = archive({ ...members, [CHARACTER]: character });
    expect(survives(bytes)).toBe('read');
    const after = write(
      byaf,
      withSlot(readOne(byaf, bytes), 'media.portrait', { role: 'portrait', ref: pixel(1) }),
    ).bytes;
    expect(Object.keys(membersOf(after)).every((name) => !name.includes('..'))).toBe(true);
  });
  test('an unsafe member name is kept in an unedited archive and left out of an edited one, with a warning', () => {
    const marked = archive({ ...members, 'aa/x.txt': new Uint8Array([1]) });
    const text = Buffer.from(marked).toString('latin1').replaceAll('aa/x.txt', '../x.txt');
    const bytes = new Uint8Array(Buffer.from(text, 'latin1'));
    const entity = readOne(byaf, bytes);
    expect(alike(write(byaf, entity).bytes, bytes)).toBe(true);
    expect(byaf.account(entity).warnings?.map(({ code }) => code)).toContain('byaf.unsafe-name');
    expect(survives(bytes)).toBe('read');
  });
  test('truncated and empty files', () => {
    for (const length of [0, 4, 100, LAMP.length - 1])
      expect(survives(LAMP.subarray(0, length))).toMatch(/^(format|zip)\./);
    expect(survives(archive({}))).toMatch(/^(format|zip)\./);
  });
  test('any values at the homes of a document', () => {
    const value = fc.jsonValue({ maxDepth: 2 });
    const wild = (name: string) =>
      fc.record(
        Object.fromEntries(
          Object.keys(members[name] as object).map((key) => [key, fc.option(value, { nil: undefined })]),
        ),
      );
    fc.assert(
      fc.property(
        wild(CHARACTER),
        wild('scenarios/scenario1.json'),
        wild('scenarios/scenario2.json'),
        (one, two, three) => {
          const bytes = archive({
            ...members,
            [CHARACTER]: one,
            'scenarios/scenario1.json': two,
            'scenarios/scenario2.json': three,
          });
          expect(survives(bytes)).toBe('read');
          expect(alike(write(byaf, readOne(byaf, bytes)).bytes, bytes)).toBe(true);
        },
      ),
      { numRuns: 150 },
    );
  });
});

const SCHEMAS = new URL('byaf-schemas/', CORPUS);
describe.skipIf(!existsSync(SCHEMAS))("the owner's schemas (skipped where the folder is absent)", () => {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const check = Object.fromEntries(
    ['character', 'manifest', 'scenario'].flatMap((name) => {
      if (!existsSync(SCHEMAS)) return [];
      return [[name, ajv.compile(JSON.parse(readFileSync(new URL(`byaf-${name}.schema.json`, SCHEMAS), 'utf8')))]];
    }),
  );
  const faults = (bytes: Uint8Array): string[] =>
    Object.entries(membersOf(bytes)).flatMap(([name, value]) => {
      if (!name.endsWith('.json')) return [];
      const validate =
        check[name === 'manifest.json' ? 'manifest' : name.startsWith('characters/') ? 'character' : 'scenario'];
      return validate?.(value)
        ? []
        : (validate?.errors ?? []).map((error) => `${name}${error.instancePath} ${error.message}`);
    });
  const anyText = fc.constantFrom('', 'Ada', '雪 🌨', '../x', 'נועה', 'a, b', '{{char}}', 'CON', 'x'.repeat(300));
  const ref = fc.constantFrom<unknown>(pixel(1), pixel(2), 'https://example.invalid/a.png');
  const slot = {
    'identity.name': anyText,
    'identity.nickname': anyText,
    'persona.scenario': anyText,
    'prompts.systemPrompt': anyText,
    'greetings.firstMessage': anyText,
    'greetings.alternateGreetings': fc.array(fc.record({ text: anyText, title: anyText }, { requiredKeys: ['text'] }), {
      maxLength: 3,
    }),
    'examples.exampleMessages': anyText,
    'media.portrait': fc.record({ role: fc.constant('portrait'), ref }),
    'media.assets': fc.array(fc.record({ role: fc.constant('other'), ref, label: anyText }), { maxLength: 3 }),
    'presentation.background': fc.record({ ref }),
    'attribution.creator': anyText,
    'attribution.sourceUrl': fc.constantFrom(
      'https://example.invalid/a b',
      'x',
      'http:',
      'https://example.invalid/ü?q=[1]',
      'mailto:a@b.invalid',
      '',
    ),
    'attribution.createdAt': fc.constantFrom(0, 1714980489.5, 1e15, -1e12, 1714980489),
    'attribution.updatedAt': fc.constantFrom(0, 1e12, 253402300800),
    'discovery.rating': fc.constantFrom('all-ages', 'mature', 'explicit'),
  };
  test('every fresh archive passes, is reproducible, and an edited sample passes too', () => {
    fc.assert(
      fc.property(
        fc.record(slot as Record<string, fc.Arbitrary<unknown>>, { requiredKeys: [] }),
        fc.boolean(),
        (values, fresh) => {
          const source: EntityOf<'character'> = fresh ? made({}) : readOne(byaf, LAMP);
          const entity = Object.entries(values).reduce((one, [path, value]) => withSlot(one, path, value), source);
          const { bytes } = write(byaf, entity);
          expect(faults(bytes)).toEqual([]);
          expect(alike(write(byaf, entity).bytes, bytes)).toBe(true);
        },
      ),
      { numRuns: 150 },
    );
  });
  test('the samples pass, but for the one that holds several first messages', () => {
    expect(faults(LAMP)).toEqual([]);
    expect(faults(sample('byaf/byaf.several-firsts.byaf'))).toEqual([
      'scenarios/one.json/firstMessages must NOT have more than 1 items',
    ]);
  });
  test("a fresh archive has the order of the app's writer, and a folder that is the id", () => {
    const media = { portrait: { role: 'portrait' as const, ref: pixel(1) } };
    const { bytes } = write(
      byaf,
      made({ identity: { name: '미라 Vale' }, media, presentation: { background: { ref: pixel(2) } } }),
    );
    expect(openZip(sourceOf(bytes))?.members.map(({ name }) => name)).toEqual([
      'manifest.json',
      'characters/미라-vale/images/portrait.png',
      'characters/미라-vale/character.json',
      'scenarios/scenario1.json',
      'scenarios/scenario1-background.png',
    ]);
    expect(membersOf(bytes)['characters/미라-vale/character.json']).toMatchObject({
      id: '미라-vale',
      name: '미라 Vale',
    });
  });
});
