import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  alike,
  archive,
  at,
  differingMembers,
  made,
  membersOf,
  readOne,
  reread,
  sample,
  withSlot,
  write,
} from '../../../test/backyard/kit.ts';
import { CORPUS } from '../../../test/kit/corpus.ts';
import { isBytes } from '../../core/bytes.ts';
import { sourceOf } from '../../core/source.ts';
import type { EntityOf } from '../../entities/kinds.ts';
import { emptyEntry } from '../../entities/lorebook/schema.ts';
import { openZip } from '../_shared/zip.ts';
import { byaf } from './byaf.ts';

const LAMP = sample('byaf/byaf.lampkeeper.byaf');
const SEVERAL = sample('byaf/byaf.several-firsts.byaf');
const CHARACTER = 'characters/lampkeeper/character.json';

beforeAll(() => byaf.prepare?.('write'));

const lamp = () => readOne(byaf, LAMP);
const edited = (path: string, value: unknown) => write(byaf, withSlot(lamp(), path, value)).bytes;

describe('detection', () => {
  const manifest = { characters: ['characters/a/character.json'], scenarios: [] };
  const score = (bytes: Uint8Array) => byaf.detect(sourceOf(bytes));
  test('a zip with a shaped manifest is certain, whatever stands before it', () => {
    expect(score(LAMP)).toBe(1);
    expect(score(archive({ 'manifest.json': manifest }))).toBe(1);
    expect(score(new Uint8Array([...new TextEncoder().encode('front'), ...LAMP]))).toBe(1);
  });
  test('anything else is refused without a throw', () => {
    for (const bad of [
      {},
      { ...manifest, characters: [] },
      { ...manifest, characters: [7] },
      { ...manifest, scenarios: {} },
      7,
      null,
    ]) {
      expect(score(archive({ 'manifest.json': bad }))).toBe(0);
    }
    expect(score(archive({ 'sub/manifest.json': manifest }))).toBe(0);
    expect(score(archive({ 'manifest.json': new TextEncoder().encode('{"characters": [') }))).toBe(0);
    expect(score(archive({ 'card.json': {} }))).toBe(0);
    expect(score(LAMP.subarray(0, LAMP.length - 30))).toBe(0);
    expect(score(new TextEncoder().encode(JSON.stringify(manifest)))).toBe(0);
  });
  test('a manifest beyond the bound is not looked into', () => {
    const padded = { ...manifest, characters: [...manifest.characters, 'x'.repeat(1024 * 1024)] };
    expect(score(archive({ 'manifest.json': padded }))).toBe(0);
  });
  test('only the manifest is inflated', () => {
    const broken = archive({ 'manifest.json': manifest, 'characters/a/character.json': { name: 'x' } });
    const end = new TextDecoder('latin1').decode(broken).indexOf('{"name"');
    broken[end] = 0;
    expect(score(broken)).toBe(1);
    expect(() => readOne(byaf, broken)).toThrow(/checksum/);
  });
});

