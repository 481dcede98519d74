/** SillyTavern's server: characters, whose files it opens itself. */
import { readFileSync } from 'node:fs';
import { cardIn } from './card-in.ts';
import type { Fresh, Job } from './fresh.ts';
import { accepted, changesOf, type Judge, meant, refused } from './judge.ts';
import { type Server, versionOf } from './sillytavern.ts';

const FAMILIES = new Set(['sillytavern', 'risu', 'lumiverse', 'rolecall', 'pygmalion', 'byaf']);
/** It turns these into cards of its own, so that only what they mean can be compared. */
const CONVERTED = new Set(['pygmalion', 'byaf']);

/** `jpeg` in front of an archive is opened as the archive. */
const fileType = ({ container }: Job): string => (container === 'jpeg' ? 'charx' : container);

/** Imports one character. Throws what the server says. */
export async function importCard({ url }: Server, { job, bytes, name }: Fresh): Promise<string> {
  const form = new FormData();
  form.append('file_type', fileType(job));
  form.append('user_name', 'Tester');
  form.append('avatar', new Blob([new Uint8Array(bytes)]), name);
  const response = await fetch(`${url}/api/characters/import`, { method: 'POST', body: form });
  const text = await response.text();
  const file = response.ok ? (JSON.parse(text) as { file_name?: string }).file_name : undefined;
  if (!file) throw new Error(`${response.status} ${text}`);
  return file;
}

export const deleteCard = ({ url }: Server, file: string): Promise<unknown> =>
  fetch(`${url}/api/characters/delete`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ avatar_url: `${file}.png`, delete_chats: true }),
  });

export const serverJudge = (server: Server): Judge => ({
  name: 'SillyTavern server',
  asks: 'import, then the stored picture',
  version: versionOf('sillytavern'),
  reads: ({ kind, target }) => kind === 'character' && FAMILIES.has(target),
  async judge(file) {
    const stored = await importCard(server, file).catch((error: Error) => error);
    if (stored instanceof Error) return refused(stored.message);
    const back = readFileSync(`${server.data}/characters/${stored}.png`);
    await deleteCard(server, stored);
    if (CONVERTED.has(file.job.target)) return accepted(await meant(file.bytes, back));
    return accepted(changesOf(cardIn(file.bytes), cardIn(back)));
  },
});
