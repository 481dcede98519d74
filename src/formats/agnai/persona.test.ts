import { describe, expect, test } from 'vitest';
import { parse, withValue } from '../../../test/kit/adapter.ts';
import { bodyOf, edited, engine, fresh, irma, left, nagi, read } from '../../../test/kit/agnai.ts';
import { bytesOf, isBytes } from '../../core/bytes.ts';
import { valueAt, type Wire } from '../../core/draft.ts';
import { put } from '../../core/lens.ts';
import type { EntityOf } from '../../entities/kinds.ts';
import { sealFreshPng } from '../_shared/card-seal.ts';
import { placeholderPng } from '../_shared/placeholder.ts';
import { agnaiBase, agnaiFields } from './fields.ts';

describe('persona', () => {
  const carrying = (persona: unknown) => ({ ...irma, persona }) as Wire;

  test('a text persona is the personality', () => {
    expect(bodyOf(irma).persona).toMatchObject({
      structured: { kind: 'text' },
      personality: expect.stringContaining('стажёром'),
    });
  });
  test('an attribute persona is kept as a map, and no personality is made of it', () => {
    const { persona } = bodyOf(nagi);
    expect(persona.personality).toBeUndefined();
    expect(persona.structured).toEqual({ kind: 'wpp', attributes: (nagi.persona as Wire).attributes });
  });
  test('an edit of the personality replaces only the first of several texts', () => {
    const twin = carrying({ kind: 'text', attributes: { text: ['one', 'two', 3] } });
    expect(edited(twin, (body) => (body.identity.name = 'X')).persona).toBe(twin.persona);
    expect(edited(twin, (body) => (body.persona.personality = 'uno')).persona).toEqual({
      kind: 'text',
      attributes: { text: ['uno', 'two', 3] },
    });
    expect(left(twin)).toEqual(expect.arrayContaining(['persona.attributes.text[1]', 'persona.attributes.text[2]']));
  });
  test('a cleared personality leaves an empty text, as the format needs one', () => {
    const next = edited(irma, (body) => delete body.persona.personality);
    expect(next).toEqual(carrying({ kind: 'text', attributes: { text: [''] } }));
  });
  test('a change of kind replaces the attributes', () => {
    const wpp = edited(irma, (body) => (body.persona.structured = { kind: 'sbf', attributes: { a: ['b'] } }));
    expect(wpp.persona).toEqual({ kind: 'sbf', attributes: { a: ['b'] } });
    const words = edited(nagi, (body) =>
      Object.assign(body.persona, { structured: { kind: 'text' }, personality: 'calm' }),
    );
    expect(words.persona).toEqual({ kind: 'text', attributes: { text: ['calm'] } });
    expect(
      edited(
        nagi,
        (body) =>
          (body.persona.structured = {
            kind: 'sbf',
            attributes: { ...(valueAt(nagi, ['persona', 'attributes']) as Record<string, string[]>) },
          }),
      ).persona,
    ).toEqual({
      ...(nagi.persona as Wire),
      kind: 'sbf',
    });
  });
  test('an edit of one attribute keeps the others, the odd ones and the keys beside them', () => {
    const twin = carrying({
      kind: 'boostyle',
      attributes: { a: ['b'], lone: 'text', odd: 4, mixed: ['x', 5] },
      more: true,
    });
    const next = edited(twin, (body) => {
      body.persona.structured = { kind: 'boostyle', attributes: { a: ['c'], lone: ['text'], mixed: ['x'] } };
    });
    expect(next.persona).toEqual({
      kind: 'boostyle',
      attributes: { a: ['c'], lone: 'text', odd: 4, mixed: ['x', 5] },
      more: true,
    });
    expect(left(twin)).toEqual(
      expect.arrayContaining(['persona.more', 'persona.attributes.odd', 'persona.attributes.mixed[1]']),
    );
  });
  test('a personality beside attributes has no place, and the report says so', async () => {
    const entity = read(nagi);
    entity.body.persona.personality = 'calm';
    const { report, files } = await engine.write([entity], 'agnai');
    expect(parse(files[0]!.bytes).persona).toEqual(nagi.persona);
    expect(report.losses).toMatchObject([{ path: 'persona.personality', kind: 'dropped' }]);
  });
  test('a kind that nobody knows stays in the twin until there is a personality to write', () => {
    const twin = carrying({ kind: 'haiku', attributes: { lines: ['a'] } });
    expect(bodyOf(twin).persona.structured).toBeUndefined();
    expect(left(twin)).toContain('persona');
    expect(edited(twin, (body) => (body.identity.name = 'X')).persona).toBe(twin.persona);
  });
});

