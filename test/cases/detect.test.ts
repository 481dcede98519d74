/** Real-world cases RW-021 to RW-029: files that are taken for another kind or format. */
import { describe, expect, test } from 'vitest';
import { sample, samples } from '../formats/files.ts';
import { book, card, character, converted, engine, type Json, json, opened, parsed, png } from './making.ts';

const persona = { name: 'Ida', description: 'A cartographer.', note: 'quiet' };
const world = { entries: { 0: { uid: 0, key: ['bell'], content: 'It rings.', order: 7, position: 4, depth: 2 } } };
const chub = {
  name: 'Harbour',
  entries: [{ keys: ['bell'], content: 'It rings.', insertion_order: 7, extensions: { position: 4, depth: 2 } }],
};

test('RW-021: the mark of an app wins over generic shapes, and file names never decide', async () => {
  const { bytes } = sample('marinara', 'marinara-lorebook.lagoon.json');
  expect(await engine.detect({ bytes, filename: 'world.json' })).toMatchObject({ format: 'marinara-lorebook' });
  const theirs = { bytes: json(world), filename: 'marinara-lorebook.lagoon.json' };
  expect(await engine.detect(theirs)).toMatchObject({ format: 'sillytavern-lorebook' });
});

test('RW-022: a book as a list and a book as a keyed object are each read by their own names', async () => {
  const [listed, keyed] = [await book(chub), await book(world)];
  const same = { content: 'It rings.', sortOrder: 7, position: 'depth', depth: 2, triggers: [{ keyword: 'bell' }] };
  expect(listed.entries[0]).toMatchObject(same);
  expect(keyed.entries[0]).toMatchObject(same);
  const { value } = await converted((await converted(chub, 'rolecall')).file.bytes, 'sillytavern');
  expect(Object.values(value.entries as Json)).toMatchObject([
    { key: ['bell'], content: 'It rings.', order: 7, position: 4, depth: 2 },
  ]);
});

test('RW-023: a native file is recognised whatever it is opened for, or refused as another kind', async () => {
  const { bytes } = sample('marinara', 'marinara-character.nagi.json');
  expect(await engine.detect(bytes)).toMatchObject({ format: 'marinara-character', kind: 'character' });
  await expect(engine.read(bytes, { format: 'sillytavern' })).rejects.toMatchObject({ code: 'format.mismatch' });
  await expect(engine.read(json({ kind: 'nothing', rows: [] }))).rejects.toMatchObject({ code: 'input.unknown' });
  const { bytes: ida } = sample('rolecall', 'rolecall-persona.salma.json');
  expect(await engine.detect(ida)).toMatchObject({ kind: 'persona' });
  await expect(engine.read(ida, { format: 'sillytavern' })).rejects.toMatchObject({ code: 'format.mismatch' });
  await expect(engine.read(bytes, { format: 'sillytavern-lorebook' })).rejects.toMatchObject({
    code: 'format.mismatch',
  });
});

test('RW-024: a JSON card named as a picture is read by its content; nothing readable is an error', async () => {
  const [honest, misnamed] = [await character(card(), 'a.json'), await character(card(), 'a.png')];
  expect(misnamed.body).toEqual(honest.body);
  for (const bytes of [png({}), json({}), new Uint8Array([1, 2, 3])]) {
    await expect(engine.read({ bytes, filename: 'Mira.png' })).rejects.toMatchObject({ code: 'input.unknown' });
  }
});

test('RW-025: media types and names are hints: content decides', async () => {
  for (const type of ['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/octet-stream', 'image/png']) {
    const blob = new Blob([JSON.stringify(card())], { type });
    expect(await engine.detect(blob)).toMatchObject({ format: 'sillytavern', kind: 'character' });
    expect(await engine.detect({ bytes: blob, filename: 'a.exe' })).toMatchObject({ format: 'sillytavern' });
  }
});

describe('RW-026: kind follows the keyword of a picture', () => {
  test('a NovelAI picture is a lorebook', async () => {
    const naidata = { lorebookVersion: 6, entries: [{ text: 'It rings.', displayName: 'Bell', keys: ['bell'] }] };
    expect(await engine.detect(png({ naidata }))).toMatchObject({ kind: 'lorebook', format: 'novelai-lorebook' });
  });

  test('data that no format reads is named by its keyword, and never a character', async () => {
    await expect(engine.read(png({ persona }))).rejects.toMatchObject({
      code: 'input.unknown',
      detail: expect.stringContaining('"persona"'),
    });
  });

  test('an unknown keyword is no card', async () => {
    await expect(engine.read(png({ parameters: card() }))).rejects.toMatchObject({ code: 'input.unknown' });
  });
});

