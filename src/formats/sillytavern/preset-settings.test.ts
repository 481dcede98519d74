import { describe, expect, test } from 'vitest';
import { changes, edited, read, value } from '../../../test/formats/files.ts';
import { bodyOf, fresh, freshFile, harbour, parsed } from '../../../test/kit/sillytavern-preset.ts';
import { holdsSecrets, SECRET_KEYS, withoutSecrets } from '../../entities/preset/secrets.ts';
import { sillytavern } from './index.ts';
import { sillytavernPreset as adapter } from './preset.ts';

describe('settings', () => {
  test('each has its slot', () => {
    const { prompts: _, groups: __, ...body } = bodyOf(parsed(harbour));
    expect(body).toEqual({
      name: '',
      samplers: {
        temperature: 0.9,
        topP: 0.95,
        minP: 0,
        frequencyPenalty: 0.2,
        repetitionPenalty: 1,
        maxContext: 16384,
        maxTokens: 500,
        promptPostProcessing: 'none',
      },
      behavior: { namesBehavior: 2, sendIfEmpty: '', continuePostfix: '\n' },
      generation: { completions: 1, maxContextUnlocked: true },
      systemPrompts: {
        impersonation: '[Speak as {{user}}.]',
        newChat: '',
        continueNudge: '[Go on: {{lastChatMessage}}]',
        assistantPrefill: '承知しました。',
      },
      templates: { worldInfoFormat: '{0}', scenarioFormat: '{{scenario}}', personalityFormat: '{{personality}}' },
      apiOptions: {
        reasoningEffort: 'max',
        streamResponses: true,
        claudeUseSystemPrompt: true,
        functionCalling: false,
      },
      media: { imageInlining: true },
    });
  });

  test('null is unset, an empty text is not zero, and both stay (RW-065)', () => {
    const raw = { temperature: 1, top_p: '', presence_penalty: null, seed: null, frequency_penalty: '0.5' };
    const [entity] = read(adapter, raw);
    expect(entity.body).toMatchObject({ samplers: { temperature: 1, frequencyPenalty: 0.5 } });
    expect(entity.body.samplers).not.toHaveProperty('topP');
    expect(entity.body).not.toHaveProperty('generation');
    const out = value(adapter, edited(entity, { samplers: { ...entity.body.samplers, frequencyPenalty: 0.6 } }));
    expect(out).toEqual({ ...raw, frequency_penalty: '0.6' });
  });

  test('any other text stays in escrow and is named', () => {
    const [entity] = read(adapter, { temperature: 'warm', top_p: 1, stream_openai: 'perhaps', n: 2 });
    expect(entity.body.samplers).toEqual({ topP: 1 });
    expect(adapter.account(entity).left.map(({ path }) => path)).toEqual(['temperature', 'stream_openai']);
  });

  test('numbers, flags and texts in each other’s clothes are read and stay so dressed', () => {
    const raw = {
      temperature: '1',
      top_p: 1,
      stream_openai: 'true',
      squash_system_messages: 1,
      wi_format: 5,
      send_if_empty: true,
    };
    const [entity] = read(adapter, raw);
    expect(entity.body).toMatchObject({
      samplers: { temperature: 1 },
      apiOptions: { streamResponses: true, squashSystemMessages: true },
      templates: { worldInfoFormat: '5' },
      behavior: { sendIfEmpty: 'true' },
    });
    const apiOptions = { streamResponses: false, squashSystemMessages: false };
    expect(value(adapter, edited(entity, { apiOptions, samplers: { temperature: 2, topP: 1 } }))).toEqual({
      ...raw,
      temperature: '2',
      stream_openai: 'false',
      squash_system_messages: 0,
    });
  });

  test('unknown words are kept (RW-066)', () => {
    const raw = { temperature: 1, top_p: 1, reasoning_effort: 'ultra', custom_prompt_post_processing: 'merge_tools' };
    expect(bodyOf(raw)).toMatchObject({
      apiOptions: { reasoningEffort: 'ultra' },
      samplers: { promptPostProcessing: 'merge_tools' },
    });
  });

  test('no post-processing is an empty text', () => {
    expect(freshFile({ samplers: { promptPostProcessing: 'none' } }).custom_prompt_post_processing).toBe('');
    expect(freshFile({ samplers: { promptPostProcessing: 'strict' } }).custom_prompt_post_processing).toBe('strict');
  });

  test('the old and the new word for pictures are one slot', () => {
    expect(bodyOf({ temperature: 1, top_p: 1, image_inlining: false }).media?.imageInlining).toBe(false);
    expect(freshFile({ media: { imageInlining: true } })).toMatchObject({ media_inlining: true });
    const [entity] = read(adapter, { temperature: 1, top_p: 1, image_inlining: false });
    expect(value(adapter, edited(entity, { media: { imageInlining: true } }))).toMatchObject({ image_inlining: true });
  });

  test('a cleared setting leaves the file', () => {
    const [entity] = read(adapter, harbour.bytes);
    const { assistantPrefill: _, ...systemPrompts } = entity.body.systemPrompts ?? {};
    expect(changes(parsed(harbour), value(adapter, edited(entity, { systemPrompts })))).toEqual(['assistant_prefill']);
  });
});

describe('secrets', () => {
  test('none is in the body, and a report names them without showing them', () => {
    const raw = {
      temperature: 1,
      top_p: 1,
      ...Object.fromEntries(SECRET_KEYS.map((key) => [key, `secret of ${key}`])),
    };
    const [entity] = read(adapter, raw);
    expect(JSON.stringify(entity.body)).not.toContain('secret of');
    const { left } = adapter.account(entity);
    expect(left.map(({ path }) => path).sort()).toEqual([...SECRET_KEYS].sort());
    expect(JSON.stringify(left)).not.toContain('secret of');
    expect(JSON.stringify(value(adapter, fresh(entity.body)))).not.toContain('secret of');
  });

  test('a file to be shared goes without them, everything else as it was', () => {
    const raw = parsed(harbour);
    const stripped = adapter.stripSecrets?.(raw);
    expect(stripped?.removed).toEqual(['proxy_password', 'custom_url', 'custom_include_headers']);
    expect(holdsSecrets(raw)).toBe(true);
    expect(holdsSecrets(stripped?.raw)).toBe(false);
    expect(changes(raw, stripped?.raw).sort()).toEqual([...(stripped?.removed ?? [])].sort());
    expect(withoutSecrets(stripped?.raw).raw).toBe(stripped?.raw);
  });

  test('a card to be shared goes without marks of use (RW-092)', () => {
    const card = {
      chat: 'c',
      create_date: 'd',
      fav: true,
      data: { name: 'n', extensions: { fav: true, world: 'w', x: 1 } },
    };
    expect(sillytavern.stripSecrets?.(card)).toEqual({
      raw: { data: { name: 'n', extensions: { x: 1 } } },
      removed: ['chat', 'create_date', 'fav', 'data.extensions.fav', 'data.extensions.world'],
    });
    const clean = { data: { name: 'n' } };
    expect(sillytavern.stripSecrets?.(clean).raw).toBe(clean);
  });
});
