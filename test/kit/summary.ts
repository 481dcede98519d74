import { appendFileSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where the figures of a run are collected: one file a process, one JSON object a line, `{ name, figures }`. */
export const SUMMARY_FOLDER = fileURLToPath(new URL('../../node_modules/.cache/bunzai-summary/', import.meta.url));

/**
 * Notes figures of a suite for the summary at the end of a run, such as `record('fuzz', { inputs: 900 })`. Every
 * worker appends to a file of its own, whole lines only, so two never mix. A name may come many times.
 */
export function record(name: string, figures: Readonly<Record<string, number | string>>): void {
  mkdirSync(SUMMARY_FOLDER, { recursive: true });
  appendFileSync(`${SUMMARY_FOLDER}${process.pid}.jsonl`, `${JSON.stringify({ name, figures })}\n`);
}
