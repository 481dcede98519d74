import { describe, expect, test } from 'vitest';
import {
  at,
  edited,
  encode,
  entityOf,
  fresh,
  left,
  parse,
  readAs,
  sealed,
  setAt,
  source,
  withValue,
} from '../../../test/kit/adapter.ts';
import { claimant, engine, pngWith, sample, sampleBytes, tinyPng } from '../../../test/kit/rolecall.ts';
import { bytesOf } from '../../core/bytes.ts';
import { same, type Wire } from '../../core/draft.ts';
import { BunzaiError } from '../../core/errors.ts';
import { emptyPersona, type PersonaBody } from '../../entities/persona/schema.ts';
import { entityFaults } from '../../entities/validate.ts';
import { rolecallPersona } from './persona.ts';
import { folded, unfolded } from './persona-fold.ts';

const salma = sample('rolecall-persona.salma.json');
const wei = sample('rolecall-persona.wei-card.json');
const wrapped = sample('rolecall-persona.wrapped.json');
const RC = 'data.extensions.rolecall';
/** The card without its link: whether a linked book is at hand is the matter of the engine. */
const alone = withValue(wei, `${RC}.lorebook_id`, undefined);

const open = (value: unknown) => readAs(rolecallPersona, value);
const edit = (wire: Wire, change: (body: PersonaBody) => void): Wire => edited(rolecallPersona, wire, change as never);

type Row = [path: string, wire: string, value: unknown, spelled: unknown, cleared?: unknown];

const ENVELOPE: Row[] = [
  ['name', 'data.name', 'ليلى', 'ليلى', ''],
  ['brief', 'data.description', 'b', 'b'],
  ['rating', 'data.metadata.content_rating', 'explicit', 'after_dark'],
  ['attribution.creator', 'data.metadata.creator', 'c', 'c'],
  ['attribution.version', 'data.metadata.version', '3', '3'],
  ['attribution.createdAt', 'data.metadata.created_at', '2020-01-01', '2020-01-01'],
  ['attribution.source', 'data.metadata.source', 'custom', 'custom'],
];

const CARD: Row[] = [
  ['brief', 'data.creator_notes', 'b', 'b', ''],
  ['sections.personality', 'data.personality', 'p', 'p', ''],
  ['sections.history', 'data.scenario', 'h', 'h', ''],
  ['sections.quirks', `${RC}.quirks`, 'q', 'q'],
  ['sectionOrder', `${RC}.section_order`, ['body'], ['body']],
  ['traits', 'data.tags', ['t'], ['t'], []],
  ['identity.tagline', `${RC}.tagline`, 't', 't'],
  ['identity.age', `${RC}.age`, '20', '20'],
  ['identity.height', `${RC}.height`, '1m', '1m'],
  ['identity.pronouns', `${RC}.pronouns`, 'they', 'they'],
  ['presentation.signatureColor', `${RC}.signature_color`, '#111111', '#111111'],
  ['presentation.imageUrl', `${RC}.image_url`, 'https://example.org/n.png', 'https://example.org/n.png'],
  ['knowledgeRefs', `${RC}.lorebook_id`, ['book-2'], 'book-2'],
];

