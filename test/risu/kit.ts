/** What the tests of the RisuAI family share. */
import { isBytes } from '../../src/core/bytes.ts';
import { createEngine } from '../../src/engine.ts';
import risu from '../../src/formats/risu/index.ts';
import sillytavern from '../../src/formats/sillytavern/index.ts';

/** RisuAI beside the plain reader of cards and books. */
export const engine = createEngine([...risu, ...sillytavern]);
export const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
export const parse = <T>(bytes: Uint8Array | undefined): T => JSON.parse(new TextDecoder().decode(bytes)) as T;

/** A deep copy to edit; bytes stay the same object. */
export function copied<T>(value: T): T {
  if (isBytes(value) || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copied) as T;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, copied(held)])) as T;
}
