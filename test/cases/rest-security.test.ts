import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeFiles } from '../../src/node.ts';
import { character, engine, greeted, json, targetsOf, text, v2 } from './rest-kit.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bunzai-cases-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('names as paths', () => {
  const NAMES = ['../../x', 'a/b', 'C:\\x', 'name.png', 'NUL', 'a\u0000b', '..', ' ', '~/x', '-rf'];

  test.each(NAMES)('RW-090 a character called %j is written inside the folder, and keeps its name', async (name) => {
    for (const options of [{}, { name }]) {
      const { files } = await engine.convert(text(v2({ name })), 'sillytavern', options);
      expect(json(files[0]?.bytes).data.name).toBe(name);
      const inner = `${join(folder, 'inner', Object.keys(options).join())}${sep}`;
      const [path = ''] = await writeFiles(inner, files);
      expect(join(dirname(path), sep)).toBe(join(inner, sep));
      expect(existsSync(path)).toBe(true);
      expect(path).toMatch(/\.json$/);
    }
    expect(readdirSync(folder)).toEqual(['inner']);
  });

  test('RW-090 a character of the same name is never written over', async () => {
    const { files } = await engine.convert(text(v2()), 'sillytavern');
    await writeFiles(`${folder}${sep}`, files);
    await expect(writeFiles(`${folder}${sep}`, files)).rejects.toMatchObject({ code: 'output.exists' });
    const { entities } = await engine.read(text(v2()));
    const both = await engine.write([...entities, ...entities], 'sillytavern');
    expect(new Set(both.files.map(({ name }) => name.toLowerCase())).size).toBe(both.files.length);
  });
});

const LIVE =
  '<style>body{display:none}</style><img src=x onerror="alert(1)"><a href="javascript:alert(2)">me</a><script>3</script>';

describe('content is data', () => {
  test.each(targetsOf('character'))('RW-091 markup in notes and greetings reaches %s unchanged', async (target) => {
    const { files, report } = await engine.convert(text(v2({ creator_notes: LIVE, first_mes: LIVE })), target);
    const { body } = character((await engine.read(files[0]?.bytes ?? '')).entities);
    expect(body.greetings.firstMessage).toBe(LIVE);
    const named = report.losses.some(({ path }) => path === 'attribution.creatorNotes');
    expect(named || body.attribution.creatorNotes === LIVE).toBe(true);
  });

  const used = v2(
    { extensions: { fav: true, world: 'My private notes' } },
    { fav: true, chat: 'Ada - 2026-03-01@10h', create_date: '2026-03-01@10h' },
  );

  test('RW-092 a file for sharing leaves private marks out and lists them; a plain one keeps and adds none', async () => {
    const shared = await engine.convert(text(used), 'sillytavern', { share: true });
    const out = Buffer.from(shared.files[0]?.bytes ?? []).toString();
    for (const mark of ['2026-03-01@10h', 'My private notes', 'fav"']) expect(out).not.toContain(mark);
    const listed = shared.report.warnings.filter(({ code }) => code === 'share.removed').map(({ path }) => path);
    expect(listed).toEqual(
      expect.arrayContaining(['chat', 'create_date', 'fav', 'data.extensions.fav', 'data.extensions.world']),
    );
    expect(json((await engine.convert(text(used), 'sillytavern')).files[0]?.bytes)).toEqual(used);
    const { entities } = await engine.read(text(v2()));
    const { files } = await engine.write([greeted(character(entities), 'New.')], 'sillytavern');
    expect(json(files[0]?.bytes)).toEqual(v2({ first_mes: 'New.' }));
  });
});

const rule = (findRegex: string) => ({
  id: 'r-1',
  scriptName: 'one',
  findRegex,
  replaceString: '',
  trimStrings: [],
  placement: [2],
  disabled: false,
  markdownOnly: false,
  promptOnly: false,
  runOnEdit: true,
  substituteRegex: 0,
  minDepth: null,
  maxDepth: null,
});
const LONG = `(?:${Array.from({ length: 400 }, (_, n) => `word${n}`).join('|')})`;

describe('rules', () => {
  const patterns: [find: string, runsAway: boolean][] = [
    ['(a+)+$', true],
    ['(\\w*)*;', true],
    ['(a|a)*b', true],
    ['(a+b)+?', false],
    ['\\s*\\n+', false],
    ['(?<=ding)dong', false],
    [LONG, false],
  ];
  test.each(patterns)(
    'RW-093 %s is carried as text, with a warning only where it may run away',
    async (find, runsAway) => {
      const card = v2({ extensions: { regex_scripts: [rule(find)] } });
      for (const input of [text(card), text([rule(find)])]) {
        const { warnings } = await engine.inspect(input);
        expect(warnings.some(({ code }) => code === 'regex.run-away')).toBe(runsAway);
        const { files } = await engine.convert(input, 'sillytavern');
        expect(json(files[0]?.bytes)).toEqual(JSON.parse(input));
      }
      for (const target of targetsOf('regex')) {
        const { files } = await engine.convert(text([rule(find)]), target);
        const [back] = (await engine.read(files[0]?.bytes ?? '')).entities;
        expect(back?.kind === 'regex' && back.body.rules[0]?.find).toBe(find);
      }
    },
  );
});