describe('fields', () => {
  const rows: [shape: string, wire: Wire, ...Row][] = [
    ...ENVELOPE.map((row): [string, Wire, ...Row] => ['envelope', salma, ...row]),
    ...CARD.map((row): [string, Wire, ...Row] => ['card', wei, ...row]),
  ];
  test.each(rows)('%s $2 stands at $3', (_shape, wire, path, home, value, spelled, cleared) => {
    const base = at(wire, home) === undefined ? withValue(wire, home, 'old') : wire;
    const after = edit(base, (body) => setAt(body, path, value));
    expect(at(after, home)).toEqual(spelled);
    expect(withValue(after, home, at(base, home))).toEqual(base);
    if (path === 'name') return;
    const gone = edit(base, (body) => setAt(body, path, undefined));
    expect(at(gone, home)).toEqual(cleared);
    expect(withValue(gone, home, at(base, home))).toEqual(base);
  });

  test.each(ENVELOPE)('a fresh envelope says %s at %s', (path, home, value, spelled) => {
    const body = { ...emptyPersona(), name: 'N' };
    setAt(body, path, value);
    const wire = fresh(rolecallPersona, body);
    expect(at(wire, home)).toEqual(spelled);
    expect(wire).toMatchObject({ spec: 'rolecall_persona', spec_version: '1.0' });
    expect(open(wire).body).toMatchObject(body);
  });

  test('what is read fits the schema, and nothing changes without an edit', () => {
    for (const value of [salma, wei, wrapped]) {
      const entity = open(value);
      expect(entityFaults(entity)).toEqual([]);
      expect(sealed(rolecallPersona, entity)).toEqual(encode(value));
    }
    for (const name of ['rolecall-persona.ida.png', 'rolecall-persona.wei-card.png'])
      expect(sealed(rolecallPersona, open(sampleBytes(name)))).toEqual(sampleBytes(name));
  });

  test('what has no slot stays in escrow, and is named', () => {
    expect(left(rolecallPersona, salma)).toEqual(['data.metadata.tags']);
    expect(left(rolecallPersona, wei)).toEqual([
      'data.creator',
      `${RC}.id`,
      `${RC}.colors[0].name`,
      `${RC}.colors[0].label`,
      `${RC}.colors[1].name`,
      `${RC}.colors[1].label`,
      `${RC}.source`,
    ]);
  });
});

test('the id is made from the name, or from the file where nothing is left of it', () => {
  expect(open(salma).id).toBe('سلمى');
  expect(open(withValue(salma, 'data.name', '***')).id).toBe('persona');
});

describe('brief and content', () => {
  test('brief and content are never swapped', () => {
    expect(open(wei).body).toMatchObject({ brief: '修表匠 ⌚', content: '我是夜班的修表匠。\n\n我不问客人的时间。' });
    expect(open(wrapped).body).toMatchObject({ brief: 'Night nurse.', content: 'I work nights and I whisper.' });
    expect(open(withValue(wei, 'data.creator_notes', '')).body.brief ?? '').toBe('');
  });

  test('a blank content is made of the sections, in their fixed order', () => {
    expect(open(salma).body.content).toBe('Appearance: معطف أزرق.\n\nPersonality: فضولية.\n\nHistory: ولدت على سفينة.');
  });

  test('a content of its own stays beside the sections', () => {
    const both = withValue(salma, 'data.content', 'mine');
    expect(open(both).body).toMatchObject({ content: 'mine', sections: { personality: 'فضولية.' } });
    const after = edit(both, (body) => setAt(body, 'sections.personality', 'calm'));
    expect(after).toEqual(withValue(both, 'data.sections.personality', 'calm'));
  });

  test('an edited section does not change what the content said', () => {
    const entity = open(salma);
    setAt(entity.body, 'sections.history', 'new');
    const after = open(sealed(rolecallPersona, entity));
    expect(after.body).toEqual(entity.body);
    expect(at(after.original?.['rolecall-persona']?.raw, 'data.content')).toContain('ولدت');
  });

  test('a cleared section goes, and its neighbours stay', () => {
    const both = withValue(salma, 'data.content', 'mine');
    const after = edit(both, (body) => setAt(body, 'sections.appearance', undefined));
    expect(after).toEqual(withValue(both, 'data.sections.appearance', undefined));
  });
});

