/** Many files in one run: the same output for any number of workers, whole files whatever happens, and what is told. */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { card, png } from './cases/making.ts';
import { CLI, ended, halfWritten, type Line, put, runCli, startCli, tree } from './kit/cli.ts';
import { CORPUS, corpusIsThere, corpusRows, NO_CORPUS } from './kit/corpus.ts';
import { record } from './kit/summary.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bunzai-many-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }), 60_000);

const bunzai = (...args: string[]) => runCli(folder, args);
const into = (out: string) => ['--to', 'sillytavern', '-o', out, '--json'];
const at = (name: string) => join(folder, name);
const oks = (lines: readonly Line[]) => lines.map(({ ok, file }) => `${ok ? 'ok' : 'no'} ${file}`);
const mira = (n: number) => card({ name: 'Mira', creator: `keeper ${n}` });

/** Cards in folders, many of them with names that meet. */
function library(count: number): void {
  for (let n = 0; n < count; n++)
    put(
      folder,
      `in/${n % 3}/${n % 7}/card ${n % 5}.${n % 2 ? 'json' : 'png'}`,
      n % 2 ? mira(n) : png({ chara: mira(n) }),
    );
  for (let n = 0; n < count; n++) put(folder, `in/${n % 4}/more/card ${n}.json`, mira(n));
}

