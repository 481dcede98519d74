/**
 * Real files of the shared corpus: detected as their manifest says, unchanged when nothing was edited, and changed in
 * one place when one field was. Files are taken apart by walkers of the tests' own.
 */
import { afterAll, describe, expect, test } from 'vitest';
import type { Report } from '../src/core/report.ts';
import { createEngine } from '../src/engine.ts';
import type { AnyAdapter, AnyEntity } from '../src/entities/kinds.ts';
import { formats } from '../src/formats/index.generated.ts';
import {
  isPng,
  isRiff,
  isZip,
  type Piece,
  pngCards,
  pngPieces,
  pngText,
  riffPieces,
  zipPieces,
} from './kit/carriers.ts';
import { type CorpusRow, corpusFile, corpusIsThere, corpusRows, NO_CORPUS } from './kit/corpus.ts';
import { type Json, placesOf, readJson } from './kit/own-json.ts';
import { record } from './kit/summary.ts';

const engine = createEngine(formats as readonly AnyAdapter[]);
const known = new Set(engine.registry.adapters.map(({ id }) => id));
const rows = corpusRows();
const ours = rows.filter(({ format }) => known.has(format));
const unread = rows.filter(({ format }) => !known.has(format) && format !== 'none');
let edits = 0;

if (!corpusIsThere) console.log(NO_CORPUS);
else {
  afterAll(() => {
    const ids = [...new Set(unread.map(({ format }) => format))].join(', ');
    record('corpus round trips', {
      files: ours.length,
      edits,
      'not read': unread.length,
      formats: ids,
    });
  });
}

const textOf = (file: Buffer): string => {
  if (file[0] === 0xff && file[1] === 0xfe) return file.subarray(2).toString('utf16le');
  return file.toString('utf8').replace(/^\uFEFF/, '');
};
const tryJson = (text: string): Json | undefined => {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
};

/** A file taken apart: pieces that an edit of the card must not touch, and the JSON documents in it, by name. */
interface Parts {
  readonly others: readonly Piece[];
  readonly documents: ReadonlyMap<string, Json>;
}

function partsOf(file: Buffer, entities: readonly AnyEntity[]): Parts {
  if (isPng(file) && pngCards(file).length > 0) {
    const isCard = (piece: Piece) => /^(chara|ccv3)$/i.test(pngText(piece)?.keyword ?? '');
    const cards = pngCards(file).flatMap(({ keyword, text }, index) => {
      const json = tryJson(text);
      const name =
        pngCards(file).findIndex((card) => card.keyword === keyword) === index ? keyword : `${keyword} ${index}`;
      return json ? [[name, json] as const] : [];
    });
    return { others: pngPieces(file).filter((piece) => !isCard(piece)), documents: new Map(cards) };
  }
  if (isPng(file)) return { others: pngPieces(file).filter(({ name }) => name !== 'eXIf'), documents: twins(entities) };
  if (isRiff(file))
    return { others: riffPieces(file).filter(({ name }) => name !== 'EXIF'), documents: twins(entities) };
  if (isZip(file)) {
    const members = zipPieces(file);
    const json = members.flatMap(({ name, body }) => {
      const read = name.endsWith('.json') ? tryJson(textOf(body)) : undefined;
      return read ? [[name, read] as const] : [];
    });
    const documents = new Map(json);
    return { others: members.filter(({ name }) => !documents.has(name)), documents };
  }
  const json = tryJson(textOf(file));
  return { others: [], documents: json ? new Map([['the file', json]]) : twins(entities) };
}

/** EXIF and modules have encodings of their own: there the parsed source stands for the text. */
function twins(entities: readonly AnyEntity[]): Map<string, Json> {
  const raw = Object.values(entities[0]?.original ?? {})[0]?.raw;
  return new Map([['the card', readJson(JSON.stringify(raw))]]);
}

/** All but the documents is as it was. Cards that a picture repeats under one keyword become one when they are edited. */
const untouched = (before: Parts, after: Parts): void => {
  expect(after.others.map(({ name }) => name)).toEqual(before.others.map(({ name }) => name));
  before.others.forEach(({ name, whole }, index) => {
    expect(whole.equals(after.others[index]?.whole as Buffer), `${name} is not as it was`).toBe(true);
  });
  expect([...after.documents.keys()]).toEqual([...before.documents.keys()].filter((name) => !/ \d/.test(name)));
};
/** `merged`: a second card that said something else is overwritten by the edited one, and the report says so. */
const nothingLost = ({ losses, escrowShadowed }: Report, merged = false): void => {
  expect(losses).toEqual([]);
  expect(escrowShadowed.filter(({ path }) => !merged || !path.startsWith('unmapped.payloads.'))).toEqual([]);
};

/** An edit of one slot, by the end of the wire paths that may change with it. */
interface Edit {
  readonly what: string;
  readonly apply: (entity: AnyEntity) => AnyEntity;
  readonly places: readonly RegExp[];
}

const MARK = ' (edited)';

