import { describe, expect, test } from 'vitest';
import { parse } from '../../../test/kit/adapter.ts';
import { engine, sampleBytes } from '../../../test/kit/lumiverse.ts';
import { extensions, JSON_FILE, made, mira, read, write } from '../../../test/kit/lumiverse-character.ts';
import { bytesOf } from '../../core/bytes.ts';
import { isRecord, valueAt } from '../../core/draft.ts';
import { sourceOf } from '../../core/source.ts';
import { placeholderPng } from '../_shared/placeholder.ts';
import { pngOf, textChunks } from '../_shared/png.ts';

describe('conversion', () => {
  test('to SillyTavern: nothing but what it has no place for is lost, and all of that is told', async () => {
    const { report, files } = await engine.convert(sampleBytes(JSON_FILE), 'sillytavern');
    expect(report.losses.map(({ path }) => path).sort()).toEqual(
      ['media.assets[0]', 'media.assets[1]', 'media.assets[2]', 'variants[0]', 'variants[1]', 'variants[2]'].sort(),
    );
    const card = parse(files[0]?.bytes);
    expect(valueAt(card, ['data', 'nickname'])).toBe('अनु');
    expect(
      Object.keys(extensions(card)).filter((key) => /alternate|expression|world_book|lumiverse/.test(key)),
    ).toEqual([]);
    expect(report.escrowed.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['data.extensions.lumiverse_image_gen_lora', 'data.extensions.world_book_ids']),
    );
  });
  test('an archive to SillyTavern: the books become one, pictures are inlined', async () => {
    const { report, entities } = await engine.convert(mira, 'sillytavern');
    expect(entities).toHaveLength(3);
    const lost = new Set(report.losses.map(({ path }) => path.replace(/\[\d+\]/g, '')));
    expect([...lost].sort()).toEqual(expect.arrayContaining(['name', 'variants']));
    expect(report.escrowed.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['modules.regex_scripts', 'modules.landing_perspective_layers']),
    );
  });
  test('from SillyTavern and back: nothing is lost', async () => {
    const card = {
      spec: 'chara_card_v3',
      spec_version: '3.0',
      data: {
        name: 'นก',
        description: 'd',
        first_mes: 'f',
        nickname: 'N',
        tags: ['a'],
        extensions: { talkativeness: 0.3 },
        group_only_greetings: ['g'],
      },
    };
    const out = await engine.convert(JSON.stringify(card), 'lumiverse');
    expect(out.report.losses).toEqual([]);
    const back = await engine.convert(out.files[0]?.bytes as Uint8Array, 'sillytavern');
    expect(back.report.losses).toEqual([]);
    expect(parse(back.files[0]?.bytes).data).toMatchObject({ name: 'นก', nickname: 'N', group_only_greetings: ['g'] });
  });
  test('a picture with a new card has both payloads', async () => {
    const out = write(
      made((body) => {
        body.media.portrait = { role: 'portrait', ref: bytesOf(placeholderPng(), 'image/png') };
      }),
      { container: 'png' },
    );
    const png = pngOf(sourceOf(out.bytes));
    expect(png && textChunks(png).map(({ keyword }) => keyword)).toEqual(['chara', 'ccv3']);
    expect(isRecord(read(out.bytes).original?.lumiverse?.raw)).toBe(true);
  });
});