describe('fields', () => {
  test('each home is read', () => {
    const { body } = lamp();
    expect(body).toMatchObject({
      identity: {
        name: 'Bram, 등대지기',
        nickname: 'Bram',
        description: '{character} tends the harbour light and distrusts gulls.',
      },
      persona: { scenario: 'A storm is coming. 폭풍이 온다.' },
      prompts: { systemPrompt: 'Write plainly.' },
      greetings: {
        firstMessage: 'Mind the step, {user}.',
        alternateGreetings: [
          { text: 'You slept through it.', title: 'בוקר שקט בנמל', id: 'byaf:scenarios/scenario2.json' },
        ],
      },
      examples: { exampleMessages: '#{user}: Tea?\n#{character}: Always.\n#{user}: ☔?' },
      attribution: {
        creator: 'orla 🐚',
        sourceUrl: 'https://example.invalid/hub/user/orla',
        createdAt: 1735787045,
        updatedAt: 1738555506,
      },
      discovery: { rating: 'all-ages' },
    });
    expect(body.persona.personality).toBeUndefined();
    expect(body.media.portrait).toMatchObject({ role: 'portrait', mime: 'image/png' });
    expect(body.media.assets).toMatchObject([{ role: 'other', label: 'шторм' }]);
    expect(isBytes(body.presentation?.background?.ref)).toBe(true);
  });
  test.each([
    ['identity.name', 'Bo', [CHARACTER], `displayName`],
    ['identity.nickname', 'Bo', [CHARACTER], `name`],
    ['identity.description', 'new', [CHARACTER], `persona`],
    ['persona.scenario', 'new', ['scenarios/scenario1.json'], 'narrative'],
    ['prompts.systemPrompt', 'new', ['scenarios/scenario1.json'], 'formattingInstructions'],
  ])('an edit of %s touches its own member', (path, value, members, key) => {
    const bytes = edited(path, value);
    expect(differingMembers(LAMP, bytes)).toEqual(members);
    const [name = ''] = members;
    expect(membersOf(bytes)[name]).toEqual({ ...(membersOf(LAMP)[name] as object), [key]: value });
    expect(at(readOne(byaf, bytes).body, path)).toBe(value);
  });
  test('text is carried letter by letter, with one warning for each token and its places', () => {
    expect(byaf.account(lamp()).warnings).toEqual([
      {
        code: 'byaf.placeholder',
        path: 'character.persona, character.loreItems[0].value, scenarios[0].exampleMessages[0].text',
        message: "{character} stays as typed: this format's text is carried letter by letter",
      },
      {
        code: 'byaf.placeholder',
        path: 'scenarios[0].firstMessages[0].text, scenarios[0].exampleMessages[0].text, scenarios[0].exampleMessages[1].text',
        message: "{user} stays as typed: this format's text is carried letter by letter",
      },
    ]);
    const sealed = write(byaf, made({ persona: { scenario: '{{char}} waits' } }));
    expect(sealed.warnings.map(({ path, message }) => [path, message.slice(0, 8)])).toEqual([
      ['scenarios[0].narrative', '{{char}}'],
    ]);
  });
  test('example messages keep their rows where whole lines of text still stand', () => {
    const rows = (text: string) =>
      at(membersOf(edited('examples.exampleMessages', text)), 'scenarios/scenario1') ??
      membersOf(edited('examples.exampleMessages', text))['scenarios/scenario1.json'];
    const texts = (text: string) => (at(rows(text), 'exampleMessages') as { text: string }[]).map((row) => row.text);
    expect(texts('#{user}: Tea?\n#{character}: Always.\nnew')).toEqual(['#{user}: Tea?\n#{character}: Always.', 'new']);
    expect(texts('new\n#{user}: ☔?')).toEqual(['new', '#{user}: ☔?']);
    expect(texts('#{user}: Tea?\n#{character}: Always.\nnew\n#{user}: ☔?')).toEqual([
      '#{user}: Tea?\n#{character}: Always.',
      'new',
      '#{user}: ☔?',
    ]);
    expect(texts('#{user}: Teas')).toEqual(['#{user}: Teas']);
    expect(texts('')).toEqual([]);
  });
  test('example messages that cannot be read stay, and only whole lines count', () => {
    const members = membersOf(LAMP);
    const scenario = members['scenarios/scenario1.json'] as { exampleMessages: unknown[] };
    const odd = { ...scenario, exampleMessages: [...scenario.exampleMessages, 7] };
    const entity = readOne(byaf, archive({ ...members, 'scenarios/scenario1.json': odd }));
    const { bytes } = write(byaf, withSlot(entity, 'examples.exampleMessages', 'x#{user}: ☔?'));
    const rows = at(membersOf(bytes)['scenarios/scenario1.json'], 'exampleMessages');
    expect(rows).toEqual([{ characterID: 'lampkeeper', text: 'x#{user}: ☔?' }, 7]);
  });
  test('mature leaves the mark of the adult alone; a cleared rating is false', () => {
    const adult = readOne(byaf, SEVERAL);
    const mark = (value: unknown) =>
      at(
        membersOf(write(byaf, withSlot(adult, 'discovery.rating', value)).bytes)['characters/noa/character.json'],
        'isNSFW',
      );
    expect([adult.body.discovery.rating, mark('mature'), mark('all-ages'), mark(undefined)]).toEqual([
      'explicit',
      true,
      false,
      false,
    ]);
  });
  test('the date of the archive stands in for the one of the character and is never written', () => {
    const members = membersOf(LAMP);
    const undated = archive({ ...members, [CHARACTER]: { ...(members[CHARACTER] as object), createdAt: '?' } });
    expect(readOne(byaf, undated).body.attribution.createdAt).toBe(1735787045);
    expect(differingMembers(LAMP, edited('attribution.createdAt', 1735787046))).toEqual([CHARACTER]);
    expect(readOne(byaf, edited('attribution.createdAt', undefined)).body.attribution.createdAt).toBeUndefined();
  });
  test('an author has both keys; an address that is none is left out', () => {
    const author = (creator: unknown, sourceUrl: unknown) => {
      const entity = withSlot(withSlot(made({}), 'attribution.creator', creator), 'attribution.sourceUrl', sourceUrl);
      const back = reread(byaf, entity);
      return [at(membersOf(write(byaf, entity).bytes)['manifest.json'], 'author'), back.body.attribution];
    };
    expect(author('orla', undefined)).toEqual([
      { name: 'orla', backyardURL: 'https://backyard.ai/hub' },
      { creator: 'orla' },
    ]);
    expect(author(undefined, 'https://x.invalid/a')).toEqual([
      { name: '', backyardURL: 'https://x.invalid/a' },
      { sourceUrl: 'https://x.invalid/a' },
    ]);
    expect(author('orla', 'no address')).toEqual([
      { name: 'orla', backyardURL: 'https://backyard.ai/hub' },
      { creator: 'orla' },
    ]);
    expect(author(undefined, 'https://x.invalid/미라')).toEqual([
      { name: '', backyardURL: 'https://x.invalid/%EB%AF%B8%EB%9D%BC' },
      { sourceUrl: 'https://x.invalid/%EB%AF%B8%EB%9D%BC' },
    ]);
    expect(author('o', 'https://x.invalid/?q=[1]')[1]).toEqual({
      creator: 'o',
      sourceUrl: 'https://x.invalid/?q=%5B1%5D',
    });
    expect(author(undefined, undefined)).toEqual([undefined, {}]);
    const cleared = withSlot(withSlot(lamp(), 'attribution.creator', undefined), 'attribution.sourceUrl', undefined);
    expect(membersOf(write(byaf, cleared).bytes)['manifest.json']).not.toHaveProperty('author');
    expect(at(membersOf(edited('attribution.creator', 'x'))['manifest.json'], 'author.backyardURL')).toBe(
      'https://example.invalid/hub/user/orla',
    );
  });
});

