/** The binary file of a RisuAI module: a JSON block and asset blocks, each RPack-coded. Facts: RisuAI 166.3.3, section 5. */
import { BunzaiError, type Warning } from '../../core/errors.ts';
import { parseJson } from '../../core/json.ts';
import { printJson } from '../../core/json-print.ts';
import { encodeText, MAX_TEXT_BYTES, mustDecodeText, textTooLong } from '../../core/text.ts';
import { packed, unpacked } from './rpack.ts';

const MAGIC = 0x6f;
const VERSION = 0;
const HEAD_BYTES = 6;

/** A module taken apart. */
export interface OpenedModule {
  readonly value: unknown;
  readonly warnings: readonly Warning[];
}

const uint32 = (bytes: Uint8Array, at: number): number =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(at, true);

/** Magic, version, and a block that begins as a JSON object does. */
export function isModuleFile(bytes: Uint8Array): boolean {
  if (bytes[0] !== MAGIC || bytes[1] !== VERSION || bytes.length <= HEAD_BYTES) return false;
  const start = unpacked(bytes.subarray(HEAD_BYTES, HEAD_BYTES + 64));
  return /^\uFEFF?\s*\{/.test(new TextDecoder().decode(start));
}

/** The module object with what is wrong behind it. Throws `card.payload` when its JSON cannot be read. */
export function openModule(bytes: Uint8Array, path = 'module'): OpenedModule {
  const end = HEAD_BYTES + (bytes.length < HEAD_BYTES ? 0 : uint32(bytes, 2));
  if (!isModuleFile(bytes)) throw new BunzaiError('card.payload', { path, detail: 'it is not a RisuAI module' });
  if (end > bytes.length)
    throw new BunzaiError('card.payload', {
      path,
      detail: `the module is cut off: ${end} bytes are declared, ${bytes.length} are there`,
      hint: 'ask for the original file',
    });
  if (end - HEAD_BYTES > MAX_TEXT_BYTES) throw textTooLong(end - HEAD_BYTES, path);
  const { value, warnings } = parsed(unpacked(bytes.subarray(HEAD_BYTES, end)), path);
  const damaged = {
    code: 'risu.module-assets',
    path,
    message: 'the files after the module are damaged: they are kept as they are',
  };
  return { value, warnings: wholeAssets(bytes, end) ? warnings : [...warnings, damaged] };
}

function parsed(bytes: Uint8Array, path: string) {
  try {
    return parseJson(mustDecodeText(bytes, path));
  } catch (cause) {
    if (!(cause instanceof BunzaiError)) throw cause;
    throw new BunzaiError('card.payload', { path, detail: cause.detail, hint: cause.hint, cause });
  }
}

/** Whether marks and lengths of the asset blocks lead to the end of the file. */
function wholeAssets(bytes: Uint8Array, from: number): boolean {
  let at = from;
  while (bytes[at] === 1 && at + 5 <= bytes.length) at += 5 + uint32(bytes, at + 1);
  return bytes[at] === 0 && at + 1 === bytes.length;
}

/** The file with this module object; asset blocks are those of `twin`, byte for byte. */
export function sealModule(value: unknown, twin: Uint8Array | undefined): Uint8Array {
  const main = packed(encodeText(printJson(value, 2)));
  const rest = twin && isModuleFile(twin) ? twin.subarray(HEAD_BYTES + uint32(twin, 2)) : Uint8Array.of(0);
  const file = new Uint8Array(HEAD_BYTES + main.length + rest.length);
  file.set([MAGIC, VERSION]);
  new DataView(file.buffer).setUint32(2, main.length, true);
  file.set(main, HEAD_BYTES);
  file.set(rest, HEAD_BYTES + main.length);
  return file;
}