describe('the folded description', () => {
  const after = (change: (body: PersonaBody) => void) => at(edit(wei, change), 'data.description');

  test('the first Appearance and the first Body paragraph leave the content', () => {
    expect(open(wei).body.sections).toMatchObject({ appearance: '灰围裙，放大镜。', body: '瘦高。' });
    const twice = unfolded('a\n\nBody: one\n\nBody: two');
    expect(twice).toEqual({ content: 'a\n\nBody: two', body: 'one', appearance: undefined });
  });

  test('it is folded anew only when content, appearance or body change', () => {
    const other = edit(wei, (body) => setAt(body, 'sections.quirks', 'none'));
    expect(at(other, 'data.description')).toBe(at(wei, 'data.description'));
    expect(after((body) => setAt(body, 'sections.body', '矮'))).toBe(
      '我是夜班的修表匠。\n\n我不问客人的时间。\n\nAppearance: 灰围裙，放大镜。\n\nBody: 矮',
    );
    expect(after((body) => setAt(body, 'sections.appearance', undefined))).toBe(
      '我是夜班的修表匠。\n\n我不问客人的时间。\n\nBody: 瘦高。',
    );
    expect(after((body) => setAt(body, 'content', ''))).toBe('Appearance: 灰围裙，放大镜。\n\nBody: 瘦高。');
  });

  test('what is folded unfolds again, blank lines and line ends as they were', () => {
    for (const one of [
      { content: 'a\n\n\nb\n', appearance: 'x', body: 'y' },
      { content: 'a\r\n\r\nb', appearance: 'two\nlines' },
      { body: 'only' },
      { content: 'Appearances deceive: yes' },
    ])
      expect(unfolded(folded(one))).toMatchObject(one);
  });

  test('a blank line inside appearance ends it, and the report says so', async () => {
    const entity = open(alone);
    setAt(entity.body, 'sections.appearance', 'a\n\nb');
    const { report } = await engine.write([entity], 'rolecall-persona');
    expect(report.losses.map(({ path }) => path)).toEqual(['content', 'sections.appearance']);
  });
});

describe('rating, colours and books', () => {
  const MARK = `${RC}.is_after_dark`;

  test('after dark is a mark that stands only when it is true', () => {
    expect(open(wei).body.rating).toBe('explicit');
    const tame = edit(wei, (body) => setAt(body, 'rating', 'all-ages'));
    expect(tame).toEqual(withValue(wei, MARK, undefined));
    expect(open(tame).body.rating).toBe('all-ages');
    expect(edit(tame, (body) => setAt(body, 'rating', 'explicit'))).toEqual(withValue(tame, MARK, true));
    expect(edit(withValue(wei, MARK, false), (body) => setAt(body, 'rating', 'all-ages'))).toEqual(
      withValue(wei, MARK, false),
    );
  });

  test('mature becomes after dark, and the report says so', async () => {
    const body: PersonaBody = { name: 'N', content: 'c', rating: 'mature' };
    const { report, files } = await engine.write([entityOf('persona', body)], 'rolecall-persona');
    expect(at(parse(files[0]?.bytes ?? new Uint8Array()), 'data.metadata.content_rating')).toBe('after_dark');
    expect(report.losses).toMatchObject([{ path: 'rating', kind: 'changed', reason: 'mature becomes after_dark' }]);
  });

  test('a colour keeps its name and label', () => {
    const after = edit(wei, (body) => setAt(body, 'presentation.colors', ['#000000', '#ffca28', '#123456']));
    expect(at(after, `${RC}.colors`)).toEqual([
      { hex: '#000000', name: 'steel', label: '钢' },
      { hex: '#ffca28', name: 'brass', label: '铜' },
      { hex: '#123456' },
    ]);
    const record = withValue(wei, `${RC}.signature_color`, { hex: '#455a64', name: 'steel' });
    expect(
      at(
        edit(record, (body) => setAt(body, 'presentation.signatureColor', '#1')),
        `${RC}.signature_color`,
      ),
    ).toEqual({
      hex: '#1',
      name: 'steel',
    });
  });

  test('only the first linked book is written', async () => {
    const entity = open(wei);
    entity.body.knowledgeRefs = ['a', 'b'];
    const { report, files } = await engine.write([entity], 'rolecall-persona');
    expect(at(parse(files[0]?.bytes ?? new Uint8Array()), `${RC}.lorebook_id`)).toBe('a');
    expect(report.losses).toContainEqual(
      expect.objectContaining({ path: 'knowledgeRefs', kind: 'changed', now: '["a"]' }),
    );
  });
});

