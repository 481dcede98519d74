/** What is fuzzed: each container on its own, and each adapter of the registry through all doors. */
import { decodeBase64 } from '../../src/core/base64.ts';
import { BunzaiError } from '../../src/core/errors.ts';
import { parseJson } from '../../src/core/json.ts';
import { printJson } from '../../src/core/json-print.ts';
import { sourceOf } from '../../src/core/source.ts';
import { decodeText } from '../../src/core/text.ts';
import { canRunAway } from '../../src/entities/regex/runaway.ts';
import { safeFileName } from '../../src/file-name.ts';
import { commentOf, pictureWithoutComment } from '../../src/formats/_shared/exif.ts';
import { writeComment } from '../../src/formats/_shared/exif-write.ts';
import { loadDeflate } from '../../src/formats/_shared/inflate.ts';
import { pictureOf, pngOf, textChunks } from '../../src/formats/_shared/png.ts';
import { writeTextChunks } from '../../src/formats/_shared/png-write.ts';
import { openZip, writeZip } from '../../src/formats/_shared/zip.ts';
import { openModule, sealModule } from '../../src/formats/risu/risum.ts';
import { engine, forcedThrough, throughAllDoors } from './doors.ts';
import type { Seed } from './seeds.ts';

export interface Target {
  readonly name: string;
  /** Which files its changes start from. */
  accepts(seed: Seed): boolean;
  /** Throws for a finding. */
  run(bytes: Uint8Array): Promise<void> | void;
}

/** Runs `work`; a refusal with a code is as good as a result. */
function allowed<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof BunzaiError) return undefined;
    throw error;
  }
}

const begins = (bytes: Uint8Array, ...first: number[]) => first.every((byte, at) => bytes[at] === byte);
const isText = ({ bytes }: Seed) => begins(bytes, 0x7b) || begins(bytes, 0x5b);

const containers: readonly Target[] = [
  {
    name: 'json',
    accepts: isText,
    run(bytes) {
      const text = decodeText(bytes);
      const parsed = text === undefined ? undefined : allowed(() => parseJson(text));
      if (!parsed) return;
      const again = parseJson(printJson(parsed.value)).value;
      if (printJson(again) !== printJson(parsed.value)) throw new Error('printed JSON does not read back the same');
    },
  },
  {
    name: 'text',
    accepts: isText,
    run(bytes) {
      const text = decodeText(bytes) ?? '';
      decodeBase64(text);
      if (text.length < 30_000) canRunAway(text, 'gi');
      const name = safeFileName(text.slice(0, 3000));
      if (safeFileName(name) !== name || /[/\\\0]/.test(name)) throw new Error(`"${name}" is no safe name`);
    },
  },
  {
    name: 'png',
    accepts: ({ bytes }) => begins(bytes, 0x89, 0x50),
    run(bytes) {
      const png = pngOf(sourceOf(bytes));
      if (!png) return;
      const texts = textChunks(png);
      for (const chunk of texts.slice(0, 50)) if (allowed(() => chunk.text()) !== undefined) chunk.crcOk();
      pictureOf(png).bytes();
      const [first] = texts;
      const by = { keyword: 'chara', text: 'e30=' };
      const written = writeTextChunks(png, first ? [{ replace: first.index, by }, { insert: by }] : [{ insert: by }]);
      const back = pngOf(sourceOf(written));
      if (!png.derailed && back && !textChunks(back).some(({ keyword }) => keyword === 'chara'))
        throw new Error('the written chunk is not found again');
    },
  },
  {
    name: 'exif',
    accepts: ({ bytes, name }) => /\.(png|webp|jpe?g)$/.test(name) && bytes.length > 12,
    run(bytes) {
      const source = sourceOf(bytes);
      const comment = commentOf(source);
      pictureWithoutComment(source).bytes();
      if (!comment) return;
      allowed(() => comment.text());
      const written = allowed(() => writeComment(source, '{"a":1}'));
      const back = written && commentOf(sourceOf(written));
      if (written && back?.text() !== '{"a":1}') throw new Error('the written comment does not read back');
    },
  },
  {
    name: 'zip',
    accepts: ({ bytes, name }) => begins(bytes, 0x50, 0x4b) || /\.(charx|byaf)$/.test(name),
    async run(bytes) {
      await loadDeflate();
      const zip = allowed(() => openZip(sourceOf(bytes)));
      if (!zip) return;
      for (const { content, size } of zip.members) {
        const held = allowed(() => content.bytes());
        if (held && held.length !== size) throw new Error('a member has another size than its directory says');
      }
      const entries = zip.members.map((member) => ({ name: member.name, content: member }));
      const written = allowed(() => writeZip(entries, { prefix: zip.prefix, comment: zip.comment }));
      const back = written && openZip(sourceOf(written));
      if (written && back?.members.length !== entries.length) throw new Error('the written archive lost members');
    },
  },
  {
    name: 'risum',
    accepts: ({ name }) => name.endsWith('.risum'),
    run(bytes) {
      const opened = allowed(() => openModule(bytes));
      if (!opened) return;
      const again = openModule(sealModule(opened.value, bytes)).value;
      if (printJson(again) !== printJson(opened.value)) throw new Error('the sealed module does not read back');
    },
  },
];

const adapters: readonly Target[] = engine.registry.adapters.map(({ id }) => ({
  name: id,
  accepts: ({ format }) => format === id,
  async run(bytes) {
    await throughAllDoors(bytes);
    await forcedThrough(bytes, id);
  },
}));

export const targets: readonly Target[] = [...containers, ...adapters];