/** The wire homes of a canonical path, as patterns over a path in a document; keys of rows are any key. */
function homesOf(adapter: AnyAdapter, canonical: string): RegExp[] {
  const names = adapter.coverage.filter((row) => row.canonical === canonical).flatMap(({ wire }) => wire.split(', '));
  const ends = names.map((name) =>
    name
      .replace(/^(data|card|character)\./, '')
      .replace(/^.*\.value\./, '')
      .replace(/^.*\[\*\]/, '[*]'),
  );
  return ends.map((end) => {
    const pattern = end.replace(/[.[\]*]/g, '\\$&').replaceAll('\\[\\*\\]', '[^.]+');
    return new RegExp(`(^|\\.)${pattern}(\\.|$)`);
  });
}

/** The edits that this entity has something for. */
function editsFor(adapter: AnyAdapter, entity: AnyEntity): Edit[] {
  const exact = (path: string) => adapter.coverage.some((row) => row.canonical === path && row.fidelity === 'exact');
  const slot = (path: string, next: (value: unknown) => unknown): Edit[] => {
    const keys = path.split('.');
    const held = keys.reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], entity.body);
    const value = held === undefined || held === '' ? undefined : next(held);
    if (value === undefined || !exact(path)) return [];
    const apply = (one: AnyEntity) => ({ ...one, body: withSlot(one.body, keys, value) }) as AnyEntity;
    return [{ what: path, apply, places: homesOf(adapter, path) }];
  };
  const longer = (value: unknown) => (typeof value === 'string' ? value + MARK : undefined);
  const more = (value: unknown) => (Array.isArray(value) && value.length > 0 ? [...value, 'edited'] : undefined);
  if (entity.kind === 'character') {
    return [
      ...[
        'identity.name',
        'identity.description',
        'persona.personality',
        'greetings.firstMessage',
        'attribution.creator',
      ].flatMap((path) => slot(path, longer)),
      ...slot('discovery.tags', more),
    ];
  }
  if (entity.kind !== 'lorebook') {
    const plain = adapter.coverage.filter(({ canonical }) => !/[[*]/.test(canonical)).map(({ canonical }) => canonical);
    return plain.flatMap((path) => slot(path, longer)).slice(0, 3);
  }
  const first = entity.body.entries[0];
  if (!first) return slot('name', longer);
  const change = { ...first, content: first.content + MARK };
  const apply = (one: AnyEntity) =>
    one.kind === 'lorebook' ? { ...one, body: { ...one.body, entries: [change, ...one.body.entries.slice(1)] } } : one;
  return [
    { what: 'entries[0].content', apply, places: homesOf(adapter, 'entries[*].content') },
    ...slot('name', longer),
  ];
}

function withSlot(tree: object, [key = '', ...rest]: readonly string[], value: unknown): object {
  const held = (tree as Record<string, unknown>)[key];
  return { ...tree, [key]: rest.length === 0 ? value : withSlot((held ?? {}) as object, rest, value) };
}

/** A book inside a card keeps its own place. */
const EMBEDDED = [
  /\bcharacter_book\..*entries\.[^.]+\.content$/,
  /characterBook\.entries\.[^.]+\.entry$/,
  /loreItems\.[^.]+\.value$/,
];

describe.skipIf(!corpusIsThere)('corpus', () => {
  describe('detection', () => {
    test.each(rows.filter(({ format }) => known.has(format) || format === 'none'))('$path is $format', async (row) => {
      const hit = await engine.detect({ bytes: corpusFile(row), filename: row.path });
      expect(hit?.format ?? 'none').toBe(row.format);
    });
  });

  describe('unedited, in its own format', () => {
    test.each(ours)('$path', async (row) => {
      const file = corpusFile(row);
      const { entities } = await engine.read({ bytes: file, filename: row.path });
      const { files, report } = await engine.write(entities, row.format);
      expect(files.length).toBe(1);
      expect(Buffer.from(files[0]!.bytes).equals(file), 'byte for byte').toBe(true);
      nothingLost(report);
    });
  });

  describe('one field edited, in its own format', () => {
    test.each(ours)('$path', async (row: CorpusRow) => {
      const file = corpusFile(row);
      const { entities } = await engine.read({ bytes: file, filename: row.path });
      const was = partsOf(file, entities);
      for (const [index, entity] of entities.entries()) {
        const adapter = engine.registry.named(row.format);
        const embedded = entity.kind === 'lorebook' && index > 0;
        for (const { what, apply, places } of editsFor(adapter, entity).slice(0, embedded ? 1 : undefined)) {
          const changed = entities.map((one) => (one === entity ? apply(one) : one));
          const { files, report } = await engine.write(changed, row.format);
          const after = Buffer.from(files[0]!.bytes);
          const back = (await engine.read(after)).entities;
          const now = partsOf(after, back);
          untouched(was, now);
          const moved = [...now.documents].flatMap(([name, document]) =>
            placesOf(was.documents.get(name), document).map((place) => place.join('.')),
          );
          expect(moved.length, `${what}: nothing was written`).toBeGreaterThan(0);
          const stray = moved.filter(
            (place) => ![...places, ...(embedded ? EMBEDDED : [])].some((home) => home.test(place)),
          );
          expect(stray, `${what} also changed`).toEqual([]);
          nothingLost(report, true);
          edits++;
        }
      }
    });
  });
});
