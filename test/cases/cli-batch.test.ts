/** Real-world cases of many files at once, through the built command line. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { halfWritten, put, runCli, tree } from '../kit/cli.ts';
import { record } from '../kit/summary.ts';
import { bookCard, card, engine, json, png } from './making.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bunzai-batch-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }), 60_000);

const bunzai = (...args: string[]) => runCli(folder, args);
const summaryOf = (err: string) => (JSON.parse(err.trim().split('\n').at(-1) ?? '') as { summary: object }).summary;
const named = (n: number) => card({ name: `Lamplighter ${n}`, description: `Keeps lamp ${n}. 灯台の番人。` });

describe('RW-097 thousands of cards with broken ones among them: the run goes on, names them, and resumes', () => {
  test('2,000 cards, three of them broken: they are named, the others written; a second run skips what is done', () => {
    const broken = { 'd/7.json': '{"spec": "chara_card_v2", "data": {', 'e/100.png': 'not a picture', 'a/1.json': '' };
    for (let n = 0; n < 2000; n++)
      put(
        folder,
        `cards/${'abcde'[n % 5]}/${n}.${n % 4 ? 'json' : 'png'}`,
        n % 4 ? named(n) : png({ chara: named(n) }),
      );
    rmSync(join(folder, 'cards/d/7.json'), { force: true });
    for (const name of ['a/1.json', 'e/100.png', 'b/1.json']) rmSync(join(folder, 'cards', name), { force: true });
    for (const [name, content] of Object.entries(broken)) put(folder, `cards/${name}`, content);
    const count = Object.keys(tree(join(folder, 'cards'))).length;

    const run = (...more: string[]) => bunzai('convert', 'cards', '--to', 'agnai', '-o', 'out', '--json', ...more);
    const start = performance.now();
    const first = run();
    const seconds = (performance.now() - start) / 1000;
    expect(first.code).toBe(1);
    const lines = first.lines();
    expect(lines).toHaveLength(count);
    expect(lines.filter(({ ok }) => !ok).map(({ file, error }) => [file, error?.code])).toEqual([
      ['cards/a/1.json', 'input.empty'],
      ['cards/d/7.json', 'json.syntax'],
      ['cards/e/100.png', 'input.unknown'],
    ]);
    const made = tree(join(folder, 'out'));
    expect(Object.keys(made)).toHaveLength(count - 3);
    expect(Object.keys(made)).toContain('c/2.json');
    expect(summaryOf(first.err)).toMatchObject({
      files: count,
      done: count - 3,
      failed: 3,
      skipped: 0,
      interrupted: false,
    });

    const again = run('--resume');
    expect(again.code).toBe(1);
    expect(summaryOf(again.err)).toMatchObject({ files: count, done: 0, failed: 3, skipped: count - 3 });
    expect(tree(join(folder, 'out'))).toEqual(made);

    put(folder, 'cards/d/7.json', named(7));
    put(folder, 'cards/c/2.json', named(-2));
    const mended = run('--resume', '--yes');
    expect(summaryOf(mended.err)).toMatchObject({ done: 2, failed: 2, skipped: count - 4 });
    const now = tree(join(folder, 'out'));
    expect(Object.keys(now).filter((name) => now[name] !== made[name])).toEqual(['c/2.json', 'd/7.json']);
    record('batch', { cards: count, seconds: Number(seconds.toFixed(2)) });
  });

  test('time grows with the number of cards, also where all of them have one name', () => {
    const secondsFor = (count: number): number => {
      const names = Array.from({ length: count }, (_, n) => `${count}/${n}/mira.json`);
      for (const name of names) put(folder, name, card());
      const start = performance.now();
      const { code } = bunzai('convert', ...names, '--to', 'sillytavern', '-o', `out-${count}`, '--json');
      expect(code).toBe(0);
      expect(Object.keys(tree(join(folder, `out-${count}`)))).toContain(`mira-${count}.json`);
      return performance.now() - start;
    };
    const [few, many] = [secondsFor(200), secondsFor(800)];
    // Four times the cards: sixteen times the seconds would be a square.
    expect(many).toBeLessThan(few * 10);
  });
});

describe('RW-096, RW-018: a JSON list of characters', () => {
  test('each becomes a file in a folder called as the list; a broken one leaves nothing behind and both are told', () => {
    put(folder, 'library.json', [
      card({ name: 'Mira' }),
      { what: 'is this' },
      bookCard([{ keys: ['sea'], content: 'Deep.', enabled: true, insertion_order: 1, extensions: {} }]),
      card({ name: 'Mira', creator: 'else' }),
    ]);
    const run = (...more: string[]) =>
      bunzai('convert', 'library.json', '--to', 'pygmalion', '-c', 'json', '-o', 'out/', '--json', ...more);
    const { code, lines } = run('--resume');
    expect(code).toBe(1);
    expect(lines().map(({ ok, file, error }) => [ok, file, error?.code])).toEqual([
      [true, 'library.json[0]', undefined],
      [false, 'library.json[1]', 'input.unknown'],
      [true, 'library.json[2]', undefined],
      [true, 'library.json[3]', undefined],
    ]);
    const made = tree(join(folder, 'out'));
    expect(Object.keys(made)).toEqual([
      'library/harbour.json',
      'library/mira-2.json',
      'library/mira-vale.json',
      'library/mira.json',
    ]);
    // What is done is skipped, and what failed in it is told again.
    const again = run('--resume');
    expect([again.code, again.lines().map(({ ok, file }) => [ok, file])]).toEqual([
      1,
      [
        [false, 'library.json[1]'],
        [true, 'library.json'],
      ],
    ]);
    expect(tree(join(folder, 'out'))).toEqual(made);
  });

  test('60 MB with a thousand characters and pictures are read, each as itself', async () => {
    const uri = `data:image/png;base64,${Buffer.alloc(45_000, 7).toString('base64')}`;
    const cards = Array.from({ length: 1000 }, (_, n) =>
      card({ name: `Mira ${n}`, assets: [{ type: 'icon', name: 'main', uri, ext: 'png' }] }, 3),
    );
    put(folder, 'library.json', cards);
    const { code, err } = bunzai(
      'convert',
      'library.json',
      '--to',
      'sillytavern',
      '-o',
      'out/',
      '--json',
      '--timeout',
      '120',
    );
    expect([code, summaryOf(err)]).toEqual([0, expect.objectContaining({ files: 1000, done: 1000, losses: 0 })]);
    const made = tree(join(folder, 'out'));
    expect(Object.keys(made)).toHaveLength(1000);
    expect(JSON.parse(made['library/mira-77.json'] ?? '')).toEqual(cards[77]);
  });

  test('the texts of the items stay as they are spelled; other lists are refused as a whole', async () => {
    const text = `[ ${JSON.stringify(card())} ,\n{"spec":"chara_card_v2","spec_version":"2.0","data":{"name":"B","description":"]},[","x":1.0}}]`;
    const items = (await engine.split(text)).map((bytes) => new TextDecoder().decode(bytes));
    expect(items).toEqual([JSON.stringify(card()), text.slice(text.indexOf('\n') + 1, -1)]);
    for (const other of [
      [],
      [1, 2],
      [{ name: 'row', content: 'x', extensions: {}, tags: [] }],
      [[card()]],
      card(),
      { a: [card()] },
    ])
      expect(await engine.split(json(other))).toEqual([]);
  });
});

test('RW-109 three cards of one name in one batch, one more into the same folder: all are kept, the counts are true', () => {
  const mira = (n: number) => card({ name: 'Mira', creator: `keeper ${n}` });
  for (const n of [1, 2, 3]) put(folder, `in/${n}/mira.json`, mira(n));
  const first = bunzai('convert', 'in/*/mira.json', '--to', 'sillytavern', '-o', 'out', '--json');
  expect(first.code).toBe(0);
  expect(first.lines().map((line) => (line.files as { path: string }[])[0]?.path)).toEqual([
    'out/1/mira.json',
    'out/2/mira.json',
    'out/3/mira.json',
  ]);
  put(folder, 'flat/mira.json', mira(4));
  const flat = ['in/1/mira.json', 'in/2/mira.json', 'in/3/mira.json'];
  expect(bunzai('convert', ...flat, '--to', 'sillytavern', '-o', 'flat', '--json', '-j', '2').code).toBe(0);
  const made = Object.values(tree(join(folder, 'flat'))).map(
    (text) => (JSON.parse(text) as ReturnType<typeof card>).data as { creator: string },
  );
  expect(made.map(({ creator }) => creator).sort()).toEqual([1, 2, 3, 4].map((n) => `keeper ${n}`));
});