describe('insert and greetings', () => {
  test('an insert without a text says nothing and keeps its depth', () => {
    expect(bodyOf(irma).prompts.depthInjections).toBeUndefined();
    expect(edited(irma, (body) => (body.prompts.depthInjections = [{ text: 'fog', depth: 3 }])).insert).toEqual({
      depth: 3,
      prompt: 'fog',
    });
  });
  test('insert is one slot: the first injection that is switched on', async () => {
    const card = fresh((body) => {
      body.prompts.depthInjections = [
        { text: 'off', depth: 1, enabled: false },
        { text: 'on', depth: 0, role: 'user' },
        { text: 'late', depth: 9 },
      ];
    });
    expect(card.insert).toEqual({ depth: 0, prompt: 'on' });
    const entity = read(nagi);
    entity.body.prompts.depthInjections!.push({ text: 'second', depth: 5 });
    const { report, files } = await engine.write([entity], 'agnai');
    expect(parse(files[0]!.bytes).insert).toEqual(nagi.insert);
    expect(report.losses.map(({ path }) => path)).toEqual(['prompts.depthInjections[1]']);
  });
  test('further keys of a cleared insert stay', () => {
    const twin = withValue(nagi, 'insert.label', 'x');
    expect(edited(twin, (body) => delete body.prompts.depthInjections).insert).toEqual({
      ...(twin.insert as Wire),
      prompt: '',
    });
  });
  test('alternativeGreetings is read, and an edit stays with the spelling', () => {
    const { alternateGreetings, ...rest } = irma;
    const twin = { ...rest, alternativeGreetings: alternateGreetings };
    expect(bodyOf(twin).greetings.alternateGreetings).toHaveLength(2);
    const next = edited(twin, (body) => (body.greetings.alternateGreetings![0]!.text = 'Йо.'));
    expect(next).toEqual({ ...twin, alternativeGreetings: ['Йо.', (alternateGreetings as string[])[1]] });
  });
  test('a greeting title has no place', async () => {
    const entity = read(irma);
    entity.body.greetings.alternateGreetings![0]!.title = 'first';
    const { report } = await engine.write([entity], 'agnai');
    expect(report.losses.map(({ path }) => path)).toEqual(['greetings.alternateGreetings[0].title']);
  });
});

describe('avatar and carriers', () => {
  const png = bytesOf(placeholderPng(), 'image/png');
  const uri = JSON.parse(JSON.stringify(png)) as string;

  test('a data: avatar is bytes, written as data: text', () => {
    const twin = { ...irma, avatar: uri };
    expect(isBytes(bodyOf(twin).media.portrait?.ref)).toBe(true);
    expect(bodyOf(twin).media.portrait?.mime).toBe('image/png');
    expect(put(agnaiFields, { card: twin }, bodyOf(twin)).card).toBe(twin);
    const next = edited(irma, (body) => (body.media.portrait = { role: 'portrait', ref: png }));
    expect(JSON.parse(JSON.stringify(next)).avatar).toBe(uri);
  });
  test('an avatar of which only the label changed keeps its text', () => {
    const twin = { ...irma, avatar: uri.replace(';base64', ';name=x;base64') };
    const body = bodyOf(twin);
    body.media.portrait = { ...body.media.portrait!, label: 'face' };
    expect(put(agnaiFields, { card: twin }, body).card).toBe(twin);
  });
  test('a path on a server is kept where it came from and never put into another card', () => {
    expect(bodyOf(irma).media.portrait).toEqual({
      role: 'portrait',
      ref: '/assets/7b1e/irma.webp',
      mime: 'image/webp',
    });
    expect(fresh((body) => (body.media.portrait = { role: 'portrait', ref: '/assets/7b1e/irma.webp' }))).toEqual(
      agnaiBase(),
    );
    expect(edited(irma, (body) => (body.media.portrait = { role: 'portrait', ref: 'pictures/x.png' })).avatar).toBe(
      irma.avatar,
    );
  });
  const around = (card: Wire) => sealFreshPng(png, [{ keyword: 'chara', value: card }]);

  test('native JSON in a picture is read and written back there; an unedited file keeps its bytes', async () => {
    const file = around(irma);
    expect(await engine.detect(file)).toMatchObject({ format: 'agnai', score: 1 });
    const { entities } = await engine.read(file);
    expect((await engine.write(entities, 'agnai')).files[0]!.bytes).toEqual(file);
    const main = entities[0] as EntityOf<'character'>;
    const next = { ...main, body: { ...main.body, discovery: { tags: ['one'] } } };
    const [out] = (await engine.write([next], 'agnai')).files;
    expect(out!.extension).toBe('png');
    expect((await engine.read(out!.bytes)).entities[0]!.original!.agnai!.raw).toEqual({ ...irma, tags: ['one'] });
  });
  test('a fresh file is JSON', async () => {
    const entity = { ...read(irma), original: {} };
    entity.body.media.portrait = { role: 'portrait', ref: png };
    const [out] = (await engine.write([entity], 'agnai')).files;
    expect(out!.extension).toBe('json');
    expect(parse(out!.bytes).avatar).toBe(uri);
  });
});
