/** `docs/compatibility.md`, from the counts of a run. */
import type { Job } from './fresh.ts';
import { REFUSALS, REWRITES, type Refusal, type Rewrite } from './rewrites.ts';
import { type Cell, seen } from './tally.ts';

/** What a job is called in the table. */
export const label = ({ target, container, variant, dialect }: Job): string =>
  [`\`${target}\``, container, variant, dialect].filter(Boolean).join(' ');

/** Figures of the run that stand above the table. */
export interface Run {
  /** ISO date, without time. */
  readonly date: string;
  readonly sources: number;
  readonly browser: string;
}

const cell = (text: string): string => text.replaceAll('|', '\\|');

function known(rows: readonly (Rewrite | Refusal)[]): string {
  const lines = rows.map((one) => {
    const about = [one.targets?.map((target) => `\`${target}\``).join(', '), one.container, one.dialect];
    return `| ${one.judge} | ${about.filter(Boolean).join(' ') || 'all'} | ${cell(one.reason)} | ${seen.get(one) ?? 0} |`;
  });
  return lines.join('\n');
}

export function compatibilityPage(cells: readonly Cell[], { date, sources, browser }: Run): string {
  const judges = new Map(cells.map(({ judge }) => [judge.name, judge.version]));
  const files = cells.reduce((sum, one) => sum + one.files, 0);
  const rows = cells.map(
    ({ job, judge, files: of, accepted, equal }) =>
      `| ${job.kind} | ${label(job)} | ${judge.name}: ${judge.asks} | ${of} | ${accepted} | ${equal ?? '–'} |`,
  );
  return `<!-- Made by \`npm run test:oracles\` with BUNZAI_WRITE=1. Change the judges or the rewrites, not this page. -->

# What other apps say to our files, measured

On ${date}, ${sources} files (samples, real files, a maximal entity of each kind) were written in every format below and
given to the apps and libraries that read it: ${files} verdicts. A file of another format was converted; one of the same
format was written without its original, so that it is fresh too. Templates and quick replies, which nothing else
becomes, were written as they were read.

Judges: ${[...judges].map(([name, version]) => `${name} ${version}`).join(', ')}. The page of SillyTavern ran in
Chromium ${browser}. How to run this: [CONTRIBUTING](../CONTRIBUTING.md#other-apps-as-judges).

_Accepted_: imported, parsed or valid. _Equal_: what the judge holds afterwards is what we wrote, but for the rewrites
below; – where a judge gives nothing back.

| Kind | File | Judge | Files | Accepted | Equal |
| --- | --- | --- | --- | --- | --- |
${rows.join('\n')}

## What the judges change

By their own design; nothing that could be written better. _Files_ counts those in which it was seen.

| Judge | Files of | What and why | Files |
| --- | --- | --- | --- |
${known(REWRITES)}

## What they refuse

| Judge | Files of | Why | Files |
| --- | --- | --- | --- |
${known(REFUSALS)}
`;
}
