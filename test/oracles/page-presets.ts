/** Presets and templates through the inputs of SillyTavern's page. */
import { existsSync } from 'node:fs';
import { type Change, changesOf } from './judge.ts';
import { type Import, jsonAt, type Tree } from './page-judges.ts';
import { answerOf, toast, upload } from './sillytavern-page.ts';

/** Template families: the input for their files, and the folder that the app keeps them in. */
const FAMILIES: Readonly<Record<string, readonly [api: string, folder: string]>> = {
  instruct: ['instruct', 'instruct'],
  context: ['context', 'context'],
  sysprompt: ['sysprompt', 'sysprompt'],
  reasoning: ['reasoning', 'reasoning'],
  preset: ['textgenerationwebui', 'TextGen Settings'],
  textgen: ['textgenerationwebui', 'TextGen Settings'],
  kobold: ['kobold', 'KoboldAI Settings'],
  novel: ['novel', 'NovelAI Settings'],
};

const savedAs = (api: string) =>
  answerOf('/api/presets/save', (sent) => (JSON.parse(sent) as { apiId: string }).apiId === api);

export const presets: Import = async (app, server, file) => {
  const { dialect = 'chat' } = file.job;
  if (dialect === 'chat') return chatPreset(app, server, file);
  if (dialect === 'master') return master(app, server, file);
  const [api, folder] = FAMILIES[dialect] ?? ['', ''];
  const saved = await upload(app.page, `[data-preset-manager-file="${api}"]`, file, savedAs(api));
  return changesOf(file.json, jsonAt(`${server.data}/${folder}/${saved.name}.json`));
};

/** Prompts by identifier, and the order of each character, so that a row more moves no other. */
function byIdentifier(prompts: unknown, orders: unknown): Tree {
  const named = (rows: unknown, key: string): [string, Tree][] =>
    (Array.isArray(rows) ? rows : []).map((row: Tree) => [String(row[key]), row]);
  const order = named(orders, 'character_id').map(([id, row]) => [id, named(row.order, 'identifier')] as const);
  return {
    prompts: Object.fromEntries(named(prompts, 'identifier')),
    sequence: Object.fromEntries(order.map(([id, rows]) => [id, rows.map(([name]) => name).join(' ')])),
    enabled: Object.fromEntries(
      order.map(([id, rows]) => [id, Object.fromEntries(rows.map(([name, row]) => [name, row.enabled]))]),
    ),
  };
}

/** As stored, and as the prompt manager holds it once it is chosen. */
const chatPreset: Import = async ({ page }, { data }, { name, bytes, json }) => {
  const saved = await upload(page, '#openai_preset_import_file', { name, bytes }, savedAs('openai'));
  const live = await page
    .waitForFunction((wanted) => {
      const held = globalThis.SillyTavern?.getContext().chatCompletionSettings;
      return held?.preset_settings_openai === wanted && { prompts: held?.prompts, orders: held?.prompt_order };
    }, saved.name)
    .then((handle) => handle.jsonValue());
  const { prompts, prompt_order } = json as Tree;
  const chosen = changesOf(byIdentifier(prompts, prompt_order), live && byIdentifier(live.prompts, live.orders)).map(
    (one): Change => ({ ...one, path: `chosen: ${one.path}` }),
  );
  return [...changesOf(json, jsonAt(`${data}/OpenAI Settings/${saved.name}.json`)), ...chosen];
};

const master: Import = async ({ page }, { data }, { name, bytes, json }) => {
  await upload(page, '#af_master_import_file', { name, bytes }, toast(/Imported \d+ settings/));
  const bias = await page.evaluate(() => {
    const settings = globalThis.SillyTavern?.getContext().powerUserSettings;
    return { value: settings?.user_prompt_bias, show: settings?.show_user_prompt_bias };
  });
  return Object.entries(json as Record<string, Tree>).flatMap(([key, section]) => {
    const path = `${data}/${FAMILIES[key]?.[1]}/${section.name}.json`;
    const stored = key === 'srw' ? bias : existsSync(path) ? jsonAt(path) : undefined;
    return changesOf(section, stored, key);
  });
};
