/** What a piece of media is, by its first bytes: names and endings are not believed. */
export interface FileKind {
  readonly type: string;
  readonly moves: boolean;
}

const at = (bytes: Uint8Array, offset: number, text: string): boolean =>
  [...text].every((letter, index) => bytes[offset + index] === letter.charCodeAt(0));

/** Bytes that are searched for a mark of movement. */
const HEAD = 4_096;
const has = (bytes: Uint8Array, text: string): boolean => {
  const end = Math.min(bytes.byteLength, HEAD) - text.length;
  for (let offset = 0; offset <= end; offset++) if (at(bytes, offset, text)) return true;
  return false;
};

const BRANDS: Readonly<Record<string, string>> = {
  avif: 'avif',
  avis: 'avif',
  heic: 'heic',
  heix: 'heic',
  hevc: 'heic',
  heim: 'heic',
  mif1: 'heic',
  msf1: 'heic',
  'M4A ': 'm4a',
};

type Rule = readonly [type: string, test: (bytes: Uint8Array) => boolean, moves?: (bytes: Uint8Array) => boolean];

const RULES: readonly Rule[] = [
  ['png', (b) => b[0] === 0x89 && at(b, 1, 'PNG'), (b) => has(b, 'acTL')],
  ['jpeg', (b) => b[0] === 0xff && b[1] === 0xd8],
  ['gif', (b) => at(b, 0, 'GIF8'), () => true],
  ['webp', (b) => at(b, 0, 'RIFF') && at(b, 8, 'WEBP'), (b) => has(b, 'ANIM')],
  ['wav', (b) => at(b, 0, 'RIFF') && at(b, 8, 'WAVE')],
  ['ogg', (b) => at(b, 0, 'OggS')],
  ['flac', (b) => at(b, 0, 'fLaC')],
  ['mp3', (b) => at(b, 0, 'ID3') || (b[0] === 0xff && ((b[1] ?? 0) & 0xe6) === 0xe2)],
  ['webm', (b) => b[0] === 0x1a && b[1] === 0x45 && b[2] === 0xdf && b[3] === 0xa3, () => true],
  ['zip', (b) => at(b, 0, 'PK')],
  ['svg', (b) => has(b, '<svg')],
];

/** `png`, `heic`, `mp3` …; `unknown` for the rest. */
export function fileKind(bytes: Uint8Array): FileKind {
  if (at(bytes, 4, 'ftyp')) {
    const type = BRANDS[String.fromCharCode(...bytes.subarray(8, 12))] ?? 'mp4';
    return { type, moves: type === 'mp4' || at(bytes, 8, 'avis') };
  }
  const rule = RULES.find(([, test]) => test(bytes));
  return rule ? { type: rule[0], moves: rule[2]?.(bytes) ?? false } : { type: 'unknown', moves: false };
}
