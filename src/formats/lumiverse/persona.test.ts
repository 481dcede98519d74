import { describe, expect, test } from 'vitest';
import { differences, parse, setAt, source } from '../../../test/kit/adapter.ts';
import { engine, sampleBytes, sampleJson } from '../../../test/kit/lumiverse.ts';
import type { Wire } from '../../core/draft.ts';
import type { EntityOf } from '../../entities/kinds.ts';
import { emptyPersona, type PersonaBody } from '../../entities/persona/schema.ts';
import { lumiversePersona } from './persona.ts';

type Persona = EntityOf<'persona'>;
const two = sampleJson('lumiverse-persona.two.json');
const account = sampleJson('lumiverse-persona.account.json');
const read = (wire: unknown) => lumiversePersona.toCanonical(source(wire)) as Persona[];
const write = (entities: readonly Persona[]) => parse(lumiversePersona.fromCanonical(entities as never, {}).bytes);
const edited = (entity: Persona, edit: (body: PersonaBody) => void): Persona => {
  const body = structuredClone(entity.body);
  edit(body);
  return { ...entity, body };
};
const made = (body: Partial<PersonaBody>): Persona => ({
  schemaVersion: '1',
  kind: 'persona',
  id: 'x',
  body: { ...emptyPersona(), ...body },
});

describe('reading', () => {
  test('one entity a persona, the default one first', () => {
    expect(read(two).map(({ body }) => body.name)).toEqual(['रवि', 'Wren']);
  });
  test('the field map', () => {
    expect(read(two)[1]?.body).toEqual({
      name: 'Wren',
      content: 'Deckhand. ลูกเรือ',
      identity: { tagline: 'day crew', pronounSet: { subjective: 'they', objective: 'them', possessive: 'their' } },
      presentation: { imageUrl: 'wren_4f.png' },
      knowledgeRefs: ['wb-9'],
      attribution: { createdAt: '2024-01-02T03:04:05.000Z' },
    });
    const wire = write([made(read(two)[1]?.body as PersonaBody)]);
    const { id, image_id, folder, metadata, updated_at, ...known } = (two.personas as Wire[])[0] as Wire;
    expect((wire.personas as Wire[])[0]).toMatchObject(known);
  });
  test('the account object is one persona, and goes back as it came', () => {
    const [nok] = read(account);
    expect(nok?.body.name).toBe('Nok');
    expect(
      write([
        edited(nok as Persona, (body) => {
          body.content = 'x';
        }),
      ]),
    ).toEqual({
      ...account,
      description: 'x',
    });
  });
});

describe('writing', () => {
  test('unedited, the file is the twin itself, whoever is passed', () => {
    const [ravi, wren] = read(two);
    for (const some of [[ravi, wren], [wren, ravi], [wren]]) expect(write(some as Persona[])).toEqual(two);
  });
  test('an edit touches its own key of its own persona', () => {
    const [, wren] = read(two);
    const next = write([
      edited(wren as Persona, (body) => {
        body.identity = { ...body.identity, tagline: 'night' };
      }),
    ]);
    expect(differences(two, next)).toEqual(['personas.0.title']);
  });
  test('clearing leaves an empty text, or null where the app has null', () => {
    const next = write([
      edited(read(two)[1] as Persona, (body) => {
        for (const path of [
          'identity.tagline',
          'identity.pronounSet.objective',
          'knowledgeRefs',
          'presentation.imageUrl',
        ])
          setAt(body, path, undefined);
      }),
    ]);
    expect((next.personas as Wire[])[0]).toMatchObject({
      title: '',
      objective_pronoun: '',
      attached_world_book_id: null,
      avatar_path: null,
    });
  });
  test('a new persona joins the file, with an id of its own made from what it says', () => {
    const next = write([read(two)[0] as Persona, made({ name: 'Wren' }), made({ name: 'Wren' })]);
    const ids = (next.personas as Wire[]).map(({ id }) => id);
    expect(ids).toHaveLength(4);
    expect(new Set(ids).size).toBe(4);
    expect(write([made({ name: 'Wren' })])).toEqual(write([made({ name: 'Wren' })]));
    expect(Object.keys(write([made({ name: 'Wren' })]))).toEqual(['type', 'version', 'personas']);
  });
  test('only the first linked book is written', () => {
    const wire = write([made({ name: 'a', knowledgeRefs: ['one', 'two'] })]);
    expect((wire.personas as Wire[])[0]?.attached_world_book_id).toBe('one');
  });
  test('add-ons and account keys are named and stay', () => {
    const { left } = lumiversePersona.account(read(two)[1] as Persona);
    expect(left.map(({ path }) => path)).toEqual([
      'image_id',
      'folder',
      'is_default',
      'is_narrator',
      'metadata',
      'updated_at',
    ]);
  });
});

test('to SillyTavern and back', async () => {
  const out = await engine.convert(sampleBytes('lumiverse-persona.two.json'), 'sillytavern-persona');
  const paths = out.report.losses.map(({ path }) => path).filter((path) => path !== 'knowledgeRefs');
  expect(new Set(paths)).toEqual(
    new Set([
      'identity.pronounSet.subjective',
      'identity.pronounSet.objective',
      'identity.pronounSet.possessive',
      'presentation.imageUrl',
      'attribution.createdAt',
    ]),
  );
  const names = [];
  for (const { bytes } of out.files) {
    const back = await engine.convert(bytes, 'lumiverse-persona');
    for (const file of back.files) names.push(...(parse(file.bytes).personas as Wire[]).map(({ name }) => name));
  }
  expect(names.sort()).toEqual(['Wren', 'रवि']);
});