describe('inputs', () => {
  test('folders keep their structure; hidden files, links to folders and the output are not walked', () => {
    for (const name of ['in/b.json', 'in/a/c.json', 'in/.hidden.json', 'in/a/.git/x.json', 'elsewhere/x.json'])
      put(folder, name, mira(1));
    symlinkSync('../elsewhere', at('in/linked'));
    symlinkSync('b.json', at('in/link.json'));
    const first = bunzai('convert', 'in', ...into('in/out'));
    expect([first.code, oks(first.lines())]).toEqual([0, ['ok in/a/c.json', 'ok in/b.json', 'ok in/link.json']]);
    expect(Object.keys(tree(at('in/out')))).toEqual(['a/c.json', 'b.json', 'link.json']);
    expect(oks(bunzai('convert', 'in', ...into('in/out')).lines())).toEqual(oks(first.lines()));
  });

  test('patterns keep the structure below their fixed part; a file of that very name is no pattern', () => {
    for (const name of ['in/a/x.json', 'in/b/c/y.json', 'in/z.txt', '[1].json']) put(folder, name, mira(1));
    const { lines, code } = bunzai('convert', 'in/**/*.json', '[1].json', ...into('out'));
    expect([code, oks(lines())]).toEqual([0, ['ok in/a/x.json', 'ok in/b/c/y.json', 'ok [1].json']]);
    expect(Object.keys(tree(at('out')))).toEqual(['[1].json', 'a/x.json', 'b/c/y.json']);
    const none = bunzai('inspect', 'in/*.png', '--json');
    expect([none.code, none.lines()[0]?.error?.code]).toEqual([2, 'usage.invalid']);
  });

  test('beside their inputs, whatever is there; with --yes no input of a folder is written over', () => {
    put(folder, 'in/mira.png', png({ chara: mira(1) }));
    put(folder, 'in/mira.json', mira(2));
    const args = ['convert', 'in', '--to', 'sillytavern', '-c', 'json', '--json'];
    expect(bunzai(...args, '--yes').code).toBe(0);
    const now = tree(at('in'));
    expect(Object.keys(now)).toEqual(['mira.json', 'mira.png', 'mira.sillytavern-2.json', 'mira.sillytavern.json']);
    expect(JSON.parse(now['mira.json'] ?? '')).toEqual(mira(2));
  });

  test('wrong numbers are wrong usage', () => {
    put(folder, 'a.json', mira(1));
    for (const more of [
      ['-j', '0'],
      ['-j', 'x'],
      ['-j', '1.5'],
      ['--timeout', '-1'],
      ['--shard', '0/2'],
      ['--shard', '3/2'],
      ['--shard', 'x'],
      ['--resume'],
    ])
      expect([more, bunzai('convert', 'a.json', '--to', 'sillytavern', ...more, '--json').code]).toEqual([more, 2]);
  });

  test('the other commands take them too, one line a file in the order of the inputs', () => {
    library(20);
    const count = Object.keys(tree(at('in'))).length;
    for (const command of ['inspect', 'validate', 'label', 'targets']) {
      const { lines, code, err } = bunzai(command, 'in', '--json', '-j', '2');
      expect([command, code, lines().length]).toEqual([command, 0, count]);
      expect(lines().map(({ file }) => file)).toEqual(
        Object.keys(tree(at('in')))
          .map((name) => `in/${name}`)
          .sort(byFolder),
      );
      expect(JSON.parse(err)).toMatchObject({ summary: { files: count, done: count } });
      const human = bunzai(command, 'in');
      for (const line of `${human.out}${human.err}`.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    }
  });
});
/** The order of a walk: names in each folder. */
const byFolder = (a: string, b: string): number => {
  const [left, right] = [a.split('/'), b.split('/')];
  const index = left.findIndex((part, i) => part !== right[i]);
  return (left[index] ?? '') < (right[index] ?? '') ? -1 : 1;
};

test('the output is the same for any number of workers, and --shard parts make it up', () => {
  library(60);
  const runs = ['1', '2', '5'].map((jobs) => bunzai('convert', 'in', ...into(`out-${jobs}`), '-j', jobs));
  const [first, ...others] = runs.map(({ code, out }, index) => [
    code,
    out.replaceAll(`out-${[1, 2, 5][index]}`, 'out'),
  ]);
  for (const other of others) expect(other).toEqual(first);
  const whole = tree(at('out-1'));
  expect(Object.keys(whole)).toHaveLength(Object.keys(tree(at('in'))).length);
  expect(tree(at('out-2'))).toEqual(whole);
  expect(tree(at('out-5'))).toEqual(whole);

  const shards = [1, 2, 3].map((index) => bunzai('convert', 'in', ...into('out-s'), '--shard', `${index}/3`).lines());
  expect(shards.every((lines) => lines.length > 0)).toBe(true);
  expect(
    shards
      .flat()
      .map(({ file }) => file)
      .sort(),
  ).toEqual(
    Object.keys(tree(at('in')))
      .map((name) => `in/${name}`)
      .sort(),
  );
  expect(tree(at('out-s'))).toEqual(whole);
});

describe('a run that does not end as it should', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
    '%s leaves whole files, and --resume comes to the same end',
    async (signal) => {
      library(400);
      const whole = bunzai('convert', 'in', ...into('whole'));
      expect(whole.code).toBe(0);
      const child = startCli(folder, ['convert', 'in', ...into('out'), '-j', '2']);
      const end = ended(child);
      const made = () => (existsSync(at('out')) ? Object.keys(tree(at('out'))).length : 0);
      while (made() < 30 && child.exitCode === null) await new Promise((later) => setTimeout(later, 5));
      child.kill(signal);
      expect(await end).toBe(signal === 'SIGKILL' ? null : 130);
      const expected = tree(at('whole'));
      const part = tree(at('out'));
      expect(Object.keys(part).length).toBeLessThan(Object.keys(expected).length);
      for (const [name, content] of Object.entries(part)) expect([name, content]).toEqual([name, expected[name]]);
      if (signal !== 'SIGKILL') expect(halfWritten(folder)).toEqual([]);
      const rest = bunzai('convert', 'in', ...into('out'), '--resume');
      expect(rest.code).toBe(0);
      expect(rest.lines().filter((line) => line.skipped).length).toBeGreaterThanOrEqual(Object.keys(part).length - 1);
      expect(tree(at('out'))).toEqual(expected);
    },
  );

  test('half a line in the journal, or a stranger’s, is passed over', () => {
    for (const n of [1, 2]) put(folder, `in/${n}.json`, mira(n));
    put(
      folder,
      'out/.bunzai-journal.jsonl',
      `nonsense\n[]\n{"input":"1.json","sha256":"0","options":"x","files":[{"path":"../in/1.json","size":1}]}\n{"input":"2.js`,
    );
    expect(
      bunzai('convert', 'in', ...into('out'), '--resume')
        .lines()
        .filter(({ skipped }) => skipped),
    ).toEqual([]);
    const again = bunzai('convert', 'in', ...into('out'), '--resume');
    expect(again.lines().every(({ skipped }) => skipped)).toBe(true);
    const other = bunzai('convert', 'in', '--to', 'agnai', '-o', 'out', '--json', '--resume').lines();
    expect(other.map(({ skipped }) => skipped)).toEqual([undefined, undefined]);
  });

  test('a file that is too slow, and one that needs too much memory, fail alone', () => {
    for (let n = 0; n < 30; n++) put(folder, `in/${n}.json`, mira(n));
    put(
      folder,
      'in/7 slow.json',
      Array.from({ length: 10_000 }, () => mira(1)),
    );
    const slow = bunzai('convert', 'in', ...into('out'), '-j', '2', '--timeout', '2');
    expect(slow.code).toBe(1);
    expect(
      slow
        .lines()
        .filter(({ ok }) => !ok)
        .map(({ file, error }) => [file, error?.code]),
    ).toEqual([['in/7 slow.json', 'work.too-long']]);
    expect(Object.keys(tree(at('out')))).toHaveLength(30);
    const small = { NODE_OPTIONS: '--max-old-space-size=48' };
    rmSync(at('in/7 slow.json'));
    const entries = Array.from({ length: 150_000 }, (_, uid) => [
      uid,
      { uid, key: [`k${uid}`], content: `text ${uid}` },
    ]);
    put(folder, 'in/7 heavy.json', { entries: Object.fromEntries(entries) });
    const heavy = runCli(folder, ['convert', 'in', ...into('heavy'), '-j', '2'], small);
    expect(
      heavy
        .lines()
        .filter(({ ok }) => !ok)
        .map(({ file, error }) => [file, error?.code]),
    ).toEqual([['in/7 heavy.json', 'work.too-large']]);
    expect(Object.keys(tree(at('heavy')))).toHaveLength(30);
  });
});

