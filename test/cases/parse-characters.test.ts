/** Real-world cases RW-009 to RW-020: characters that readers refuse or mangle. */
import { describe, expect, test } from 'vitest';
import { again, book, card, character, converted, engine, type Json, json, opened, parsed, png } from './making.ts';

const filled = { name: 'Mira Vale', description: 'Keeps the lamp.', personality: 'Patient, dry.' };

test('RW-009: null counts as absent for every optional field, and stays null', async () => {
  const nothing = { character_book: null, personality: null, mes_example: null, tags: null, alternate_greetings: null };
  for (const version of [2, 3] as const) {
    const source = card(nothing, version);
    const { body, books, said } = await character(source);
    expect(body).toMatchObject({ identity: { name: 'Mira Vale' }, greetings: { firstMessage: 'Mind the step.' } });
    expect([body.persona.personality, body.discovery.tags, books, said]).toEqual([undefined, undefined, [], []]);
    expect(await again(source, 'sillytavern')).toEqual(source);
  }
});

describe('RW-010: alternate greetings', () => {
  const greetings = async (alternate: unknown) => {
    const { body, said } = await character(card({ alternate_greetings: alternate }));
    return { texts: body.greetings.alternateGreetings?.map(({ text }) => text), said };
  };

  test('that are one text are one greeting, and it is said', async () => {
    const { texts, said } = await greetings('You again.');
    expect(texts).toEqual(['You again.']);
    expect(said).toHaveLength(1);
    expect(said[0]).toContain('alternate_greetings');
  });

  test('that are no texts are skipped and named', async () => {
    const source = card({ alternate_greetings: ['One.', 7, null, 'Two.'] });
    const { texts } = await greetings((source.data as Json).alternate_greetings);
    expect(texts).toEqual(['One.', 'Two.']);
    expect(await again(source, 'sillytavern')).toEqual(source);
    const { report } = await converted(source, 'agnai');
    expect(report.escrowed.map(({ path }) => path)).toContain('data.alternate_greetings[*]');
  });
});

test('RW-011: the data block wins over stale copies at the root, and an edit updates both', async () => {
  const bare = card();
  const stale = { ...card(), name: 'Old Name', description: 'Old text.', first_mes: 'Old hello.' };
  const one = await character(bare);
  const two = await character(stale);
  expect(two.body).toEqual(one.body);
  expect(await again(stale, 'sillytavern')).toEqual(stale);
  two.body.identity.description = 'New text.';
  const { files } = await engine.write(two.entities, 'sillytavern');
  const written = parsed(files[0]!.bytes);
  expect(written).toMatchObject({ name: 'Old Name', description: 'New text.', data: { description: 'New text.' } });
});

describe('RW-012: a card with an empty name', () => {
  test('opens with a label from the file name and asks for a name', async () => {
    const { name: _, ...rest } = card().data as Json;
    for (const data of [{ ...rest, name: '' }, { ...rest, name: '   ' }, rest]) {
      const source = { ...card(), data };
      for (const bytes of [json(source), png({ chara: source })]) {
        const { body, main, said } = await character(bytes, 'lamp keeper.png');
        expect(body.identity.name.trim()).toBe('');
        expect(main.id).toBe('lamp-keeper');
        expect(said.filter((line) => /name/.test(line))).toHaveLength(1);
      }
    }
  });
});

describe('RW-013: hand-edited JSON is refused with line and column', () => {
  const whole = JSON.stringify(card(), null, 1);
  const spoiled = {
    'a comma after the last tag': whole.replace('"sea"', '"sea",'),
    'a remark': whole.replace('"data"', '// mine\n "data"'),
    'a line break inside a text': whole.replace('Mind the step.', 'Mind\nthe step.'),
    'single quotes': whole.replace('"Mira Vale"', "'Mira Vale'"),
  };
  test.each(Object.entries(spoiled))('%s', async (_, source) => {
    await expect(engine.read(source)).rejects.toMatchObject({
      code: 'json.syntax',
      path: expect.stringMatching(/^line \d+ column \d+$/),
    });
  });
});

describe('RW-014: the shape decides, not the label', () => {
  const data = card().data as Json;
  const shapes: Record<string, Json> = {
    'flat card': Object.fromEntries(
      ['name', 'description', 'personality', 'scenario', 'first_mes', 'mes_example'].map((key) => [key, data[key]]),
    ),
    'envelope with an empty root': { ...card(), name: '', description: '', first_mes: '' },
    'envelope without label': { data },
    'V3 envelope labelled V2': card({ nickname: 'Mi', group_only_greetings: ['All of you!'] }),
  };
  test.each(Object.entries(shapes))('%s', async (_, source) => {
    const { body } = await character(source);
    expect(body).toMatchObject({
      identity: { name: filled.name, description: filled.description },
      persona: { personality: filled.personality },
      greetings: { firstMessage: 'Mind the step.' },
    });
    expect(await again(source, 'sillytavern')).toEqual(source);
  });

  test('a label that contradicts the shape is said', async () => {
    const flat = { ...shapes['flat card'], spec: 'chara_card_v2', spec_version: '2.0' };
    expect((await character(flat)).said.join()).toContain('label');
    const labelled = await character(shapes['V3 envelope labelled V2']);
    expect(labelled.body.identity.nickname).toBe('Mi');
    expect(labelled.said.join()).toContain('spec');
  });
});

test('RW-017: an odd or newer version is read by the known fields and stays as written', async () => {
  for (const version of [3, '3', '3.1', '3.0.0', '9.9', undefined]) {
    const source = { ...card({}, 3), spec_version: version };
    const { body, said } = await character(source);
    expect(body.identity.description).toBe(filled.description);
    expect(said.some((line) => line.includes('newer'))).toBe(version === '3.1' || version === '9.9');
    expect((await again(source, 'sillytavern')).spec_version).toBe(version);
  }
});

test('RW-019: an asset of an unknown type is another asset, and the known one still works', async () => {
  const assets = [
    { type: 'link', name: 'site', uri: 'https://example.invalid/x', ext: 'html' },
    { type: 'icon', name: 'main', uri: 'ccdefault:', ext: 'png' },
  ];
  const source = card({ assets }, 3);
  const { body } = await character(png({ ccv3: source }));
  expect(body.media.assets).toMatchObject([{ role: 'other', ref: 'https://example.invalid/x' }]);
  expect(body.media.portrait).toBeDefined();
  expect((await again(source, 'sillytavern')).data).toMatchObject({ assets });
});

describe('RW-020: a byte order mark', () => {
  const mark = (value: unknown): Uint8Array => new TextEncoder().encode(`\uFEFF${JSON.stringify(value)}`);

  test('before a card, a book, a preset or a rule is no part of any text', async () => {
    const sources = [
      card(),
      { entries: { 0: { uid: 0, key: ['a'], content: 'A' } } },
      {
        prompts: [{ identifier: 'main', name: 'Main', role: 'system', content: 'Hi.' }],
        prompt_order: [],
        temperature: 1,
      },
      { id: '1', scriptName: 'Bells', findRegex: '/a/g', replaceString: 'b', placement: [2], disabled: false },
    ];
    for (const source of sources) {
      const [plain, marked] = [await opened(source), await opened(mark(source))];
      expect([marked.format, marked.main.body]).toEqual([plain.format, plain.main.body]);
    }
    expect((await book(mark(sources[1]))).entries[0]?.triggers[0]?.keyword).toBe('a');
  });

  test('inside the card of a picture is read over', async () => {
    const { body } = await character(png({ chara: mark(card()) }));
    expect(body.identity.name).toBe(filled.name);
  });
});