describe('the twin', () => {
  test('an unedited archive is the very same file', () => {
    expect(alike(write(byaf, lamp()).bytes, LAMP)).toBe(true);
    expect(alike(write(byaf, readOne(byaf, SEVERAL)).bytes, SEVERAL)).toBe(true);
  });
  test('after an edit the other members pass through as they were compressed, in their order, prefix kept', () => {
    const front = new TextEncoder().encode('front');
    const entity = readOne(byaf, new Uint8Array([...front, ...LAMP]));
    const { bytes } = write(byaf, withSlot(entity, 'identity.name', 'X'));
    expect(bytes.subarray(0, 5)).toEqual(front);
    const names = (file: Uint8Array) => openZip(sourceOf(file))?.members.map(({ name }) => name);
    expect(names(bytes)).toEqual(names(LAMP));
    expect(differingMembers(LAMP, bytes)).toEqual([CHARACTER]);
  });
  test('an unedited document keeps its own spelling', () => {
    const minified = archive(membersOf(LAMP));
    const { bytes } = write(byaf, withSlot(readOne(byaf, minified), 'identity.name', 'X'));
    expect(differingMembers(minified, bytes)).toEqual([CHARACTER]);
  });
  test('escrow that went through JSON gives the same members', () => {
    const entity = JSON.parse(JSON.stringify(lamp())) as EntityOf<'character'>;
    const { bytes } = write(byaf, entity);
    expect(membersOf(bytes)).toEqual(membersOf(LAMP));
    expect(differingMembers(LAMP, write(byaf, withSlot(entity, 'identity.name', 'X')).bytes)).toEqual([CHARACTER]);
  });
  test('what no field reads is named', () => {
    const members = membersOf(LAMP);
    const odd = archive({
      ...members,
      'notes.txt': new Uint8Array([1]),
      'manifest.json': { ...(members['manifest.json'] as object), extra: 1 },
    });
    expect(
      byaf
        .account(readOne(byaf, odd))
        .left.map(({ path }) => path)
        .sort(),
    ).toEqual(
      [
        'manifest.extra',
        ...[
          'title',
          'temperature',
          'topK',
          'topP',
          'minP',
          'minPEnabled',
          'repeatPenalty',
          'repeatLastN',
          'canDeleteExampleMessages',
          'promptTemplate',
          'messages',
        ].map((key) => `scenarios[0].${key}`),
        ...[
          'title',
          'formattingInstructions',
          'temperature',
          'topK',
          'topP',
          'minP',
          'minPEnabled',
          'repeatPenalty',
          'repeatLastN',
          'canDeleteExampleMessages',
          'promptTemplate',
        ].map((key) => `scenarios[1].${key}`),
        'files["notes.txt"]',
      ].sort(),
    );
  });
});

