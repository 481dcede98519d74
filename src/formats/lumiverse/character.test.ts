import { describe, expect, test } from 'vitest';
import { differences, parse, source, withValue } from '../../../test/kit/adapter.ts';
import { engine, sampleBytes, sampleJson } from '../../../test/kit/lumiverse.ts';
import { bytesOf, equalBytes, isBytes } from '../../core/bytes.ts';
import { isRecord, valueAt, type Wire } from '../../core/draft.ts';
import { sourceOf } from '../../core/source.ts';
import type { CharacterBody, MediaAsset } from '../../entities/character/schema.ts';
import { emptyCharacter } from '../../entities/character/schema.ts';
import type { EntityOf } from '../../entities/kinds.ts';
import { emptyEntry, emptyLorebook } from '../../entities/lorebook/schema.ts';
import { pngOf, textChunks } from '../_shared/png.ts';
import { placeholderPng } from '../_shared/png-write.ts';
import { writeZip, type Zip, zipOf } from '../_shared/zip.ts';
import { lumiverse } from './character.ts';

type Character = EntityOf<'character'>;
type Book = EntityOf<'lorebook'>;
const JSON_FILE = 'lumiverse.ananya.json';
const ZIP_FILE = 'lumiverse.mira.charx';
const ananya = sampleJson(JSON_FILE);
const mira = sampleBytes(ZIP_FILE);
await lumiverse.prepare?.('write');

const read = (wire: unknown): Character => lumiverse.toCanonical(source(wire))[0] as Character;
const write = (entity: Character, context = {}) => lumiverse.fromCanonical([entity], context);
const edited = (entity: Character, edit: (body: CharacterBody) => void): Character => {
  const { body } = entity;
  const copy: CharacterBody = {
    ...body,
    identity: { ...body.identity },
    media: { ...body.media },
    persona: { ...body.persona },
  };
  edit(copy);
  return { ...entity, body: copy };
};
const made = (edit: (body: CharacterBody) => void): Character => {
  const body = emptyCharacter();
  body.identity.name = 'Mira';
  edit(body);
  return { schemaVersion: '1', kind: 'character', id: 'mira', body };
};
const extensions = (wire: Wire) => valueAt(wire, ['data', 'extensions']) as Wire;
const zip = (bytes: Uint8Array): Zip => zipOf(sourceOf(bytes)) as Zip;
const names = (bytes: Uint8Array) => zip(bytes).members.map(({ name }) => name);
const member = (bytes: Uint8Array, name: string): Wire => parse(zip(bytes).get(name)?.content.bytes());
const modules = (bytes: Uint8Array) => member(bytes, 'lumiverse_modules.json');
const labels = (assets: readonly MediaAsset[] = []) => assets.map(({ role, label }) => `${role} ${label}`);
const picture = (n: number) => bytesOf(new Uint8Array([0xff, 0xd8, 0xff, 0xe0, n]), 'image/jpeg');
const left = (entity: Character) => lumiverse.account(entity).left.map(({ path }) => path);

