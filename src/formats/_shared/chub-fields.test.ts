/** Chub's dialect of the Tavern card and book. */
import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CORPUS } from '../../../test/kit/corpus.ts';
import { lawsOf, type Says } from '../../../test/laws/harness.ts';
import { own, ownEngine } from '../../../test/laws/own.ts';
import { tavernTable } from '../../../test/laws/tables.ts';
import { encodeBase64 } from '../../core/base64.ts';
import { bytesOf } from '../../core/bytes.ts';
import { keysOf, openDraft, valueAt, type Wire } from '../../core/draft.ts';
import type { Lens } from '../../core/lens.ts';
import { sourceOf } from '../../core/source.ts';
import { createEngine } from '../../engine.ts';
import { type CharacterBody, emptyCharacter, type MediaAsset } from '../../entities/character/schema.ts';
import type { AnyAdapter, EntityOf } from '../../entities/kinds.ts';
import type { LorebookBody } from '../../entities/lorebook/schema.ts';
import sillytavern, { sillytavern as cards } from '../sillytavern/index.ts';
import { sillytavernLorebook } from '../sillytavern/lorebook.ts';
import { chubFields } from './chub-fields.ts';
import { pngOf, textChunks } from './png.ts';
import { placeholderPng, writeTextChunks } from './png-write.ts';
import { tavernFields } from './tavern-fields.ts';
import { baseCard } from './tavern-variant.ts';

const SAMPLES = new URL('../../../samples/sillytavern/', import.meta.url);
const engine = createEngine(sillytavern as readonly AnyAdapter[]);

const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const parse = (bytes: Uint8Array): Wire => JSON.parse(new TextDecoder().decode(bytes));
const orla = parse(readFileSync(new URL('sillytavern.chub.json', SAMPLES)));
const harbour = parse(readFileSync(new URL('sillytavern-lorebook.chub.json', SAMPLES)));

const BLOCK = 'data.extensions.chub';
const MAP = `${BLOCK}.expressions.expressions`;
const WINTER = `${BLOCK}.alt_expressions.winter.expressions`;
const url = (name: string) => `https://pictures.example/orla/${name}.webp`;

const at = (wire: unknown, path: string) => valueAt(wire, keysOf(path));
const withValue = (wire: Wire, path: string, value: unknown): Wire => {
  const draft = openDraft(wire);
  if (value === undefined) draft.delete(keysOf(path));
  else draft.set(keysOf(path), value);
  return draft.wire;
};
const read = (card: unknown): EntityOf<'character'> => cards.toCanonical(sourceOf(encode(card)))[0]!;
const edited = (card: unknown, edit: (body: CharacterBody) => void): Wire => {
  const entity = read(card);
  const body = structuredClone(entity.body);
  edit(body);
  return parse(cards.fromCanonical([{ ...entity, body }], {}).bytes);
};
const assetsOf = (card: unknown) => read(card).body.media.assets ?? [];
const emotion = (label: string, ref: string): MediaAsset => ({ role: 'emotion', label, ref });
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

