import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { quickCall } from '../src/cli/commands.ts';
import { carefulCall } from '../src/cli/help.ts';
import { bytesOf } from '../src/core/bytes.ts';
import { sealFreshPng } from '../src/formats/_shared/card-seal.ts';
import { placeholderPng } from '../src/formats/_shared/placeholder.ts';

const CLI = fileURLToPath(new URL('../dist/cli.cjs', import.meta.url));
const SAMPLES = fileURLToPath(new URL('../samples/', import.meta.url));
const base = mkdtempSync(join(tmpdir(), 'bunzai-cli-'));
let folder = '';
let count = 0;

beforeEach(() => {
  folder = join(base, String(++count));
  mkdirSync(folder);
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

type Line = Record<string, unknown>;

interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  /** Standard output, line by line, parsed. */
  readonly json: () => [Line, ...Line[]];
}

function bunzai(
  args: readonly string[],
  options: { input?: string | Uint8Array; env?: Record<string, string> } = {},
): Run {
  const done = spawnSync(process.execPath, [CLI, ...args], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '', FORCE_COLOR: undefined, ...options.env } as NodeJS.ProcessEnv,
    input: options.input ?? '',
  });
  const out = done.stdout.toString();
  const json = () =>
    out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line) as [Line, ...Line[]];
  return { code: done.status, out, err: done.stderr.toString(), json };
}

const MIRA = {
  spec: 'chara_card_v3',
  spec_version: '3.0',
  data: {
    name: 'Mira Vale',
    description: 'Keeps the harbour light.',
    personality: 'Dry, patient.',
    scenario: 'A stormy night.',
    first_mes: 'You are late.',
    mes_example: '<START>\n{{user}}: Hello',
    creator_notes: 'Invented.',
    system_prompt: '',
    post_history_instructions: '',
    alternate_greetings: ['Come in.', 'Mind the step.'],
    group_only_greetings: [],
    tags: ['harbour', 'drama'],
    creator: 'someone',
    character_version: '2',
    extensions: { chub: { id: 1 }, regex_scripts: [{ scriptName: 'a', findRegex: '/a/g', replaceString: 'b' }] },
    character_book: {
      name: 'Harbour',
      entries: [{ keys: ['light'], content: 'It burns oil.', enabled: true, insertion_order: 1, extensions: {} }],
      extensions: {},
    },
  },
};
const WORLD = {
  entries: { 0: { uid: 0, key: ['tide'], keysecondary: [], comment: 'Tide', content: 'High at nine.' } },
};

const put = (name: string, content: unknown): string => {
  writeFileSync(
    join(folder, name),
    typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content),
  );
  return name;
};
const putPng = (name: string): string =>
  put(
    name,
    sealFreshPng(bytesOf(placeholderPng(), 'image/png'), [
      { keyword: 'chara', value: MIRA },
      { keyword: 'ccv3', value: MIRA },
    ]),
  );
const got = (name: string): Record<string, unknown> => JSON.parse(readFileSync(join(folder, name), 'utf8'));
const listed = (): string[] => readdirSync(folder).sort();
const error = (line: Record<string, unknown> | undefined) =>
  line?.error as { code: string; message: string; path?: string; hint?: string };