describe('a card', () => {
  test('the field map', () => {
    const { body } = read(ananya);
    expect(body.identity).toMatchObject({ name: 'अनन्या', nickname: 'अनु', characterVersion: '1.2' });
    expect(body.settings?.talkativeness).toBe(0.4);
    expect(body.prompts.depthInjections?.[0]).toMatchObject({ text: 'The water is rising.', depth: 3 });
    expect(labels(body.media.assets)).toEqual(['emotion neutral', 'emotion हँसी', 'emotion Ravi/neutral']);
    expect(body.variants).toEqual([
      {
        id: '7d0e',
        label: 'Formal',
        overrides: {
          identity: { description: 'The keeper of the river clocks.' },
          persona: { scenario: 'The guild hall, at noon.' },
        },
      },
      { id: '91aa', label: 'बचपन', overrides: { identity: { description: 'एक लड़की जो घड़ियाँ खोलती है।' } } },
      { id: 'av1', label: 'Festival', overrides: { media: { portrait: { role: 'portrait', ref: 'img-4f1c' } } } },
    ]);
  });
  test('unedited, JSON and picture are what they were', () => {
    expect(parse(write(read(ananya)).bytes)).toEqual(ananya);
    const png = sampleBytes('lumiverse.nok.png');
    expect(write(read(png)).bytes).toEqual(png);
  });
  test('keys of the account are named and stay', () => {
    expect(left(read(ananya))).toEqual(
      expect.arrayContaining(
        [
          'world_book_ids',
          'ttsVoice',
          'lumiverse_image_gen_lora',
          'alternate_fields.costume',
          'expressions.enabled',
          'expressions.defaultExpression',
        ].map((key) => `data.extensions.${key}`),
      ),
    );
  });
  test.each<readonly [string, (body: CharacterBody) => void, readonly string[]]>([
    [
      'the other name',
      (body) => {
        body.identity.nickname = 'Anu';
      },
      ['data.extensions.alternate_character_name'],
    ],
    [
      'a label of an expression',
      (body) => {
        body.media.assets = (body.media.assets ?? []).map((one) =>
          one.label === 'हँसी' ? { ...one, label: 'smile' } : one,
        );
      },
      ['data.extensions.expressions.mappings.हँसी', 'data.extensions.expressions.mappings.smile'],
    ],
    [
      'an alternate',
      (body) => {
        body.variants = (body.variants ?? []).map((one) =>
          one.id === '91aa' ? { ...one, overrides: { identity: { description: 'x' } } } : one,
        );
      },
      ['data.extensions.alternate_fields.description.1.content'],
    ],
    [
      'a label of an alternate',
      (body) => {
        body.variants = (body.variants ?? []).map((one) => (one.id === '91aa' ? { ...one, label: 'Child' } : one));
      },
      ['data.extensions.alternate_fields.description.1.label'],
    ],
  ])('an edit of %s touches its own key', (_, edit, paths) => {
    expect(differences(ananya, parse(write(edited(read(ananya), edit)).bytes))).toEqual(paths);
  });
  test('cleared variants take their lists along, and leave what nobody read', () => {
    const card = extensions(
      parse(
        write(
          edited(read(ananya), (body) => {
            delete body.variants;
          }),
        ).bytes,
      ),
    );
    expect(card.alternate_fields).toEqual({ costume: [{ id: 'c1', label: 'Festival', content: 'A marigold shawl.' }] });
    expect(card).not.toHaveProperty('alternate_avatars');
  });
  test('alternate_character_name comes before the nickname of V3, and is what a new card has', () => {
    const both = withValue(withValue(ananya, 'data.nickname', 'N'), 'data.extensions.alternate_character_name', 'A');
    expect(read(both).body.identity.nickname).toBe('A');
    const card = parse(
      write(
        made((body) => {
          body.identity.nickname = 'Min';
        }),
      ).bytes,
    );
    expect(extensions(card).alternate_character_name).toBe('Min');
  });
  test('a new card has a key that nobody else writes', async () => {
    const sealed = write(made(() => {}));
    expect(extensions(parse(sealed.bytes))).toEqual({ alternate_fields: {} });
    expect((await engine.detect(sealed.bytes))?.format).toBe('lumiverse');
  });
  test('a variant of several texts is one alternate in each field', () => {
    const variants = [
      { id: 'v', label: 'ฝน', overrides: { identity: { description: 'wet' }, persona: { scenario: 'rain' } } },
    ];
    const card = parse(
      write(
        made((body) => {
          body.variants = variants;
        }),
      ).bytes,
    );
    expect(extensions(card).alternate_fields).toEqual({
      description: [{ id: 'v', label: 'ฝน', content: 'wet' }],
      scenario: [{ id: 'v', label: 'ฝน', content: 'rain' }],
    });
    expect(read(card).body.variants).toEqual(variants);
  });
  test('ids of the account are taken out of a file to be shared', () => {
    const stripped = lumiverse.stripSecrets?.(ananya);
    expect(stripped?.removed).toEqual(['data.extensions.world_book_ids', 'data.extensions.databank_ids']);
    expect(extensions(stripped?.raw as Wire)).not.toHaveProperty('world_book_ids');
  });
});