describe('writing', () => {
  test('an unedited card is as it was', () => {
    expect(parse(cards.fromCanonical([read(orla)], {}).bytes)).toEqual(orla);
  });
  test('an edit elsewhere leaves the block alone and the card V2', () => {
    const out = edited(orla, (body) => {
      body.identity.name = 'Orla';
    });
    expect(out).toEqual(withValue(orla, 'data.name', 'Orla'));
  });

  const EDITS: readonly (readonly [
    what: string,
    edit: (assets: MediaAsset[]) => MediaAsset[],
    path: string,
    value: unknown,
  ])[] = [
    [
      'a new address goes to its label',
      ([a, b, ...rest]) => [a!, { ...b!, ref: url('joy-2') }, ...rest],
      MAP,
      { admiration: url('admiration'), joy: url('joy-2'), neutral: url('neutral'), sadness: null },
    ],
    [
      'a new label stays at its place',
      ([a, b, ...rest]) => [a!, { ...b!, label: 'glee' }, ...rest],
      MAP,
      { admiration: url('admiration'), glee: url('joy'), neutral: url('neutral'), sadness: null },
    ],
    [
      'a removed one goes, what is no address stays',
      ([, , ...rest]) => rest,
      MAP,
      { neutral: url('neutral'), sadness: null },
    ],
    [
      'a new one joins them',
      (all) => [...all, emotion('anger', url('anger'))],
      MAP,
      { admiration: url('admiration'), joy: url('joy'), neutral: url('neutral'), sadness: null, anger: url('anger') },
    ],
    [
      'a pack keeps its own',
      (all) => all.map((one) => (one.label === 'winter/joy' ? { ...one, ref: url('w') } : one)),
      WINTER,
      { joy: url('w'), neutral: url('winter-neutral') },
    ],
    [
      'a new one of a pack joins the pack',
      (all) => [...all, emotion('winter/anger', url('anger'))],
      WINTER,
      { joy: url('winter-joy'), neutral: url('winter-neutral'), anger: url('anger') },
    ],
  ];
  test.each(EDITS)('%s', (_, edit, path, value) => {
    const out = edited(orla, (body) => {
      body.media.assets = edit(body.media.assets ?? []);
    });
    expect(out).toEqual(withValue(orla, path, value));
    expect(Object.keys(at(out, path) as Wire).filter((key) => key !== 'sadness')).toEqual(
      Object.keys(value as Wire).filter((key) => key !== 'sadness'),
    );
  });
  test('two labels that change places are two edits of the same keys', () => {
    const out = edited(orla, ({ media }) => {
      const [a, b] = media.assets!;
      [a!.ref, b!.ref] = [b!.ref, a!.ref];
    });
    expect(out).toEqual(withValue(withValue(orla, `${MAP}.joy`, url('admiration')), `${MAP}.admiration`, url('joy')));
  });
  test('cleared expressions leave empty maps', () => {
    const out = edited(orla, (body) => {
      delete body.media.assets;
    });
    expect(out).toEqual(withValue(withValue(orla, MAP, { sadness: null }), WINTER, {}));
  });
  test('an asset that is no expression becomes a row, as in any card', () => {
    const out = edited(orla, (body) => {
      body.media.assets?.push({ role: 'outfit', label: 'coat', ref: url('coat') });
    });
    expect(at(out, MAP)).toEqual(at(orla, MAP));
    expect(at(out, 'data.assets')).toEqual([{ type: 'outfit', uri: url('coat'), name: 'coat', ext: 'unknown' }]);
    expect(out.spec).toBe('chara_card_v3');
  });
  test('a label taken twice does not overwrite: the second becomes a row', () => {
    const out = edited(orla, (body) => {
      body.media.assets?.push(emotion('joy', url('other')));
    });
    expect(at(out, MAP)).toEqual(at(orla, MAP));
    expect(at(out, 'data.assets')).toEqual([{ type: 'emotion', uri: url('other'), name: 'joy', ext: 'unknown' }]);
  });
  test('a picture in place of an address moves to the rows', () => {
    const out = edited(orla, ({ media }) => {
      media.assets![1]!.ref = bytesOf(placeholderPng().slice(0, 60), 'image/png');
    });
    expect(at(out, MAP)).toEqual({ admiration: url('admiration'), neutral: url('neutral'), sadness: null });
    expect(at(out, 'data.assets')).toMatchObject([{ type: 'emotion', name: 'joy' }]);
  });

  test('the page is an address of the site, any other stays out and is reported', async () => {
    const change = (to: string | undefined) =>
      edited(orla, ({ attribution }) => {
        if (to === undefined) delete attribution.sourceUrl;
        else attribution.sourceUrl = to;
      });
    expect(change('https://chub.ai/characters/orla/new')).toEqual(withValue(orla, `${BLOCK}.full_path`, 'orla/new'));
    expect(change('https://elsewhere.example/x')).toEqual(orla);
    expect(change(undefined)).toEqual(withValue(orla, `${BLOCK}.full_path`, undefined));
    const entity = read(orla);
    const { report } = await engine.write(
      [{ ...entity, body: { ...entity.body, attribution: { sourceUrl: 'https://elsewhere.example/x' } } }],
      'sillytavern',
    );
    expect(report.losses.map(({ path }) => path)).toContain('attribution.sourceUrl');
  });
  test('a path that says characters/ keeps it', () => {
    const card = withValue(orla, `${BLOCK}.full_path`, 'characters/orla/quay');
    expect(read(card).body.attribution.sourceUrl).toBe('https://chub.ai/characters/orla/quay');
    const out = edited(card, (body) => {
      body.attribution.sourceUrl = 'https://chub.ai/characters/orla/new';
    });
    expect(at(out, `${BLOCK}.full_path`)).toBe('characters/orla/new');
  });
  test('the background is an address: edited, cleared, and never a picture', () => {
    const change = (background: NonNullable<CharacterBody['presentation']>['background'] | undefined) =>
      edited(orla, (body) => {
        body.presentation = background ? { background } : {};
      });
    expect(change({ ref: url('night') })).toEqual(withValue(orla, `${BLOCK}.background_image`, url('night')));
    expect(change(undefined)).toEqual(withValue(orla, `${BLOCK}.background_image`, undefined));
    expect(change({ ref: bytesOf(placeholderPng(), 'image/png') })).toEqual(orla);
  });
  test('a card without the block gains none: what has no home there is reported', async () => {
    const plain = withValue(orla, BLOCK, undefined);
    const body: CharacterBody = {
      ...emptyCharacter(),
      identity: { name: 'Ona' },
      attribution: { sourceUrl: 'https://chub.ai/characters/a/b' },
      presentation: { background: { ref: url('quay') } },
    };
    expect(
      edited(plain, (now) => {
        Object.assign(now, {
          attribution: { ...now.attribution, ...body.attribution },
          presentation: body.presentation,
        });
      }),
    ).toEqual(plain);
    const { files, report } = await engine.write(
      [{ schemaVersion: '1', kind: 'character', id: 'ona', body }],
      'sillytavern',
    );
    expect(at(parse(files[0]!.bytes), 'data.extensions')).toEqual({});
    expect(report.losses.map(({ path, reason }) => [path, reason])).toEqual([
      ['attribution.sourceUrl', 'only in a card that came from Chub'],
      ['presentation.background.ref', 'only in a card that came from Chub'],
    ]);
  });
  test('an edit of a picture with two payloads keeps the expressions of both', () => {
    const v3 = { ...orla, spec: 'chara_card_v3', spec_version: '3.0' };
    const chunk = (keyword: string, card: unknown) => ({ insert: { keyword, text: encodeBase64(encode(card)) } });
    const file = writeTextChunks(pngOf(sourceOf(placeholderPng()))!, [chunk('chara', orla), chunk('ccv3', v3)]);
    const entity = cards.toCanonical(sourceOf(file))[0]!;
    const write = (edit: (body: CharacterBody) => void) => {
      const body: CharacterBody = structuredClone({ ...entity.body, media: { assets: entity.body.media.assets! } });
      edit(body);
      const { bytes } = cards.fromCanonical([{ ...entity, body }], {});
      const payloads = textChunks(pngOf(sourceOf(bytes))!).map((one) => [
        one.keyword,
        Buffer.from(one.text(), 'base64').toString(),
      ]);
      return Object.fromEntries(payloads.map(([keyword, text]) => [keyword, JSON.parse(text!)]));
    };
    const renamed = write((body) => {
      body.identity.name = 'Ona';
    });
    expect(renamed).toEqual({ chara: withValue(orla, 'data.name', 'Ona'), ccv3: withValue(v3, 'data.name', 'Ona') });
    const moved = write(({ media }) => {
      media.assets![1]!.ref = url('joy-2');
    });
    expect(moved).toEqual({
      chara: withValue(orla, `${MAP}.joy`, url('joy-2')),
      ccv3: withValue(v3, `${MAP}.joy`, url('joy-2')),
    });
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

describe('laws', () => {
  const says: Says = (path) =>
    !['attribution.sourceUrl', 'presentation.background.ref'].includes(path) &&
    !path.startsWith('media.') &&
    !/Greetings|depth|tags|At$/.test(path);
  const own3 = chubFields('card.data', 'v3');
  const claimed = new Set(own3.flatMap(({ canonical }) => canonical));
  const common = tavernFields('card.data', 'card', 'v3').filter(
    ({ canonical }) => !canonical.some((path) => claimed.has(path)),
  );
  const map = fc.dictionary(
    fc.constantFrom('happy', 'joy', '__proto__', '../x'),
    fc.constantFrom<unknown>('https://example.org/a.png', 'https://example.org/b.png', '', null, 7),
  );
  const home = 'card.data.extensions.chub';
  const table = tavernTable(
    own,
    'chub',
    [...common, ...own3] as unknown as readonly Lens<never>[],
    'card.data',
    [{ ...baseCard('v3') }],
    {
      says,
      spreads: new Set([
        'prompts.depthInjections',
        'media.portrait',
        'media.assets',
        'attribution.sourceUrl',
        'presentation.background.ref',
      ]),
      hints: {
        'card.data.assets': fc.constant([]),
        [`${home}.expressions.expressions`]: map,
        [`${home}.alt_expressions.*.expressions`]: map,
        [`${home}.full_path`]: fc.constantFrom<unknown>('orla/quay', 'characters/orla/quay', 'x', 7),
      },
    },
  );
  for (const { name, property } of lawsOf(ownEngine, table)) {
    test(name, () => fc.assert(property, { numRuns: Number(process.env.RUNS ?? 60), includeErrorInReport: true }));
  }
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
