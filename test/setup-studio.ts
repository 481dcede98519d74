import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { changed } from './setup-build.ts';
import { launchBrowser } from './studio/browser.ts';
import { serveStudio } from './studio/static-server.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the browser listens, or why there is none. */
    browser: { readonly endpoint: string } | { readonly fault: string };
    /** Address of the built studio. */
    studio: string;
  }
}

/** Builds the studio, serves it and starts one browser for all tests. Runs of other tests are not held up. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const asked = (project.vitest as { filenamePattern?: string[] }).filenamePattern ?? [];
  if (asked.length > 0 && !asked.some((part) => /studio|screenshots|responsive|^test\/?$/.test(part))) return undefined;
  build();
  const server = await serveStudio();
  project.provide('studio', server.url);
  try {
    const browser = await launchBrowser();
    project.provide('browser', { endpoint: browser.wsEndpoint() });
    return async () => {
      await browser.close();
      server.close();
    };
  } catch (error) {
    // Only the tests that need a browser fail, and they say why.
    project.provide('browser', { fault: error instanceof Error ? error.message : String(error) });
    return async () => server.close();
  }
}

/** Builds `dist/studio` when a source is newer. */
function build(): void {
  const built = changed(join(ROOT, 'dist/studio/index.html'));
  if (['src', 'package.json', 'vite.config.ts'].every((name) => changed(join(ROOT, name)) <= built)) return;
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
  const run = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'error'], { cwd: ROOT, encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`The studio could not be built:\n${run.stdout}\n${run.stderr}`);
}
