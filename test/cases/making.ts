/** Small invented files for the real-world cases, and the public engine they go through. */
import { zipSync } from 'fflate';
import { createEngine } from '../../src/engine.ts';
import type { AnyEntity } from '../../src/entities/kinds.ts';
import type { LorebookBody } from '../../src/entities/lorebook/schema.ts';
import { formats } from '../../src/formats/index.generated.ts';
import { pngBytes } from '../entities/pictures.ts';

export const engine = createEngine(formats);

export type Json = Record<string, unknown>;

export const json = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
export const parsed = (bytes: Uint8Array): Json => JSON.parse(new TextDecoder().decode(bytes)) as Json;

/** A card with its story told; `data` is laid over it. */
export const card = (data: Json = {}, version: 2 | 3 = 2): Json => ({
  spec: `chara_card_v${version}`,
  spec_version: `${version}.0`,
  data: {
    name: 'Mira Vale',
    description: 'Keeps the lamp.',
    personality: 'Patient, dry.',
    scenario: 'A storm on the pier.',
    first_mes: 'Mind the step.',
    mes_example: '<START>\n{{user}}: Tea?\n{{char}}: Always.',
    creator_notes: '',
    system_prompt: '',
    post_history_instructions: '',
    alternate_greetings: [],
    tags: ['sea'],
    creator: 'orla',
    character_version: '1',
    extensions: {},
    ...data,
  },
});

/** A card with a book of these entries. */
export const bookCard = (entries: unknown, book: Json = {}): Json =>
  card({ character_book: { name: 'Harbour', entries, ...book } });

/** A picture of one pixel with text chunks; a text is put into base64 first. */
export function png(chunks: Readonly<Record<string, unknown>>): Uint8Array {
  const bare = Buffer.from(pngBytes(0));
  const texts = Object.entries(chunks).map(([keyword, value]) => {
    const bytes = value instanceof Uint8Array ? value : json(value);
    const body = Buffer.from(`tEXt${keyword}\0${Buffer.from(bytes).toString('base64')}`, 'latin1');
    const frame = Buffer.alloc(body.length + 8);
    frame.writeUInt32BE(body.length - 4);
    body.copy(frame, 4);
    frame.writeUInt32BE(crc(body), body.length + 4);
    return frame;
  });
  return new Uint8Array(Buffer.concat([bare.subarray(0, 33), ...texts, bare.subarray(33)]));
}

function crc(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
  }
  return (value ^ 0xffffffff) >>> 0;
}

export const zip = (members: Readonly<Record<string, Uint8Array>>): Uint8Array => zipSync({ ...members });

/** What an input holds: the main body, its books, and what was repaired. */
export async function opened(input: unknown, filename?: string) {
  const bytes = input instanceof Uint8Array ? input : json(input);
  const result = await engine.read(filename === undefined ? bytes : { bytes, filename });
  const [main] = result.entities;
  const books = result.entities.filter((entity) => entity.kind === 'lorebook').map(({ body }) => body as LorebookBody);
  const said = result.warnings.map(({ path, message }) => `${path}: ${message}`);
  return { ...result, main: main as AnyEntity, books, said };
}

/** The character in a file. */
export async function character(input: unknown, filename?: string) {
  const { main, ...rest } = await opened(input, filename);
  if (main.kind !== 'character') throw new Error(`a ${main.kind}`);
  return { ...rest, main, body: main.body };
}

/** The first book in a file. */
export async function book(input: unknown): Promise<LorebookBody> {
  const [first] = (await opened(input)).books;
  if (!first) throw new Error('no book');
  return first;
}

/** The first file of a conversion, its value, and the paths that its report names as lost. */
export async function converted(input: unknown, to: string, options: Json = {}) {
  const bytes = input instanceof Uint8Array ? input : json(input);
  const { files, report, entities } = await engine.convert(bytes, to, options);
  const [file] = files;
  if (!file) throw new Error('nothing was written');
  const value = file.bytes[0] === 0x7b ? parsed(file.bytes) : {};
  return { file, files, value, entities, report, lost: report.losses.map(({ path }) => path) };
}

/** The value of a file read and written in its own format, unedited. */
export const again = async (input: unknown, format: string): Promise<Json> => (await converted(input, format)).value;
