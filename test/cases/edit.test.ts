/** What people do to cards and books: `bunzai/edit`. */
import { describe, expect, test } from 'vitest';
import {
  appendEntries,
  changeEntries,
  characterOf,
  countTokens,
  greetingsOf,
  keyFromText,
  keysFromList,
  listFromKeys,
  moveGreeting,
  personaOf,
  renameBook,
  shareEqualBooks,
  splitBook,
  updated,
  updatePreview,
} from '../../src/edit/index.ts';
import { emptyCharacter } from '../../src/entities/character/schema.ts';
import type { AnyEntity, EntityOf } from '../../src/entities/kinds.ts';
import { emptyEntry, type LorebookBody, type LorebookEntry } from '../../src/entities/lorebook/schema.ts';
import { base64, character, engine, IDAT, IHDR, png, text, textChunk, v2, v3 } from './rest-kit.ts';

const entry = (id: string, over: Partial<LorebookEntry> = {}): LorebookEntry => ({
  ...emptyEntry(id),
  title: `Pier ${id}`,
  content: `Pier ${id} is closed at night.`,
  triggers: [{ keyword: `pier ${id}`, isRegex: false }],
  ...over,
});
const bookOf = (id: string, body: LorebookBody): EntityOf<'lorebook'> => ({
  schemaVersion: '1',
  kind: 'lorebook',
  id,
  body,
});
const numbered = (count: number) => Array.from({ length: count }, (_, n) => entry(String(n)));
const words = (keys: readonly { keyword: string }[]) => keys.map(({ keyword }) => keyword);

describe('keys', () => {
  test('RW-101 a pasted list of any separators becomes keys, each once', () => {
    expect(words(keysFromList('harbour, 灯台，港、船\tpier\nharbour\r\n  , ,гавань'))).toEqual([
      'harbour',
      '灯台',
      '港',
      '船',
      'pier',
      'гавань',
    ]);
  });

  test('RW-101 RW-105 quotes and slashes keep a comma inside a key; a key entered alone keeps its comma', () => {
    expect(keysFromList('"Smith, John", /a{2,3}/i, 「港、東」, plain')).toEqual([
      { keyword: 'Smith, John', isRegex: false },
      { keyword: 'a{2,3}', isRegex: true, flags: 'i' },
      { keyword: '港、東', isRegex: false },
      { keyword: 'plain', isRegex: false },
    ]);
    expect(keyFromText(' Smith, John ')).toEqual({ keyword: 'Smith, John', isRegex: false });
    expect(words(keysFromList('5" nail, a/b, /home/pier'))).toEqual(['5" nail', 'a/b', '/home/pier']);
  });

  test('RW-105 a list that is printed reads back', () => {
    const keys = keysFromList('"Smith, John", /a{2,3}\\/x/i, "say \\"x", 灯台, "「a」, “b”"');
    expect(keysFromList(listFromKeys(keys))).toEqual(keys);
    const comma = [{ keyword: 'a, "b"', isRegex: false }];
    expect(keysFromList(listFromKeys(comma))).toEqual(comma);
  });
});

