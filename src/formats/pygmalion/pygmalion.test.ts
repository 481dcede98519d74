import { describe, expect, test } from 'vitest';
import { createEngine } from '../../engine.ts';
import type { AnyAdapter, AnyEntity } from '../../entities/kinds.ts';
import { formats } from '../index.generated.ts';

const engine = createEngine(formats as readonly AnyAdapter[]);
const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const classic = {
  char_name: 'Bram',
  char_persona: 'Gruff.',
  world_scenario: 'Harbour.',
  char_greeting: 'Mind the step.',
  example_dialogue: 'You: Tea?',
};
const format = async (card: object) => (await engine.detect(encode(card)))?.format;

async function edited(card: object, change: (body: { identity: object; persona: object }) => object) {
  const { entities } = await engine.read(encode(card));
  const [main] = entities;
  if (main?.kind !== 'character') throw new Error('no character');
  const next = { ...main, body: { ...main.body, ...change(main.body) } } as AnyEntity;
  const { files, report } = await engine.write([next], 'pygmalion');
  return { card: JSON.parse(new TextDecoder().decode(files[0]?.bytes)), report };
}

describe('detection', () => {
  test('two classic keys, or a name with a persona', async () => {
    expect(await format(classic)).toBe('pygmalion');
    expect(await format({ char_name: 'B', char_persona: 'p' })).toBe('pygmalion');
    expect(await format({ char_name: 'B', char_greeting: 'g' })).toBeUndefined();
  });

  test('a hybrid with a whole Tavern side belongs to sillytavern; with empty Tavern texts it stays', async () => {
    expect(await format({ ...classic, name: 'Bram', first_mes: 'Mind the step.' })).toBe('sillytavern');
    expect(await format({ ...classic, name: 'Bram', first_mes: '' })).toBe('pygmalion');
    expect(await format({ ...classic, description: 'x' })).toBe('pygmalion');
  });

  test.each([
    ['a V2 card', { ...classic, spec: 'chara_card_v2', data: { name: 'x' } }],
    ['our own wrapper', { ...classic, schemaVersion: '1', body: {} }],
    ['an Agnai card', { ...classic, kind: 'character' }],
    ['a Backyard card', { ...classic, aiName: 'B' }],
  ])('%s is refused', async (_, card) => {
    expect(await format(card)).not.toBe('pygmalion');
  });
});

test('the persona is the personality; the description is its mirror', async () => {
  const { entities } = await engine.read(encode(classic));
  expect(entities[0]?.body).toMatchObject({ persona: { personality: 'Gruff.' }, identity: { description: 'Gruff.' } });
  const personality = await edited(classic, ({ persona }) => ({ persona: { ...persona, personality: 'Kind.' } }));
  expect(personality.card.char_persona).toBe('Kind.');
  const mirror = await edited(classic, ({ identity }) => ({ identity: { ...identity, description: 'Kind.' } }));
  expect(mirror.card.char_persona).toBe('Gruff.');
  expect(mirror.report.losses.map(({ path }) => path)).toContain('identity.description');
});

test('a cleared field is cleared, not brought back', async () => {
  const { card } = await edited(classic, ({ persona }) => ({ persona: { ...persona, scenario: undefined } }));
  expect('world_scenario' in card).toBe(false);
});

test('the name alias follows when it is there, and is never invented', async () => {
  const rename = ({ identity }: { identity: object }) => ({ identity: { ...identity, name: 'Bo' } });
  expect((await edited({ ...classic, name: 'Bram' }, rename)).card).toMatchObject({ char_name: 'Bo', name: 'Bo' });
  expect('name' in (await edited(classic, rename)).card).toBe(false);
});

test('metadata of the tool that made it rides along', async () => {
  const metadata = { version: 1, tool: { name: 'x' } };
  const { card } = await edited({ ...classic, metadata }, ({ identity }) => ({
    identity: { ...identity, name: 'Bo' },
  }));
  expect(card.metadata).toEqual(metadata);
});

test('a PNG that is asked for without a PNG portrait is refused', async () => {
  await expect(engine.convert(encode(classic), 'pygmalion', { container: 'png' })).rejects.toMatchObject({
    code: 'container.unsupported',
    path: 'media.portrait',
  });
});
