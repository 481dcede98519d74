import { describe, expect, test } from 'vitest';
import { at, edited, encode, left, parse, readAs, sealed, setAt, withValue } from '../../../test/kit/adapter.ts';
import { claimant, engine, pngWith, sample, sampleBytes, tinyPng } from '../../../test/kit/rolecall.ts';
import { bytesOf } from '../../core/bytes.ts';
import type { Wire } from '../../core/draft.ts';
import { type CharacterBody, emptyCharacter } from '../../entities/character/schema.ts';
import { entityFaults } from '../../entities/validate.ts';
import { rolecall } from './card.ts';

const liu = sample('rolecall.liu-yan.json');
const RC = 'data.extensions.rolecall';
const open = (value: unknown) => readAs(rolecall, value);
const edit = (change: (body: CharacterBody) => void, wire: Wire = liu): Wire => edited(rolecall, wire, change as never);
const fresh = (change: (body: CharacterBody) => void): Wire => {
  const body = emptyCharacter();
  change(body);
  return parse(sealed(rolecall, { schemaVersion: '1', kind: 'character', id: 'x', body }, 'json'));
};

/** Canonical path, wire path, a new value, and how it is spelled. */
const FIELDS: [path: string, wire: string, value: unknown, spelled?: unknown][] = [
  ['identity.tagline', `${RC}.tagline`, '末班'],
  ['discovery.genre', `${RC}.genre`, 'horror'],
  ['discovery.fandom', `${RC}.fandom`, 'none'],
  ['discovery.rating', `${RC}.content_rating`, 'explicit', 'after_dark'],
  ['attribution.sourceUrl', `${RC}.source_url`, 'https://example.org/other'],
  ['attribution.publicNote', `${RC}.creators_note`, 'شكراً'],
  ['identity.fullName', `${RC}.details.full_name`, 'Liu Yan'],
  ['identity.title', `${RC}.details.title`, 'Ferrier'],
  ['identity.age', `${RC}.details.age`, '29'],
  ['identity.pronouns', `${RC}.details.pronouns`, 'she/her'],
  ['presentation.signatureColor', `${RC}.details.signature_color`, '#000000'],
  ['presentation.gradientColors', `${RC}.details.gradient_colors`, ['#0a3b2e', '#222222']],
  ['presentation.palette', `${RC}.details.colors`, [{ label: '灯', name: 'lamp', hex: '#ffffff' }]],
  ['presentation.fieldOrder', `${RC}.details.fieldOrder`, ['scenario']],
  ['presentation.spoilers.mode', `${RC}.details.publicDefinitionDisplay.spoilerMode`, 'off', false],
  ['presentation.spoilers.order', `${RC}.details.publicDefinitionDisplay.order`, ['scenario']],
  ['presentation.spoilers.fields', `${RC}.details.publicDefinitionDisplay.spoilers`, { scenario: false }],
  ['presentation.mediaLinks', `${RC}.details.media_links`, ['https://example.org/b']],
];

describe('fields', () => {
  test.each(FIELDS)('%s stands at %s', (path, wire, value, spelled = value) => {
    expect(at(open(liu).body, path)).toBeDefined();
    const after = edit((body) => setAt(body, path, value));
    expect(at(after, wire)).toEqual(spelled);
    expect(withValue(after, wire, at(liu, wire))).toEqual(liu);
  });

  test.each(FIELDS)('%s is cleared away', (path, wire) => {
    const after = edit((body) => setAt(body, path, undefined));
    expect(at(after, wire)).toBeUndefined();
    expect(at(open(after).body, path)).toBeUndefined();
    expect(withValue(after, wire, at(liu, wire))).toEqual(liu);
  });

  test.each(FIELDS)('%s is written to a fresh card', (path, wire, value, spelled = value) => {
    const card = fresh((body) => setAt(body, path, value));
    expect(at(card, wire)).toEqual(spelled);
    expect(at(open(card).body, path)).toEqual(value);
  });

  test('what is read fits the schema, and nothing changes without an edit', () => {
    for (const value of [liu, sample('rolecall.tam.v2.json'), sampleBytes('rolecall.noor.png')]) {
      const entity = open(value);
      expect(entityFaults(entity)).toEqual([]);
      expect(sealed(rolecall, entity)).toEqual(value instanceof Uint8Array ? value : encode(value));
    }
  });

  test('account data and what has no slot stays in escrow, and is named', () => {
    expect(left(rolecall, liu)).toEqual([
      'data.source[0]',
      `${RC}.id`,
      `${RC}.nsfw`,
      `${RC}.token_count`,
      `${RC}.image_url`,
      `${RC}.creator_notes`,
      `${RC}.accent_color`,
      `${RC}.trackerPreset`,
    ]);
  });

  test('a value of the wrong shape is left where it is', () => {
    const odd = withValue(withValue(liu, `${RC}.details.age`, 30), `${RC}.content_rating`, 'midnight');
    const entity = open(odd);
    expect(entity.body.identity.age).toBeUndefined();
    expect(entity.body.discovery.rating).toBeUndefined();
    expect(left(rolecall, odd)).toEqual(expect.arrayContaining([`${RC}.details.age`, `${RC}.content_rating`]));
    expect(edit((body) => setAt(body, 'identity.tagline', 'x'), odd)).toEqual(withValue(odd, `${RC}.tagline`, 'x'));
  });
});

