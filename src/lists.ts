import { isRecord } from './core/draft.ts';
import { BunzaiError } from './core/errors.ts';
import { jsonValueOf } from './core/json.ts';
import { elementsOf } from './core/json-elements.ts';
import type { Registry } from './core/registry.ts';
import { type Source, sourceOf } from './core/source.ts';
import { textOf } from './core/text.ts';
import type { AnyAdapter, AnyEntity } from './entities/kinds.ts';

/** Characters of one list, and its size: they are all held at once. */
export const MAX_LIST_CARDS = 10_000;
export const MAX_LIST_BYTES = 256 * 1024 * 1024;

/**
 * The items of a JSON list of objects, each as its own text in the list. Undefined for everything else, and for what an
 * adapter claims as it is. Throws `input.too-large` past the limits.
 */
export function listItems(registry: Registry<AnyAdapter>, source: Source): Uint8Array[] | undefined {
  const text = textOf(source);
  if (text?.trimStart()[0] !== '[' || registry.detect(source)) return undefined;
  const list = jsonValueOf(source);
  if (!Array.isArray(list) || !isRecord(list[0])) return undefined;
  if (registry.detect(sourceOf(bytesOf(list[0])))?.adapter.kind !== 'character') return undefined;
  if (list.length > MAX_LIST_CARDS || source.bytes.byteLength > MAX_LIST_BYTES) {
    const file = source.filename;
    const detail = `a list of ${list.length} items in ${source.bytes.byteLength} bytes, the limits are MAX_LIST_CARDS (${MAX_LIST_CARDS}) and MAX_LIST_BYTES (${MAX_LIST_BYTES})`;
    throw new BunzaiError('input.too-large', { file, detail, hint: 'give it in several files' });
  }
  const encoder = new TextEncoder();
  return elementsOf(text).map((element) => encoder.encode(element));
}

const bytesOf = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

/** Whether a character is told, and not only named: rows of other lists have names too. */
export function isTold(entity: AnyEntity | undefined): boolean {
  if (entity?.kind !== 'character') return false;
  const { identity, persona, greetings } = entity.body;
  return [identity.description, persona.personality, persona.scenario, greetings.firstMessage].some(Boolean);
}
