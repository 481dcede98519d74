/** How two pieces of work are held against each other on a machine that others use too. */

/** CPU seconds of this process, all threads. Others on the machine do not count, as wall time would. */
const cpu = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

const forget = () => {};
/** One run, whose result nobody holds while the next one is at work. */
function run(work) {
  const made = work();
  return made instanceof Promise ? made.then(forget) : undefined;
}

async function timed(work, times) {
  const start = cpu();
  for (let i = 0; i < times; i++) {
    const waiting = run(work);
    if (waiting) await waiting;
  }
  return cpu() - start;
}

/** How often work must run to be long enough for a sample. */
async function timesFor(work, seconds) {
  for (let times = 1; ; times *= 2) {
    const spent = await timed(work, times);
    if (spent >= seconds / 2 || times > 1e5) return Math.max(1, Math.round((times * seconds) / Math.max(spent, 1e-6)));
  }
}

/** CPU seconds of one run, the lower of three. */
export async function perRun(work) {
  const times = [];
  for (let i = 0; i < 3; i++) times.push(await timed(work, 1));
  return Math.min(...times);
}

export const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

/**
 * Runs work until it gets no faster: three windows in a row without a gain of 3%, after 8,000 runs or ten seconds:
 * the compiler of Node takes that long over a conversion. What is measured is a program at work; what its first calls
 * cost is in the rows of cold starts.
 */
async function warmed(work) {
  const times = await timesFor(work, 0.7);
  let best = Number.POSITIVE_INFINITY;
  let spent = 0;
  for (let runs = 0, idle = 0; spent < 16 && !(idle >= 3 && (runs >= 8000 || spent > 10)); runs += times) {
    const now = await timed(work, times);
    spent += now;
    idle = now < best * 0.97 ? 0 : idle + 1;
    best = Math.min(best, now);
  }
}

/**
 * Medians of CPU milliseconds for one run of `work` and of `floor`, sampled in turn after warming up, and the median of
 * the ratios of neighbouring samples: what disturbs one sample mostly disturbs its neighbour too.
 */
export async function against(work, floor, { samples = 41, sample = 0.03 } = {}) {
  for (const one of [work, floor]) await warmed(one);
  const [times, floorTimes] = [await timesFor(work, sample), await timesFor(floor, sample)];
  const [own, low] = [[], []];
  for (let i = 0; i < samples; i++) {
    low.push((await timed(floor, floorTimes)) / floorTimes);
    own.push((await timed(work, times)) / times);
  }
  const ratio = median(own.map((value, i) => value / low[i]));
  return { ms: median(own) * 1000, floorMs: median(low) * 1000, ratio };
}
