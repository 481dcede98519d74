import { describe, expect, test } from 'vitest';
import { changes, edited, read, source, value, written } from '../../../test/formats/files.ts';
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
import { emptyPrompt, type PresetPrompt } from '../../entities/preset/schema.ts';
import { sillytavernPreset as adapter } from './preset.ts';

describe('writing back', () => {
  test('unedited: duplicates, orphans, null values and all', () => {
    for (const one of [harbour, wiki, legacy]) expect(written(adapter, read(adapter, one.bytes)[0])).toBe(one.text);
  });

  test.each([
    ['a text', 'port', { content: 'z' }, ['prompts.5.content']],
    ['a name', 'main', { name: 'z' }, ['prompts.0.name']],
    ['a role', 'main', { role: 'assistant' as const }, ['prompts.0.role']],
    ['a place', 'port', { placement: 'in_chat' }, ['prompts.5.injection_position']],
    ['a switch', 'jailbreak', { enabled: true }, ['prompt_order.1.order.11.enabled']],
    ['a marker', 'chatHistory', { content: 'z' }, ['prompts.8.content']],
    ['a loose prompt', 'loose', { content: 'z' }, ['prompts.7.content']],
  ])('%s touches its own home', (_name, id, change, homes) => {
    const [entity] = read(adapter, harbour.bytes);
    expect(changes(parsed(harbour), value(adapter, editPrompt(entity, id, change)))).toEqual(homes);
  });

  test('a loose prompt that is switched on goes into the order', () => {
    const [entity] = read(adapter, harbour.bytes);
    const out = value(adapter, editPrompt(entity, 'loose', { enabled: true })) as File;
    expect(changes(parsed(harbour), out)).toEqual(['prompt_order.1.order']);
    expect(out.prompt_order[1]?.order.at(-1)).toEqual(on('loose'));
  });

  test('another sequence changes the order alone; orphans and repeats hold their place', () => {
    const [entity] = read(adapter, harbour.bytes);
    const [main, world, ...rest] = entity.body.prompts;
    if (!main || !world) throw new Error('too few prompts');
    const out = value(adapter, edited(entity, { prompts: [world, main, ...rest] })) as File;
    expect(out.prompts).toEqual(parsed(harbour).prompts);
    const ids = (one: File) => one.prompt_order[1]?.order.map(({ identifier }) => identifier);
    const [a, b, ...others] = ids(parsed(harbour)) ?? [];
    expect(ids(out)).toEqual([b, a, ...others]);
    expect([out.prompt_order[0], out.prompt_order[2]]).toEqual([
      parsed(harbour).prompt_order[0],
      parsed(harbour).prompt_order[2],
    ]);
  });

  test('a removed prompt goes with its entry, and its second row does not come alive', () => {
    const [entity] = read(adapter, harbour.bytes);
    const prompts = entity.body.prompts.filter(({ id }) => id !== 'port');
    const out = value(adapter, edited(entity, { prompts })) as File;
    expect(out.prompts.some(({ identifier }) => identifier === 'port')).toBe(false);
    expect(out.prompt_order[1]?.order.map(({ identifier }) => identifier)).not.toContain('port');
    expect(idsOf(bodyOf(out))).toEqual(idsOf({ ...entity.body, prompts }));
  });

  test('an added prompt follows in the rows and stands at its place in the order', () => {
    const [entity] = read(adapter, harbour.bytes);
    const [main, ...rest] = entity.body.prompts;
    if (!main) throw new Error('no prompt');
    const added = { ...emptyPrompt('new'), name: 'New', content: 'n' };
    const out = value(adapter, edited(entity, { prompts: [main, added, ...rest] })) as File;
    expect(out.prompts.slice(0, -1)).toEqual(parsed(harbour).prompts);
    expect(out.prompts.at(-1)).toMatchObject({ identifier: 'new', content: 'n', injection_depth: 4 });
    expect(out.prompt_order[1]?.order.slice(0, 3).map(({ identifier }) => identifier)).toEqual([
      'main',
      'new',
      'worldInfoBefore',
    ]);
    expect(idsOf(bodyOf(out))).toEqual(idsOf({ ...entity.body, prompts: [main, added, ...rest] }));
  });

  test('without an order list, sequence and switches are written in the rows', () => {
    const raw = file([plain('a'), 'odd', plain('b', { enabled: 'false' })]);
    const [entity] = read(adapter, raw);
    const [a, b] = entity.body.prompts;
    if (!a || !b) throw new Error('too few prompts');
    const out = value(adapter, edited(entity, { prompts: [{ ...b, enabled: true }, a] }));
    expect(out).toEqual(file([plain('b', { enabled: 'true' }), 'odd', plain('a')]));
    expect(value(adapter, editPrompt(entity, 'a', { enabled: false }))).toEqual(
      file([plain('a', { enabled: false }), 'odd', plain('b', { enabled: 'false' })]),
    );
  });

  test('a repeat never comes before the row that counts', () => {
    const rows = [plain('a', { content: 'first' }), plain('a', { content: 'second' }), plain('b')];
    const [unordered] = read(adapter, file(rows));
    const [a, b] = unordered.body.prompts;
    if (!a || !b) throw new Error('too few prompts');
    expect(
      bodyOf(value(adapter, edited(unordered, { prompts: [b, a] })) as File).prompts.map(({ content }) => content),
    ).toEqual(['c', 'first']);
    const [ordered] = read(adapter, file([plain('a'), plain('b')], [on('a'), on('a', false), on('b')]));
    const [one, two] = ordered.body.prompts;
    if (!one || !two) throw new Error('too few prompts');
    const out = value(adapter, edited(ordered, { prompts: [two, one] })) as File;
    expect(out.prompt_order[0]?.order).toEqual([on('b'), on('a'), on('a', false)]);
  });

  test('an order that loses its last prompt names the ones outside it, or they would be on', () => {
    const [entity] = read(adapter, file([plain('a'), plain('b')], [on('a')]));
    const out = value(adapter, edited(entity, { prompts: entity.body.prompts.slice(1) })) as File;
    expect(idsOf(bodyOf(out))).toEqual(['!b']);
    expect(out.prompt_order[0]?.order).toEqual([on('b', false)]);
  });

  test('prompts outside the order that change places go into it', () => {
    const [entity] = read(adapter, file([plain('a'), plain('b'), plain('c')], [on('a')]));
    const [a, b, c] = entity.body.prompts;
    if (!a || !b || !c) throw new Error('too few prompts');
    expect(idsOf(bodyOf(value(adapter, edited(entity, { prompts: [a, c, b] })) as File))).toEqual(['a', '!c', '!b']);
  });

  test('a group whose parent is gone stands for itself', () => {
    const [entity] = read(adapter, wiki.bytes);
    const groups = (entity.body.groups ?? []).filter(({ id }) => id !== 'cat');
    const back = bodyOf(value(adapter, edited(entity, { groups })) as File);
    expect(back.groups?.map(({ name, parentGroupId }) => [name, parentGroupId])).toEqual([
      ['Weather', undefined],
      ['Память', undefined],
    ]);
  });

  test('the three old texts stay three texts, until something else changes', () => {
    const [entity] = read(adapter, legacy.bytes);
    expect(changes(parsed(legacy), value(adapter, editPrompt(entity, 'main', { content: 'z' })))).toEqual([
      'main_prompt',
    ]);
    const out = value(adapter, editPrompt(entity, 'nsfw', { enabled: false })) as File;
    expect(out).not.toHaveProperty('main_prompt');
    expect(idsOf(bodyOf(out))).toEqual(['main', '!nsfw', 'jailbreak']);
  });

  test('all prompts removed: no rows, nothing comes back', () => {
    const [entity] = read(adapter, wiki.bytes);
    const { groups: _, ...rest } = entity.body;
    const out = value(adapter, { ...entity, body: { ...rest, prompts: [] } }) as File;
    expect(out.prompts).toEqual([]);
    expect(bodyOf(out).prompts).toEqual([]);
  });
});