test('fields of this format stand in the place of the common ones', () => {
  const paths = rolecall.coverage.map(({ canonical }) => canonical);
  expect(paths.filter((path, index) => paths.indexOf(path) !== index)).toEqual([]);
  expect(rolecall.coverage.find(({ canonical }) => canonical === 'greetings.alternateGreetings')?.wire).toContain(
    'alternate_greeting_titles',
  );
});

describe('depth injections', () => {
  const LIST = `${RC}.details.prompt_depth_injections`;

  test('those of the list come before the single note, each with its origin', () => {
    expect(open(liu).body.prompts.depthInjections).toEqual([
      { text: '水位每晚上涨。', depth: 3, role: 'system', enabled: true, origin: 'rolecall_details' },
      { text: '乘客说了谎。', depth: 4, enabled: false, origin: 'rolecall_details' },
      { text: '柳烟从不说谎。', depth: 2, role: 'system', origin: 'depth_prompt' },
    ]);
  });

  test('origin decides where an injection is written back', () => {
    const after = edit(({ prompts }) => {
      const [first, , third] = prompts.depthInjections ?? [];
      if (first) first.text = '一';
      if (third) third.text = '三';
    });
    expect(at(after, `${LIST}.0`)).toEqual({ id: 'i1', content: '一', depth: 3, role: 'system', enabled: true });
    expect(at(after, `${LIST}.1`)).toEqual(at(liu, `${LIST}.1`));
    expect(at(after, 'data.extensions.depth_prompt')).toEqual({ prompt: '三', depth: 2, role: 'system' });
  });

  test('an edit in one home leaves the other as it was', () => {
    const after = edit(({ prompts }) => setAt(prompts.depthInjections?.[1] ?? {}, 'depth', 9));
    expect(at(after, 'data.extensions.depth_prompt')).toEqual(at(liu, 'data.extensions.depth_prompt'));
    expect(at(after, `${LIST}.1`)).toEqual({ id: 'i2', content: '乘客说了谎。', enabled: false, depth: 9 });
  });

  test('an injection from elsewhere joins the list, and so does one that is switched off', () => {
    const after = edit(({ prompts }) => {
      const rows = prompts.depthInjections ?? [];
      const note = rows[2];
      if (note) note.enabled = false;
      rows.push({ text: 'new', depth: 0 });
    });
    expect((at(after, LIST) as Wire[]).map(({ content }) => content)).toEqual([
      '水位每晚上涨。',
      '乘客说了谎。',
      '柳烟从不说谎。',
      'new',
    ]);
    expect(at(after, 'data.extensions.depth_prompt.prompt')).toBe('');
  });

  test('cleared injections take the list away; a blank row keeps its place', () => {
    const cleared = edit(({ prompts }) => setAt(prompts, 'depthInjections', undefined));
    expect(at(cleared, LIST)).toBeUndefined();
    expect(at(cleared, 'data.extensions.depth_prompt')).toEqual({ prompt: '', depth: 2, role: 'system' });
    const blank = withValue(liu, LIST, [
      { id: 'b', content: ' ' },
      { id: 'c', content: 'said' },
    ]);
    expect(left(rolecall, blank)).toContain(`${LIST}[0]`);
    const after = edit(({ prompts }) => setAt(prompts, 'depthInjections', []), blank);
    expect(at(after, LIST)).toEqual([{ id: 'b', content: ' ' }]);
  });
});