describe('lore', () => {
  const bookOf = (entity: EntityOf<'character'>) => byaf.extractLorebook?.(entity) as EntityOf<'lorebook'>;
  const items = (bytes: Uint8Array) => at(membersOf(bytes)[CHARACTER], 'loreItems');
  test('rows are a book, text verbatim; unedited it changes nothing', () => {
    const entity = lamp();
    const book = bookOf(entity);
    expect(book.body.entries.map(({ triggers, content, sortOrder }) => [triggers.length, content, sortOrder])).toEqual([
      [2, "Gulls stole {character}'s hat in 1902.", 0],
      [1, 'Маяк не спит.', 1],
    ]);
    expect(book.original).toEqual({
      'byaf-lore': { raw: expect.any(Array), unmapped: { home: 'character.loreItems' } },
    });
    expect(alike(write(byaf, entity, { lorebooks: [book] }).bytes, LAMP)).toBe(true);
  });
  test('sortOrder decides the place, and a row moved in the list stays where it was put', () => {
    const entity = lamp();
    const book = bookOf(entity);
    const [one, two] = book.body.entries;
    if (!one || !two) throw new Error('two rows are expected');
    const keys = (entries: typeof book.body.entries) =>
      (
        items(write(byaf, entity, { lorebooks: [{ ...book, body: { ...book.body, entries } }] }).bytes) as {
          key: string;
        }[]
      ).map(({ key }) => key);
    expect(keys([{ ...one, sortOrder: 5 }, two])).toEqual(['маяк', 'gull, gulls']);
    expect(keys([two, one])).toEqual(['маяк', 'gull, gulls']);
    expect(keys([one, { ...emptyEntry('n'), content: 'c', sortOrder: -1 }, two])).toEqual(['', 'gull, gulls', 'маяк']);
  });
  test('no books: the list is emptied; rows have two keys and no more', () => {
    expect(items(write(byaf, lamp(), { lorebooks: [] }).bytes)).toEqual([]);
    const book = { ...bookOf(lamp()), original: {} };
    const { bytes } = write(byaf, made({}), { lorebooks: [book] });
    expect(at(membersOf(bytes)['characters/ada/character.json'], 'loreItems')).toEqual(items(LAMP));
  });
});

const ARCHIVES = new URL('byaf/', CORPUS);
describe.skipIf(!existsSync(ARCHIVES))('corpus (skipped where the folder is absent)', () => {
  const names = existsSync(ARCHIVES) ? readdirSync(ARCHIVES) : [];
  test.each(names)('%s goes back byte for byte, and an edit touches one member', (name) => {
    const bytes = new Uint8Array(readFileSync(new URL(name, ARCHIVES)));
    expect(byaf.detect(sourceOf(bytes))).toBe(1);
    const entity = readOne(byaf, bytes);
    expect(alike(write(byaf, entity).bytes, bytes)).toBe(true);
    const after = write(byaf, withSlot(entity, 'identity.description', 'new')).bytes;
    expect(differingMembers(bytes, after)).toEqual(['characters/test123/character.json']);
    const member = (file: Uint8Array) =>
      new TextDecoder().decode(openZip(sourceOf(file))?.get('characters/test123/character.json')?.content.bytes());
    expect(member(after)).toBe(member(bytes).replace('A test character', 'new'));
  });
});
