import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  alike,
  at,
  jsonBytes,
  made,
  pixel,
  readOne,
  reread,
  sample,
  withSlot,
  write,
  writtenJson,
} from '../../../test/backyard/kit.ts';
import { CORPUS } from '../../../test/kit/corpus.ts';
import { sourceOf } from '../../core/source.ts';
import type { EntityOf } from '../../entities/kinds.ts';
import { emptyEntry } from '../../entities/lorebook/schema.ts';
import { commentOf } from '../_shared/exif.ts';
import { backyard } from './backyard.ts';
import { orderText } from './lore-order.ts';

const FLAT = sample('backyard/backyard.flat.json');
const ENVELOPE = sample('backyard/backyard.envelope.json');
const PICTURE = sample('backyard/backyard.exif.png');

const read = (card: unknown) => readOne(backyard, jsonBytes(card));
const edit = (card: unknown, path: string, value: unknown) => writtenJson(backyard, withSlot(read(card), path, value));
const score = (value: unknown) =>
  backyard.detect(sourceOf(value instanceof Uint8Array ? value : new Uint8Array(jsonBytes(value))));

describe('detection', () => {
  test('an envelope is certain, as JSON and in a picture', () => {
    expect(score(ENVELOPE)).toBe(1);
    expect(score(PICTURE)).toBe(1);
    expect(score({ character: { aiPersona: '' }, version: 1 })).toBe(1);
  });
  test.each(['aiName', 'aiPersona', 'aiDisplayName', 'customDialogue'])('a text %s is nearly certain', (key) => {
    expect(score({ [key]: 'x' })).toBe(0.9);
    expect(score({ [key]: 7 })).toBe(0);
  });
  test('a lone persona text is the last resort, not beside a description and not in a card of another app', () => {
    expect(score({ persona: 'text' })).toBe(0.55);
    expect(score({ persona: 'text', description: '' })).toBe(0);
    expect(score({ persona: 'text', kind: 'character' })).toBe(0);
    expect(score({ persona: { kind: 'text' } })).toBe(0);
  });
  test('neighbours are refused', () => {
    expect(score({ character: { name: 'x' }, version: 1 })).toBe(0);
    expect(score({ character: { aiName: 'x' }, version: '1' })).toBe(0);
    expect(score({ name: 'x', description: 'y', first_mes: 'z' })).toBe(0);
    expect(score([])).toBe(0);
    expect(score(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 1]))).toBe(0);
    expect(score(new TextEncoder().encode('{"aiName": '))).toBe(0);
  });
});

describe('names', () => {
  test('two names, two keys: an edit of one leaves the other', () => {
    const card = { aiDisplayName: 'Countess Ada', aiName: 'Ada' };
    expect(read(card).body.identity).toMatchObject({ name: 'Countess Ada', nickname: 'Ada' });
    expect(edit(card, 'identity.name', 'Lady Ada')).toEqual({ aiDisplayName: 'Lady Ada', aiName: 'Ada' });
    expect(edit(card, 'identity.nickname', 'A.')).toEqual({ aiDisplayName: 'Countess Ada', aiName: 'A.' });
  });
  test('a lone aiName is the name, and an edit goes where it stood', () => {
    expect(edit({ aiName: 'Ada' }, 'identity.name', 'Bob')).toEqual({ aiName: 'Bob' });
    expect(edit({ aiName: 'Ada' }, 'identity.nickname', 'A.')).toEqual({ aiName: 'A.', aiDisplayName: 'Ada' });
    expect(edit({ name: 'Ada', aiPersona: '' }, 'identity.name', 'Bob')).toEqual({ name: 'Bob', aiPersona: '' });
  });
  test('a cleared nickname makes the short name the name', () => {
    const card = { aiDisplayName: 'Countess Ada', aiName: 'Ada' };
    const wire = edit(card, 'identity.nickname', undefined);
    expect(wire).toEqual({ aiDisplayName: 'Countess Ada', aiName: 'Countess Ada' });
    expect(read(wire).body.identity.nickname).toBeUndefined();
  });
});

