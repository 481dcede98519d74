import { describe, expect, test } from 'vitest';
import { changes, edited, read, sample, source, value, written } from '../../../test/formats/files.ts';
import { createEngine } from '../../engine.ts';
import type { EntityOf } from '../../entities/kinds.ts';
import { emptyPersona, type PersonaBody } from '../../entities/persona/schema.ts';
import adapters from './index.ts';
import { sillytavernPersona as adapter } from './persona.ts';

const crew = sample('sillytavern', 'sillytavern-persona.crew.json');
const crewValue = () => JSON.parse(crew.text) as Backup;
type Backup = {
  personas: Record<string, unknown>;
  persona_descriptions: Record<string, Record<string, unknown>>;
  default_persona: string | null;
};

const backup = (descriptor: unknown, name: unknown = 'Wren'): Backup => ({
  personas: { 'wren.png': name } as Record<string, unknown>,
  persona_descriptions: { 'wren.png': descriptor } as Backup['persona_descriptions'],
  default_persona: null,
});
const bodyOf = (descriptor: unknown): PersonaBody => read(adapter, backup(descriptor))[0].body;
const fresh = (body: Partial<PersonaBody>): EntityOf<'persona'> => ({
  schemaVersion: '1',
  kind: 'persona',
  id: 'x',
  body: { ...emptyPersona(), ...body },
});

describe('reading', () => {
  test('every persona is an entity, the default one first', () => {
    const all = read(adapter, crew.bytes);
    expect(all.map(({ body }) => body.name)).toEqual(['汐里', 'Wren', 'نورا']);
    expect(all.map(({ original }) => original?.['sillytavern-persona']?.unmapped?.row)).toEqual([
      '汐里.png',
      '1712000000001-Wren.png',
      'نورا (Persona).png',
    ]);
    const twins = new Set(all.map(({ original }) => original?.['sillytavern-persona']?.raw));
    expect(twins.size).toBe(1);
  });

  test('every field of a descriptor has its slot', () => {
    const [, wren] = read(adapter, crew.bytes);
    expect(wren?.body).toEqual({
      name: 'Wren',
      content: '{{user}} is the deckhand who keeps the bell rope dry.',
      identity: { tagline: 'day crew' },
      knowledgeRefs: ['Harbour'],
      chatInjection: { position: 'in_chat', depth: 3, role: 'user' },
    });
  });

  test.each([
    [0, 'prompt'],
    [1, 'prompt'],
    [2, 'author_note_top'],
    [3, 'author_note_bottom'],
    [4, 'in_chat'],
    [9, 'none'],
  ])('position %d is %s', (number, word) =>
    expect(bodyOf({ position: number }).chatInjection).toEqual({ position: word }),
  );

  test('a depth without a position stands in the prompt', () => {
    expect(bodyOf({ depth: 3 }).chatInjection).toEqual({ position: 'prompt', depth: 3 });
  });

  test('an unknown position stays in escrow with its depth and role', () => {
    const [entity] = read(adapter, backup({ description: 'd', position: 7, depth: 3, role: 1 }));
    expect(entity.body.chatInjection).toBeUndefined();
    expect(adapter.account(entity).left.map(({ path }) => path)).toEqual([
      'persona_descriptions.position',
      'persona_descriptions.depth',
      'persona_descriptions.role',
    ]);
  });

  test('a persona without a descriptor, and one with a null', () => {
    expect(read(adapter, { personas: { 'a.png': 'A' }, persona_descriptions: {} })[0].body).toEqual({ name: 'A' });
    expect(bodyOf(null)).toEqual({ name: 'Wren' });
  });

  test('unknown keys and connections stay in escrow, by their place', () => {
    const [, wren] = read(adapter, crew.bytes);
    expect(wren && adapter.account(wren).left.map(({ path }) => path)).toEqual(['persona_descriptions.connections']);
  });
});