describe('entries', () => {
  const into: LorebookBody = {
    name: 'Harbour',
    entries: [...numbered(4), entry('9', { categoryId: 'c' })],
    categories: [{ id: 'c', name: 'Piers', sortOrder: 0 }],
  };
  const from: LorebookBody = {
    name: 'More',
    entries: [entry('0'), entry('0', { title: 'Crane', content: 'The crane.' }), entry('1', { categoryId: 'x' })],
    categories: [
      { id: 'x', name: 'Piers', sortOrder: 3 },
      { id: 'c', name: 'Ships', sortOrder: 4 },
    ],
  };

  test('RW-112 entries come in with fresh ids, equal ones are skipped, and the counts say so', () => {
    const { body, added, skipped } = appendEntries(into, from, { skipEqual: true });
    expect([added, skipped]).toEqual([['10', '11'], 1]);
    expect(body.entries).toHaveLength(7);
    expect(new Set(body.entries.map(({ id }) => id)).size).toBe(7);
    expect(body.categories).toEqual([
      { id: 'c', name: 'Piers', sortOrder: 0 },
      { id: 'c-2', name: 'Ships', sortOrder: 4 },
    ]);
    expect(body.entries[6]?.categoryId).toBe('c');
    expect(body.entries.slice(0, 5)).toEqual(into.entries);
    expect(appendEntries(into, from).skipped).toBe(0);
  });

  test('a book is split into two without losing an entry', () => {
    const { rest, taken } = splitBook(into, new Set(['0', '9']), 'Piers');
    expect(rest.entries.map(({ id }) => id)).toEqual(['1', '2', '3']);
    expect(taken.entries.map(({ id }) => id)).toEqual(['0', '9']);
    expect(taken.categories).toEqual(into.categories);
  });

  test('RW-114 a hundred entries change at once: only the slots that are named, with a preview', () => {
    const body: LorebookBody = { name: 'Harbour', entries: numbered(100) };
    const ids = new Set(body.entries.filter((_, n) => n % 2 === 0).map(({ id }) => id));
    const change = { set: { position: 'depth', depth: 2, probability: 40 } } as const;
    const { body: now, edits } = changeEntries(body, ids, change);
    expect(edits).toHaveLength(150);
    expect(edits[0]).toEqual({ id: '0', slot: 'position', was: 'character', now: 'depth' });
    expect(now.entries[0]).toEqual({ ...body.entries[0], position: 'depth', depth: 2, probability: 40 });
    expect(now.entries[1]).toBe(body.entries[1]);
    expect(changeEntries(now, ids, change)).toEqual({ body: now, edits: [] });
  });

  test('RW-114 keys, an outlet, and plain search and replace', () => {
    const body: LorebookBody = { name: '', entries: [entry('0', { outletName: 'old' })] };
    const { body: now } = changeEntries(body, new Set(['0']), {
      set: { outletName: undefined },
      addKeys: [{ keyword: '港', isRegex: false }],
      removeKeys: ['pier 0'],
      replace: { find: 'Pier', with: '$& dock', in: ['title', 'content'] },
    });
    expect(now.entries[0]).toMatchObject({ title: '$& dock 0', content: '$& dock 0 is closed at night.' });
    expect(words(now.entries[0]?.triggers ?? [])).toEqual(['港']);
    expect(now.entries[0]).not.toHaveProperty('outletName');
  });
});

describe('books of many characters', () => {
  test('RW-102 equal books become one, others of the same name stay', async () => {
    const cards = [['A pier.'], ['A pier.'], ['A crane.']].map(([content], n) =>
      v2({
        name: `Ada ${n}`,
        character_book: { name: 'Harbour', extensions: {}, entries: [{ keys: ['pier'], content, extensions: {} }] },
      }),
    );
    const read = await Promise.all(cards.map((card) => engine.read(text(card))));
    const entities = read.flatMap(({ entities }, n) =>
      entities.map((one): AnyEntity => {
        if (one.kind === 'lorebook') return { ...one, id: `harbour-${n}` };
        if (one.kind === 'character') return { ...one, body: { ...one.body, knowledgeRefs: [`harbour-${n}`] } };
        return one;
      }),
    );
    const { entities: shared, led } = shareEqualBooks(entities);
    expect([...led]).toEqual([['harbour-1', 'harbour-0']]);
    expect(shared.filter(({ kind }) => kind === 'lorebook').map(({ id }) => id)).toEqual(['harbour-0', 'harbour-2']);
    expect(shared.flatMap((one) => (one.kind === 'character' ? one.body.knowledgeRefs : []))).toEqual([
      'harbour-0',
      'harbour-0',
      'harbour-2',
    ]);
  });

  test('RW-104 links follow a book that is renamed: by id, and by name', async () => {
    const book = bookOf('harbour', { name: 'Harbour', entries: [entry('0')] });
    const body = { ...emptyCharacter(), identity: { name: 'Ada' }, worldName: 'Harbour', knowledgeRefs: ['harbour'] };
    const ada = { schemaVersion: '1', kind: 'character', id: 'ada', body } as EntityOf<'character'>;
    const me = {
      schemaVersion: '1',
      kind: 'persona',
      id: 'me',
      body: { name: 'Me', knowledgeRefs: ['Harbour'] },
    } as EntityOf<'persona'>;
    const now = renameBook([ada, book, me], 'harbour', '港');
    expect(now.map((one) => one.body)).toMatchObject([
      { worldName: '港', knowledgeRefs: ['harbour'] },
      { name: '港' },
      { knowledgeRefs: ['港'] },
    ]);
    const { files } = await engine.write(now.slice(0, 2), 'sillytavern', { container: 'json' });
    const back = await engine.read(files[0]?.bytes ?? '');
    expect(back.entities.map((one) => one.kind === 'lorebook' && one.body.name)).toContain('港');
  });
});