test('RW-027: a V3 card is accepted, and what a V2 target cannot say is named', async () => {
  const extra = { nickname: 'Mi', group_only_greetings: ['All of you!'], source: ['https://example.invalid/m'] };
  for (const input of [json(card(extra, 3)), png({ ccv3: card(extra, 3) })]) {
    const { body } = await character(input);
    expect(body.identity).toMatchObject({ name: 'Mira Vale', nickname: 'Mi' });
    const { lost } = await converted(input, 'pygmalion');
    expect(lost).toEqual(expect.arrayContaining(['identity.nickname', 'greetings.groupOnlyGreetings[0]']));
  }
});

describe('RW-029: the small presets', () => {
  const presets: Record<string, Json> = {
    sampler: { temp: 0.75, rep_pen: 1.05, rep_pen_range: 1024, top_p: 0.9, top_k: 0, tfs: 1, sampler_order: [6, 0, 1] },
    instruct: { name: 'Bay', input_sequence: '<u>', output_sequence: '<a>', wrap: false, macro: true },
    context: { name: 'Bay', story_string: '{{description}}', chat_start: '***', example_separator: '***' },
    sysprompt: { name: 'Bay', content: 'Keep it short.' },
    master: {
      instruct: { name: 'Bay', input_sequence: '<u>', output_sequence: '<a>' },
      context: { name: 'Bay', story_string: '{{description}}' },
      sysprompt: { name: 'Bay', content: 'Keep it short.' },
    },
  };

  test.each(Object.entries(presets))('%s is a preset, whole on a write, refused as other kinds', async (_, source) => {
    expect(await engine.detect(json(source))).toMatchObject({ format: 'sillytavern-preset', kind: 'preset' });
    expect((await converted(source, 'sillytavern')).value).toEqual(source);
    await expect(engine.read(json(source), { format: 'sillytavern' })).rejects.toMatchObject({
      code: 'format.mismatch',
    });
    await expect(engine.convert(json(source), 'agnai')).rejects.toMatchObject({ code: expect.any(String) });
  });

  test('each knows its family', async () => {
    const dialects = await Promise.all(
      Object.values(presets).map(async (source) => {
        const { main } = await opened(source);
        return main.original?.['sillytavern-preset']?.unmapped?.dialect;
      }),
    );
    expect(new Set(dialects).size).toBe(5);
  });
});

describe('RW-015: YAML is named, by what is in it', () => {
  const files = [
    [
      'a character',
      'name: "Mira: the keeper"\ngreeting: |-\n  Hello.\n\n  Come in.\ncontext: 灯台の番人\nexample_dialogue: |\n  x',
    ],
    ['a character', '\ufeffchar_name: Mira\r\nchar_persona: >\r\n  Dry.\r\n'],
    ['a persona', 'name: Ida\nuser_bio: A cartographer.\n'],
    ['an instruction template', 'instruction_template: |\n  {{x}}\n'],
  ] as const;
  test.each(files)('%s: %j', async (what, text) => {
    await expect(engine.read({ bytes: text, filename: 'Mira.yaml' })).rejects.toMatchObject({
      code: 'input.unknown',
      file: 'Mira.yaml',
      detail: expect.stringContaining(`it is ${what} `),
      hint: expect.stringContaining('JSON'),
    });
  });

  test('prose is not', async () => {
    const prose = 'Dear diary: the name was greeting.\n  name: x\n';
    await expect(engine.read(prose)).rejects.toMatchObject({ detail: 'it is text, but not JSON' });
  });
});

test('rules inside a card leave it a card of its app; alone in an envelope of nobody they are rules', async () => {
  const regex_scripts = [{ scriptName: 'Bell', findRegex: '/ding/g', replaceString: '*ding*', placement: [2] }];
  const block = { data: { extensions: { regex_scripts } } };
  expect(await engine.detect(json(block))).toMatchObject({ format: 'sillytavern-regex', kind: 'regex' });
  const cards = ['sillytavern', 'risu', 'rolecall', 'lumiverse', 'marinara'].flatMap((family) =>
    samples(family).flatMap(({ bytes, name }) => (name.endsWith('.json') ? [parsed(bytes)] : [])),
  );
  let seen = 0;
  for (const one of [...cards, card(), card({}, 3)]) {
    const before = await engine.detect(json(one));
    const { data } = one as { data?: Json };
    if (before?.kind !== 'character' || typeof data !== 'object') continue;
    const extensions = { ...(data.extensions as Json), regex_scripts };
    expect(await engine.detect(json({ ...one, data: { ...data, extensions } }))).toEqual(before);
    seen++;
  }
  expect(seen).toBeGreaterThan(5);
});
