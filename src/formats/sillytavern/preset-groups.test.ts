import { describe, expect, test } from 'vitest';
import { changes, edited, read, value } from '../../../test/formats/files.ts';
import {
  bodyOf,
  type File,
  file,
  freshFile,
  harbour,
  on,
  parsed,
  plain,
  wiki,
} from '../../../test/kit/sillytavern-preset.ts';
import { emptyPrompt } from '../../entities/preset/schema.ts';
import { sillytavernPreset as adapter } from './preset.ts';

describe('groups', () => {
  test('lines: a name with two line characters over no text opens a group', () => {
    const { groups, prompts } = bodyOf(parsed(harbour));
    expect(groups).toEqual([
      {
        id: 'c1d2e3f4-0001-4000-8000-000000000001',
        name: 'Style',
        enabled: true,
        extras: { decorated: '━━━ Style ━━━' },
      },
      { id: 'c1d2e3f4-0002-4000-8000-000000000002', name: '場所', enabled: false, extras: { decorated: '── 場所 ──' } },
    ]);
    expect(prompts.map(({ groupId }) => groupId?.slice(0, 13))).toEqual([
      undefined,
      undefined,
      undefined,
      'c1d2e3f4-0001',
      'c1d2e3f4-0001',
      'c1d2e3f4-0002',
      'c1d2e3f4-0002',
      'c1d2e3f4-0002',
      undefined,
    ]);
  });

  test('wiki: a category, a subcategory with words of its own, and the next category', () => {
    const { groups, prompts } = bodyOf(parsed(wiki));
    expect(groups).toEqual([
      { id: 'cat', name: 'Voice', enabled: true, extras: { decorated: '===Voice===' } },
      {
        id: 'sub',
        name: 'Weather',
        content: 'All of it is grey.',
        parentGroupId: 'cat',
        enabled: true,
        extras: { decorated: '<Weather>' },
      },
      { id: 'cat2', name: 'Память', enabled: false, extras: { decorated: '===Память===' } },
    ]);
    expect(prompts.map(({ groupId }) => groupId)).toEqual([undefined, 'cat', 'sub', 'cat2', 'cat2']);
  });

  test('a name in angle brackets is a plain prompt without a category before it', () => {
    const rows = [plain('a', { name: '<x>' }), plain('b', { name: '===C===' })];
    expect(bodyOf(file(rows)).prompts.map(({ id }) => id)).toEqual(['a']);
    expect(bodyOf(file([plain('a', { name: '<x>' })])).groups).toBeUndefined();
  });

  test.each([
    ['one line character', plain('a', { name: '━ Style', content: '' })],
    ['a text below', plain('a', { name: '━━ Style', content: 'x' })],
    ['a built-in', plain('main', { name: '━━ Main', content: '', system_prompt: true })],
    ['a place of the app', plain('chatHistory', { name: '-- Chat --', content: '', marker: true })],
  ])('no group: %s', (_name, row) => expect(bodyOf(file([row], [on(row.identifier)])).groups).toBeUndefined());

  test('a renamed group keeps its decoration, and touches nothing else', () => {
    const [entity] = read(adapter, harbour.bytes);
    const [first, ...rest] = entity.body.groups ?? [];
    if (!first) throw new Error('no group');
    const out = value(adapter, edited(entity, { groups: [{ ...first, name: 'Tone' }, ...rest] })) as File;
    expect(changes(parsed(harbour), out)).toEqual(['prompts.1.name']);
    expect(out.prompts[1]?.name).toBe('━━━ Tone ━━━');
  });

  test('a group switched on touches its entry in the order', () => {
    const [entity] = read(adapter, harbour.bytes);
    const groups = (entity.body.groups ?? []).map((group) => ({ ...group, enabled: true }));
    const out = value(adapter, edited(entity, { groups }));
    expect(changes(parsed(harbour), out)).toEqual(['prompt_order.1.order.7.enabled']);
  });

  test('groups of another app become rows before their prompts', () => {
    const prompts = [
      emptyPrompt('a'),
      { ...emptyPrompt('b'), groupId: 'g' },
      { ...emptyPrompt('c'), groupId: 'h', enabled: false },
    ];
    const lines = freshFile({
      prompts,
      groups: [
        { id: 'g', name: 'G' },
        { id: 'e', name: 'Empty' },
        { id: 'h', name: 'H' },
      ],
    });
    expect(lines.prompts.map(({ name, identifier }) => name || identifier)).toEqual([
      'a',
      '━━━ G ━━━',
      'b',
      '━━━ Empty ━━━',
      '━━━ H ━━━',
      'c',
    ]);
    const nested = {
      prompts,
      groups: [
        { id: 'g', name: 'G' },
        { id: 'h', name: 'H', parentGroupId: 'g', content: 'x' },
      ],
    };
    expect(freshFile(nested).prompts.map(({ name, identifier }) => name || identifier)).toEqual([
      'a',
      '===G===',
      'b',
      '<H>',
      'c',
    ]);
    const back = bodyOf(freshFile(nested));
    expect(back.prompts.map(({ groupId }) => groupId)).toEqual([undefined, 'g', 'h']);
    expect(back.groups?.map(({ name, parentGroupId, content }) => [name, parentGroupId, content])).toEqual([
      ['G', undefined, undefined],
      ['H', 'g', 'x'],
    ]);
  });

  test('a name of nothing but lines is a group of that name', () => {
    const body = bodyOf(file([plain('a', { name: '━━━━', content: '' })]));
    expect(body.groups?.[0]?.name).toBe('━━━━');
    expect(freshFile(body).prompts[0]?.name).toBe('━━━━');
  });
});
