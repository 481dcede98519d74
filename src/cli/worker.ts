/** What a worker thread runs for each input. */
export { answer as default } from './work.ts';
