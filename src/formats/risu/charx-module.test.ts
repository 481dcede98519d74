import { beforeAll, describe, expect, test } from 'vitest';
import { changes, sample, source } from '../../../test/formats/files.ts';
import { copied, encode, engine } from '../../../test/risu/kit.ts';
import { bytesOf } from '../../core/bytes.ts';
import { valueAt, type Wire } from '../../core/draft.ts';
import type { EntityOf } from '../../entities/kinds.ts';
import { emptyEntry, type LorebookBody } from '../../entities/lorebook/schema.ts';
import { loadDeflate } from '../_shared/inflate.ts';
import { writeZip, type Zip, zipOf } from '../_shared/zip.ts';
import { risu } from './index.ts';
import { risuLorebook } from './lorebook.ts';
import { openModule, sealModule } from './risum.ts';

const file = new Uint8Array(sample('risu', 'risu.module.charx').bytes);
const zip = (bytes: Uint8Array): Zip => zipOf(source(bytes)) as Zip;
const member = (bytes: Uint8Array, name: string) => zip(bytes).get(name)?.content.bytes() ?? new Uint8Array();
const moduleOf = (bytes: Uint8Array): Wire =>
  valueAt(openModule(member(bytes, 'module.risum')).value, ['module']) as Wire;
const cardOf = (bytes: Uint8Array): Wire => JSON.parse(new TextDecoder().decode(member(bytes, 'card.json'))) as Wire;
/** The sample with another module, or another card. */
const rebuilt = (module: (wire: Wire) => Wire, card: (wire: Wire) => Wire = (wire) => wire): Uint8Array =>
  writeZip(
    zip(file).members.map(({ name, content }) => {
      if (name === 'module.risum')
        return {
          name,
          content: bytesOf(sealModule({ module: module(moduleOf(file)), type: 'risuModule' }, undefined)),
        };
      if (name === 'card.json') return { name, content: bytesOf(encode(card(cardOf(file)))) };
      return { name, content };
    }),
    {},
  );
const opened = (bytes: Uint8Array) => {
  const [entity] = risu.toCanonical(source(bytes)) as [EntityOf<'character'>];
  const book = risu.extractLorebook?.(entity) as EntityOf<'lorebook'>;
  return { entity, book };
};
const sealed = (entity: EntityOf<'character'>, lorebooks?: readonly EntityOf<'lorebook'>[]): Uint8Array =>
  risu.fromCanonical([entity], lorebooks ? { lorebooks } : {}).bytes;
const edited = <E extends EntityOf<'character'> | EntityOf<'lorebook'>>(
  entity: E,
  change: (body: E['body']) => void,
): E => {
  const body = copied(entity.body);
  change(body);
  return { ...entity, body };
};

beforeAll(() => loadDeflate());

/** What two spellings of one book may differ in: ids are minted, and a card says the letter case of every row. */
const spoken = ({ entries, categories }: LorebookBody) => ({
  categories,
  entries: entries.map(({ id: _, caseSensitive, ...entry }) => ({ ...entry, caseSensitive: caseSensitive ?? false })),
});

test('the same book says the same in a file, in a card, and in a module', () => {
  const card = rebuilt(({ lorebook: _, ...rest }) => rest);
  const [alone] = risuLorebook.toCanonical(source(sample('risu', 'risu-lorebook.harbour.json').bytes)) as [
    EntityOf<'lorebook'>,
  ];
  expect(spoken(opened(card).book.body)).toEqual(spoken(alone.body));
  expect(spoken(opened(file).book.body)).toEqual(spoken(alone.body));
});

test('a regex that RisuAI tore at its commas is read in one piece, and an edit mends it', () => {
  const card = rebuilt(({ lorebook: _, ...rest }) => rest);
  const { entity, book } = opened(card);
  const next = sealed(entity, [
    edited(book, ({ entries }) => void Object.assign(entries[1]?.triggers[0] ?? {}, { keyword: 'x{1,2}' })),
  ]);
  expect(valueAt(cardOf(next), ['data', 'character_book', 'entries', '2', 'keys'])).toEqual(['/x{1,2}/i']);
});

