import { describe, expect, test } from 'vitest';
import { read, value } from '../../../test/formats/files.ts';
import {
  bodyOf,
  editPrompt,
  type File,
  file,
  freshFile,
  harbour,
  idsOf,
  legacy,
  on,
  parsed,
  plain,
  wiki,
} from '../../../test/kit/sillytavern-preset.ts';
import { emptyPrompt } from '../../entities/preset/schema.ts';
import { sillytavernPreset as adapter } from './preset.ts';

describe('prompts and their order', () => {
  test('the order 100001 gives sequence and switches; what it does not name comes last and is off', () => {
    expect(idsOf(bodyOf(parsed(harbour)))).toEqual([
      'main',
      'worldInfoBefore',
      'charDescription',
      '9f6c2b8a-0d7e-4a51-8d0e-2b1c7a4f3e55',
      '!weather-2',
      'port',
      'chatHistory',
      '!jailbreak',
      '!loose',
    ]);
  });

  test('the number of the order may be a text', () => {
    expect(idsOf(bodyOf(parsed(wiki)))).toEqual(['main', 'p1', '!p2', 'p3', 'chatHistory']);
  });

  test('without that order, or with an empty one, rows stand in file order with their own switch', () => {
    const rows = [plain('a'), plain('b', { enabled: false })];
    expect(idsOf(bodyOf(file(rows)))).toEqual(['a', '!b']);
    expect(idsOf(bodyOf(file(rows, [])))).toEqual(['a', '!b']);
    expect(idsOf(bodyOf({ prompts: rows, prompt_order: [{ character_id: 100000, order: [on('b')] }] }))).toEqual([
      'a',
      '!b',
    ]);
  });

  test('the switch of a row says nothing beside an order', () => {
    expect(idsOf(bodyOf(file([plain('a', { enabled: false })], [on('a')])))).toEqual(['a']);
  });

  test('of rows with one identifier the first counts, entries without a prompt are skipped, both are told', () => {
    const [entity] = read(adapter, harbour.bytes);
    expect(entity.body.prompts.find(({ id }) => id === 'port')?.name).toBe('الميناء');
    const { repairs, left } = adapter.account(entity);
    expect(repairs.map(({ path }) => path).filter((path) => path.startsWith('prompt'))).toEqual([
      'prompts[6]',
      'prompt_order[1].order[6]',
      'prompt_order[1].order[9]',
    ]);
    expect(left.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['prompts[6]', 'prompt_order[0]', 'prompt_order[2]']),
    );
  });

  test('every field of a prompt has its slot', () => {
    expect(bodyOf(parsed(harbour)).prompts[3]).toEqual({
      id: '9f6c2b8a-0d7e-4a51-8d0e-2b1c7a4f3e55',
      name: 'Weather',
      content: 'Fog, salt and a slow tide.',
      role: 'user',
      enabled: true,
      systemPrompt: false,
      marker: false,
      placement: 'in_chat',
      injectionDepth: 2,
      injectionOrder: 90,
      injectionTrigger: ['normal', 'continue'],
      forbidOverrides: false,
      groupId: 'c1d2e3f4-0001-4000-8000-000000000001',
    });
  });

  test('places of the app have their slot, built-ins are known', () => {
    const { prompts } = bodyOf(parsed(harbour));
    const slots = prompts.map(({ id, marker, markerSlot, isDefault }) => [id, marker, markerSlot, isDefault]);
    expect(slots).toContainEqual(['chatHistory', true, 'chatHistory', true]);
    expect(slots).toContainEqual(['charDescription', true, undefined, true]);
    expect(slots).toContainEqual(['main', undefined, undefined, true]);
    expect(slots).toContainEqual(['loose', undefined, undefined, undefined]);
  });

  test.each([
    [0, 'relative'],
    [1, 'in_chat'],
    [2, 'append'],
    [3, 'append_preset'],
    [4, 'prepend_preset'],
  ])('injection_position %d is %s', (number, word) => {
    expect(bodyOf(file([plain('a', { injection_position: number })])).prompts[0]?.placement).toBe(word);
    expect(freshFile({ prompts: [{ ...emptyPrompt('a'), placement: word }] }).prompts[0]?.injection_position).toBe(
      number,
    );
  });

  test('an unknown number or role stays in escrow', () => {
    const [entity] = read(adapter, file([plain('a', { injection_position: 9, role: 'narrator' })], [on('a')]));
    expect(entity.body.prompts[0]).toMatchObject({ role: 'system' });
    expect(entity.body.prompts[0]).not.toHaveProperty('placement');
    expect(adapter.account(entity).left.map(({ path }) => path)).toEqual([
      'prompts[0].injection_position',
      'prompts[0].role',
    ]);
  });

  test('presets older than the prompt manager: three texts are three prompts', () => {
    const body = bodyOf(parsed(legacy));
    expect(body.prompts.map(({ id, content }) => [id, content])).toEqual([
      ['main', 'Write the next reply of {{char}}.'],
      ['nsfw', ''],
      ['jailbreak', '[Stay by the sea.]'],
    ]);
  });

  test('a row without an identifier is kept, and gets one when it is switched on', () => {
    const raw = file([plain('a'), { name: 'bare', content: 'x' }], [on('a')]);
    const [entity] = read(adapter, raw);
    expect(idsOf(entity.body)).toEqual(['a', '!row-1']);
    const out = value(adapter, editPrompt(entity, 'row-1', { enabled: true })) as File;
    expect(out.prompts[1]).toEqual({ identifier: 'row-1', name: 'bare', content: 'x' });
    expect(out.prompt_order[0]?.order).toEqual([on('a'), on('row-1')]);
  });
});
