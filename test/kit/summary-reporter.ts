/** What a run proved, in numbers, after the runner's own summary. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';
import { SUMMARY_FOLDER } from './summary.ts';

type Figures = Record<string, number | string>;
type Line = { readonly name: string; readonly figures: Figures };

/** Every line that the suites of this run noted. A line that a killed worker left half written says nothing. */
function noted(): Line[] {
  if (!existsSync(SUMMARY_FOLDER)) return [];
  const texts = readdirSync(SUMMARY_FOLDER).map((name) => readFileSync(SUMMARY_FOLDER + name, 'utf8'));
  return texts
    .join('')
    .split('\n')
    .flatMap((line) => {
      try {
        return line === '' ? [] : [JSON.parse(line) as Line];
      } catch {
        return [];
      }
    });
}

/** One line a name; what was noted under one name several times is added up, words are listed. */
function lines(all: readonly Line[]): string[] {
  const byName = new Map<string, Figures>();
  for (const { name, figures } of all) {
    const sum = byName.get(name) ?? {};
    for (const [key, value] of Object.entries(figures)) {
      const held = sum[key];
      if (typeof value === 'number' && typeof held === 'number') sum[key] = held + value;
      else sum[key] = held === undefined || held === value ? value : `${held}; ${value}`;
    }
    byName.set(name, sum);
  }
  return [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, figures]) => row(name, figures));
}

const row = (name: string, figures: Figures): string => {
  const parts = Object.entries(figures).map(([key, value]) =>
    typeof value === 'number' ? `${Math.round(value).toLocaleString('en')} ${key}` : `${key} ${value}`,
  );
  return ` ${name.padStart(20)}  ${parts.join(', ')}`;
};

/** The ids of real-world cases in the titles of tests that passed, and of those that did not. */
function cases(modules: readonly TestModule[]): Line {
  const passed = new Set<string>();
  const failed = new Set<string>();
  for (const module of modules) {
    for (const test of module.children.allTests()) {
      const ids = test.fullName.match(/RW-\d{3}/g) ?? [];
      const { state } = test.result();
      for (const id of ids) (state === 'failed' ? failed : state === 'passed' ? passed : new Set()).add(id);
    }
  }
  for (const id of failed) passed.delete(id);
  return { name: 'real-world cases', figures: { passed: passed.size, failed: failed.size } };
}

/** Prints it. */
export const summary: Reporter = {
  onInit() {
    rmSync(SUMMARY_FOLDER, { recursive: true, force: true });
  },
  onTestRunEnd(modules) {
    const all = [cases(modules), ...noted()];
    console.log(`\n What was proved\n${lines(all).join('\n')}\n`);
  },
};