describe('greetings', () => {
  const TITLES = `${RC}.alternate_greeting_titles`;

  test('titles pair by place, across an empty greeting', () => {
    expect(open(liu).body.greetings.alternateGreetings).toEqual([
      { text: '灯灭了，别出声。', title: '熄灯' },
      { text: '你又来了。🌫️', title: '重逢' },
    ]);
  });

  test('a new greeting takes its title along, a removed one too', () => {
    const after = edit(({ greetings }) => {
      greetings.alternateGreetings = [
        { text: '新', title: '头' },
        { text: '你又来了。🌫️', title: '重逢' },
        { text: 'untitled' },
      ];
    });
    expect(at(after, 'data.alternate_greetings')).toEqual(['新', '', '你又来了。🌫️', 'untitled']);
    expect(at(after, TITLES)).toEqual(['头', null, '重逢', null]);
  });

  test('a title alone touches the titles alone', () => {
    const after = edit(({ greetings }) => setAt(greetings.alternateGreetings?.[1] ?? {}, 'title', 'x'));
    expect(withValue(after, TITLES, at(liu, TITLES))).toEqual(liu);
    expect(at(after, TITLES)).toEqual(['熄灯', null, 'x']);
  });

  test('titles are cleared away once no greeting has one', () => {
    const after = edit(({ greetings }) => {
      for (const greeting of greetings.alternateGreetings ?? []) setAt(greeting, 'title', undefined);
    });
    expect(at(after, TITLES)).toBeUndefined();
    expect(at(after, 'data.alternate_greetings')).toEqual(at(liu, 'data.alternate_greetings'));
  });

  test('untitled greetings make no list of titles', () => {
    const card = fresh(({ greetings }) => setAt(greetings, 'alternateGreetings', [{ text: 'a' }, { text: 'b' }]));
    expect(at(card, TITLES)).toBeUndefined();
    expect(at(card, 'data.alternate_greetings')).toEqual(['a', 'b']);
  });

  test('a title without a greeting is named and stays behind the others', () => {
    const odd = withValue(liu, TITLES, ['熄灯', null, '重逢', 'orphan', 7]);
    expect(left(rolecall, odd)).toEqual(expect.arrayContaining([`${TITLES}[3]`, `${TITLES}[4]`]));
    const after = edit(({ greetings }) => void greetings.alternateGreetings?.push({ text: 'last' }), odd);
    expect(at(after, TITLES)).toEqual(['熄灯', null, '重逢', null, 'orphan', 7]);
  });
});

describe('media and background', () => {
  const BACK = `${RC}.details.default_background`;

  test('an expression is an emotion, and a new emotion is written as expression', () => {
    const entity = open(liu);
    expect(entity.body.media.assets?.[0]).toMatchObject({ role: 'emotion', label: '微笑' });
    const after = edit(
      ({ media }) =>
        void media.assets?.push({ role: 'emotion', ref: 'https://example.org/liu/sad.png', mime: 'image/png' }),
    );
    expect(at(after, 'data.assets.4')).toEqual({
      type: 'expression',
      uri: 'https://example.org/liu/sad.png',
      name: 'expression_1',
      ext: 'png',
    });
    expect(at(after, 'data.assets.1')).toEqual(at(liu, 'data.assets.1'));
  });

  test('an address of its own comes before a shelf id, and an edit replaces the one that counted', () => {
    expect(open(liu).body.presentation?.background).toEqual({ ref: 'bg-ferry', overlayOpacity: 0.5 });
    const both = withValue(liu, `${BACK}.customUrl`, 'https://example.org/b.png');
    expect(open(both).body.presentation?.background?.ref).toBe('https://example.org/b.png');
    expect(left(rolecall, both)).toContain(`${BACK}.backgroundId`);
    const url = edit(({ presentation }) => setAt(presentation ?? {}, 'background.ref', 'https://example.org/n.png'));
    expect(at(url, BACK)).toEqual({ backgroundId: null, customUrl: 'https://example.org/n.png', overlayOpacity: 0.5 });
    const shelf = edit(({ presentation }) => setAt(presentation ?? {}, 'background.ref', 'bg-other'));
    expect(at(shelf, BACK)).toEqual({ backgroundId: 'bg-other', customUrl: null, overlayOpacity: 0.5 });
  });

  test('a background keeps keys that are not known', () => {
    const odd = withValue(liu, `${BACK}.blur`, 3);
    const after = edit(({ presentation }) => setAt(presentation ?? {}, 'background.overlayOpacity', 0.1), odd);
    expect(at(after, BACK)).toEqual({ backgroundId: 'bg-ferry', customUrl: null, overlayOpacity: 0.1, blur: 3 });
    expect(left(rolecall, odd)).toContain(`${BACK}.blur`);
  });

  test('source written as records reads as nothing and is never overwritten', () => {
    expect(open(liu).body.attribution.source ?? []).toEqual([]);
    const after = edit(({ attribution }) => setAt(attribution, 'source', ['https://example.org/a']));
    expect(at(after, 'data.source')).toEqual([{ name: '渡口工作室' }, 'https://example.org/a']);
  });
});