describe('convert', () => {
  test('writes beside the input, names it after the input, and says what crossed and what did not', () => {
    putPng('mira.png');
    const { code, out, err } = bunzai(['convert', 'mira.png', '--to', 'pygmalion', '--container', 'json']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(got('mira.json').char_name).toBe('Mira Vale');
    for (const part of [
      'Mira Vale',
      'character',
      'sillytavern → pygmalion',
      '3 greetings',
      '1 entry',
      'crossed',
      'lost',
      'discovery.tags',
      'wrote',
      'mira.json',
    ]) {
      expect(out).toContain(part);
    }
    expect(out).not.toContain('\u001b');
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  test('--json: one line an input, the field names of the API, never bytes', () => {
    put('mira.json', MIRA);
    put('world.json', WORLD);
    const { code, json } = bunzai([
      'convert',
      'mira.json',
      'world.json',
      'missing.json',
      '--to',
      'sillytavern',
      '-o',
      'out',
      '--json',
    ]);
    const [mira, world, missing] = json();
    expect(code).toBe(1);
    expect(mira).toMatchObject({
      ok: true,
      file: 'mira.json',
      from: 'sillytavern',
      to: 'sillytavern',
      kind: 'character',
    });
    const [file] = mira.files as Record<string, unknown>[];
    expect(Object.keys(file ?? {}).sort()).toEqual(['entities', 'extension', 'format', 'mime', 'name', 'path', 'size']);
    expect(file).toMatchObject({
      name: 'mira.json',
      extension: 'json',
      path: join('out', 'mira.json'),
      mime: 'application/json',
    });
    expect((mira.report as { counts: { losses: number } }).counts.losses).toBe(0);
    expect(world).toMatchObject({ ok: true, kind: 'lorebook', to: 'sillytavern-lorebook' });
    expect(missing).toMatchObject({ ok: false, file: 'missing.json', error: { code: 'input.unreadable' } });
    expect(readdirSync(join(folder, 'out')).sort()).toEqual(['mira.json', 'world.json']);
  });

  test('never overwrites: a numbered sibling beside the input, a refusal for a name that was asked for, --yes replaces', () => {
    put('mira.json', MIRA);
    put('mira.sillytavern.json', 'mine');
    expect(bunzai(['convert', 'mira.json', '--to', 'sillytavern']).code).toBe(0);
    expect(listed()).toEqual(['mira.json', 'mira.sillytavern-2.json', 'mira.sillytavern.json']);
    put('there.json', 'mine');
    const refused = bunzai(['convert', 'mira.json', '--to', 'sillytavern', '-o', 'there.json', '--json']);
    expect(refused.code).toBe(1);
    expect(error(refused.json()[0]).code).toBe('output.exists');
    expect(readFileSync(join(folder, 'there.json'), 'utf8')).toBe('mine');
    expect(bunzai(['convert', 'mira.json', '--to', 'sillytavern', '-o', 'there.json', '--yes']).code).toBe(0);
    expect(got('there.json')).toEqual(MIRA);
    expect(readFileSync(join(folder, 'mira.sillytavern.json'), 'utf8')).toBe('mine');
  });

  test('never writes over an input, by any spelling of its name, even with --yes', () => {
    put('mira.json', MIRA);
    putPng('mira.png');
    symlinkSync('mira.json', join(folder, 'link.json'));
    for (const target of ['mira.json', './mira.json', 'link.json', 'MIRA.json', join(folder, 'mira.json')]) {
      const refused = bunzai(['convert', 'mira.json', '--to', 'sillytavern', '-o', target, '--yes', '--json']);
      expect([target, refused.code, error(refused.json()[0]).code]).toEqual([target, 1, 'output.in-place']);
    }
    // The output of one input has the name of another one.
    expect(
      bunzai(['convert', 'mira.json', 'mira.png', '--to', 'sillytavern', '--container', 'json', '--yes']).code,
    ).toBe(0);
    expect(got('mira.json')).toEqual(MIRA);
    expect(listed()).toEqual([
      'link.json',
      'mira.json',
      'mira.png',
      'mira.sillytavern-2.json',
      'mira.sillytavern.json',
    ]);
  });

  test('two inputs that lead to one name: both are written', () => {
    mkdirSync(join(folder, 'a'));
    mkdirSync(join(folder, 'b'));
    put('a/mira.json', MIRA);
    put('b/mira.json', MIRA);
    const { code } = bunzai(['convert', 'a/mira.json', 'b/mira.json', '--to', 'pygmalion', '-o', 'out/', '--yes']);
    expect(code).toBe(0);
    const names = readdirSync(join(folder, 'out')).sort();
    expect(names).toContain('mira.json');
    expect(names).toContain('mira-2.json');
    // A card and the book beside it get the same number.
    expect(names.filter((name) => name.startsWith('mira-2')).length).toBe(names.length / 2);
  });

  test('--strict writes nothing when anything is lost, and still reports', () => {
    put('mira.json', MIRA);
    const lossy = bunzai(['convert', 'mira.json', '--to', 'pygmalion', '-o', 'x.json', '--strict', '--json']);
    expect(lossy.code).toBe(1);
    expect(lossy.json()[0]).toMatchObject({ ok: false, error: { code: 'convert.lossy' }, files: [] });
    expect((lossy.json()[0].report as { losses: unknown[] }).losses.length).toBeGreaterThan(0);
    expect(existsSync(join(folder, 'x.json'))).toBe(false);
    expect(bunzai(['convert', 'mira.json', '--to', 'sillytavern', '-o', 'x.json', '--strict']).code).toBe(0);
  });

  test('standard input and output: the file on stdout, everything else on stderr', () => {
    const piped = bunzai(['convert', '-', '--to', 'sillytavern', '-o', '-', '--container', 'json'], {
      input: JSON.stringify(MIRA),
    });
    expect(piped.code).toBe(0);
    expect(JSON.parse(piped.out)).toEqual(MIRA);
    expect(piped.err).toContain('Mira Vale');
    const implied = bunzai(['convert', '-', '--to', 'sillytavern', '--json'], { input: JSON.stringify(MIRA) });
    expect(JSON.parse(implied.out)).toEqual(MIRA);
    expect(JSON.parse(implied.err)).toMatchObject({ ok: true, file: '-', kind: 'character' });
    expect(bunzai(['convert', '-', '-', '--to', 'sillytavern', '-o', 'out']).code).toBe(2);
    expect(
      bunzai(['convert', '-', '--to', 'sillytavern', '-o', 'named.json'], { input: JSON.stringify(MIRA) }).code,
    ).toBe(0);
    expect(got('named.json')).toEqual(MIRA);
  });

  test('the extension of -o chooses the container, and the format where one alone writes it', () => {
    put('mira.json', MIRA);
    expect(bunzai(['convert', 'mira.json', '--to', 'sillytavern', '-o', 'mira.png']).code).toBe(0);
    expect(readFileSync(join(folder, 'mira.png')).subarray(1, 4).toString()).toBe('PNG');
    const ambiguous = bunzai(['convert', 'mira.json', '-o', 'x.json', '--json']);
    expect(ambiguous.code).toBe(2);
    expect(error(ambiguous.json()[0])).toMatchObject({
      code: 'usage.invalid',
      hint: expect.stringContaining('sillytavern'),
    });
    const nobody = bunzai(['convert', 'mira.json', '-o', 'x.qqq', '--json']);
    expect([nobody.code, error(nobody.json()[0]).code]).toEqual([2, 'usage.invalid']);
    const misleading = bunzai(['convert', 'mira.json', '--to', 'sillytavern', '-o', 'x.webp', '--json']);
    expect([misleading.code, error(misleading.json()[0]).code]).toEqual([1, 'container.unsupported']);
    expect(listed()).toEqual(['mira.json', 'mira.png']);
  });

  test('a failed write leaves nothing behind', () => {
    put('mira.json', MIRA);
    put('file', 'not a folder');
    const cases: [string[], string][] = [
      [['-o', 'file/out.json'], 'output.failed'],
      [['-o', 'file/deeper/'], 'output.failed'],
      [['-o', 'nowhere/out.json'], 'output.failed'],
      [['--container', 'stone'], 'container.unsupported'],
    ];
    for (const [more, code] of cases) {
      const failed = bunzai(['convert', 'mira.json', '--to', 'sillytavern', '--json', ...more]);
      expect([more, failed.code, error(failed.json()[0]).code]).toEqual([more, 1, code]);
      expect(error(failed.json()[0]).hint).toBeTruthy();
    }
    expect(listed()).toEqual(['file', 'mira.json']);
  });

  test('names of every script stay, hostile ones become harmless', () => {
    for (const name of ['灯台の番人.json', 'Мира Вейл.json', '등대 😀.json']) put(name, MIRA);
    expect(
      bunzai(['convert', '灯台の番人.json', 'Мира Вейл.json', '등대 😀.json', '--to', 'sillytavern', '-o', 'out/'])
        .code,
    ).toBe(0);
    expect(readdirSync(join(folder, 'out')).sort()).toEqual(
      ['Мира Вейл.json', '灯台の番人.json', '등대 😀.json'].sort(),
    );
    const hostile = { ...MIRA, data: { ...MIRA.data, name: '../../up\u0000\u001b[31m' } };
    const { code, out } = bunzai(['convert', '-', '--to', 'sillytavern', '-o', 'safe/'], {
      input: JSON.stringify(hostile),
    });
    expect(code).toBe(0);
    expect(out).not.toContain('\u001b');
    expect(readdirSync(join(folder, 'safe'))).toHaveLength(1);
  });
});

describe('bad input', () => {
  test('is told apart, with the place and a remedy, and does not stop the others', () => {
    put('empty.json', '');
    put('cut.json', '{"spec": "chara_card_v2",\n "data": {"name": "Mi');
    put('odd.json', { what: 'is this' });
    put('text.txt', 'once upon a time');
    put('picture.png', placeholderPng());
    put('mira.json', MIRA);
    const files = ['empty.json', 'cut.json', 'odd.json', 'text.txt', 'picture.png', 'missing.json', 'mira.json'];
    const { code, json, err } = bunzai(['convert', ...files, '--to', 'sillytavern', '-o', 'out', '--json']);
    expect([code, err]).toEqual([1, '']);
    const codes = json().map((line) => (line.ok ? 'ok' : error(line).code));
    expect(codes).toEqual([
      'input.empty',
      'json.syntax',
      'input.unknown',
      'input.unknown',
      'input.unknown',
      'input.unreadable',
      'ok',
    ]);
    expect(error(json()[1]).path).toMatch(/^line 2 column \d+$/);
    for (const line of json())
      if (!line.ok) expect([line.file, error(line).hint]).toEqual([line.file, expect.any(String)]);
    expect(readdirSync(join(folder, 'out'))).toEqual(['mira.json']);
    const human = bunzai(['convert', 'cut.json', '--to', 'sillytavern']);
    expect([human.code, human.out]).toEqual([1, '']);
    for (const part of ['cut.json', 'json.syntax', 'line 2 column', 'Try:']) expect(human.err).toContain(part);
  });

  test('every command refuses it with exit code 1', () => {
    put('odd.json', { what: 'is this' });
    for (const command of ['inspect', 'validate', 'targets']) {
      const { code, json } = bunzai([command, 'odd.json', '--json']);
      expect([command, code, error(json()[0]).code]).toEqual([command, 1, 'input.unknown']);
    }
    expect(bunzai(['diff', 'odd.json', 'odd.json']).code).toBe(1);
  });
});

describe('wrong usage ends with 2', () => {
  const cases: [string, string[]][] = [
    ['no command', []],
    ['unknown command', ['convrt', 'mira.json']],
    ['unknown option', ['convert', 'mira.json', '--tp', 'risu']],
    ['no input', ['convert', '--to', 'sillytavern']],
    ['no target', ['convert', 'mira.json']],
    ['unknown target', ['convert', 'mira.json', '--to', 'nonsense']],
    ['unknown source format', ['inspect', 'mira.json', '--from', 'nonsense']],
    ['a file for many inputs', ['convert', 'mira.json', 'mira.json', '--to', 'sillytavern', '-o', 'mira.json']],
    ['one file to compare', ['diff', 'mira.json']],
    ['too many files to compare', ['diff', 'a', 'b', 'c']],
  ];
  test.each(cases)('%s', (_name, args) => {
    put('mira.json', MIRA);
    const plain = bunzai(args);
    expect([plain.code, plain.out]).toEqual([2, '']);
    expect(plain.err).not.toBe('');
    const { code, json } = bunzai([...args, '--json']);
    expect(code).toBe(2);
    expect(json()[0]).toMatchObject({ ok: false, error: { message: expect.any(String) } });
  });
});

describe('the other commands', () => {
  test('inspect shows every part with its number, and what to look at first', () => {
    putPng('mira.png');
    const { code, json } = bunzai(['inspect', 'mira.png', '--json']);
    expect(code).toBe(0);
    const [line] = json();
    expect(line).toMatchObject({
      ok: true,
      file: 'mira.png',
      format: 'sillytavern',
      kind: 'character',
      container: 'png',
    });
    const [card, book] = line.entities as { parts: Record<string, number> }[];
    expect(card?.parts).toMatchObject({ greetings: 3, tags: 2, rules: 1, books: 1 });
    expect(book?.parts).toMatchObject({ entries: 1 });
    expect((line.warnings as { code: string }[]).map((warning) => warning.code)).toContain('card.carries-code');
    expect(line.label).toMatchObject({ likelyOrigin: 'Chub (CharacterHub)' });
    const human = bunzai(['inspect', 'mira.png']).out;
    for (const part of ['3 greetings', '1 rule', 'Harbour: 1 entry', 'Chub']) expect(human).toContain(part);
  });

  test('label names the app, and answers for anything', () => {
    put('mira.json', MIRA);
    put('odd.json', { what: 'is this' });
    const { code, json } = bunzai(['label', 'mira.json', 'odd.json', '--json']);
    expect(code).toBe(0);
    expect(json()).toMatchObject([
      {
        ok: true,
        file: 'mira.json',
        format: 'chara_card_v3',
        container: 'json',
        likelyOrigin: 'Chub (CharacterHub)',
        confidence: 0.9,
      },
      { ok: true, file: 'odd.json', format: 'unknown', container: 'json', confidence: 0, signals: [] },
    ]);
  });

  test('validate passes a sound file and fails a faulty canonical one with every path', () => {
    put('mira.json', MIRA);
    const sound = bunzai(['validate', 'mira.json', '--json']);
    expect(sound.code).toBe(0);
    expect(sound.json()[0]).toMatchObject({ ok: true, valid: true, faults: [] });
    const body = { name: 7, entries: [], surplus: 1 };
    put('faulty.json', { schemaVersion: '1', kind: 'lorebook', id: 'x', body });
    const faulty = bunzai(['validate', 'faulty.json', '--json']);
    expect(faulty.code).toBe(1);
    expect(faulty.json()[0]).toMatchObject({
      ok: false,
      error: { code: 'canonical.invalid', path: expect.any(String) },
    });
    const paths = (faulty.json()[0].faults as { path: string }[]).map(({ path }) => path);
    expect(paths).toContain('body.name');
    expect(paths).toContain('body.surplus');
    expect(bunzai(['validate', 'faulty.json']).out).toContain('body.surplus');
  });

  test('validate lists repairs', () => {
    put('loose.json', { ...MIRA, data: { ...MIRA.data, extensions: { talkativeness: '0.5' } } });
    const { code, json } = bunzai(['validate', 'loose.json', '--json']);
    expect(code).toBe(0);
    expect(JSON.stringify(json()[0].warnings)).toContain('talkativeness');
  });

  test('targets lists formats, best first', () => {
    put('mira.json', MIRA);
    const { code, json } = bunzai(['targets', 'mira.json', '--json']);
    expect(code).toBe(0);
    const rows = json()[0].targets as { format: string; carried: number; populated: number; lost: unknown[] }[];
    expect(rows.map(({ format }) => format)).toContain('pygmalion');
    expect(rows.map(({ carried }) => carried)).toEqual(rows.map(({ carried }) => carried).sort((a, b) => b - a));
    expect(rows.find(({ format }) => format === 'sillytavern')?.lost).toEqual([]);
    expect(bunzai(['targets', 'mira.json']).out).toMatch(/pygmalion +\d+ of \d+/);
  });

  test('diff compares across containers and names what differs', () => {
    put('mira.json', MIRA);
    putPng('mira.png');
    put('other.json', { ...MIRA, data: { ...MIRA.data, name: 'Mira', nickname: 'M' } });
    const { code, json } = bunzai(['diff', 'mira.json', 'other.json', '--json']);
    expect(code).toBe(0);
    expect(json()[0]).toMatchObject({
      ok: true,
      equal: false,
      a: { file: 'mira.json' },
      b: { file: 'other.json' },
      added: ['identity.nickname'],
    });
    expect(json()[0].differences).toMatchObject([
      { path: 'identity.name', kind: 'changed', value: 'Mira Vale', now: 'Mira' },
    ]);
    expect(bunzai(['diff', 'mira.json', 'mira.json']).out).toContain('both say the same');
    expect(bunzai(['diff', '-', 'mira.png', '--json'], { input: JSON.stringify(MIRA) }).code).toBe(0);
  });

  test('formats lists the roster', () => {
    const { code, json, out } = bunzai(['formats', '--json']);
    expect(code).toBe(0);
    expect(json()[0].ok).toBe(true);
    expect(out).toContain('"id":"sillytavern"');
    expect(bunzai(['formats']).out).toMatch(/^sillytavern +character +json png/m);
  });

  test('the version is that of the package', () => {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    for (const asked of ['--version', '-V']) expect(bunzai([asked]).out.trim()).toBe(version);
  });
  test('help and version go to standard output', () => {
    for (const args of [['--help'], ['convert', '--help'], ['help', 'convert'], ['--version']]) {
      const { code, out, err } = bunzai(args);
      expect([args, code, err]).toEqual([args, 0, '']);
      expect(out).not.toBe('');
    }
  });

  test('colour only where it is asked for; a reader that goes away is no fault', () => {
    put('mira.json', MIRA);
    expect(bunzai(['inspect', 'mira.json'], { env: { FORCE_COLOR: '1' } }).out).toContain('\u001b[');
    expect(bunzai(['inspect', 'mira.json'], { env: { FORCE_COLOR: '1', NO_COLOR: '1' } }).out).not.toContain('\u001b[');
    const gone = spawnSync(
      'sh',
      [
        '-c',
        `"${process.execPath}" "${CLI}" formats --json | true; "${process.execPath}" "${CLI}" inspect mira.json | head -n 1`,
      ],
      { cwd: folder },
    );
    expect(gone.stderr.toString()).toBe('');
  });

  test.skipIf(!existsSync(SAMPLES))('every sample that is claimed converts to its own format', () => {
    const files = readdirSync(SAMPLES, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(json|png|charx|byaf|lorebook)$/.test(name))
      .map((name) => join(SAMPLES, name));
    const found = bunzai(['inspect', ...files, '--json']).json();
    expect(found).toHaveLength(files.length);
    const claimed = found.filter((line) => line.ok);
    expect(claimed.length).toBeGreaterThan(0);
    const formats = new Set(claimed.map((line) => String(line.format)));
    for (const format of formats) {
      const mine = claimed.filter((line) => line.format === format).map((line) => String(line.file));
      const done = bunzai(['convert', ...mine, '--to', format, '-o', `out-${format}/`, '--json']);
      expect([format, done.json().filter((line) => !line.ok)]).toEqual([format, []]);
    }
  });
});

test('compiled code is kept beside the engine, and one that is damaged or unwanted changes nothing', () => {
  const own = join(folder, 'dist');
  const cli = join(own, 'cli.cjs');
  cpSync(CLI, cli);
  cpSync(join(CLI, '..', 'cli'), join(own, 'cli'), { recursive: true, filter: (path) => !path.endsWith('.cache') });
  put('mira.json', MIRA);
  const line = [cli, 'convert', 'mira.json', '--to', 'sillytavern', '-o', 'x.json', '--yes', '--json'];
  const convert = (off = '') =>
    spawnSync(process.execPath, line, { cwd: folder, env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: off } });
  const kept = () => readdirSync(join(own, 'cli')).filter((name) => name.includes('cache'));
  const first = convert('1');
  expect([first.status, kept()]).toEqual([0, []]);
  expect([convert().stdout.toString(), kept().length]).toEqual([first.stdout.toString(), 1]);
  const cache = join(own, 'cli', kept()[0] ?? '');
  for (const content of [readFileSync(cache), '', 'garbage', readFileSync(cache).subarray(0, 1000)]) {
    writeFileSync(cache, content);
    const { status, stdout, stderr } = convert();
    expect([status, stdout.toString(), stderr.toString()]).toEqual([0, first.stdout.toString(), '']);
  }
});

test('the quick parser reads what commander reads, and leaves the rest to it', () => {
  const lines = [
    ['convert', 'a.png', '--to', 'risu'],
    ['convert', 'a', 'b', '-t', 'risu', '-o', '-', '-y', '--strict', '--json'],
    ['convert', '-', '--to', 'agnai', '--container', 'png', '--variant', 'v2', '--from', 'sillytavern'],
    ['inspect', 'a', '--json', 'b', '--from', 'x'],
    ['formats'],
    ['diff', 'a', '-', '--json'],
  ];
  for (const line of lines) expect(quickCall(line)).toEqual(carefulCall(line, 80));
  for (const line of [
    ['convert', 'a', '--to=risu'],
    ['convert', '-yo', 'x', 'a'],
    ['convert', '-orisu', 'a'],
    ['convert', '--', '-a'],
  ]) {
    expect([line, quickCall(line)]).toEqual([line, undefined]);
    expect([line, 'command' in carefulCall(line, 80)]).toEqual([line, true]);
  }
  for (const line of [
    ['convert'],
    ['convert', 'a', '--to'],
    ['formats', 'x'],
    ['diff', 'a'],
    ['nonsense'],
    ['convert', '--help'],
  ]) {
    expect([line, quickCall(line)]).toEqual([line, undefined]);
  }
});
