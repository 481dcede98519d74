/** What the page of SillyTavern makes of each kind of file. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import type { AnyEntity } from '../../src/entities/kinds.ts';
import { bunzai, type Fresh, type Job } from './fresh.ts';
import { accepted, type Change, changesOf, type Judge, meant, refused, type Verdict } from './judge.ts';
import { presets } from './page-presets.ts';
import { type Server, versionOf } from './sillytavern.ts';
import { type AppPage, answerOf, toast, upload } from './sillytavern-page.ts';

export type Tree = Record<string, unknown>;
/** Imports a file and says what differs; undefined: it has nothing to import. Throws what the app says on a refusal. */
export type Import = (app: AppPage, server: Server, file: Fresh) => Promise<readonly Change[] | undefined>;

export const jsonAt = (path: string): Tree => JSON.parse(readFileSync(path, 'utf8'));

const worldInfo: Import = async ({ page }, { data }, { name, bytes, job, json }) => {
  const stored = await upload(page, '#world_import_file', { name, bytes }, answerOf('/api/worldinfo/import'));
  const path = `${data}/worlds/${stored.name}.json`;
  return job.target === 'sillytavern-lorebook' ? changesOf(json, jsonAt(path)) : meant(bytes, readFileSync(path));
};

/** The book inside a card becomes a world info: by the app's own code, and by ours. */
const embeddedBook: Import = async ({ page }, _, { json, bytes }) => {
  const book = (json as { data?: Tree }).data?.character_book;
  if (book === undefined) return undefined;
  const code = `import('/scripts/world-info.js').then((own) => own.convertCharacterBook(${JSON.stringify(book)}).entries)`;
  const theirs = await page.evaluate(code);
  const { entities } = await bunzai.read(bytes);
  const alone = entities.filter(({ kind }) => kind === 'lorebook').map(({ original: _twin, ...one }) => one);
  const { files } = await bunzai.write(alone as AnyEntity[], 'sillytavern-lorebook');
  return changesOf(shown(JSON.parse(new TextDecoder().decode(files[0]?.bytes)).entries), shown(theirs));
};

/** Entries in the order in which the app lists them. */
const shown = (entries: unknown): unknown[] =>
  Object.values(entries as Record<string, { displayIndex: number }>).sort((a, b) => a.displayIndex - b.displayIndex);

const regex: Import = async ({ page }, _, { name, bytes, json }) => {
  const rows = [json].flat();
  await page.evaluate(() => globalThis.SillyTavern?.getContext().extensionSettings.regex.splice(0));
  const held = await upload(page, '#import_regex_file', { name, bytes }, (opened) =>
    opened.waitForFunction((count) => {
      const scripts = globalThis.SillyTavern?.getContext().extensionSettings.regex;
      return scripts?.length === count && scripts;
    }, rows.length),
  );
  return changesOf(rows, await held.jsonValue());
};

/** A backup never touches what is there already: so nothing is there, but for the picture of the user. */
const personas: Import = async ({ page }, { data }, { name, bytes, json }) => {
  for (const file of readdirSync(`${data}/User Avatars`))
    if (file !== 'user-default.png') rmSync(`${data}/User Avatars/${file}`);
  await page.evaluate(() => {
    const settings = globalThis.SillyTavern?.getContext().powerUserSettings;
    if (!settings) return;
    for (const map of [settings.personas, settings.persona_descriptions])
      for (const one of Object.keys(map)) delete map[one];
    settings.default_persona = null;
  });
  await upload(page, '#personas_restore_input', { name, bytes }, toast(/Personas restored/));
  const held = await page.evaluate(() => {
    const settings = globalThis.SillyTavern?.getContext().powerUserSettings;
    return { names: settings?.personas, texts: settings?.persona_descriptions, first: settings?.default_persona };
  });
  return changesOf(json, { personas: held.names, persona_descriptions: held.texts, default_persona: held.first });
};

const quickReplies: Import = async ({ page }, { data }, { name, bytes, json }) => {
  const { name: set } = json as { name: string };
  const isIt = (sent: string) => (JSON.parse(sent) as { name: string }).name === set;
  await upload(page, '#qr--set-importFile', { name, bytes }, answerOf('/api/quick-replies/save', isIt));
  return changesOf(json, jsonAt(`${data}/QuickReplies/${set}.json`));
};

const isBook = ({ target }: Job): boolean => /^(sillytavern|novelai|agnai|risu)-lorebook$/.test(target);
const isV3Json = ({ target, variant }: Job): boolean => target === 'sillytavern' && variant === 'v3';
const is = (target: string) => (job: Job) => job.target === target;

const IMPORTS: readonly (readonly [asks: string, reads: (job: Job) => boolean, run: Import])[] = [
  ['world info import, then the stored book', isBook, worldInfo],
  ['its own conversion of the book in a card, against ours', isV3Json, embeddedBook],
  ['regex import, then the scripts', is('sillytavern-regex'), regex],
  ['restore of a personas backup', is('sillytavern-persona'), personas],
  ['preset and template import, then the stored file', is('sillytavern-preset'), presets],
  ['quick reply import, then the stored set', is('sillytavern-quickreply'), quickReplies],
];

/** One judge for each kind. An error that the page throws meanwhile is a change too. */
export const pageJudges = (app: AppPage, server: Server): Judge[] =>
  IMPORTS.map(([asks, reads, run]) => ({
    name: 'SillyTavern page',
    asks,
    version: versionOf('sillytavern'),
    reads,
    async judge(file): Promise<Verdict | undefined> {
      app.errors();
      try {
        const changes = await run(app, server, file);
        if (changes === undefined) return undefined;
        const thrown = app.errors().map((error): Change => ({ path: 'page error', ours: undefined, theirs: error }));
        return accepted([...changes, ...thrown]);
      } catch (error) {
        return refused(error instanceof Error ? error.message : error);
      }
    },
  }));