describe('fresh presets', () => {
  test('one order, 100001; a place of the app takes four keys', () => {
    const prompts: PresetPrompt[] = [
      { ...emptyPrompt('main'), name: 'Main', content: 'x', systemPrompt: true },
      { ...emptyPrompt('chatHistory'), name: 'History', marker: true, markerSlot: 'chatHistory', enabled: false },
    ];
    expect(freshFile({ prompts, samplers: { temperature: 0.5 } })).toEqual({
      prompts: [
        {
          identifier: 'main',
          name: 'Main',
          system_prompt: true,
          role: 'system',
          content: 'x',
          marker: false,
          injection_position: 0,
          injection_depth: 4,
          injection_order: 100,
          injection_trigger: [],
          forbid_overrides: false,
        },
        { identifier: 'chatHistory', name: 'History', system_prompt: false, marker: true },
      ],
      prompt_order: [{ character_id: 100001, order: [on('main'), on('chatHistory', false)] }],
      temperature: 0.5,
    });
  });

  test('a place that says more is written in full', () => {
    const prompts: PresetPrompt[] = [{ ...emptyPrompt('chatHistory'), marker: true, injectionDepth: 2 }];
    expect(Object.keys(freshFile({ prompts }).prompts[0] ?? {})).toHaveLength(11);
  });

  test('a place of another app goes by its slot, or the app would not know it', () => {
    const prompts: PresetPrompt[] = [{ ...emptyPrompt('b7'), marker: true, markerSlot: 'worldInfoAfter' }];
    const out = freshFile({ prompts });
    expect(out.prompts[0]?.identifier).toBe('worldInfoAfter');
    expect(out.prompt_order[0]?.order).toEqual([on('worldInfoAfter')]);
  });

  test('an empty preset is still a preset', () => {
    expect(freshFile({})).toEqual({ prompts: [], prompt_order: [] });
    expect(adapter.detect(source(freshFile({})))).toBe(0.9);
  });
});