describe('texts', () => {
  test('single braces become double ones; double ones on the wire are left alone', () => {
    const { body } = read({ aiPersona: '{character} {char} {user} {{char}} {{{user}}} {Character}' });
    expect(body.identity.description).toBe('{{char}} {{char}} {{user}} {{char}} {{{user}}} {Character}');
  });
  test('unknown macros stay as typed when a text is edited', () => {
    const wire = edit(
      { aiPersona: '{character} {{random: a, b}}' },
      'identity.description',
      '{{char}} at {{time}} with {{User}}',
    );
    expect(wire).toEqual({ aiPersona: '{character} at {{time}} with {user}' });
  });
  test('untouched text keeps its bytes beside an edit', () => {
    const card = { aiPersona: '{char} {character}', scenario: '{{user}} {user}' };
    expect(edit(card, 'persona.scenario', '{{user}}')).toEqual({ aiPersona: '{char} {character}', scenario: '{user}' });
  });
  test("{original} is the app's own prompt, in the system prompt only", () => {
    const { body } = read({ aiName: 'a', systemPrompt: '{original}', scenario: '{original}' });
    expect([body.prompts.systemPrompt, body.persona.scenario]).toEqual(['{{original}}', '{original}']);
    expect(edit({ systemPrompt: '{original}', aiName: 'a' }, 'prompts.systemPrompt', '{{original}} x')).toEqual({
      systemPrompt: '{original} x',
      aiName: 'a',
    });
  });
  test('the # before a speaker is not in the model and comes back on an edit', () => {
    const card = { customDialogue: '#{user}: Tea?\n#{character}: Always. #{user}: no' };
    const entity = read(card);
    expect(entity.body.examples.exampleMessages).toBe('{{user}}: Tea?\n{{char}}: Always. #{{user}}: no');
    expect(edit(card, 'examples.exampleMessages', '{{user}}: Rum?\nx\n{{char}}: No.')).toEqual({
      customDialogue: '#{user}: Rum?\nx\n#{character}: No.',
    });
    expect(read({ aiPersona: '#{user}: x' }).body.identity.description).toBe('#{{user}}: x');
  });
  test('dialogue that was written without # stays without', () => {
    const card = { aiName: 'a', mes_example: '{user}: Tea?' };
    expect(edit(card, 'examples.exampleMessages', '{{user}}: Rum?')).toEqual({
      aiName: 'a',
      mes_example: '{user}: Rum?',
    });
  });
  test('of several spellings the first that says something is read and edited', () => {
    const card = { aiPersona: '', description: 'd', persona: 'p' };
    expect(read(card).body.identity.description).toBe('d');
    expect(edit(card, 'identity.description', 'D')).toEqual({ aiPersona: '', description: 'D', persona: 'p' });
  });
  test('basePrompt is the system prompt, in the envelope and on a flat card', () => {
    expect(readOne(backyard, ENVELOPE).body.prompts.systemPrompt).toBe('Write plainly. {{original}}');
    expect(read({ aiName: 'a', basePrompt: 'b' }).body.prompts.systemPrompt).toBe('b');
    expect(edit({ aiName: 'a', basePrompt: 'b' }, 'prompts.systemPrompt', 'c')).toEqual({
      aiName: 'a',
      basePrompt: 'c',
    });
  });
  test('creator and tags are not converted; an odd tag keeps its place', () => {
    const card = { aiName: 'a', creator: '{user}', tags: ['{char}', 7, 'x'] };
    const { body } = read(card);
    expect([body.attribution.creator, body.discovery.tags]).toEqual(['{user}', ['{char}', 'x']]);
    expect(edit(card, 'discovery.tags', ['{char}', 'y'])).toEqual({ ...card, tags: ['{char}', 7, 'y'] });
  });
});