describe('an archive', () => {
  test('modules are read beside the card', () => {
    const { body } = read(mira);
    expect(labels(body.media.assets)).toEqual(['emotion neutral', 'emotion ยิ้ม', 'emotion Juno/angry', 'other 7c']);
    expect(body.media.assets?.every(({ ref }) => isBytes(ref))).toBe(true);
    expect(isBytes(body.media.portrait?.ref)).toBe(true);
    expect(body.variants?.map(({ id, label }) => [id, label])).toEqual([
      ['f-1', 'Young'],
      ['f-2', 'Storm'],
      ['av-1', 'Oilskin'],
    ]);
    expect(isBytes(valueAt(body.variants?.[2]?.overrides, ['media', 'portrait', 'ref']))).toBe(true);
  });
  test('unedited, every member is what it was, in its order', () => {
    const out = write(read(mira)).bytes;
    expect(names(out)).toEqual(names(mira));
    for (const { name, content } of zip(out).members)
      expect(equalBytes(content, zip(mira).get(name)?.content as never), name).toBe(true);
  });
  test('what stays in escrow is named', () => {
    expect(left(read(mira))).toEqual([
      'modules.expressions.enabled',
      'modules.expressions.defaultExpression',
      'modules.landing_perspective_layers',
      'modules.regex_scripts',
    ]);
    expect(lumiverse.account(read(mira)).warnings?.map(({ code }) => code)).toEqual(['card.carries-code']);
  });
  test('an edit of the card leaves the modules byte for byte, and the other way round', () => {
    const renamed = write(
      edited(read(mira), (body) => {
        body.identity.description = 'x';
      }),
    ).bytes;
    expect(zip(renamed).get('lumiverse_modules.json')?.content.bytes()).toEqual(
      zip(mira).get('lumiverse_modules.json')?.content.bytes(),
    );
    const relabelled = write(
      edited(read(mira), (body) => {
        body.variants = (body.variants ?? []).slice(1);
      }),
    ).bytes;
    expect(zip(relabelled).get('card.json')?.content.bytes()).toEqual(zip(mira).get('card.json')?.content.bytes());
    expect(differences(modules(mira), modules(relabelled))).toEqual(['alternate_fields.description']);
  });
  test('an expression keeps its member under a new label, and a new picture takes its place', () => {
    const renamed = write(
      edited(read(mira), (body) => {
        body.media.assets = (body.media.assets ?? []).map((one) =>
          one.label === 'ยิ้ม' ? { ...one, label: 'smile' } : one,
        );
      }),
    ).bytes;
    expect(valueAt(modules(renamed), ['expressions', 'mappings'])).toEqual({
      neutral: 'assets/other/image/expr_neutral.png',
      smile: 'assets/other/image/expr_____.png',
    });
    const shot = write(
      edited(read(mira), (body) => {
        body.media.assets = (body.media.assets ?? []).map((one) =>
          one.label === 'neutral' ? { ...one, ref: picture(1) } : one,
        );
      }),
    ).bytes;
    expect(names(shot)).toContain('assets/other/image/expr_neutral.jpg');
    expect(names(shot)).not.toContain('assets/other/image/expr_neutral.png');
    expect(read(shot).body.media.assets?.[0]?.mime).toBe('image/jpeg');
  });
  test('pictures that nobody asks for any more go', () => {
    const out = write(
      edited(read(mira), (body) => {
        body.media = {};
        delete body.variants;
      }),
    ).bytes;
    expect(names(out)).toEqual(['card.json', 'assets/other/image/landing_layer_fog_l1.png', 'lumiverse_modules.json']);
    expect(read(out).body.media).toEqual({});
  });
  test('a new archive: expressions in the modules, everything else in rows, the main picture in both', () => {
    const out = write(
      made((body) => {
        body.media = {
          portrait: { role: 'portrait', ref: picture(1) },
          assets: [
            { role: 'emotion', label: 'sad', ref: picture(2) },
            { role: 'emotion', label: 'Juno/glad', ref: picture(3) },
            { role: 'background', label: 'pier', ref: picture(4) },
          ],
        };
        body.variants = [
          { id: 'v', label: 'Wet', overrides: { media: { portrait: { role: 'portrait', ref: picture(5) } } } },
        ];
      }),
    ).bytes;
    expect(modules(out)).toMatchObject({
      version: 1,
      expressions: { enabled: true, defaultExpression: 'sad', mappings: { sad: 'assets/other/image/expr_sad.jpg' } },
      expression_groups: { groups: { Juno: { glad: 'assets/other/image/exprg_Juno--glad.jpg' } } },
      alternate_avatars: [{ id: 'v', label: 'Wet', path: 'assets/icon/image/v.jpg' }],
    });
    const rows = valueAt(member(out, 'card.json'), ['data', 'assets']) as Wire[];
    expect(rows.map(({ type, uri }) => [type, uri])).toEqual([
      ['icon', 'embeded://assets/icon/image/main.jpg'],
      ['background', 'embeded://assets/background/image/pier.jpg'],
    ]);
    const { body } = read(out);
    expect(labels(body.media.assets)).toEqual(['emotion sad', 'emotion Juno/glad', 'background pier']);
    expect(equalBytes(body.media.portrait?.ref as never, picture(1))).toBe(true);
    expect(write(read(out)).bytes).toEqual(out);
  });
  test('a new archive has modules, so that it is known again', async () => {
    const out = write(
      made(() => {}),
      { container: 'charx' },
    ).bytes;
    expect(modules(out)).toEqual({ version: 1 });
    expect((await engine.detect(out))?.format).toBe('lumiverse');
  });
  test('an archive goes to JSON with its alternates in the card', () => {
    const card = parse(write(read(mira), { container: 'json' }).bytes);
    expect(extensions(card).alternate_fields).toMatchObject({
      description: [{ id: 'f-1' }],
      personality: [{ id: 'f-2' }],
    });
    expect(read(card).body.variants?.map(({ id }) => id)).toEqual(['f-1', 'f-2']);
  });
  test('modules that cannot be read are kept as they are', () => {
    const broken = bytesOf(new TextEncoder().encode('{"version": 1'));
    const members = zip(mira).members.map((one) =>
      one.name === 'lumiverse_modules.json' ? { name: one.name, content: broken } : one,
    );
    const bytes = writeZip(members.map(({ name, content }) => ({ name, content })));
    const entity = read(bytes);
    expect(lumiverse.account(entity).warnings?.map(({ code }) => code)).toEqual(['charx.part']);
    const out = write(
      edited(entity, (body) => {
        body.identity.description = 'x';
      }),
    ).bytes;
    expect(zip(out).get('lumiverse_modules.json')?.content.bytes()).toEqual(broken.bytes());
  });
});