describe('a module beside the card', () => {
  test('unedited every member keeps its bytes', async () => {
    const { entity, book } = opened(file);
    for (const next of [sealed(entity), sealed(entity, [book])]) {
      const [before, after] = [zip(file).members, zip(next).members];
      expect(after.map(({ name }) => name)).toEqual(before.map(({ name }) => name));
      for (const [at, { content }] of after.entries()) expect(content.bytes()).toEqual(before[at]?.content.bytes());
    }
    const { entities, warnings } = await engine.read(file);
    expect(entities.map(({ kind }) => kind)).toEqual(['character', 'lorebook']);
    expect(warnings.map(({ code }) => code)).toEqual(['read.repaired']);
  });
  test('its rules and triggers are those of the character', () => {
    const { behavior } = opened(file).entity.body;
    expect(behavior?.regexScripts?.map(({ label, phase }) => [label, phase])).toEqual([
      ['종소리', 'editdisplay'],
      ['括弧', 'editprocess'],
    ]);
    expect(behavior?.triggerScripts?.map(({ label, event }) => [label, event])).toEqual([['greet', 'start']]);
  });
  test('there is one book, that of the module, and it says the same as the book file', () => {
    const { book } = opened(file);
    const [alone] = risuLorebook.toCanonical(source(sample('risu', 'risu-lorebook.harbour.json').bytes)) as [
      EntityOf<'lorebook'>,
    ];
    expect(book.body.entries).toEqual(alone.body.entries);
    expect(book.body.categories).toEqual(alone.body.categories);
    expect(book.body).toMatchObject({ globalScanDepth: 5, tokenBudget: 800, globalRecursion: true });
  });
  test('an edit of the book goes to the card and to the module, and nowhere else', () => {
    const { entity, book } = opened(file);
    const next = sealed(entity, [
      edited(book, ({ entries }) => Object.assign(entries[0] ?? {}, { content: 'Stille.' })),
    ]);
    expect(changes(moduleOf(file), moduleOf(next))).toEqual(['lorebook.1.content']);
    expect(changes(cardOf(file), cardOf(next))).toEqual(['data.character_book.entries.1.content']);
  });
  test('an added and a removed entry, a renamed folder', () => {
    const { entity, book } = opened(file);
    const next = sealed(entity, [
      edited(book, ({ entries, categories }) => {
        entries.splice(1, 1);
        entries.push({ ...emptyEntry('n'), title: '새', content: 'neu' });
        Object.assign(categories?.[0] ?? {}, { name: 'Kai' });
      }),
    ]);
    const titles = (rows: unknown) => (rows as Wire[]).map(({ comment }) => comment);
    const expected = ['Kai', 'Buoy ⚓', '灯台', '새'];
    expect(titles(moduleOf(next).lorebook)).toEqual(expected);
    expect(titles(valueAt(cardOf(next), ['data', 'character_book', 'entries']))).toEqual(expected);
  });
  test('a book setting stands in the card alone', () => {
    const { entity, book } = opened(file);
    const next = sealed(entity, [edited(book, (body) => void Object.assign(body, { tokenBudget: 9 }))]);
    expect(changes(cardOf(file), cardOf(next))).toEqual(['data.character_book.token_budget']);
    expect(member(next, 'module.risum')).toEqual(member(file, 'module.risum'));
  });
  test('a book that is taken away leaves both, another book replaces both', () => {
    const { entity, book } = opened(file);
    const none = sealed(entity, []);
    expect(moduleOf(none).lorebook).toEqual([]);
    expect(valueAt(cardOf(none), ['data', 'character_book'])).toBeUndefined();
    const { original: _, ...bare } = edited(book, (body) => void body.entries.splice(1));
    const other = sealed(entity, [bare]);
    expect((moduleOf(other).lorebook as Wire[]).map(({ comment }) => comment)).toEqual(['港の人々', 'Buoy ⚓']);
    expect((valueAt(cardOf(other), ['data', 'character_book', 'entries']) as Wire[]).length).toBe(2);
  });
  test('an edit of a rule goes to the module, and to the card where that has rules', () => {
    const change = (bytes: Uint8Array) =>
      sealed(
        edited(
          opened(bytes).entity,
          ({ behavior }) => void Object.assign(behavior?.regexScripts?.[1] ?? {}, { find: 'x' }),
        ),
      );
    const next = change(file);
    expect(changes(moduleOf(file), moduleOf(next))).toEqual(['regex.1.in']);
    expect(cardOf(next)).toEqual(cardOf(file));
    const both = rebuilt((wire) => wire, withScripts);
    expect(changes(cardOf(both), cardOf(change(both)))).toEqual(['data.extensions.risuai.customScripts.1.in']);
  });
  test('rules that only the card has reach the module with an edit', () => {
    const bytes = rebuilt(({ regex: _, ...rest }) => rest, withScripts);
    expect(sealed(opened(bytes).entity)).toEqual(bytes);
    const next = sealed(
      edited(
        opened(bytes).entity,
        ({ behavior }) => void Object.assign(behavior?.regexScripts?.[0] ?? {}, { find: 'x' }),
      ),
    );
    expect((moduleOf(next).regex as Wire[]).map((row) => row.in)).toEqual(['x', '（([^）]*)）']);
    expect(changes(cardOf(bytes), cardOf(next))).toEqual(['data.extensions.risuai.customScripts.0.in']);
  });
  test('a cleared list leaves the module', () => {
    const next = sealed(edited(opened(file).entity, ({ behavior }) => void delete behavior?.triggerScripts));
    expect(changes(moduleOf(file), moduleOf(next))).toEqual(['trigger']);
  });
  test('a book in the card beside a module without one is read, and an edit reaches both', () => {
    const bytes = rebuilt((wire) => ({ ...wire, lorebook: [] }));
    const { entity, book } = opened(bytes);
    expect(book.body.entries).toHaveLength(3);
    expect(sealed(entity, [book])).toEqual(bytes);
    const next = sealed(entity, [edited(book, ({ entries }) => Object.assign(entries[0] ?? {}, { content: 'x' }))]);
    expect(moduleOf(next).lorebook).toHaveLength(4);
    expect(changes(cardOf(bytes), cardOf(next))).toEqual(['data.character_book.entries.1.content']);
  });
  test('a module that says something else counts, is read once, and the difference is a warning', async () => {
    const more = rebuilt((wire) => ({
      ...wire,
      lorebook: [...(wire.lorebook as Wire[]), { key: 'neu', comment: 'vierte', content: 'c', mode: 'normal' }],
    }));
    const { entities, warnings } = await engine.read(more);
    const books = entities.filter(({ kind }) => kind === 'lorebook') as EntityOf<'lorebook'>[];
    expect(books.map(({ body }) => body.entries.length)).toEqual([4]);
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'risu.module-differs' }));
    const scripts = rebuilt((wire) => ({ ...wire, regex: [] }), withScripts);
    expect((await engine.read(scripts)).warnings).toContainEqual(
      expect.objectContaining({ code: 'risu.module-differs', path: 'module.risum: regex' }),
    );
  });
  test('a module that cannot be read stays as it is, with a warning', async () => {
    const bytes = writeZip(
      zip(file).members.map(({ name, content }) => ({
        name,
        content: name === 'module.risum' ? bytesOf(Uint8Array.of(0x6f, 0, 1)) : content,
      })),
      {},
    );
    const { warnings, entities } = await engine.read(bytes);
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'charx.part', path: 'module.risum' }));
    const { files } = await engine.write(entities, 'risu');
    expect(files[0]?.bytes).toEqual(bytes);
  });
  test('scripts never go into the file of another app, the book does', async () => {
    const { report, files } = await engine.convert(file, 'sillytavern');
    const text = new TextDecoder().decode(files[0]?.bytes);
    expect(text).not.toContain('setvar');
    expect(report.losses.map(({ path }) => path)).toEqual(expect.arrayContaining(['behavior.triggerScripts[0]']));
  });
});

function withScripts(card: Wire): Wire {
  const data = card.data as Wire;
  const extensions = data.extensions as Wire;
  const risuai = { ...(extensions.risuai as Wire), customScripts: moduleOf(file).regex };
  return { ...card, data: { ...data, extensions: { ...extensions, risuai } } };
}