describe('the two shapes', () => {
  test('a character version is a text on a flat card; the number of an envelope is the format', () => {
    expect(read({ aiName: 'a', version: '2' }).body.identity.characterVersion).toBe('2');
    expect(read({ aiName: 'a', version: 2 }).body.identity.characterVersion).toBeUndefined();
    expect(readOne(backyard, ENVELOPE).body.identity.characterVersion).toBeUndefined();
    expect(edit({ aiName: 'a', version: '2' }, 'identity.characterVersion', '3')).toEqual({
      aiName: 'a',
      version: '3',
    });
  });
  test('no version is invented on a twin; a fresh flat card says 1.0', () => {
    expect(edit({ aiName: 'a' }, 'persona.scenario', 's')).toEqual({ aiName: 'a', scenario: 's' });
    expect(writtenJson(backyard, made({}))).toEqual({ version: '1.0', aiDisplayName: 'Ada' });
    expect(score(write(backyard, made({ identity: { name: '' } })).bytes)).toBe(0.9);
    const own = made({ identity: { name: 'Ada', characterVersion: '7' } });
    expect(writtenJson(backyard, own)).toEqual({ version: '7', aiDisplayName: 'Ada' });
  });
  test('a cleared text leaves a flat card and stays empty in an envelope', () => {
    expect(edit({ aiName: 'a', scenario: 's' }, 'persona.scenario', undefined)).toEqual({ aiName: 'a' });
    const envelope = { character: { aiName: 'a', scenario: 's', createdAt: '2024-01-01T00:00:00.000Z' }, version: 4 };
    expect(at(edit(envelope, 'persona.scenario', undefined), 'character.scenario')).toBe('');
    expect(at(edit(envelope, 'attribution.createdAt', undefined), 'character.createdAt')).toBe(
      '1970-01-01T00:00:00.000Z',
    );
  });
  test('an envelope has no key for personality, creator, tags and version', () => {
    const body = {
      ...made({}).body,
      persona: { personality: 'p' },
      attribution: { creator: 'c' },
      discovery: { tags: ['t'] },
    };
    const wire = writtenJson(backyard, made(body), { variant: 'envelope' });
    expect(JSON.stringify(wire)).not.toMatch(/personality|creator|tags/);
    expect(writtenJson(backyard, made(body))).toMatchObject({ personality: 'p', creator: 'c', tags: ['t'] });
  });
  test('a fresh envelope has every key of format version 4, and reads back as what it was', () => {
    const body = {
      ...made({}).body,
      prompts: { systemPrompt: '{{original}}' },
      examples: { exampleMessages: '{{char}}: hm' },
    };
    const wire = writtenJson(backyard, made(body), { variant: 'envelope' });
    const known = JSON.parse(new TextDecoder().decode(ENVELOPE));
    expect(Object.keys(at(wire, 'character') as object).sort()).toEqual(Object.keys(known.character).sort());
    expect(wire).toMatchObject({
      version: 4,
      character: { id: 'ada', aiName: 'Ada', customDialogue: '#{character}: hm' },
    });
    const { identity, discovery, attribution } = read(wire).body;
    expect([identity, discovery, attribution]).toEqual([{ name: 'Ada', description: '' }, { rating: 'all-ages' }, {}]);
  });
  test('mature has no spelling and leaves isNSFW alone', () => {
    expect(edit({ aiName: 'a', isNSFW: true }, 'discovery.rating', 'mature')).toEqual({ aiName: 'a', isNSFW: true });
    expect(edit({ aiName: 'a', isNSFW: true }, 'discovery.rating', 'all-ages')).toEqual({ aiName: 'a', isNSFW: false });
    expect(writtenJson(backyard, made({ discovery: { rating: 'mature' } }))).not.toHaveProperty('isNSFW');
  });
  test('dates are seconds in the model; only an edited one loses its milliseconds', () => {
    const entity = readOne(backyard, ENVELOPE);
    expect(entity.body.attribution).toEqual({ createdAt: 1706933106, updatedAt: 1709528767 });
    const wire = writtenJson(backyard, withSlot(entity, 'attribution.updatedAt', 1709528768));
    expect(at(wire, 'character.createdAt')).toBe('2024-02-03T04:05:06.789Z');
    expect(at(wire, 'character.updatedAt')).toBe('2024-03-04T05:06:08.000Z');
  });
});

describe('the twin', () => {
  test.each([
    ['flat', FLAT],
    ['envelope', ENVELOPE],
  ])('unedited, %s: the file says the same, letter by letter', (_, bytes) => {
    expect(alike(write(backyard, readOne(backyard, bytes)).bytes, bytes)).toBe(true);
  });
  test('an edit touches its own key and no other', () => {
    const before = JSON.parse(new TextDecoder().decode(FLAT));
    const after = writtenJson(backyard, withSlot(readOne(backyard, FLAT), 'greetings.firstMessage', 'Hi'));
    expect(after).toEqual({ ...before, firstMessage: 'Hi' });
    expect(Object.keys(after)).toEqual(Object.keys(before));
  });
  test('sampler, model and chat stay in escrow and are named', () => {
    const left = backyard.account(readOne(backyard, ENVELOPE)).left.map(({ path }) => path);
    expect(left).toEqual([
      'character.model',
      'character.temperature',
      'character.topK',
      'character.topP',
      'character.minP',
      'character.minPEnabled',
      'character.repeatPenalty',
      'character.repeatLastN',
      'character.promptTemplate',
      'character.canDeleteCustomDialogue',
      'character.loreItems[1].updatedAt',
      'character.Chat',
    ]);
    const flat = backyard.account(readOne(backyard, FLAT)).left.map(({ path }) => path);
    expect(flat).toEqual(['tags[3]', 'persona', 'temperature', 'hubNotes']);
  });
});

