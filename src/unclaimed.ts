import { isRecord } from './core/draft.ts';
import { BunzaiError, type ErrorPlace } from './core/errors.ts';
import { jsonOf, jsonValueOf } from './core/json.ts';
import { type Source, sourceOf } from './core/source.ts';
import { isTooLongText, textOf, textTooLong } from './core/text.ts';
import { CARD_MEMBER } from './formats/_shared/charx.ts';
import { isCardKeyword, pngOf, textChunks } from './formats/_shared/png.ts';
import { MAX_MANIFEST_BYTES, type Member, type Zip, zipOf } from './formats/_shared/zip.ts';
import { few } from './texts.ts';

/** Why no adapter claims a file, as exactly as its bytes tell. */
export function unclaimed(source: Source): BunzaiError {
  const file = source.filename;
  if (isTooLongText(source)) throw textTooLong(source.bytes.byteLength);
  const json = jsonOf(source);
  if (json && 'fault' in json) {
    const { code, path, detail, hint } = json.fault;
    return new BunzaiError(code, { file, path, detail, hint, cause: json.fault });
  }
  const zip = zipOf(source);
  if (zip instanceof BunzaiError) {
    const { code, path, detail, hint } = zip;
    return new BunzaiError(code, { file, path, detail, hint, cause: zip });
  }
  return new BunzaiError('input.unknown', { file, ...looksLike(source) });
}

const EXPECTED = 'expected card.json (charx) or manifest.json (byaf) at its top: unpack it and give the files inside';

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
  ['a ZIP archive', [0x50, 0x4b], EXPECTED],
];

function looksLike(source: Source): Pick<ErrorPlace, 'detail' | 'hint'> {
  const zip = zipOf(source);
  if (zip && !(zip instanceof BunzaiError)) return archive(zip);
  const keywords = cardKeywords(() => source);
  if (keywords.length > 0) {
    const said = keywords.map((word) => `"${word}"`).join(', ');
    return { detail: `it is a PNG picture with ${said} data that no format reads`, hint: 'export it as JSON' };
  }
  for (const [name, signature, hint] of SIGNATURES) {
    if (signature.every((byte, index) => source.bytes[index] === byte)) return { detail: `it is ${name}`, hint };
  }
  const text = textOf(source);
  if (text === undefined) return { detail: 'it is neither text nor a container bunzai knows' };
  if (jsonOf(source)) return shapeOf(jsonValueOf(source));
  const yaml = yamlKind(text);
  if (yaml)
    return {
      detail: `it is ${yaml} in YAML, which is not read`,
      hint: 'export it as JSON or PNG in the app it is from',
    };
  return { detail: 'it is text, but not JSON', hint: 'cards are JSON, PNG, WebP, charx or byaf' };
}

/** How much of a text is looked at for what it is. */
const MAX_LOOKED_AT = 64 * 1024;

/** What the top-level keys of a YAML mapping make of it, as text-generation-webui names them; nothing is parsed. */
function yamlKind(text: string): string | undefined {
  const keys = new Set(
    [...text.slice(0, MAX_LOOKED_AT).matchAll(/^["']?(\w+)["']?:(?=[ \t\r\n]|$)/gm)].map(([, key]) => key),
  );
  if (keys.has('user_bio')) return 'a persona of text-generation-webui';
  if (keys.has('instruction_template')) return 'an instruction template of text-generation-webui';
  const named = keys.has('name') || keys.has('char_name');
  if (named && ['context', 'greeting', 'char_persona', 'example_dialogue'].some((key) => keys.has(key)))
    return 'a character of text-generation-webui';
  return undefined;
}

/** Most characters of a key that a message shows. */
const MAX_SHOWN_KEY = 40;

/** What JSON of an unknown shape is made of. */
function shapeOf(value: unknown): Pick<ErrorPlace, 'detail' | 'hint'> {
  const hint = 'run formats for what is known';
  const unknown = 'it is JSON of an unknown shape';
  if (Array.isArray(value)) {
    const remedy = value.length > 0 ? 'give each item as a file of its own' : hint;
    return { detail: `${unknown}, a list of ${value.length} items`, hint: remedy };
  }
  if (!isRecord(value)) return { detail: `${unknown}, a single value`, hint };
  const keys = Object.keys(value).map((key) => JSON.stringify(key.slice(0, MAX_SHOWN_KEY)));
  return { detail: `${unknown}, an object ${keys.length > 0 ? `with ${few(keys)}` : 'without keys'}`, hint };
}

/** Pictures of an archive that are looked into for a card, and how large one may be. */
const MAX_PICTURES = 20;
const MAX_PICTURE_BYTES = 16 * 1024 * 1024;

/** What an archive without a card at its top holds, and where a card lies deeper in it. */
function archive({ members }: Zip): Pick<ErrorPlace, 'detail' | 'hint'> {
  const files = members.filter(({ directory }) => !directory);
  const detail = `it is a ZIP archive of ${files.length} files: ${few(files.map(({ name }) => name))}`;
  const manifest = files.find(({ name, size }) => name === 'manifest.json' && size > MAX_MANIFEST_BYTES);
  if (manifest) {
    return {
      detail: `its manifest.json has ${manifest.size} bytes, the limit for telling is MAX_MANIFEST_BYTES (${MAX_MANIFEST_BYTES})`,
      hint: 'if it is a Backyard archive, say so: read it as byaf (--from byaf)',
    };
  }
  const deeper = files.find(({ name }) => name.endsWith(`/${CARD_MEMBER}`) || name.endsWith('/manifest.json'));
  if (deeper)
    return { detail, hint: `${deeper.name} lies in a folder: zip the content of that folder, not the folder` };
  const pictures = files.filter(({ name, size }) => /\.png$/i.test(name) && size <= MAX_PICTURE_BYTES);
  const card = pictures.slice(0, MAX_PICTURES).find(holdsCard);
  return { detail, hint: card ? `the card is in ${card.name}: unpack it and give that file` : EXPECTED };
}

const holdsCard = ({ content }: Member): boolean => cardKeywords(() => sourceOf(content.bytes())).length > 0;

/** Keywords of the text chunks of a PNG that stand for the data of some app; none where it cannot be opened. */
function cardKeywords(source: () => Source): string[] {
  try {
    const png = pngOf(source());
    const words = png ? textChunks(png).map(({ keyword }) => keyword) : [];
    return [...new Set(words.filter(isCardKeyword))];
  } catch {
    return [];
  }
}
