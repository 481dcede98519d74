/**
 * SillyTavern's web page in a headless browser: books, regex scripts, personas, presets and quick replies are read by
 * code that runs there. Each file goes through the input that a person would use; what is read back is what the app
 * stored, or what it holds in memory where it stores all in one settings file.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import type { Fresh } from './fresh.ts';
import type { Server } from './sillytavern.ts';

/** What is used of the app's own view of itself. */
interface AppContext {
  readonly characters: readonly unknown[];
  readonly extensionSettings: { readonly regex: unknown[] };
  readonly powerUserSettings: {
    readonly personas: Record<string, unknown>;
    readonly persona_descriptions: Record<string, unknown>;
    default_persona: unknown;
    readonly user_prompt_bias: unknown;
    readonly show_user_prompt_bias: unknown;
  };
  readonly chatCompletionSettings: {
    readonly preset_settings_openai: unknown;
    readonly prompts: unknown;
    readonly prompt_order: unknown;
  };
}

declare global {
  /** Stands in the page, not here. */
  var SillyTavern: { getContext(): AppContext } | undefined;
}

/** How long one import may take, in milliseconds. */
const PATIENCE = 10_000;

export interface AppPage {
  readonly page: Page;
  /** Errors that the page threw since this was asked last. */
  readonly errors: () => string[];
}

/** Opens the page with a chat-completion backend, so that it asks no host for anything, and waits until it is ready. */
export async function openPage(browser: Browser, { url, data }: Server): Promise<AppPage> {
  const settings = JSON.parse(readFileSync(`${data}/settings.json`, 'utf8'));
  writeFileSync(`${data}/settings.json`, JSON.stringify({ ...settings, firstRun: false, main_api: 'openai' }));
  const page = await browser.newPage();
  await page.route('**', (route) => (route.request().url().startsWith(url) ? route.continue() : route.abort()));
  const thrown: string[] = [];
  page.on('pageerror', (error) => thrown.push(error.message));
  await page.goto(url);
  await page.waitForFunction(
    () => (globalThis.SillyTavern?.getContext().characters.length ?? 0) > 0 && !document.querySelector('#preloader'),
    undefined,
    { timeout: 120_000 },
  );
  await page.evaluate(() => {
    const agree = () =>
      document.querySelectorAll<HTMLElement>('dialog[open] .popup-button-ok').forEach((ok) => ok.click());
    setInterval(agree, 100);
  });
  return { page, errors: () => thrown.splice(0) };
}

/** Gives a file to one of the app's inputs and waits for `answer`; throws what the app says in red. */
export async function upload<T>(
  page: Page,
  input: string,
  file: Pick<Fresh, 'name' | 'bytes'>,
  answer: (page: Page) => Promise<T>,
): Promise<T> {
  await page.evaluate(() => document.querySelectorAll('#toast-container > *').forEach((one) => one.remove()));
  const done = answer(page);
  const red = page
    .locator('#toast-container .toast-error, #toast-container .toast-warning')
    .first()
    .textContent({ timeout: PATIENCE })
    .then(
      (text) => Promise.reject(new Error(text ?? 'refused')),
      () => Promise.reject(new Error('no answer')),
    );
  const outcome = Promise.race([done, red]);
  await page
    .locator(input)
    .setInputFiles({ name: file.name, mimeType: 'application/octet-stream', buffer: file.bytes });
  return outcome;
}

/** A green message with this text: an earlier one may still come. */
export const toast = (text: RegExp) => (page: Page) =>
  page.locator('#toast-container .toast-success', { hasText: text }).first().waitFor({ timeout: PATIENCE });

/** The answer of a request that the page makes itself, with what it sent. */
export const answerOf =
  (path: string, isIt: (sent: string) => boolean = () => true) =>
  async (page: Page): Promise<{ readonly name?: string }> => {
    const response = await page.waitForResponse(
      (one) => one.url().endsWith(path) && isIt(one.request().postData() ?? ''),
      { timeout: PATIENCE },
    );
    if (!response.ok()) throw new Error(`${response.status()} from ${path}`);
    return response.json().catch(() => ({}));
  };
