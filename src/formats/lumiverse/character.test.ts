import { describe, expect, test } from 'vitest';
import { differences, parse, withValue } from '../../../test/kit/adapter.ts';
import { engine, sampleBytes } from '../../../test/kit/lumiverse.ts';
import { ananya, edited, extensions, labels, left, made, read, write } from '../../../test/kit/lumiverse-character.ts';
import type { Wire } from '../../core/draft.ts';
import type { CharacterBody } from '../../entities/character/schema.ts';
import { lumiverse } from './character.ts';

describe('a card', () => {
  test('the field map', () => {
    const { body } = read(ananya);
    expect(body.identity).toMatchObject({ name: 'अनन्या', nickname: 'अनु', characterVersion: '1.2' });
    expect(body.settings?.talkativeness).toBe(0.4);
    expect(body.prompts.depthInjections?.[0]).toMatchObject({ text: 'The water is rising.', depth: 3 });
    expect(labels(body.media.assets)).toEqual(['emotion neutral', 'emotion हँसी', 'emotion Ravi/neutral']);
    expect(body.variants).toEqual([
      {
        id: '7d0e',
        label: 'Formal',
        overrides: {
          identity: { description: 'The keeper of the river clocks.' },
          persona: { scenario: 'The guild hall, at noon.' },
        },
      },
      { id: '91aa', label: 'बचपन', overrides: { identity: { description: 'एक लड़की जो घड़ियाँ खोलती है।' } } },
      { id: 'av1', label: 'Festival', overrides: { media: { portrait: { role: 'portrait', ref: 'img-4f1c' } } } },
    ]);
  });
  test('unedited, JSON and picture are what they were', () => {
    expect(parse(write(read(ananya)).bytes)).toEqual(ananya);
    const png = sampleBytes('lumiverse.nok.png');
    expect(write(read(png)).bytes).toEqual(png);
  });
  test('keys of the account are named and stay', () => {
    expect(left(read(ananya))).toEqual(
      expect.arrayContaining(
        [
          'world_book_ids',
          'ttsVoice',
          'lumiverse_image_gen_lora',
          'alternate_fields.costume',
          'expressions.enabled',
          'expressions.defaultExpression',
        ].map((key) => `data.extensions.${key}`),
      ),
    );
  });
  test.each<readonly [string, (body: CharacterBody) => void, readonly string[]]>([
    [
      'the other name',
      (body) => {
        body.identity.nickname = 'Anu';
      },
      ['data.extensions.alternate_character_name'],
    ],
    [
      'a label of an expression',
      (body) => {
        body.media.assets = (body.media.assets ?? []).map((one) =>
          one.label === 'हँसी' ? { ...one, label: 'smile' } : one,
        );
      },
      ['data.extensions.expressions.mappings.हँसी', 'data.extensions.expressions.mappings.smile'],
    ],
    [
      'an alternate',
      (body) => {
        body.variants = (body.variants ?? []).map((one) =>
          one.id === '91aa' ? { ...one, overrides: { identity: { description: 'x' } } } : one,
        );
      },
      ['data.extensions.alternate_fields.description.1.content'],
    ],
    [
      'a label of an alternate',
      (body) => {
        body.variants = (body.variants ?? []).map((one) => (one.id === '91aa' ? { ...one, label: 'Child' } : one));
      },
      ['data.extensions.alternate_fields.description.1.label'],
    ],
  ])('an edit of %s touches its own key', (_, edit, paths) => {
    expect(differences(ananya, parse(write(edited(read(ananya), edit)).bytes))).toEqual(paths);
  });
  test('cleared variants take their lists along, and leave what nobody read', () => {
    const card = extensions(
      parse(
        write(
          edited(read(ananya), (body) => {
            delete body.variants;
          }),
        ).bytes,
      ),
    );
    expect(card.alternate_fields).toEqual({ costume: [{ id: 'c1', label: 'Festival', content: 'A marigold shawl.' }] });
    expect(card).not.toHaveProperty('alternate_avatars');
  });
  test('alternate_character_name comes before the nickname of V3, and is what a new card has', () => {
    const both = withValue(withValue(ananya, 'data.nickname', 'N'), 'data.extensions.alternate_character_name', 'A');
    expect(read(both).body.identity.nickname).toBe('A');
    const card = parse(
      write(
        made((body) => {
          body.identity.nickname = 'Min';
        }),
      ).bytes,
    );
    expect(extensions(card).alternate_character_name).toBe('Min');
  });
  test('a new card has a key that nobody else writes', async () => {
    const sealed = write(made(() => {}));
    expect(extensions(parse(sealed.bytes))).toEqual({ alternate_fields: {} });
    expect((await engine.detect(sealed.bytes))?.format).toBe('lumiverse');
  });
  test('a variant of several texts is one alternate in each field', () => {
    const variants = [
      { id: 'v', label: 'ฝน', overrides: { identity: { description: 'wet' }, persona: { scenario: 'rain' } } },
    ];
    const card = parse(
      write(
        made((body) => {
          body.variants = variants;
        }),
      ).bytes,
    );
    expect(extensions(card).alternate_fields).toEqual({
      description: [{ id: 'v', label: 'ฝน', content: 'wet' }],
      scenario: [{ id: 'v', label: 'ฝน', content: 'rain' }],
    });
    expect(read(card).body.variants).toEqual(variants);
  });
  test('ids of the account are taken out of a file to be shared', () => {
    const stripped = lumiverse.stripSecrets?.(ananya);
    expect(stripped?.removed).toEqual(['data.extensions.world_book_ids', 'data.extensions.databank_ids']);
    expect(extensions(stripped?.raw as Wire)).not.toHaveProperty('world_book_ids');
  });
});
