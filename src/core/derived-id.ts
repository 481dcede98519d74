/** Ids for rows that a format requires one for: the same content always gets the same id. */

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** 32-bit FNV-1a over UTF-16 code units, with a final mix so that near texts differ in every bit. */
export function hash32(content: string, seed = 0): number {
  let hash = FNV_OFFSET ^ seed;
  for (let i = 0; i < content.length; i++) {
    const unit = content.charCodeAt(i);
    hash = Math.imul(hash ^ (unit & 0xff), FNV_PRIME);
    hash = Math.imul(hash ^ (unit >>> 8), FNV_PRIME);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** A text in the shape of a UUID (version 5, name-based), worked out from `content`. Not for security. */
export function derivedUuid(content: string): string {
  const hex = [0, 0x9e3779b9, 0x3c6ef372, 0xdaa66d2b]
    .map((seed) => hash32(content, seed).toString(16).padStart(8, '0'))
    .join('');
  const variant = '89ab'[Number.parseInt(hex[16] ?? '0', 16) & 3];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** A derived UUID that is not taken yet: equal contents get different ids, in order. */
export function freeUuid(content: string, taken: ReadonlySet<string>): string {
  let id = derivedUuid(content);
  for (let n = 2; taken.has(id); n++) id = derivedUuid(`${content}\n${n}`);
  return id;
}

/** Whether a text has the shape of a UUID. */
export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
