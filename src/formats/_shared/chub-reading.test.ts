/** Chub’s dialect of the Tavern card and book, read. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { at, encode, parse, withValue } from '../../../test/kit/adapter.ts';
import { BLOCK, emotion, engine, MAP, orla, read, SAMPLES, url } from '../../../test/kit/chub.ts';
import { CORPUS } from '../../../test/kit/corpus.ts';
import type { Wire } from '../../core/draft.ts';
import { sourceOf } from '../../core/source.ts';
import type { LorebookBody } from '../../entities/lorebook/schema.ts';
import { sillytavern as cards } from '../sillytavern/index.ts';
import { sillytavernLorebook } from '../sillytavern/lorebook.ts';

const harbour = parse(readFileSync(new URL('sillytavern-lorebook.chub.json', SAMPLES)));

const assetsOf = (card: unknown) => read(card).body.media.assets ?? [];

const left = (card: unknown) => cards.account(read(card)).left.map(({ path }) => path);

describe('reading', () => {
  test('expressions are emotion assets, those of a pack under the name of the pack', () => {
    expect(assetsOf(orla)).toEqual([
      emotion('admiration', url('admiration')),
      emotion('joy', url('joy')),
      emotion('neutral', url('neutral')),
      emotion('winter/joy', url('winter-joy')),
      emotion('winter/neutral', url('winter-neutral')),
    ]);
  });
  test('the background and the page', () => {
    expect(read(orla).body.presentation).toEqual({ background: { ref: url('quay') } });
    expect(read(orla).body.attribution.sourceUrl).toBe('https://chub.ai/characters/orla/orla-quay');
  });
  test.each([null, '', {}, [], 7, 'text'])('expressions that are %j say nothing', (value) => {
    for (const path of ['expressions', 'alt_expressions', 'background_image']) {
      const card = withValue(orla, `${BLOCK}.${path}`, value);
      expect(parse(cards.fromCanonical([read(card)], {}).bytes)).toEqual(card);
    }
    expect(
      assetsOf(withValue(withValue(orla, `${BLOCK}.expressions`, value), `${BLOCK}.alt_expressions`, value)),
    ).toEqual([]);
  });
  test.each(['orla', '', ' a/b', 'a b/c', 'https://chub.ai/a/b', 7])(
    'a path that is %j is no page and stays',
    (path) => {
      const card = withValue(orla, `${BLOCK}.full_path`, path);
      expect(read(card).body.attribution).not.toHaveProperty('sourceUrl');
      expect(parse(cards.fromCanonical([read(card)], {}).bytes)).toEqual(card);
    },
  );
  test('assets of the card and its expressions are one list', () => {
    const rows = [{ type: 'emotion', uri: url('row'), name: 'row', ext: 'webp' }];
    const card = { ...withValue(orla, 'data.assets', rows), spec: 'chara_card_v3', spec_version: '3.0' };
    expect(assetsOf(card).map(({ label }) => label)).toEqual([
      'admiration',
      'joy',
      'neutral',
      'winter/joy',
      'winter/neutral',
      'row',
    ]);
  });
  test('what stays in the block is named', () => {
    expect(left(orla).filter((path) => path.startsWith(BLOCK))).toEqual([
      `${BLOCK}.id`,
      `${BLOCK}.custom_css`,
      `${BLOCK}.expressions.version`,
      `${BLOCK}.expressions.is_default`,
      `${BLOCK}.alt_expressions.winter.version`,
      `${BLOCK}.alt_expressions.winter.is_default`,
    ]);
    expect(left(withValue(orla, `${MAP}.joy`, 7))).toContain(`${MAP}.joy`);
  });
});

describe('books', () => {
  const book = (value: unknown) => sillytavernLorebook.toCanonical(sourceOf(encode(value)))[0]!;
  const change = (value: unknown, edit: (body: LorebookBody) => void): Wire => {
    const entity = book(value);
    const body = structuredClone(entity.body);
    edit(body);
    return parse(sillytavernLorebook.fromCanonical([{ ...entity, body }], {}).bytes);
  };
  const first = (wire: Wire) => at(wire, 'entries.1') as Wire;

  /** An edit, and every key that says the same. */
  const PAIRS: readonly (readonly [path: string, value: unknown, wire: Wire])[] = [
    ['triggers', [{ keyword: 'tern', isRegex: false }], { key: ['tern'], keys: ['tern'] }],
    ['secondaryTriggers', [{ keyword: 'x', isRegex: false }], { keysecondary: ['x'], secondary_keys: ['x'] }],
    ['title', 'Terns', { comment: 'Terns', name: 'Terns' }],
    ['sortOrder', 3, { order: 3, insertion_order: 3 }],
    ['enabled', false, { disable: true, enabled: false }],
  ];
  test.each(PAIRS)('an edit of %s goes to both spellings', (path, value, wire) => {
    const out = change(harbour, ({ entries: [entry] }) => Object.assign(entry!, { [path]: value }));
    expect(out).toEqual({ ...harbour, entries: { 1: { ...first(harbour), ...wire } } });
  });
  test('where the spellings disagree, SillyTavern’s counts, and an edit ends the quarrel', () => {
    const torn = {
      ...harbour,
      entries: { 1: { ...first(harbour), keys: ['stale'], name: 'stale', insertion_order: 99, enabled: false } },
    };
    expect(book(torn).body.entries[0]).toMatchObject({
      title: 'Gulls',
      sortOrder: 10,
      enabled: true,
      triggers: [{ keyword: 'gull' }],
    });
    const out = change(torn, ({ entries: [entry] }) => {
      Object.assign(entry!, { title: 'Terns', sortOrder: 3 });
    });
    expect(first(out)).toEqual({ ...first(torn), comment: 'Terns', name: 'Terns', order: 3, insertion_order: 3 });
  });
  test('the variant with a list is a card book: its label is the name, and an edit leaves an empty comment there', () => {
    const list = { name: 'Harbour', is_creation: false, entries: at(orla, 'data.character_book.entries') as Wire[] };
    expect(book(list).body.entries[0]).toMatchObject({ title: 'Gulls', sortOrder: 10, priority: 10 });
    const out = change(list, ({ entries: [entry] }) => Object.assign(entry!, { title: 'Terns' }));
    expect(out).toEqual({ ...list, entries: [{ ...list.entries[0], name: 'Terns' }] });
  });
  test('the site’s own facts about a book stay in the twin', () => {
    const out = change(harbour, (body) => {
      body.name = 'Quay';
    });
    expect(out).toEqual({ ...harbour, name: 'Quay' });
  });
});

describe.skipIf(!existsSync(CORPUS))('corpus', () => {
  test.each([
    'chub/chub-01.json',
    'card-png/card-png-25.png',
    'card-png/card-png-27.png',
    'card-png-odd/card-png-odd-01.png',
  ])('%s', async (name) => {
    const bytes = new Uint8Array(readFileSync(new URL(name, CORPUS)));
    const { format, entities } = await engine.read(bytes);
    expect(format).toBe('sillytavern');
    expect(entities[0]).toMatchObject({
      body: { attribution: { sourceUrl: expect.stringMatching(/^https:\/\/chub\.ai\/characters\/[^/]+\/[^/]+$/) } },
    });
    const { files, report } = await engine.write(entities, 'sillytavern');
    expect(report.losses).toEqual([]);
    if (name.endsWith('.png')) expect(Buffer.compare(files[0]!.bytes, bytes)).toBe(0);
    else expect(parse(files[0]!.bytes)).toEqual(parse(bytes));
  });
});
