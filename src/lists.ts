import { isRecord } from './core/draft.ts';
import { BunzaiError } from './core/errors.ts';
import { jsonValueOf } from './core/json.ts';
import { elementsOf } from './core/json-elements.ts';
import type { Registry } from './core/registry.ts';
import { type Source, sourceOf } from './core/source.ts';
import { encodeText, textOf } from './core/text.ts';
import type { AnyAdapter, AnyEntity } from './entities/kinds.ts';

/** Characters of one list: their results are held at once. Its size is bounded as that of any text. */
export const MAX_LIST_CARDS = 10_000;

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
  if (list.length > MAX_LIST_CARDS) {
    const detail = `${list.length} items, the limit is MAX_LIST_CARDS (${MAX_LIST_CARDS})`;
    throw new BunzaiError('input.too-large', { file: source.filename, detail, hint: 'give them in several files' });
  }
  return elementsOf(text).map(encodeText);
}

const bytesOf = (value: unknown): Uint8Array => encodeText(JSON.stringify(value));

/** Whether a character is told, and not only named: rows of other lists have names too. */
export function isTold(entity: AnyEntity | undefined): boolean {
  if (entity?.kind !== 'character') return false;
  const { identity, persona, greetings } = entity.body;
  return [identity.description, persona.personality, persona.scenario, greetings.firstMessage].some(Boolean);
}