describe('characters', () => {
  const four = v3({
    first_mes: 'One.',
    alternate_greetings: ['Two.', 'Three.', 'Four.'],
  });

  test('RW-116 a greeting moves to the top, and the written file says so', async () => {
    const { entities } = await engine.read(text(four));
    const ada = character(entities);
    const { body } = moveGreeting(ada.body, 2, 0);
    expect(greetingsOf(body).map((one) => one.text)).toEqual(['Three.', 'One.', 'Two.', 'Four.']);
    const { files } = await engine.write([{ ...ada, body }], 'sillytavern');
    const back = character((await engine.read(files[0]?.bytes ?? '')).entities);
    expect(greetingsOf(back.body).map((one) => one.text)).toEqual(['Three.', 'One.', 'Two.', 'Four.']);
    expect(moveGreeting(ada.body, 9, 0).body).toBe(ada.body);
  });

  test('RW-116 titles move along; the one that a first message cannot have is named', () => {
    const body = emptyCharacter();
    body.greetings = {
      firstMessage: 'One.',
      alternateGreetings: [
        { text: 'Two.', title: 'Dusk' },
        { text: 'Three.', title: 'Dawn' },
      ],
    };
    const swapped = moveGreeting(body, 2, 1);
    expect(swapped.body.greetings.alternateGreetings).toEqual([
      { text: 'Three.', title: 'Dawn' },
      { text: 'Two.', title: 'Dusk' },
    ]);
    expect(swapped.lostTitle).toBeUndefined();
    expect(moveGreeting(body, 1, 0).lostTitle).toBe('Dusk');
  });

  test('RW-108 what the new file does not contain stays: the picture, and the links', async () => {
    const picture = png(IHDR, textChunk('chara', base64(v2({ description: 'Old.' }))), IDAT);
    const held = character((await engine.read(picture)).entities);
    const linked = { ...held, body: { ...held.body, knowledgeRefs: ['harbour'] } };
    const newer = character((await engine.read(text(v2({ description: 'New.', creator: 'Orla' })))).entities);
    const now = updated(linked, newer);
    expect(now.body.media.portrait).toBe(held.body.media.portrait);
    expect(now.body.knowledgeRefs).toEqual(['harbour']);
    expect(now.body.identity.description).toBe('New.');
    expect(now.id).toBe(held.id);
    const { files } = await engine.write([{ ...now, body: { ...now.body, knowledgeRefs: [] } }], 'sillytavern', {
      container: 'png',
    });
    const back = character((await engine.read(files[0]?.bytes ?? '')).entities);
    expect(back.body.media.portrait).toBeDefined();
    expect(back.body.attribution.creator).toBe('Orla');
  });

  test('RW-115 what an update changes is shown before, and a path can be kept', async () => {
    const held = character((await engine.read(text(v2({ description: 'Mine.', scenario: 'A pier.' })))).entities);
    const newer = character(
      (await engine.read(text(v2({ description: 'Theirs.', scenario: '', creator: 'Orla' })))).entities,
    );
    const { replaced, kept, added } = updatePreview(held, newer);
    expect(replaced.map(({ path }) => path)).toContain('identity.description');
    expect(kept.map(({ path }) => path)).toContain('persona.scenario');
    expect(added.map(({ path }) => path)).toContain('attribution.creator');
    const now = updated(held, newer, new Set(['identity.description']));
    expect(now.body.identity.description).toBe('Mine.');
    expect(now.body.persona.scenario).toBe('A pier.');
    expect(now.body.attribution.creator).toBe('Orla');
  });

  test('RW-115 rows of a list that the file does not have at all are said to stay, and stay', async () => {
    const held = character(
      (await engine.read(text(v2({ alternate_greetings: ['One.', 'Two.'], tags: ['sea'] })))).entities,
    );
    const without = character((await engine.read(text(v2({ alternate_greetings: [] })))).entities);
    const paths = (of: readonly { path: string }[]) => of.map(({ path }) => path);
    const { replaced, kept } = updatePreview(held, without);
    expect(paths(kept)).toEqual(
      expect.arrayContaining(['greetings.alternateGreetings[0]', 'greetings.alternateGreetings[1]', 'discovery.tags']),
    );
    expect(paths(replaced)).toEqual([]);
    expect(updated(held, without).body.greetings.alternateGreetings).toHaveLength(2);
    const one = character((await engine.read(text(v2({ alternate_greetings: ['One.'] })))).entities);
    expect(paths(updatePreview(held, one).replaced)).toEqual(['greetings.alternateGreetings[1]']);
    expect(updated(held, one).body.greetings.alternateGreetings).toHaveLength(1);
  });

  test('RW-117 a character becomes a persona, what has no place is named, and it comes back', async () => {
    const card = v3({
      description: 'A pilot.',
      personality: 'Calm.',
      first_mes: 'Hello.',
      creator: 'Orla',
      tags: ['sea'],
    });
    const ada = character((await engine.read(text(card))).entities);
    const { entity, losses } = personaOf(ada);
    expect(entity.body).toMatchObject({ name: ada.body.identity.name, content: 'A pilot.\n\nPersonality: Calm.' });
    expect(losses.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['greetings.firstMessage', 'discovery.tags']),
    );
    expect(losses.map(({ path }) => path)).not.toContain('persona.personality');
    const { files, report } = await engine.write([entity], 'sillytavern-persona');
    expect(report.losses.map(({ path }) => path)).not.toContain('content');
    const [me] = (await engine.read(files[0]?.bytes ?? '')).entities;
    if (me?.kind !== 'persona') throw new Error('not a persona');
    expect(me.body.content).toBe('A pilot.\n\nPersonality: Calm.');
    const back = characterOf(entity);
    expect(back.entity.body.identity.description).toBe('A pilot.');
    expect(back.entity.body.persona.personality).toBe('Calm.');
    expect(back.losses).toEqual([]);
  });

  test('RW-113 tokens a field and an entry, always and triggered', async () => {
    const card = v2({
      description: 'one two three',
      first_mes: 'four five',
      character_book: {
        extensions: {},
        entries: [
          { keys: ['a'], content: 'six seven', constant: true, enabled: true, extensions: {} },
          { keys: ['b'], content: 'eight', enabled: true, extensions: {} },
          { keys: ['c'], content: 'off off off', enabled: false, extensions: {} },
        ],
      },
    });
    const { entities } = await engine.read(text(card));
    const { rows, sums } = countTokens(entities, (one) => one.split(' ').length);
    const find = (path: string) => rows.find((row) => row.path === path);
    expect(find('identity.description')).toMatchObject({ tokens: 3, time: 'always' });
    expect(find('greetings.firstMessage')).toMatchObject({ tokens: 2, time: 'opening' });
    expect(find('entries[0].content')).toMatchObject({ tokens: 2, time: 'always' });
    expect(find('entries[1].content')).toMatchObject({ tokens: 1, time: 'triggered' });
    expect(find('entries[2].content')).toBeUndefined();
    expect(sums.triggered).toBe(1);
  });
});
