import { describe, expect, test } from 'vitest';
import { at, differences, edited, encode, fresh, left, readAs, withValue } from '../../../test/kit/adapter.ts';
import { sample } from '../../../test/kit/marinara.ts';
import { isBytes } from '../../core/bytes.ts';
import { createEngine } from '../../engine.ts';
import type { PersonaBody } from '../../entities/persona/schema.ts';
import sillytavern from '../sillytavern/index.ts';
import adapters, { marinaraPersona as adapter } from './index.ts';

const orla = sample('marinara-persona.orla.json');
const flat = sample('marinara-persona.flat.json');
const body = readAs(adapter, orla).body;

describe('the field map', () => {
  test('an export', () => {
    const { media, ...rest } = body;
    expect(rest).toEqual({
      name: 'Orla',
      brief: 'visitor',
      content: 'A tired surveyor. 測量士。',
      sections: { personality: 'Dry.', appearance: 'Wet coat.', history: 'Left the city.' },
      traits: ['surveyor', 'khách lạ'],
      presentation: { signatureColor: '#88aacc' },
      attribution: { createdAt: '2026-03-01T00:00:00.000Z' },
    });
    expect(isBytes(media?.portrait?.ref)).toBe(true);
  });
  test('a flat persona, with the source that the compatible export stamps', () => {
    expect(readAs(adapter, { ...flat, avatarPath: '/api/avatars/1.png' }).body).toEqual({
      name: 'Toma',
      content: 'Carries letters between islands.',
      sections: { personality: 'Cheerful 🙂' },
      traits: ['courier'],
      presentation: { imageUrl: '/api/avatars/1.png' },
      attribution: { source: 'Marinara Engine compatibility export' },
    });
  });
  test('stats, alternative descriptions, sprites and the scenario stay in escrow and are named', () => {
    expect(left(adapter, orla)).toEqual([
      'data.scenario',
      'data.boxColor',
      'data.personaStats',
      'data.altDescriptions',
      'data.metadata.updatedAt',
      'data.sprites',
    ]);
    expect(left(adapter, flat)).toEqual(['nameColor', 'extensions.marinara.exportedAt']);
  });
});

describe('JSON as text', () => {
  test('a column is read as text and as a value, and an edit keeps the form', () => {
    const add = (one: PersonaBody) => one.traits?.push('x');
    expect(at(edited(adapter, orla, add), 'data.tags')).toBe('["surveyor","khách lạ","x"]');
    expect(at(edited(adapter, flat, add), 'tags')).toEqual(['courier', 'x']);
    const real = withValue(orla, 'data.tags', ['a', 7]);
    expect(at(edited(adapter, real, add), 'data.tags')).toEqual(['a', 7, 'x']);
  });
  test('from scratch a column is text', () => {
    expect(at(fresh(adapter, { name: 'A', traits: ['b'] }), 'data.tags')).toBe('["b"]');
    expect(at(fresh(adapter, { name: 'A' }), 'data.tags')).toBe('[]');
  });
  test('an untouched column keeps its letters while another field changes', () => {
    const file = edited(adapter, orla, (one) => Object.assign(one, { content: 'x' }));
    expect(differences(orla, file)).toEqual(['data.description']);
  });
  test('a column that is broken or empty stays as it is', () => {
    const broken = withValue(orla, 'data.tags', '["a"');
    expect(readAs(adapter, broken).body.traits).toBeUndefined();
    expect(left(adapter, broken)).toContain('data.tags');
    expect(
      edited(adapter, withValue(orla, 'data.tags', ''), (one) => Object.assign(one, { traits: ['a'] })),
    ).toMatchObject({ data: { tags: '["a"]' } });
  });
});

describe('edits', () => {
  test.each<[string, (one: PersonaBody) => unknown, string]>([
    ['the brief', (one) => Object.assign(one, { brief: 'x' }), 'data.comment'],
    ['a section', (one) => Object.assign(one.sections ?? {}, { history: 'x' }), 'data.backstory'],
    ['a cleared section', (one) => delete one.sections?.appearance, 'data.appearance'],
    ['a colour', (one) => Object.assign(one, { presentation: { signatureColor: '#000' } }), 'data.nameColor'],
    ['no portrait', (one) => delete one.media, 'data.avatar'],
    ['no traits', (one) => delete one.traits, 'data.tags'],
  ])('%s goes to its own home', (_, edit, home) => {
    expect(differences(orla, edited(adapter, orla, edit))).toEqual([home]);
  });
  test('a cleared text is empty, not gone', () => {
    expect(
      at(
        edited(adapter, orla, (one) => delete one.brief),
        'data.comment',
      ),
    ).toBe('');
  });
});

describe('between apps', () => {
  test('everything survives the same format, and a fresh file has what the app always writes', async () => {
    const engine = createEngine(adapters);
    const { entities } = await engine.read(encode(orla));
    const alone = entities.map(({ original: _original, ...entity }) => entity);
    const { files, report } = await engine.write(alone as never, 'marinara-persona');
    expect(report.losses).toEqual([]);
    const file = JSON.parse(new TextDecoder().decode(files[0]?.bytes));
    expect(file).toMatchObject({
      type: 'marinara_persona',
      version: 1,
      exportedAt: '2026-03-01T00:00:00.000Z',
      data: { name: 'Orla', scenario: '', boxColor: '' },
    });
  });
  const personas = sillytavern.filter(({ kind }) => kind === 'persona');
  test.skipIf(personas.length === 0)('elsewhere each part is mapped or named', async () => {
    const engine = createEngine([...adapters, ...sillytavern]);
    const { report } = await engine.convert(encode(orla), 'sillytavern');
    const lost = report.losses.map(({ path }) => path);
    for (const path of ['brief', 'sections.appearance', 'traits', 'presentation.signatureColor'])
      expect(lost).toContain(path);
    const escrowed = report.escrowed.map(({ path }) => path);
    for (const path of ['data.personaStats', 'data.altDescriptions', 'data.sprites']) expect(escrowed).toContain(path);
  });
  test('pronouns, rating and injection have no place, and the report says so', async () => {
    const one: PersonaBody = {
      name: 'A',
      rating: 'mature',
      identity: { pronouns: 'they' },
      chatInjection: { position: 'in_chat', depth: 2 },
    };
    const entity = { schemaVersion: '1', kind: 'persona', id: 'a', body: one } as const;
    const { report } = await createEngine(adapters).write([entity], 'marinara');
    expect(report.losses.map(({ path }) => path)).toEqual([
      'rating',
      'identity.pronouns',
      'chatInjection.position',
      'chatInjection.depth',
    ]);
  });
});
