/** The JSON inside a file, changed, and the carrier around it made anew. */
import { deflateSync } from 'node:zlib';
import { sourceOf } from '../../src/core/source.ts';
import { decodeText } from '../../src/core/text.ts';
import { commentOf } from '../../src/formats/_shared/exif.ts';
import { writeComment } from '../../src/formats/_shared/exif-write.ts';
import { isCardKeyword } from '../../src/formats/_shared/png.ts';
import { isModuleFile, openModule, sealModule } from '../../src/formats/risu/risum.ts';
import { zip } from '../cases/rest-kit.ts';
import { pngPieces, pngText, zipPieces } from '../kit/carriers.ts';
import { pngChunk } from './bytes.ts';
import type { Dice } from './dice.ts';
import { changedJson, changedTree } from './trees.ts';

function jsonIn(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

function inPng(file: Buffer, dice: Dice): Buffer {
  const chunks = pngPieces(file).map((piece) => {
    const text = pngText(piece);
    const found = text && isCardKeyword(text.keyword) ? text : undefined;
    const plain = found && (/^\s*[{[]/.test(found.text) ? found.text : Buffer.from(found.text, 'base64').toString());
    const value = jsonIn(plain);
    if (!found || value === undefined) return piece.whole;
    const payload = Buffer.from(changedJson(value, dice));
    const body = dice.once(6) ? payload : Buffer.from(payload.toString('base64'));
    const head = Buffer.from(found.keyword, 'latin1');
    const kind = dice.upTo(8);
    if (kind === 0) return pngChunk('zTXt', Buffer.concat([head, Buffer.from('\0\0'), deflateSync(body)]));
    if (kind === 1) return pngChunk('iTXt', Buffer.concat([head, Buffer.from('\0\x01\0\0\0'), deflateSync(body)]));
    return pngChunk('tEXt', Buffer.concat([head, Buffer.from('\0'), body]));
  });
  return Buffer.concat([file.subarray(0, 8), ...chunks]);
}

const NAMES = [
  'card.json',
  'manifest.json',
  '../x',
  '/abs',
  'a\\b',
  'module.risum',
  '__proto__',
  'dir/',
  '',
  'CON',
  'x',
];

function inZip(file: Buffer, dice: Dice): Uint8Array {
  const members = zipPieces(file).filter(({ name }) => name !== '(before the archive)');
  const changed = members.map(({ name, body }) => {
    const renamed = dice.once(25) ? dice.pick(NAMES) : name;
    if (dice.once(3)) return { name: renamed, body, packed: dice.once(2) };
    return { name: renamed, body: resealed(body, dice), packed: dice.once(2) };
  });
  if (dice.once(8)) changed.push({ ...dice.pick(changed), name: dice.pick(NAMES) });
  if (dice.once(8)) changed.splice(dice.upTo(changed.length), 1);
  if (dice.once(8)) changed.reverse();
  return zip(changed);
}

/** The file with changed JSON inside; the file itself where it holds none. */
export function resealed(file: Uint8Array, dice: Dice): Uint8Array {
  const buffer = Buffer.from(file);
  const source = sourceOf(file);
  if (isModuleFile(file)) return sealModule(changedTree(openModule(file).value, dice), file);
  if (buffer.toString('latin1', 0, 2) === 'PK') return inZip(buffer, dice);
  const comment = commentOf(source);
  const said = comment && jsonIn(comment.text());
  if (comment && said !== undefined) return writeComment(source, new TextDecoder().decode(changedJson(said, dice)));
  if (buffer[0] === 0x89) return inPng(buffer, dice);
  const value = jsonIn(decodeText(file));
  return value === undefined ? file : changedJson(value, dice);
}
