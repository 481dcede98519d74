/** Real-world cases RW-052 to RW-059: what characters lose or double on their way. */
import { unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { again, card, character, converted, engine, type Json, json, parsed, png, zip } from './making.ts';

/** Every character format of another app. */
const TARGETS = engine.formats().flatMap(({ id, kind, native }) => (kind === 'character' && !native ? [id] : []));

/** What a written file says, by the reader that wrote it. */
async function crossed(input: unknown, target: string) {
  const { file, report, lost } = await converted(input, target);
  const { body, books } = await character(file.bytes);
  return { file, body, books, report, lost };
}

const BYAF = (scenarios: readonly Json[], more: Json = {}): Uint8Array =>
  zip({
    'manifest.json': json({
      schemaVersion: 1,
      createdAt: '2025-01-02T03:04:05.000Z',
      author: { name: 'orla', backyardURL: 'https://example.invalid/hub/orla' },
      characters: ['characters/bram/character.json'],
      scenarios: scenarios.map((_, index) => `scenarios/scenario${index + 1}.json`),
    }),
    'characters/bram/character.json': json({
      schemaVersion: 1,
      id: 'bram',
      name: 'Bram',
      displayName: 'Bram',
      isNSFW: true,
      persona: 'Tends the light.',
      createdAt: '2025-01-02T03:04:05.000Z',
      updatedAt: '2025-02-03T04:05:06.000Z',
      loreItems: [],
      images: [],
      ...more,
    }),
    ...Object.fromEntries(
      scenarios.map((scenario, index) => [
        `scenarios/scenario${index + 1}.json`,
        json({
          schemaVersion: 1,
          formattingInstructions: '',
          temperature: 1,
          topK: 30,
          topP: 0.9,
          minP: 0.1,
          minPEnabled: true,
          repeatPenalty: 1,
          repeatLastN: 100,
          exampleMessages: [],
          canDeleteExampleMessages: true,
          firstMessages: [],
          narrative: '',
          promptTemplate: 'general',
          grammar: null,
          messages: [],
          ...scenario,
        }),
      ]),
    ),
  });
const said = (text: string) => [{ characterID: 'bram', text }];

test('RW-052: every field of V3 is kept where it can be held and named where it cannot', async () => {
  const v3 = {
    nickname: 'Mi',
    group_only_greetings: ['All of you!'],
    creator_notes: 'Slow.',
    creator_notes_multilingual: { ko: '느리게.' },
    source: ['https://example.invalid/m'],
    creation_date: 1700000000,
    modification_date: 1710000000,
    assets: [{ type: 'emotion', name: 'happy', uri: 'https://example.invalid/h.png', ext: 'png' }],
  };
  const source = card(v3, 3);
  expect(await again(source, 'sillytavern')).toEqual(source);
  const paths: Record<string, RegExp> = {
    nickname: /^identity\.nickname/,
    group: /^greetings\.groupOnlyGreetings/,
    notes: /^attribution\.creatorNotesMultilingual/,
    source: /^attribution\.source/,
    created: /^attribution\.createdAt/,
    updated: /^attribution\.updatedAt/,
    assets: /^media\.assets/,
  };
  for (const target of TARGETS) {
    const { body, lost } = await crossed(source, target);
    const kept: Record<string, boolean> = {
      nickname: body.identity.nickname === 'Mi',
      group: body.greetings.groupOnlyGreetings?.[0]?.text === 'All of you!',
      notes: body.attribution.creatorNotesMultilingual?.ko === '느리게.',
      source: body.attribution.source?.[0] === 'https://example.invalid/m',
      created: body.attribution.createdAt === 1700000000,
      updated: body.attribution.updatedAt === 1710000000,
      assets: body.media.assets?.length === 1,
    };
    for (const [name, path] of Object.entries(paths)) {
      expect([target, name, kept[name] || lost.some((one) => path.test(one))]).toEqual([target, name, true]);
    }
  }
});

test('RW-053: a charx of RisuAI keeps its texts, book and version; the app block stays with its app and is named', async () => {
  const source = card(
    {
      post_history_instructions: 'Stay dry.',
      character_version: '7',
      character_book: { name: 'Harbour', entries: [{ keys: ['a'], content: 'A', extensions: {} }], extensions: {} },
      extensions: { risuai: { someMark: [1] }, orla: { paint: 'blue' } },
    },
    3,
  );
  const charx = zip({ 'card.json': json(source) });
  const { body, books } = await character(charx);
  expect(body.prompts.postHistoryInstructions).toBe('Stay dry.');
  expect(body.identity.characterVersion).toBe('7');
  expect(books[0]?.entries).toHaveLength(1);
  const { file } = await converted(charx, 'risu');
  const { main } = await character(file.bytes);
  expect(main.original?.risu?.raw).toEqual(source);
  const { report } = await converted(charx, 'agnai');
  expect(report.escrowed.map(({ path }) => path).join()).toMatch(/risuai/);
  expect(report.escrowed.map(({ path }) => path).join()).toMatch(/orla/);
});

describe('RW-054: description and personality', () => {
  test('stay apart, or the merge is named', async () => {
    for (const target of TARGETS) {
      const { body, lost } = await crossed(card(), target);
      const apart = body.identity.description === 'Keeps the lamp.' && body.persona.personality === 'Patient, dry.';
      const named = lost.some((path) => path === 'identity.description' || path === 'persona.personality');
      expect([target, apart || named]).toEqual([target, true]);
      const whole = JSON.stringify([body.identity.description, body.persona.personality]);
      expect([target, whole.includes('Keeps the lamp.') || lost.includes('identity.description')]).toEqual([
        target,
        true,
      ]);
      expect([target, whole.includes('Patient, dry.') || lost.includes('persona.personality')]).toEqual([target, true]);
    }
  });

  test('are not doubled on the way back', async () => {
    for (const target of TARGETS) {
      const { file } = await converted(card(), target);
      const { body } = await crossed(file.bytes, 'sillytavern');
      for (const text of [body.identity.description ?? '', body.persona.personality ?? '']) {
        expect([target, text.split('Keeps the lamp.').length <= 2]).toEqual([target, true]);
        expect([target, text.split('Patient, dry.').length <= 2]).toEqual([target, true]);
      }
    }
  });
});

test('RW-055: rating, dates, author and address of a Backyard archive are read, and named where they cannot go', async () => {
  const file = BYAF([{ firstMessages: said('Mind the step.'), narrative: 'A storm.' }]);
  const { body } = await character(file);
  expect(body).toMatchObject({
    discovery: { rating: 'explicit' },
    attribution: { creator: 'orla', createdAt: 1735787045, updatedAt: 1738555506 },
  });
  expect(JSON.stringify(body.attribution)).toContain('https://example.invalid/hub/orla');
  const { lost } = await crossed(file, 'pygmalion');
  expect(lost).toEqual(
    expect.arrayContaining([
      'discovery.rating',
      'attribution.createdAt',
      'attribution.updatedAt',
      'attribution.creator',
    ]),
  );
});

test('RW-056: the other scenarios of a Backyard archive are alternate greetings with a title', async () => {
  const file = BYAF([
    { title: 'Night', firstMessages: said('Mind the step.'), narrative: 'A storm.' },
    { title: 'Morning', firstMessages: said('You slept.'), narrative: 'Calm.', formattingInstructions: 'Whisper.' },
    { title: 'Noon', firstMessages: said('Sit.'), narrative: 'A storm.' },
  ]);
  const { body } = await character(file);
  expect(body.greetings).toMatchObject({
    firstMessage: 'Mind the step.',
    alternateGreetings: [
      { text: 'You slept.', title: 'Calm.' },
      { text: 'Sit.', title: 'Noon' },
    ],
  });
  const { file: same } = await converted(file, 'byaf');
  const scenarios = (bytes: Uint8Array) =>
    Object.entries(unzipSync(bytes)).flatMap(([name, text]) => (name.startsWith('scenarios/') ? [parsed(text)] : []));
  expect(scenarios(same.bytes)).toEqual(scenarios(file));
  const { report } = await converted(file, 'sillytavern');
  const named = [...report.losses, ...report.escrowed].map(({ value }) => value).join(' ');
  expect(named).toContain('Calm.');
  expect(named).toContain('Whisper.');
  expect(report.escrowed).toContainEqual(expect.objectContaining({ path: 'scenarios[*].title', count: 2 }));
});

describe('RW-057: example dialogues', () => {
  const blocks = (text: string | undefined) =>
    (text ?? '').split(/<start>/i).filter((part) => part.trim() !== '').length;
  const talk = (n: number) => `{{user}}: Tea ${n}?\n{{char}}: Always.`;
  const spellings: Record<string, string> = {
    'marker at the top': `<START>\n${talk(1)}\n<START>\n${talk(2)}`,
    'marker between': `${talk(1)}\n<START>\n${talk(2)}`,
    'marker at the end': `<START>\n${talk(1)}\n<START>\n${talk(2)}\n<START>`,
    'lower case': `<start>\n${talk(1)}\n<start>\n${talk(2)}`,
    'no marker': talk(1),
  };
  test.each(Object.entries(spellings))('%s', async (_, examples) => {
    for (const target of TARGETS) {
      const { body, lost } = await crossed(card({ mes_example: examples }), target);
      if (body.examples.exampleMessages === undefined && lost.includes('examples.exampleMessages')) continue;
      expect([target, blocks(body.examples.exampleMessages)]).toEqual([target, blocks(examples)]);
    }
  });
});

test('RW-058: group greetings are kept or named, and a roster is no character', async () => {
  const source = card({ group_only_greetings: ['All of you!', 'And you.'] }, 3);
  for (const target of TARGETS) {
    const { body, lost } = await crossed(source, target);
    const kept = body.greetings.groupOnlyGreetings?.length === 2;
    expect([target, kept || lost.some((path) => path.startsWith('greetings.groupOnlyGreetings'))]).toEqual([
      target,
      true,
    ]);
  }
  const roster = {
    id: '1',
    name: 'Crew',
    members: ['Mira.png', 'Bram.png'],
    chat_id: '1',
    allow_self_responses: false,
  };
  await expect(engine.read(json(roster))).rejects.toMatchObject({ code: 'input.unknown' });
});

test('RW-059: sixty greetings stay in order, equal ones too; an empty one stays on the wire', async () => {
  const texts = Array.from({ length: 60 }, (_, n) => (n === 9 ? 'Greeting 3' : n === 20 ? '' : `Greeting ${n}`));
  const source = card({ alternate_greetings: texts });
  const spoken = texts.filter((text) => text !== '');
  for (const input of [json(source), png({ chara: source })]) {
    const { body } = await character(input);
    expect(body.greetings.alternateGreetings?.map(({ text }) => text)).toEqual(spoken);
  }
  expect(await again(source, 'sillytavern')).toEqual(source);
  for (const target of TARGETS) {
    const { body, lost } = await crossed(source, target);
    const got = body.greetings.alternateGreetings?.map(({ text }) => text) ?? [];
    const named = lost.filter((path) => path.startsWith('greetings.alternateGreetings')).length;
    expect([target, got.length + named]).toEqual([target, 59]);
    expect([target, got]).toEqual([target, spoken.slice(0, got.length)]);
  }
});