describe('writing back', () => {
  test('unedited: the file as it was, whoever is passed', () => {
    const all = read(adapter, crew.bytes);
    expect(written(adapter, ...all)).toBe(crew.text);
    for (const one of all) expect(written(adapter, one)).toBe(crew.text);
  });

  test('edit one, the others stay', () => {
    const [shiori, wren] = read(adapter, crew.bytes);
    if (!wren) throw new Error('no second persona');
    const out = value(adapter, edited(wren, { content: 'New words.' }));
    const home = 'persona_descriptions.1712000000001-Wren.png';
    expect(changes(crewValue(), out)).toEqual([`${home}.description`]);
    const both = value(adapter, edited(shiori, { name: '汐里さん' }), edited(wren, { knowledgeRefs: [] }));
    expect(changes(crewValue(), both)).toEqual(['personas.汐里.png', `${home}.lorebook`]);
  });

  test('the old position 1 stays as long as the place stays', () => {
    const [shiori] = read(adapter, crew.bytes);
    const place = { position: 'prompt', depth: 5, role: 'system' as const };
    const out = value(adapter, edited(shiori, { chatInjection: place }));
    expect(changes(crewValue(), out)).toEqual(['persona_descriptions.汐里.png.depth']);
  });

  test.each([
    ['prompt', 0],
    ['author_note_top', 2],
    ['author_note_bottom', 3],
    ['in_chat', 4],
    ['depth', 4],
    ['none', 9],
    ['scene', 0],
  ])('a place %s is written as %d', (position, number) => {
    const out = value(adapter, fresh({ name: 'W', chatInjection: { position } })) as Backup;
    expect(out.persona_descriptions['W.png']).toEqual({ description: '', position: number });
  });

  test('clearing empties what SillyTavern always writes, and removes the rest', () => {
    const raw = backup({ description: 'a', title: 'b', lorebook: 'c', position: 4, depth: 2, role: 1, x: 1 });
    const [entity] = read(adapter, raw);
    const out = value(adapter, { ...entity, body: { name: 'Wren' } }) as Backup;
    expect(out.persona_descriptions['wren.png']).toEqual({ description: '', title: '', lorebook: '', x: 1 });
  });

  test('only the first book has a place', () => {
    const out = value(adapter, fresh({ name: 'W', knowledgeRefs: ['a', 'b'] })) as Backup;
    expect(out.persona_descriptions['W.png']?.lorebook).toBe('a');
  });

  test('numbers as text and words for roles are read, and stay so', () => {
    const raw = backup({ position: '4', depth: '2', role: 'user' });
    const [entity] = read(adapter, raw);
    expect(entity.body.chatInjection).toEqual({ position: 'in_chat', depth: 2, role: 'user' });
    const chatInjection = { position: 'none', depth: 3, role: 'assistant' as const };
    const out = value(adapter, edited(entity, { chatInjection })) as Backup;
    expect(out.persona_descriptions['wren.png']).toEqual({ position: '9', depth: '3', role: 'assistant' });
  });

  test('a fresh file: the name as picture file, nothing made up', () => {
    expect(value(adapter, fresh({ name: 'A/B: "C"?', content: 'x' }))).toEqual({
      personas: { 'AB C.png': 'A/B: "C"?' },
      persona_descriptions: { 'AB C.png': { description: 'x' } },
      default_persona: null,
    });
    const two = value(adapter, fresh({ name: 'W' }), fresh({ name: 'W' })) as Backup;
    expect(Object.keys(two.personas)).toEqual(['W.png', 'W-2.png']);
  });

  test('inherited names are names', () => {
    const text = '{"personas":{"__proto__":"P","toString":"T"},"persona_descriptions":{},"default_persona":null}';
    const all = read(adapter, text);
    expect(all.map(({ body }) => body.name)).toEqual(['P', 'T']);
    expect(written(adapter, ...all).replace(/\s/g, '')).toBe(text);
    const [proto] = all;
    const out = written(adapter, edited(proto, { content: 'c' }));
    expect(JSON.parse(out).persona_descriptions).toEqual(JSON.parse('{"__proto__":{"description":"c"}}') as object);
  });
});

describe('what a person should know', () => {
  test('pictures are named only (RW-063), and a description without a persona is nobody’s', () => {
    const all = read(adapter, crew.bytes);
    const told = all.map((entity) => (adapter.account(entity).warnings ?? []).map(({ code, path }) => [code, path]));
    expect(told).toEqual([
      [
        ['persona.picture-by-name', 'personas'],
        ['persona.nameless', 'persona_descriptions["lost.png"]'],
      ],
      [],
      [],
    ]);
  });

  test('the report compares each persona with itself, also when only one is passed', async () => {
    const engine = createEngine(adapters);
    const { entities } = await engine.read(crew.bytes);
    const last = entities[2];
    if (last?.kind !== 'persona') throw new Error('no third persona');
    const changed = edited(last, { content: 'Other words.' });
    const { report, files } = await engine.write([changed], 'sillytavern');
    expect(report.losses).toEqual([]);
    expect(files).toHaveLength(1);
    expect((await engine.read(files[0]?.bytes ?? '')).entities).toHaveLength(3);
  });
});

describe('detection', () => {
  test('both maps and at least one name', () => {
    expect(adapter.detect(source(crew.bytes))).toBe(0.95);
    expect(adapter.detect(source({ personas: {}, persona_descriptions: {} }))).toBe(0);
    expect(adapter.detect(source({ personas: { a: 1 }, persona_descriptions: {} }))).toBe(0);
    expect(adapter.detect(source({ personas: { a: 'A' } }))).toBe(0);
    expect(adapter.detect(source({ personas: ['A'], persona_descriptions: {} }))).toBe(0);
  });
});
