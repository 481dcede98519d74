/** Helpers of the Backyard tests. */
import { readFileSync } from 'node:fs';
import type { Bytes } from '../../src/core/bytes.ts';
import { bytesOf } from '../../src/core/bytes.ts';
import { isRecord, valueAt, type Wire } from '../../src/core/draft.ts';
import { sourceOf } from '../../src/core/source.ts';
import type { CharacterBody } from '../../src/entities/character/schema.ts';
import type { AdapterOf, EntityOf } from '../../src/entities/kinds.ts';
import { openZip, writeZip } from '../../src/formats/_shared/zip.ts';

type Character = AdapterOf<'character'>;
type Context = Parameters<Character['fromCanonical']>[1];

/** A committed sample, `backyard/backyard.flat.json`. */
export const sample = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../../samples/${name}`, import.meta.url)));

export const jsonBytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

export const readOne = (adapter: Character, bytes: Uint8Array): EntityOf<'character'> => {
  const [entity] = adapter.toCanonical(sourceOf(bytes));
  if (!entity) throw new Error('nothing was read');
  return entity;
};

/** A character of no file. */
export const made = (body: Partial<CharacterBody>): EntityOf<'character'> => ({
  schemaVersion: '1',
  kind: 'character',
  id: 'made',
  body: {
    identity: { name: 'Ada' },
    persona: {},
    prompts: {},
    greetings: {},
    examples: {},
    media: {},
    attribution: {},
    discovery: {},
    ...body,
  },
});

/** The entity with one slot of its body set; undefined clears it. */
export function withSlot(entity: EntityOf<'character'>, path: string, value: unknown): EntityOf<'character'> {
  const set = (node: unknown, [key = '', ...rest]: readonly string[]): Wire => {
    const held = isRecord(node) ? node : {};
    if (rest.length > 0) return { ...held, [key]: set(held[key], rest) };
    const { [key]: _, ...others } = held;
    return value === undefined ? others : { ...held, [key]: value };
  };
  return { ...entity, body: set(entity.body, path.split('.')) as unknown as CharacterBody };
}

export const write = (adapter: Character, entity: EntityOf<'character'>, context: Context = {}) =>
  adapter.fromCanonical([entity], context);

/** Equal bytes; a matcher of its own would compare them one by one. */
export const alike = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/** The parsed file that a write gives. */
export const writtenJson = (adapter: Character, entity: EntityOf<'character'>, context: Context = {}): Wire =>
  JSON.parse(new TextDecoder().decode(write(adapter, entity, context).bytes));

/** What an edited entity says when it is written and read again. */
export const reread = (adapter: Character, entity: EntityOf<'character'>, context: Context = {}) =>
  readOne(adapter, write(adapter, entity, context).bytes);

/** Members of an archive: documents parsed, the rest as bytes. */
export function membersOf(bytes: Uint8Array): Record<string, unknown> {
  const zip = openZip(sourceOf(bytes));
  const out: Record<string, unknown> = {};
  for (const { name, content } of zip?.members ?? []) {
    out[name] = name.endsWith('.json') ? JSON.parse(new TextDecoder().decode(content.bytes())) : content.bytes();
  }
  return out;
}

/** Names of members whose bytes differ between two archives, gone and new ones included. */
export function differingMembers(a: Uint8Array, b: Uint8Array): string[] {
  const texts = [a, b].map((bytes) => {
    const members = openZip(sourceOf(bytes))?.members ?? [];
    return new Map(members.map(({ name, content }) => [name, Buffer.from(content.bytes()).toString('base64')]));
  });
  const names = new Set(texts.flatMap((one) => [...one.keys()]));
  return [...names].filter((name) => texts[0]?.get(name) !== texts[1]?.get(name)).sort();
}

/** An archive of these members; objects become JSON. */
export const archive = (members: Readonly<Record<string, unknown>>): Uint8Array =>
  writeZip(
    Object.entries(members).map(([name, content]) => ({
      name,
      content: bytesOf(content instanceof Uint8Array ? content : jsonBytes(content)),
      store: true,
    })),
  );

/** A one-pixel PNG; `shade` tells them apart. */
export function pixel(shade: number): Bytes {
  const head = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==';
  return bytesOf(new Uint8Array([...Buffer.from(head, 'base64'), shade]), 'image/png');
}

export const at = (tree: unknown, path: string): unknown => valueAt(tree, path.split('.'));