describe('dedupe', () => {
  test('tells equal files, equal content and equal words, across formats and containers; deletes nothing', () => {
    const book = {
      name: 'Harbour',
      entries: [{ keys: ['sea'], content: 'Deep.', enabled: true, insertion_order: 1, extensions: {} }],
      extensions: {},
    };
    const one = card({ name: 'Ада', character_book: book });
    put(folder, 'lib/a.json', one);
    put(folder, 'lib/b/a copy.json', one);
    put(
      folder,
      'lib/c.json',
      JSON.stringify({ ...one, data: { ...(one.data as object), extensions: { chub: { id: 7 } } } }, null, 1),
    );
    put(folder, 'lib/d.png', png({ chara: one }));
    put(folder, 'lib/e.json', card({ name: 'Ада', character_book: { ...book, name: 'Other' } }));
    put(folder, 'lib/book.json', book);
    put(folder, 'lib/note.txt', 'x');
    put(folder, 'lib/note 2.txt', 'x');
    const before = tree(at('lib'));
    const { code, lines } = bunzai('dedupe', 'lib', '--json');
    expect(code).toBe(0);
    expect(lines().map(({ same, kind, name, files }) => [same, kind, name, files])).toEqual([
      ['file', 'character', 'Ада', ['lib/a.json', 'lib/b/a copy.json']],
      ['file', undefined, undefined, ['lib/note 2.txt', 'lib/note.txt']],
      ['content', 'character', 'Ада', ['lib/a.json', 'lib/c.json']],
      ['words', 'character', 'Ада', ['lib/a.json', 'lib/d.png']],
      ['content', 'lorebook', 'Harbour', ['lib/a.json', 'lib/book.json', 'lib/c.json', 'lib/d.png']],
    ]);
    expect(tree(at('lib'))).toEqual(before);
    const human = bunzai('dedupe', 'lib');
    for (const part of ['every byte', 'what they say', 'all but pictures', 'lib/d.png'])
      expect(human.out).toContain(part);
    expect(human.err).toContain('5 groups');
    for (const line of `${human.out}${human.err}`.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });
});

const parallel = spawnSync('parallel', ['--version']).status === 0;
test.skipIf(!parallel)('the recipe with GNU parallel in docs/scale.md works as it is written', () => {
  library(30);
  const page = readFileSync(fileURLToPath(new URL('../docs/scale.md', import.meta.url)), 'utf8');
  const recipe = /```sh\n(parallel .*?)```/s.exec(page)?.[1] ?? '';
  expect(recipe).toContain('--shard');
  const script = recipe
    .replaceAll('bunzai ', `"${process.execPath}" "${CLI}" `)
    .replaceAll('cards/', 'in/')
    .replaceAll('converted/', 'out/');
  const done = spawnSync('bash', ['-ec', script], { cwd: folder, encoding: 'utf8' });
  expect([done.status, done.stderr.replace(/^.*(citation|cite).*$/gim, '')]).toEqual([0, expect.any(String)]);
  expect(bunzai('convert', 'in', '--to', 'agnai', '-o', 'whole', '--json').code).toBe(0);
  expect(tree(at('out'))).toEqual(tree(at('whole')));
});

if (!corpusIsThere) console.log(NO_CORPUS);
test.skipIf(!corpusIsThere)(
  'the whole corpus in one run: what is known to be bad is named, everything else is converted',
  () => {
    const corpus = fileURLToPath(CORPUS);
    const rows = corpusRows();
    const roster = runCli(folder, ['formats', '--json']).lines()[0]?.formats as { id: string }[] | undefined;
    const known = new Set(roster?.map(({ id }) => id));
    // Not formats of ours, but the lorebook in them is read.
    for (const holder of ['novelai-scenario', 'novelai-story']) known.add(holder);
    const { code, lines, err } = bunzai('convert', corpus, ...into('out'));
    expect(code).toBe(1);
    const told = new Map(lines().map((line) => [line.file.slice(corpus.length), line]));
    expect(rows.filter(({ path }) => !told.has(path))).toEqual([]);
    const wrong = rows.filter(({ path, format }) => told.get(path)?.ok !== known.has(format));
    expect(wrong.map(({ path, format }) => [path, format, told.get(path)?.error?.code])).toEqual([]);
    // What else lies in the folder are notes about it.
    const others = [...told.keys()].filter((path) => !rows.some((row) => row.path === path));
    expect(others.filter((path) => told.get(path)?.ok)).toEqual([]);
    const { summary } = JSON.parse(err) as { summary: Record<string, number> };
    const done = rows.filter(({ format }) => known.has(format)).length;
    expect(summary).toMatchObject({ files: told.size, done, failed: told.size - done });
    expect(readdirSync(at('out')).length).toBeGreaterThan(10);
    record('corpus batch', { files: told.size, converted: done, refused: told.size - done });
  },
);