describe('carriers', () => {
  test('a bare card in a picture is read, edited and stays bare', () => {
    const bytes = sampleBytes('rolecall.tam-bare.png');
    const entity = open(bytes);
    expect(entity.original?.rolecall?.unmapped).toMatchObject({ variant: 'flat', slot: 'chara' });
    expect(entity.body.identity).toMatchObject({
      name: 'Tam Okoro 🚲',
      tagline: 'No maps, no brakes.',
      pronouns: 'they/them',
    });
    expect(sealed(rolecall, entity)).toEqual(bytes);
    entity.body.identity.tagline = 'One brake.';
    const again = open(sealed(rolecall, entity));
    expect({ ...again.body, media: {} }).toEqual({ ...entity.body, media: {} });
    expect(again.body.media.portrait?.role).toBe('portrait');
    expect(again.original?.rolecall?.raw).toMatchObject({ extensions: { rolecall: { tagline: 'One brake.' } } });
  });

  test('both payloads of a picture say the same after an edit', () => {
    const entity = open(sampleBytes('rolecall.noor.png'));
    entity.body.identity.fullName = 'نور';
    const again = open(sealed(rolecall, entity));
    expect(again.body.identity.fullName).toBe('نور');
    const payloads = again.original?.rolecall?.unmapped?.payloads;
    expect(payloads).toMatchObject([
      { value: { data: { extensions: { rolecall: { details: { full_name: 'نور' } } } } } },
    ]);
  });

  test('a fresh card goes into its portrait, and is known again', async () => {
    const body = emptyCharacter();
    body.identity.name = 'Ink';
    body.media.portrait = { role: 'portrait', ref: bytesOf(tinyPng(), 'image/png') };
    const bytes = sealed(rolecall, { schemaVersion: '1', kind: 'character', id: 'ink', body });
    expect(await claimant(bytes)).toBe('rolecall');
    expect(open(bytes).body.media.portrait?.role).toBe('portrait');
  });

  test('a V2 card is not made V3 by what only RoleCall says', () => {
    const tam = sample('rolecall.tam.v2.json');
    const after = edit((body) => setAt(body, 'identity.age', '20'), tam);
    expect(after).toEqual(withValue(tam, `${RC}.details.age`, '20'));
  });
});

describe('conversions', () => {
  test('to SillyTavern: what only RoleCall has is reported path by path', async () => {
    const { report, files } = await engine.convert(encode(liu), 'sillytavern');
    const paths = report.losses.map(({ path }) => path);
    for (const path of [
      'identity.tagline',
      'discovery.rating',
      'presentation.background.ref',
      'prompts.depthInjections[0]',
    ])
      expect(paths).toContain(path);
    expect(paths.some((path) => path.startsWith('greetings.alternateGreetings'))).toBe(true);
    expect(JSON.stringify(parse(files[0]?.bytes ?? new Uint8Array()))).not.toContain('rolecall');
    expect(report.escrowed.map(({ path }) => path)).toContain(`${RC}.trackerPreset`);
  });

  test('from SillyTavern: a plain card crosses without a loss', async () => {
    const plain = {
      spec: 'chara_card_v3',
      spec_version: '3.0',
      data: {
        name: 'Mira',
        description: 'A baker.',
        first_mes: 'Bread?',
        alternate_greetings: ['Rolls?'],
        tags: ['food'],
        group_only_greetings: ['All of you?'],
        extensions: { depth_prompt: { prompt: 'Flour.', depth: 1, role: 'user' } },
      },
    };
    const { report, files } = await engine.convert(encode(plain), 'rolecall');
    expect(report.losses).toEqual([]);
    const wire = parse(files[0]?.bytes ?? new Uint8Array());
    expect(at(wire, 'data.extensions')).toEqual({
      rolecall: {},
      depth_prompt: { prompt: 'Flour.', depth: 1, role: 'user' },
    });
    expect(await engine.detect(files[0]?.bytes ?? '')).toMatchObject({ format: 'rolecall', score: 1 });
  });

  test('RoleCall to itself through the engine loses nothing', async () => {
    for (const value of [encode(liu), sampleBytes('rolecall.noor.png'), sampleBytes('rolecall.tam-bare.png')]) {
      const { report, files } = await engine.convert(value, 'rolecall');
      expect(report.losses).toEqual([]);
      expect(files).toHaveLength(1);
    }
  });

  test('a book of the card stays where it was', async () => {
    const tam = sample('rolecall.tam.v2.json');
    const { entities } = await engine.read(encode(tam));
    expect(entities.map(({ kind }) => kind)).toEqual(['character', 'lorebook']);
    const { files } = await engine.write(entities, 'rolecall');
    expect(parse(files[0]?.bytes ?? new Uint8Array())).toEqual(tam);
  });

  test('a picture with one payload keeps one', () => {
    const entity = open(pngWith({ keyword: 'ccv3', value: liu }));
    entity.body.identity.title = 'x';
    const again = open(sealed(rolecall, entity));
    expect(again.body.identity.title).toBe('x');
    expect(again.original?.rolecall?.unmapped?.payloads).toBeUndefined();
  });
});
