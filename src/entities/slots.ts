import * as v from 'valibot';
import { isBytes } from '../core/bytes.ts';

/** Building blocks of the body schemas. An optional slot may be null: other writers of the model say absent so. */
export const text = () => v.nullish(v.string());
export const number = () => v.nullish(v.pipe(v.number(), v.finite()));
export const flag = () => v.nullish(v.boolean());
export const texts = () => v.nullish(v.array(v.string()));
export const oneOf = <const T extends readonly string[]>(values: T) => v.nullish(v.picklist(values));
export const bag = () => v.nullish(v.record(v.string(), v.unknown()));
export const textMap = () => v.nullish(v.record(v.string(), v.string()));
/** Text (URL, path, `data:`) or bytes. */
export const mediaRef = () => v.union([v.string(), v.custom(isBytes, 'a text or bytes')]);
export const rows = <T extends v.ObjectEntries>(entries: T) => v.nullish(v.array(v.strictObject(entries)));
export const group = <T extends v.ObjectEntries>(entries: T) => v.nullish(v.strictObject(entries));