describe('world books in an archive', () => {
  const opened = () => engine.read(mira);
  test('every book is an entity, and the card points at all of them', async () => {
    const { entities } = await opened();
    expect(entities.map(({ kind }) => kind)).toEqual(['character', 'lorebook', 'lorebook']);
    expect((entities[0] as Character).body.knowledgeRefs).toEqual(entities.slice(1).map(({ id }) => id));
    expect(entities.slice(1).map((one) => (one as Book).body.name)).toEqual(['The Harbour ท่าเรือ', 'Tides']);
  });
  test('unedited, they are what they were', async () => {
    const { files, report } = await engine.write((await opened()).entities, 'lumiverse');
    expect(modules(files[0]?.bytes as Uint8Array)).toEqual(modules(mira));
    expect(member(files[0]?.bytes as Uint8Array, 'card.json')).toEqual(member(mira, 'card.json'));
    expect([report.losses, report.escrowed, report.escrowShadowed]).toEqual([[], [], []]);
  });
  test('an edit goes to the book and to the copy in the card', async () => {
    const { entities } = await opened();
    const tides = entities[2] as Book;
    const entries = tides.body.entries.map((entry) => ({ ...entry, content: 'The mud is gone.', title: 'Low' }));
    const { files, report } = await engine.write(
      [entities[0] as Character, entities[1] as Book, { ...tides, body: { ...tides.body, entries } }],
      'lumiverse',
    );
    const out = files[0]?.bytes as Uint8Array;
    expect(differences(modules(mira), modules(out))).toEqual([
      'world_books.1.entries.0.content',
      'world_books.1.entries.0.comment',
    ]);
    const book = 'data.character_book.entries.3';
    expect(differences(member(mira, 'card.json'), member(out, 'card.json'))).toEqual([
      `${book}.content`,
      `${book}.comment`,
    ]);
    expect(report.losses).toEqual([]);
  });
  test('a book that is not passed leaves the archive, and so does its copy', async () => {
    const { entities } = await opened();
    const card = entities[0] as Character;
    const alone = { ...card, body: { ...card.body, knowledgeRefs: [] } };
    const out = (await engine.write([alone], 'lumiverse')).files[0]?.bytes as Uint8Array;
    expect(modules(out)).not.toHaveProperty('world_books');
    expect(member(out, 'card.json').data).not.toHaveProperty('character_book');
  });
  test('a new archive holds several books whole, and one copy of them in the card', async () => {
    const book = (id: string): Book => ({
      schemaVersion: '1',
      kind: 'lorebook',
      id,
      body: { ...emptyLorebook(), name: id, entries: [{ ...emptyEntry('1'), title: id, content: id }] },
    });
    const card = made((body) => {
      body.knowledgeRefs = ['one', 'two'];
    });
    const { files, report } = await engine.write([card, book('one'), book('two')], 'lumiverse', { container: 'charx' });
    const out = files[0]?.bytes as Uint8Array;
    expect((modules(out).world_books as Wire[]).map(({ name }) => name)).toEqual(['one', 'two']);
    expect(valueAt(member(out, 'card.json'), ['data', 'character_book', 'entries'])).toHaveLength(2);
    expect(report.losses).toEqual([]);
  });
  test('a book in the card alone stays there', async () => {
    const card = withValue(ananya, 'data.character_book', {
      name: 'B',
      entries: [{ keys: ['a'], content: 'b', id: 0 }],
    });
    const { entities } = await engine.read(JSON.stringify(card));
    const { files } = await engine.write(entities, 'lumiverse');
    expect(parse(files[0]?.bytes)).toEqual(card);
  });
});

