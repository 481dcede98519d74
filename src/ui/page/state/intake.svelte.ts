/** The import list: what was dropped, and what became of it. */
import { asFault, callback, engine } from '../engine.ts';
import { words } from '../words/shell.ts';
import type { Incoming, IntakeRow, Progress } from '../worker/api.ts';
import { library } from './library.svelte.ts';
import { tell } from './notices.svelte.ts';
import { studio } from './studio.svelte.ts';

/** A file as the page gets it. */
export interface NamedBlob {
  readonly name: string;
  readonly blob: Blob;
}

/** Rows come faster than they can be read: the list grows at most this often, in milliseconds. */
const BEAT = 100;

function createIntake() {
  let rows = $state.raw<readonly IntakeRow[]>([]);
  let progress = $state.raw<Progress | undefined>();
  let rate = $state(0);
  let stopped = $state(false);
  let runs = 0;

  const run = async (files: readonly Incoming[], fresh: boolean) => {
    const mine = ++runs;
    const began = performance.now();
    const waiting: IntakeRow[] = [];
    let beat: ReturnType<typeof setTimeout> | undefined;
    let newest: Progress = { done: 0, total: files.length };
    if (fresh) rows = [];
    stopped = false;
    progress = newest;
    const flush = () => {
      beat = undefined;
      const keys = new Set(waiting.map(({ key }) => key));
      rows = [...rows.filter(({ key }) => !keys.has(key)), ...waiting.splice(0)];
      progress = newest;
      rate = (newest.done * 1000) / (performance.now() - began);
    };
    try {
      await engine.intake(
        files,
        callback((row: IntakeRow, now: Progress) => {
          waiting.push(row);
          newest = now;
          beat ??= setTimeout(flush, BEAT);
        }),
      );
    } catch (error) {
      const fault = asFault(error);
      waiting.push({ key: `fault-${mine}`, name: fault.file ?? '', state: 'bad', fault });
    }
    clearTimeout(beat);
    flush();
    if (runs === mine) progress = undefined;
  };

  return {
    get rows() {
      return rows;
    },
    /** Undefined: nothing is being read. */
    get progress() {
      return progress;
    },
    /** Files a second. */
    get rate() {
      return rate;
    },
    get stopped() {
      return stopped;
    },
    /** Takes files in. The only card of a drop is opened. */
    async take(files: readonly NamedBlob[]) {
      if (files.length === 0) return;
      const batch = `${Date.now()}`;
      await run(
        files.map(({ name, blob }, index) => ({ key: `${batch}-${index}`, name, blob, mode: 'ask' as const })),
        progress === undefined,
      );
      const [only, ...others] = rows;
      if (only?.summary && others.length === 0) await studio.open(only.summary.id);
      else if (!studio.doc && rows.length > 0) studio.step = 'item';
    },
    /** Takes the file of one row in again: beside what is here, or in its place. */
    async again(row: IntakeRow, mode: Incoming['mode']) {
      const { key, name, blob } = row;
      if (blob) await run([{ key, name, blob, mode }], false);
    },
    /** Puts the file of an added row in the place of an older item of the same name. */
    async replace(row: IntakeRow, older: string) {
      const added = row.summary;
      if (added) await engine.remove([added.id]);
      await intake.again(row, { replace: older });
      const next = rows.find(({ key }) => key === row.key);
      tell(words().replaced, async () => {
        await engine.remove(next?.summary ? [next.summary.id] : []);
        await engine.restore([older, ...(added ? [added.id] : [])]);
      });
      if (next?.summary && (studio.doc?.id === added?.id || studio.doc?.id === older))
        await studio.open(next.summary.id);
    },
    async stop() {
      stopped = true;
      await engine.stop();
    },
    dismiss() {
      rows = [];
    },
    /** Takes the added items out again. */
    async undo() {
      const added = rows.flatMap(({ state, summary }) => (state === 'added' && summary ? [summary.id] : []));
      if (studio.doc && added.includes(studio.doc.id)) await studio.close();
      await engine.remove(added.filter((id) => library.item(id)));
      rows = [];
    },
  };
}

/** The import list of this page. */
export const intake = createIntake();
