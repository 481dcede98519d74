/**
 * `npm run fuzz`: changed files through everything, watched from outside, so that a hang or a crash is a finding too.
 * The same seed gives the same cases. See `--help`.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Job, Word } from './worker.ts';

const HELP = `npm run fuzz -- [options]
  --seconds <n>   stop after so long (60)
  --rounds <n>    stop after so many cases of each target (no limit)
  --seed <n>      the cases; printed at the end (another one each time)
  --only <name>   one target: a container (json, text, png, exif, zip, risum) or an adapter id
  --from <n>      the first case of each target (0), to see a finding again
  --samples       start from the samples alone, also where a corpus lies beside the checkout
`;

/** Wall time without a word after which a case hangs, CPU time of a case that is too slow, growth that is too much. */
const MAX_SILENCE_MS = 30_000;
const MAX_CPU_MS = 5_000;
const MAX_GROWN_BYTES = 400 * 1024 * 1024;
const HEAP_MB = 768;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    rounds: { type: 'string', default: 'Infinity' },
    seed: { type: 'string' },
    only: { type: 'string' },
    from: { type: 'string', default: '0' },
    samples: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

/** What is known of a run. */
const seen = { inputs: 0, targets: 0, slowest: { what: 'none', ms: 0 }, largest: { what: 'none', bytes: 0 } };
const findings: string[] = [];

/** Runs one worker to its end; the number of the round to go on with where it died. */
function watch(job: Job): Promise<{ at: number } | undefined> {
  return new Promise((resolve) => {
    const child = fork(fileURLToPath(new URL('./worker.js', import.meta.url)), {
      execArgv: [`--max-old-space-size=${HEAP_MB}`],
    });
    let current = { target: '', index: job.from, file: '' };
    let ended = false;
    const note = (what: string) =>
      findings.push(
        `${current.target} #${current.index} (from ${current.file}): ${what}\n` +
          `  npm run fuzz -- --seed ${job.seed} --only ${current.target} --from ${current.index} --rounds 1`,
      );
    const silent = () => {
      note(`no answer in ${MAX_SILENCE_MS / 1000} s`);
      child.kill('SIGKILL');
    };
    let timer = setTimeout(silent, MAX_SILENCE_MS);
    child.on('message', (word: Word) => {
      clearTimeout(timer);
      timer = setTimeout(silent, MAX_SILENCE_MS);
      if (word.is === 'begin') current = word;
      else if (word.is === 'finding') note(word.message);
      else if (word.is === 'end') {
        ended = true;
        seen.targets = word.targets;
      } else {
        seen.inputs++;
        const what = `${current.target} #${current.index}`;
        if (word.cpu > seen.slowest.ms) seen.slowest = { what, ms: Math.round(word.cpu) };
        if (word.size > seen.largest.bytes) seen.largest = { what, bytes: word.size };
        if (word.cpu > MAX_CPU_MS) note(`took ${Math.round(word.cpu)} ms of CPU for ${word.size} bytes`);
        if (word.grown > MAX_GROWN_BYTES) note(`took ${word.grown >> 20} MiB of memory for ${word.size} bytes`);
      }
    });
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      if (ended) return resolve(undefined);
      if (signal !== 'SIGKILL') note(`the process died: ${signal ?? `exit code ${code}`}`);
      // A worker that dies before its first case would do so for ever.
      resolve(current.target === '' ? undefined : { at: current.index + 1 });
    });
    child.send(job);
  });
}

async function run(): Promise<number> {
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
  const until = performance.now() + Number(values.seconds) * 1000;
  const last = Number(values.from) + Math.min(Number(values.rounds), 1e9);
  let from = Number(values.from);
  for (let died = 0; from < last && died < 20; ) {
    const job: Job = {
      seed,
      root: process.cwd(),
      corpus: !values.samples,
      only: values.only,
      from,
      rounds: last - from,
      ms: until - performance.now(),
    };
    const rest = await watch(job);
    if (rest === undefined) break;
    died++;
    from = rest.at;
  }
  const { inputs, targets, slowest, largest } = seen;
  for (const finding of findings) console.log(`\nFINDING ${finding}`);
  console.log(
    `\n${inputs} inputs fuzzed in ${targets} targets, seed ${seed}; ` +
      `slowest ${slowest.what} (${slowest.ms} ms), largest ${largest.what} (${largest.bytes} bytes); ` +
      `${findings.length} findings`,
  );
  return findings.length > 0 || inputs === 0 ? 1 : 0;
}

process.exitCode = await run();