describe('pictures', () => {
  test('an unedited picture is the same file', () => {
    expect(alike(write(backyard, readOne(backyard, PICTURE)).bytes, PICTURE)).toBe(true);
  });
  test('an edit goes into the same comment, in the encoding it had, around the same picture', () => {
    const entity = readOne(backyard, PICTURE);
    const sealed = write(backyard, withSlot(entity, 'identity.name', 'Mira 🐦'));
    expect(sealed.container.name).toBe('png');
    expect(commentOf(sourceOf(sealed.bytes))?.encoding).toBe('base64');
    const back = readOne(backyard, sealed.bytes);
    expect(back.body.identity.name).toBe('Mira 🐦');
    expect(JSON.stringify(back.body.media)).toBe(JSON.stringify(entity.body.media));
    expect(JSON.stringify(entity.body.media)).not.toContain('ASCII');
  });
  test('another picture, or none, makes it a JSON file', () => {
    const entity = readOne(backyard, PICTURE);
    for (const portrait of [{ role: 'portrait', ref: pixel(1) }, undefined]) {
      const sealed = write(backyard, withSlot(entity, 'media.portrait', portrait));
      expect([sealed.container.name, sealed.bytes[0]]).toEqual(['json', 0x7b]);
    }
  });
  test('a fresh card is JSON, with or without a picture', () => {
    const sealed = write(backyard, made({ media: { portrait: { role: 'portrait', ref: pixel(1) } } }));
    expect(sealed.container.name).toBe('json');
  });
});