test('RW-110 numbered siblings: pairs get the same number, reports say the final names, nothing is overwritten', () => {
  const entry = { keys: ['sea'], content: 'Deep.', enabled: true, insertion_order: 1, extensions: {} };
  put(folder, 'in/mira.json', bookCard([entry]));
  put(folder, 'in/mira.png', png({ chara: bookCard([{ ...entry, content: 'Cold.' }]) }));
  put(folder, 'out/mira.harbour.json', 'mine');
  const { code, lines } = bunzai('convert', 'in', '--to', 'pygmalion', '-c', 'json', '-o', 'out', '--json');
  expect(code).toBe(0);
  const made = tree(join(folder, 'out'));
  expect(made['mira.harbour.json']).toBe('mine');
  expect(Object.keys(made)).toEqual([
    'mira-2.harbour.json',
    'mira-2.json',
    'mira-3.harbour.json',
    'mira-3.json',
    'mira.harbour.json',
  ]);
  const beside = lines().map((line) =>
    (line.report as { losses: { beside?: string[]; reason?: string }[] }).losses.find((loss) => loss.beside),
  );
  expect(beside.map((loss) => loss?.beside)).toEqual([['mira-2.harbour.json'], ['mira-3.harbour.json']]);
  for (const loss of beside) expect(loss?.reason).toContain(`written beside it as ${loss?.beside?.[0]}`);
  expect(halfWritten(folder)).toEqual([]);
});
