/** Chub’s dialect of the Tavern card, written. */
import { describe, expect, test } from 'vitest';
import { at, encode, parse, withValue } from '../../../test/kit/adapter.ts';
import { BLOCK, emotion, engine, MAP, orla, read, url } from '../../../test/kit/chub.ts';
import { encodeBase64 } from '../../core/base64.ts';
import { bytesOf } from '../../core/bytes.ts';
import type { Wire } from '../../core/draft.ts';
import { sourceOf } from '../../core/source.ts';
import { type CharacterBody, emptyCharacter, type MediaAsset } from '../../entities/character/schema.ts';
import { sillytavern as cards } from '../sillytavern/index.ts';
import { placeholderPng } from './placeholder.ts';
import { pngOf, textChunks } from './png.ts';
import { writeTextChunks } from './png-write.ts';

const WINTER = `${BLOCK}.alt_expressions.winter.expressions`;

const edited = (card: unknown, edit: (body: CharacterBody) => void): Wire => {
  const entity = read(card);
  const body = structuredClone(entity.body);
  edit(body);
  return parse(cards.fromCanonical([{ ...entity, body }], {}).bytes);
};

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