describe('lore', () => {
  const bookOf = (entity: EntityOf<'character'>) => {
    const book = backyard.extractLorebook?.(entity) as EntityOf<'lorebook'> | undefined;
    if (!book) throw new Error('there is no book');
    return book;
  };
  const card = JSON.parse(new TextDecoder().decode(ENVELOPE));
  const items = (wire: unknown) => at(wire, 'character.loreItems') as Record<string, unknown>[];
  const put = (body: EntityOf<'lorebook'>['body']) => {
    const entity = readOne(backyard, ENVELOPE);
    return items(writtenJson(backyard, entity, { lorebooks: [{ ...bookOf(entity), body }] }));
  };

  test('rows are a book: keys between commas, the text, and the rank of the order text', () => {
    const { body, original } = bookOf(readOne(backyard, ENVELOPE));
    expect(
      body.entries.map(({ triggers, content, sortOrder, title }) => [
        triggers.map((t) => t.keyword),
        content,
        sortOrder,
        title,
      ]),
    ).toEqual([
      [['gull', '갈매기'], "They took {{char}}'s hat.", 1, ''],
      [['мост'], 'Мост поёт в бурю.', 0, ''],
    ]);
    expect(original?.['byaf-lore']?.unmapped).toEqual({ home: 'character.loreItems' });
  });
  test('an unedited book leaves the file as it is', () => {
    const entity = readOne(backyard, ENVELOPE);
    const sealed = write(backyard, entity, { lorebooks: [bookOf(entity)] });
    expect(alike(sealed.bytes, ENVELOPE)).toBe(true);
    expect(bookOf(entity).original?.['byaf-lore']?.raw).toBe(at(entity.original?.backyard?.raw, 'character.loreItems'));
  });
  test('an edited row keeps its other keys, and no other row changes', () => {
    const { body } = bookOf(readOne(backyard, ENVELOPE));
    const entries = body.entries.map((entry, i) => (i === 1 ? { ...entry, content: 'New {{user}}' } : entry));
    expect(put({ ...body, entries })).toEqual([
      card.character.loreItems[0],
      { ...card.character.loreItems[1], value: 'New {user}' },
    ]);
  });
  test('a new last row gets the next order text; a moved row deals all anew', () => {
    const { body } = bookOf(readOne(backyard, ENVELOPE));
    const fresh = { ...emptyEntry('n'), triggers: [{ keyword: 'k', isRegex: false }], content: 'c' };
    expect(put({ ...body, entries: [...body.entries, fresh] }).map(({ id, order }) => [id, order])).toEqual([
      ['l2', 'a1'],
      ['l1', 'a0'],
      ['n', 'a1V'],
    ]);
    const moved = body.entries.map((entry) => ({ ...entry, sortOrder: 9 - entry.sortOrder }));
    expect(put({ ...body, entries: moved }).map(({ id, order }) => [id, order])).toEqual([
      ['l2', 'a0'],
      ['l1', 'a1'],
    ]);
  });
  test('equal order texts go by place, and an edit of a text deals nothing', () => {
    const loreItems = ['a', 'b'].map((id) => ({ id, key: id, value: id, order: 'a0' }));
    const entity = read({ aiName: 'a', loreItems });
    const book = bookOf(entity);
    const entries = book.body.entries.map((entry) => ({ ...entry, content: 'x' }));
    const wire = writtenJson(backyard, entity, { lorebooks: [{ ...book, body: { ...book.body, entries } }] });
    expect(wire.loreItems).toEqual(loreItems.map((row) => ({ ...row, value: 'x' })));
  });
  test('without order texts the place in the list is the order', () => {
    const entity = read({ aiName: 'a', loreItems: [{ key: 'a', value: '1' }, 5, { key: 'b', value: '2' }] });
    const book = bookOf(entity);
    expect(book.body.entries.map(({ sortOrder }) => sortOrder)).toEqual([0, 1]);
    const entries = book.body.entries.map((entry) => ({ ...entry, sortOrder: -entry.sortOrder }));
    const wire = writtenJson(backyard, entity, { lorebooks: [{ ...book, body: { ...book.body, entries } }] });
    expect(wire.loreItems).toEqual([{ key: 'b', value: '2' }, 5, { key: 'a', value: '1' }]);
  });
  test('a key with a comma is left out, never split into two', () => {
    const { body } = bookOf(readOne(backyard, ENVELOPE));
    const triggers = ['Smith, John', 'plain', 'a{2,3}'].map((keyword) => ({ keyword, isRegex: keyword.endsWith('}') }));
    const entries = [{ ...(body.entries[0] ?? emptyEntry('x')), triggers }];
    expect(put({ ...body, entries })).toEqual([{ ...card.character.loreItems[0], key: 'plain' }]);
  });
  test('no books: the list of an envelope is emptied, the key of a flat card goes', () => {
    expect(items(writtenJson(backyard, readOne(backyard, ENVELOPE), { lorebooks: [] }))).toEqual([]);
    const flat = read({ aiName: 'a', loreItems: [{ key: 'k', value: 'v' }] });
    expect(writtenJson(backyard, flat, { lorebooks: [] })).toEqual({ aiName: 'a' });
    expect(writtenJson(backyard, read({ aiName: 'a', loreItems: [] }), { lorebooks: [] })).toEqual({
      aiName: 'a',
      loreItems: [],
    });
  });
  test('a fresh book gets ids and order texts that sort', () => {
    const entries = ['x', 'y'].map((id, i) => ({ ...emptyEntry(id), content: id, sortOrder: -i }));
    const book = { ...bookOf(readOne(backyard, ENVELOPE)), original: {}, body: { name: 'n', entries } };
    const wire = writtenJson(backyard, made({}), { lorebooks: [book] });
    expect(wire.loreItems).toEqual([
      { id: 'x', key: '', value: 'x', order: 'a1' },
      { id: 'y', key: '', value: 'y', order: 'a0' },
    ]);
    expect(bookOf(reread(backyard, made({}), { lorebooks: [book] })).body.entries.map((e) => e.sortOrder)).toEqual([
      1, 0,
    ]);
  });
  test('order texts sort as their numbers do', () => {
    const texts = Array.from({ length: 5000 }, (_, i) => orderText(i));
    expect(texts.slice(60, 64)).toEqual(['ay', 'az', 'b00', 'b01']);
    expect([...texts].sort()).toEqual(texts);
  });
});

const PICTURES = new URL('backyard-png/', CORPUS);
describe.skipIf(!existsSync(PICTURES))('corpus (skipped where the folder is absent)', () => {
  const names = existsSync(PICTURES) ? readdirSync(PICTURES) : [];
  test.each(names)('%s goes back byte for byte, and an edit touches one text', (name) => {
    const bytes = new Uint8Array(readFileSync(new URL(name, PICTURES)));
    expect(score(bytes)).toBe(1);
    const entity = readOne(backyard, bytes);
    expect(alike(write(backyard, entity).bytes, bytes)).toBe(true);
    const back = reread(backyard, withSlot(entity, 'persona.scenario', 'A {{user}} walks in.'));
    const raw = entity.original?.backyard?.raw as { character: object };
    expect(back.original?.backyard?.raw).toEqual({
      ...raw,
      character: { ...raw.character, scenario: 'A {user} walks in.' },
    });
    expect(JSON.stringify(back.body.media)).toBe(JSON.stringify(entity.body.media));
  });
});
