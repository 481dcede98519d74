/** Runs cases one after another and says before each which one it is, so that whoever watches can name a hang or a crash. */
import { join } from 'node:path';
import { changedBytes } from './bytes.ts';
import { type Dice, diceFor } from './dice.ts';
import { engine } from './doors.ts';
import { resealed } from './reseal.ts';
import { corpusSeeds, type Seed, sampleSeeds } from './seeds.ts';
import { type Target, targets } from './targets.ts';

/** What the worker is asked to do. */
export interface Job {
  readonly seed: number;
  readonly root: string;
  readonly corpus: boolean;
  /** Name of one target. Absent: all in turn. */
  readonly only?: string | undefined;
  /** Rounds over all targets: from, and how many. */
  readonly from: number;
  readonly rounds: number;
  /** Milliseconds after which no new case is begun. */
  readonly ms: number;
}

/** A case by its number in a target, and how it went. CPU in milliseconds; `grown`: bytes that the peak of memory rose. */
export type Word =
  | { readonly is: 'begin'; readonly target: string; readonly index: number; readonly file: string }
  | { readonly is: 'done'; readonly cpu: number; readonly grown: number; readonly size: number }
  | { readonly is: 'finding'; readonly message: string }
  | { readonly is: 'end'; readonly targets: number };

/** A changed file of `target`, and what it was made from. */
function caseOf(target: Target, seeds: readonly Seed[], dice: Dice): { file: string; bytes: Uint8Array } {
  const own = seeds.filter((seed) => target.accepts(seed));
  const seed = dice.pick(own.length > 0 && !dice.once(12) ? own : seeds);
  const other = dice.pick(seeds);
  let { bytes } = seed;
  if (!dice.once(3)) {
    try {
      bytes = resealed(bytes, dice);
    } catch {
      // Some changed values fit no carrier; the bytes are changed instead.
      return { file: seed.name, bytes: changedBytes(bytes, dice, other.bytes) };
    }
    if (!dice.once(6)) return { file: seed.name, bytes };
  }
  return { file: seed.name, bytes: changedBytes(bytes, dice, other.bytes) };
}

const peak = () => process.resourceUsage().maxRSS * 1024;

async function work(job: Job, tell: (word: Word) => void): Promise<void> {
  const ids = new Set<string>(engine.registry.adapters.map(({ id }) => id));
  const seeds = sampleSeeds(job.root, ids);
  if (job.corpus) seeds.push(...corpusSeeds(join(job.root, '../shared/corpus'), ids));
  const chosen = targets.filter(({ name }) => job.only === undefined || name === job.only);
  const until = performance.now() + job.ms;
  for (let index = job.from; index < job.from + job.rounds; index++) {
    for (const target of chosen) {
      if (performance.now() > until) return tell({ is: 'end', targets: chosen.length });
      tell({ is: 'begin', target: target.name, index, file: 'the making of the case' });
      const { file, bytes } = caseOf(target, seeds, diceFor(job.seed, target.name, index));
      tell({ is: 'begin', target: target.name, index, file });
      const [high, start] = [peak(), process.cpuUsage()];
      try {
        await target.run(bytes);
        if (({} as { polluted?: unknown }).polluted !== undefined) throw new Error('Object.prototype was changed');
      } catch (error) {
        tell({ is: 'finding', message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
      }
      const { user, system } = process.cpuUsage(start);
      tell({ is: 'done', cpu: (user + system) / 1000, grown: peak() - high, size: bytes.length });
    }
  }
  tell({ is: 'end', targets: chosen.length });
}

process.on('message', (job: Job) => {
  const tell = (word: Word) => process.send?.(word);
  work(job, tell).then(() => process.disconnect());
});
