import { BunzaiError, type ErrorPlace } from './core/errors.ts';
import { jsonOf } from './core/json.ts';
import type { Source } from './core/source.ts';
import { textOf } from './core/text.ts';

/** Why no adapter claims a file, as exactly as its bytes tell. */
export function unclaimed(source: Source): BunzaiError {
  const file = source.filename;
  const json = jsonOf(source);
  if (json && 'fault' in json) {
    const { code, path, detail, hint } = json.fault;
    return new BunzaiError(code, { file, path, detail, hint, cause: json.fault });
  }
  return new BunzaiError('input.unknown', { file, ...looksLike(source) });
}

const SIGNATURES: readonly (readonly [name: string, bytes: readonly number[], hint: string])[] = [
  [
    'a PNG picture without a card',
    [0x89, 0x50, 0x4e, 0x47],
    'picture hosts often strip the card data: ask for the original file',
  ],
  [
    'a JPEG picture without a card',
    [0xff, 0xd8, 0xff],
    'picture hosts often strip the card data: ask for the original file',
  ],
  [
    'a RIFF file (WebP, WAV) without a card',
    [0x52, 0x49, 0x46, 0x46],
    'picture hosts often strip the card data: ask for the original file',
  ],
  ['a RAR archive', [0x52, 0x61, 0x72, 0x21], 'unpack it and give the files inside'],
  ['a gzip stream', [0x1f, 0x8b], 'unpack it and give the file inside'],
  [
    'a ZIP archive',
    [0x50, 0x4b],
    'expected card.json (charx) or manifest.json (byaf) at its top: unpack it and give the files inside',
  ],
];

function looksLike(source: Source): Pick<ErrorPlace, 'detail' | 'hint'> {
  for (const [name, signature, hint] of SIGNATURES) {
    if (signature.every((byte, index) => source.bytes[index] === byte)) return { detail: `it is ${name}`, hint };
  }
  const text = textOf(source);
  if (text === undefined) return { detail: 'it is neither text nor a container bunzai knows' };
  if (jsonOf(source)) return { detail: 'it is JSON of an unknown shape', hint: 'run formats for what is known' };
  return { detail: 'it is text, but not JSON', hint: 'cards are JSON, PNG, WebP, charx or byaf' };
}