describe('carriers and wrappers', () => {
  test('a wrapped persona is edited inside its wrapper', () => {
    const after = edit(wrapped, (body) => setAt(body, 'content', 'c'));
    expect(after).toEqual(withValue(wrapped, 'data.persona.data.content', 'c'));
    const inner = { persona: at(wrapped, 'data.persona') };
    expect(edit(inner as Wire, (body) => setAt(body, 'brief', 'b'))).toEqual(
      withValue(inner as Wire, 'persona.data.description', 'b'),
    );
    expect(left(rolecallPersona, wrapped)).toEqual([]);
  });

  test('a card persona may lie bare in a picture', async () => {
    const bytes = pngWith({ keyword: 'chara', value: at(wei, 'data') });
    expect(await claimant(bytes)).toBe('rolecall-persona');
    const entity = open(bytes);
    entity.body.brief = 'new';
    const again = open(sealed(rolecallPersona, entity));
    expect(again.body).toMatchObject({ brief: 'new', identity: { age: '五十' } });
    expect(at(again.original?.['rolecall-persona']?.raw, 'creator_notes')).toBe('new');
  });

  test('an edit goes back into the chunk it came from', () => {
    for (const [name, slot] of [
      ['rolecall-persona.ida.png', 'rcpersona'],
      ['rolecall-persona.wei-card.png', 'chara'],
    ] as const) {
      const entity = open(sampleBytes(name));
      entity.body.content = 'changed';
      const again = open(sealed(rolecallPersona, entity));
      expect(again.body.content).toBe('changed');
      expect(again.original?.['rolecall-persona']?.unmapped).toMatchObject({ slot });
      expect(same(again.body.media?.portrait?.ref, entity.body.media?.portrait?.ref)).toBe(true);
    }
  });

  test('every payload of a picture says the same after an edit', () => {
    const entity = open(
      pngWith({ keyword: 'chara', value: wei }, { keyword: 'ccv3', value: { ...wei, spec: 'chara_card_v3' } }),
    );
    entity.body.brief = 'both';
    const raw = open(sealed(rolecallPersona, entity)).original?.['rolecall-persona'];
    expect(at(raw?.raw, 'data.creator_notes')).toBe('both');
    expect(raw?.unmapped?.payloads).toMatchObject([{ keyword: 'chara', value: { data: { creator_notes: 'both' } } }]);
  });

  test('a fresh persona goes into its portrait, as the chunk that RoleCall writes', () => {
    const body: PersonaBody = {
      name: 'N',
      content: 'c',
      media: { portrait: { role: 'portrait', ref: bytesOf(tinyPng(), 'image/png') } },
    };
    const again = open(sealed(rolecallPersona, entityOf('persona', body)));
    expect(again.original?.['rolecall-persona']?.unmapped).toMatchObject({ slot: 'rcpersona', shape: 'rcpersona' });
    expect(again.body).toMatchObject({ name: 'N', content: 'c', media: { portrait: { role: 'portrait' } } });
  });

  test('a persona without a name is refused, read or written', () => {
    const nameless = withValue(salma, 'data.name', '');
    expect(() => open(nameless)).toThrow(BunzaiError);
    expect(() => open(withValue(wei, 'data.name', undefined))).toThrow(BunzaiError);
    expect(() => fresh(rolecallPersona, { name: '', content: 'c' })).toThrow(BunzaiError);
    expect(rolecallPersona.detect(source(nameless))).toBe(1);
  });
});

describe('conversions', () => {
  test('RoleCall to itself through the engine loses nothing', async () => {
    for (const value of [encode(salma), encode(alone), encode(wrapped), sampleBytes('rolecall-persona.ida.png')]) {
      const { report } = await engine.convert(value, 'rolecall');
      expect(report.losses).toEqual([]);
    }
  });

  test('a card persona keeps its shape; what came from elsewhere becomes an envelope, and its losses are named', async () => {
    const { body } = open(alone);
    const { report, files } = await engine.write([entityOf('persona', body)], 'rolecall-persona');
    expect(parse(files[0]?.bytes ?? new Uint8Array())).toMatchObject({ spec: 'rolecall_persona' });
    expect(report.losses.map(({ path }) => path)).toEqual([
      'sectionOrder',
      'traits',
      'identity.tagline',
      'identity.age',
      'identity.height',
      'identity.pronouns',
      'presentation.signatureColor',
      'presentation.colors',
      'presentation.imageUrl',
    ]);
  });
});
