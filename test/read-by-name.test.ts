/** Reading by the name of a format: its reader says whether anything of its kind is there, however little. */
import { describe, expect, test } from 'vitest';
import { sourceOf } from '../src/core/source.ts';
import { createEngine } from '../src/engine.ts';
import { emptyCharacter } from '../src/entities/character/schema.ts';
import type { AnyAdapter, AnyEntity, BodyKind } from '../src/entities/kinds.ts';
import { emptyLorebook } from '../src/entities/lorebook/schema.ts';
import { emptyPersona } from '../src/entities/persona/schema.ts';
import { emptyPreset } from '../src/entities/preset/schema.ts';
import { emptyRegex } from '../src/entities/regex/schema.ts';
import { formats } from '../src/formats/index.generated.ts';
import { json, png } from './cases/making.ts';

const adapters = formats as readonly AnyAdapter[];
const engine = createEngine(adapters);
const empty: Record<BodyKind, () => object> = {
  character: emptyCharacter,
  lorebook: emptyLorebook,
  persona: emptyPersona,
  preset: emptyPreset,
  regex: emptyRegex,
};
const nothing: Record<string, Uint8Array> = {
  'an empty object': json({}),
  'a list of nothing known': json([7, {}]),
  'keys of nobody': json({ zz: 1, data: { zz: [] } }),
  'a picture with an empty card': png({ chara: {} }),
  'a picture alone': png({}),
};

describe.each(adapters.map((adapter) => [adapter.id, adapter] as const))('%s', (id, adapter) => {
  test.each(Object.entries(nothing))('%s holds nothing: the reader refuses it', async (_, bytes) => {
    await adapter.prepare?.('read');
    expect(() => adapter.toCanonical(sourceOf(bytes))).toThrow(expect.objectContaining({ code: 'format.mismatch' }));
    await expect(engine.read(bytes, { format: id })).rejects.toMatchObject({ code: 'format.mismatch' });
  });

  test('an entity that says nothing is read back from its own file', async () => {
    const entity = { schemaVersion: '1', kind: adapter.kind, id: 'x', body: empty[adapter.kind]() } as AnyEntity;
    const written = await engine.write([entity], id).catch((error: { code: string }) => error.code);
    if (typeof written === 'string') return expect(['format.cannot-write', 'canonical.invalid']).toContain(written);
    const bytes = written.files[0]?.bytes as Uint8Array;
    const { entities } = await engine.read(bytes, { format: id });
    expect(entities[0]?.kind).toBe(adapter.kind);
  });
});

test('a rule set without rules and without a name is read by its format', async () => {
  const { format, entities } = await engine.read(json({ name: '', rules: [] }), { format: 'rolecall-regex' });
  expect([format, entities[0]?.body]).toEqual(['rolecall-regex', { name: '', rules: [] }]);
});

test('a card with nothing but a book is a card', async () => {
  const book = { entries: [{ keys: ['bell'], content: 'It rings.' }] };
  const { entities } = await engine.read(json({ data: { character_book: book } }), { format: 'sillytavern' });
  expect(entities.map(({ kind }) => kind)).toEqual(['character', 'lorebook']);
});
