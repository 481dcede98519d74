/**
 * Every pattern in our own source against texts that make patterns go back over their steps: one piece many times, then
 * something else. A pattern that takes more than its share of time on 20,000 letters would hang on a megabyte.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { RUNS } from '../fuzz/trees.ts';

const root = fileURLToPath(new URL('../../src/', import.meta.url));
const LETTERS = 20_000;
/** A linear pattern takes well under a millisecond; a quadratic one takes 100 and more. */
const MAX_MS = 40;

interface Own {
  readonly place: string;
  readonly pattern: RegExp;
}

/** The regex literals of a file. */
function patternsIn(name: string): Own[] {
  const file = ts.createSourceFile(name, readFileSync(root + name, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: Own[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      const flags = node.text.slice(end + 1);
      const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      found.push({ place: `${name}:${line} ${node.text}`, pattern: new RegExp(node.text.slice(1, end), flags) });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const names = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
const own = names.flatMap(patternsIn);

/** What a pattern may want to stand in front of a run. */
const HEADS = ['', '/', '=== a', '/a/', '["user_input"', '[', '<', 'data:', '{{', '![a](', 'x.'];
const texts = RUNS.flatMap((piece) => {
  const run = piece.repeat(Math.ceil(LETTERS / piece.length));
  return HEADS.flatMap((head) => [`${head}${run}`, `${head}${run}\u0000x`]);
});
const distinct = Array.from({ length: LETTERS }, (_, n) => String.fromCharCode(0x4e00 + n)).join('');

/** Milliseconds of the faster of two runs, so that a busy machine does not count. */
function cost(pattern: RegExp, text: string): number {
  const once = () => {
    const start = process.cpuUsage();
    text.replace(pattern, '');
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
  const first = once();
  return first < MAX_MS ? first : Math.min(first, once());
}

test('no pattern of the source takes more than linear time', { timeout: 300_000 }, () => {
  expect(own.length).toBeGreaterThan(80);
  const slow = own.flatMap(({ place, pattern }) => {
    const bad = [...texts, distinct, `/a/${distinct}`].find((text) => cost(pattern, text) > MAX_MS);
    return bad === undefined ? [] : [`${place} on ${JSON.stringify(bad.slice(0, 24))}…`];
  });
  expect(slow).toEqual([]);
});
