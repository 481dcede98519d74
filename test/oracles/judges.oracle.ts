/** Other people's apps and libraries read everything that bunzai writes. Run by `npm run test:oracles`. */
import { writeFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '../kit/chromium.ts';
import { corpusIsThere } from '../kit/corpus.ts';
import { compatibilityPage, label } from './compatibility.ts';
import { freshFiles, sources } from './fresh.ts';
import { JOBS } from './jobs.ts';
import type { Judge } from './judge.ts';
import { libraryJudges } from './library-judges.ts';
import { pageJudges } from './page-judges.ts';
import { REFUSALS, REWRITES } from './rewrites.ts';
import { type Server, startServer } from './sillytavern.ts';
import { openPage } from './sillytavern-page.ts';
import { serverJudge } from './sillytavern-server.ts';
import { type Cell, cells, counted, seen } from './tally.ts';

const PAGE = new URL('../../docs/compatibility.md', import.meta.url);
const all = await sources();
let server: Server;
let browser: Browser;
let judges: Judge[] = [];

beforeAll(async () => {
  server = await startServer();
  browser = await launchChromium();
  const app = await openPage(browser, server);
  judges = [serverJudge(server), ...pageJudges(app, server), ...(await libraryJudges())];
});
afterAll(async () => {
  await browser?.close();
  server?.stop();
});

describe.each(JOBS.map((job) => [label(job), job] as const))('%s', (_, job) => {
  test('is accepted, and reads back equal but for documented rewrites', async () => {
    const mine: Cell[] = judges
      .filter((judge) => judge.reads(job))
      .map((judge) => ({ job, judge, files: 0, accepted: 0, equal: undefined }));
    const findings: string[] = [];
    for await (const file of freshFiles(job, all)) {
      for (const cell of mine) {
        const verdict = await cell.judge.judge(file);
        if (verdict) findings.push(...counted(cell, file, verdict).map((line) => `${cell.judge.name}: ${line}`));
      }
    }
    cells.push(...mine.filter(({ files }) => files > 0));
    expect(findings).toEqual([]);
  });
});

describe.runIf(corpusIsThere && process.env.BUNZAI_SOURCES === undefined)('over everything', () => {
  test('each documented rewrite and refusal was seen', () => {
    const idle = [...REWRITES, ...REFUSALS]
      .filter((one) => !seen.has(one))
      .map(({ judge, reason }) => `${judge}: ${reason}`);
    expect(idle).toEqual([]);
  });

  test.runIf(process.env.BUNZAI_WRITE)('the page says what was measured', () => {
    const date = new Date().toISOString().slice(0, 10);
    writeFileSync(PAGE, compatibilityPage(cells, { date, sources: all.length, browser: browser.version() }));
  });
});