describe('conversion', () => {
  test('to SillyTavern: nothing but what it has no place for is lost, and all of that is told', async () => {
    const { report, files } = await engine.convert(sampleBytes(JSON_FILE), 'sillytavern');
    expect(report.losses.map(({ path }) => path).sort()).toEqual(
      ['media.assets[0]', 'media.assets[1]', 'media.assets[2]', 'variants[0]', 'variants[1]', 'variants[2]'].sort(),
    );
    const card = parse(files[0]?.bytes);
    expect(valueAt(card, ['data', 'nickname'])).toBe('अनु');
    expect(
      Object.keys(extensions(card)).filter((key) => /alternate|expression|world_book|lumiverse/.test(key)),
    ).toEqual([]);
    expect(report.escrowed.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['data.extensions.lumiverse_image_gen_lora', 'data.extensions.world_book_ids']),
    );
  });
  test('an archive to SillyTavern: the books become one, pictures are inlined', async () => {
    const { report, entities } = await engine.convert(mira, 'sillytavern');
    expect(entities).toHaveLength(3);
    const lost = new Set(report.losses.map(({ path }) => path.replace(/\[\d+\]/g, '')));
    expect([...lost].sort()).toEqual(expect.arrayContaining(['name', 'variants']));
    expect(report.escrowed.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['modules.regex_scripts', 'modules.landing_perspective_layers']),
    );
  });
  test('from SillyTavern and back: nothing is lost', async () => {
    const card = {
      spec: 'chara_card_v3',
      spec_version: '3.0',
      data: {
        name: 'นก',
        description: 'd',
        first_mes: 'f',
        nickname: 'N',
        tags: ['a'],
        extensions: { talkativeness: 0.3 },
        group_only_greetings: ['g'],
      },
    };
    const out = await engine.convert(JSON.stringify(card), 'lumiverse');
    expect(out.report.losses).toEqual([]);
    const back = await engine.convert(out.files[0]?.bytes as Uint8Array, 'sillytavern');
    expect(back.report.losses).toEqual([]);
    expect(parse(back.files[0]?.bytes).data).toMatchObject({ name: 'นก', nickname: 'N', group_only_greetings: ['g'] });
  });
  test('a picture with a new card has both payloads', async () => {
    const out = write(
      made((body) => {
        body.media.portrait = { role: 'portrait', ref: bytesOf(placeholderPng(), 'image/png') };
      }),
      { container: 'png' },
    );
    const png = pngOf(sourceOf(out.bytes));
    expect(png && textChunks(png).map(({ keyword }) => keyword)).toEqual(['chara', 'ccv3']);
    expect(isRecord(read(out.bytes).original?.lumiverse?.raw)).toBe(true);
  });
});
