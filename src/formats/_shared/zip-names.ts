/** Member names: how they are spelled on the wire, what their extension says, which are safe to write. */
import { latin1 } from '../../core/base64.ts';
import { crc32 } from './crc32.ts';

/** Longest member name that is written, so that three bytes a letter still fit the 16-bit length. */
const MAX_NAME_LETTERS = 21_000;

const MIME_OF_EXTENSION = new Map<string, string>([
  ['png', 'image/png'],
  ['apng', 'image/apng'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['webp', 'image/webp'],
  ['gif', 'image/gif'],
  ['avif', 'image/avif'],
  ['heic', 'image/heic'],
  ['heif', 'image/heif'],
  ['bmp', 'image/bmp'],
  ['svg', 'image/svg+xml'],
  ['mp3', 'audio/mpeg'],
  ['ogg', 'audio/ogg'],
  ['opus', 'audio/ogg'],
  ['wav', 'audio/wav'],
  ['flac', 'audio/flac'],
  ['m4a', 'audio/mp4'],
  ['aac', 'audio/aac'],
  ['mp4', 'video/mp4'],
  ['webm', 'video/webm'],
  ['mov', 'video/quicktime'],
  ['mkv', 'video/x-matroska'],
  ['avi', 'video/x-msvideo'],
  ['ttf', 'font/ttf'],
  ['otf', 'font/otf'],
  ['woff', 'font/woff'],
  ['woff2', 'font/woff2'],
  ['zip', 'application/zip'],
  ['pdf', 'application/pdf'],
  ['json', 'application/json'],
  ['jsonl', 'application/x-ndjson'],
  ['yaml', 'application/yaml'],
  ['yml', 'application/yaml'],
  ['xml', 'application/xml'],
  ['txt', 'text/plain'],
  ['md', 'text/markdown'],
  ['csv', 'text/csv'],
  ['html', 'text/html'],
  ['css', 'text/css'],
  ['js', 'text/javascript'],
  ['ts', 'text/x-typescript'],
  ['lua', 'text/x-lua'],
]);

const TEXT_MIME = /^text\/|[/+](?:json|x-ndjson|yaml|xml)$/;

/** Media type by extension; undefined where the name says nothing. */
export function mimeOfName(name: string): string | undefined {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? undefined : MIME_OF_EXTENSION.get(name.slice(dot + 1).toLowerCase());
}

/** Whether deflate is worth trying: text is, media and archives are compressed already. */
export const isTextName = (name: string): boolean => TEXT_MIME.test(mimeOfName(name) ?? '');

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Upper half of code page 437, the encoding of names that claim none. */
const CP437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';

function isAscii(bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; i++) if (bytes[i]! > 0x7f) return false;
  return true;
}

/** UTF-8 where it is valid UTF-8, whatever the flag says; else code page 437, which no byte fails. */
export function decodeName(bytes: Uint8Array): string {
  if (isAscii(bytes)) return latin1(bytes);
  try {
    return utf8.decode(bytes);
  } catch {
    let name = '';
    for (const byte of bytes) name += byte < 128 ? String.fromCharCode(byte) : CP437[byte - 128]!;
    return name;
  }
}

/** The name in Info-ZIP's Unicode path field (0x7075: version, CRC of the plain name, UTF-8), if it is for `plain`. */
export function unicodePath(field: Uint8Array, plain: Uint8Array): string | undefined {
  if (field.length < 6 || field[0] !== 1) return undefined;
  const crc = new DataView(field.buffer, field.byteOffset, field.length).getUint32(1, true);
  if (crc !== crc32(plain)) return undefined;
  try {
    return utf8.decode(field.subarray(5));
  } catch {
    return undefined;
  }
}

/** A drive, a root, a backslash, a NUL, or a step up. */
const UNSAFE = /^[A-Za-z]:|^\/|[\\\0]|(?:^|\/)\.\.(?:\/|$)/;

/** False for a name that could leave the folder it is unpacked in, on any system: `..`, absolute, drive, `\`, NUL, empty. */
export const isSafeName = (name: string): boolean =>
  name !== '' && name.length <= MAX_NAME_LETTERS && !UNSAFE.test(name);
