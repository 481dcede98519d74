/**
 * `npm run bench [part of a name]`: every operation against its floor, starts, memory, growth, sizes.
 * Prints what it measures and writes it to bench/report.json. See docs/performance.md. Never a test: it fails for nothing.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { bundles } from './bundles.mjs';
import { folderOfCards } from './folder.mjs';
import { card, charxMembers, png, worldInfo, zip } from './inputs.mjs';
import { against, median, perRun } from './measure.mjs';
import { memory } from './memory.mjs';
import { growth, operations } from './operations.mjs';
import { starts } from './processes.mjs';

// glibc gives the pages of a freed array back or keeps them by luck, and fetching them again costs more than the work:
// this process keeps them, for work and floor alike. Its children are as they come.
const STEADY = { MALLOC_MMAP_THRESHOLD_: '33554432', MALLOC_TRIM_THRESHOLD_: '1073741824' };
if (process.env.MALLOC_TRIM_THRESHOLD_ === undefined) {
  const args = [...process.execArgv, ...process.argv.slice(1)];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...STEADY } });
  process.exit(status ?? 1);
}
for (const name of Object.keys(STEADY)) delete process.env[name];

const asked = process.argv.slice(2).join(' ');
const wanted = (name) => name.includes(asked);
const verdict = (value, bound) => (bound === undefined ? '' : `<= ${bound} ${value <= bound ? 'met' : 'NOT MET'}`);
const show = ({ name, input, ms, floorMs, ratio, bound }) => {
  const times = `${ms.toFixed(3).padStart(10)} ms ${floorMs.toFixed(3).padStart(9)} ms`;
  console.log(
    `${name.padEnd(44)} ${input.padEnd(26)} ${times} ${ratio.toFixed(2).padStart(6)}  ${verdict(ratio, bound)}`,
  );
};

const report = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length, load: loadavg(), rows: [] };
const keep = (row) => {
  show(row);
  report.rows.push({ ...row, ...(row.bound === undefined ? {} : { met: row.ratio <= row.bound }) });
};

console.log(`Node ${process.version}, ${report.cores} cores, load ${report.load[0].toFixed(1)}\n`);
console.log(`${'operation'.padEnd(44)} ${'input'.padEnd(26)} ${'CPU'.padStart(13)} ${'floor'.padStart(12)}  ratio`);
for (const { make, ...row } of operations()) {
  if (wanted(row.name)) keep({ ...row, ...(await against(...(await make()))) });
}
if (wanted('start')) for (const row of starts()) keep(row);
if (wanted('folder')) {
  const { row, twoWorkers } = await folderOfCards();
  keep(row);
  report.twoWorkers = { ...twoWorkers, bound: 1.7, met: twoWorkers.ratio >= 1.7 };
  const { ratio, floor, met } = report.twoWorkers;
  const said = `${ratio.toFixed(2)} times one, >= 1.7 ${met ? 'met' : 'NOT MET'}`;
  console.log(`two workers: ${said} (wall time; their floor on this machine: ${floor.toFixed(2)})`);
}
if (wanted('growth')) {
  report.growth = [];
  console.log('\ngrowth: time per part, eight times as many parts against fewer');
  for (const { name, sizes, unit, make } of growth()) {
    const [few, many] = [await make(sizes[0]), await make(sizes[1])];
    const ratios = [];
    for (let i = 0; i < 7; i++) ratios.push((await perRun(many)) / sizes[1] / ((await perRun(few)) / sizes[0]));
    const ratio = median(ratios);
    report.growth.push({ name, sizes, unit, ratio });
    console.log(`${name.padEnd(44)} ${sizes.join(' and ')} ${unit}: ${ratio.toFixed(2)}`);
  }
}
if (wanted('memory')) {
  console.log('\nmemory: peak of a read above a process with the library, in sizes of the file');
  report.memory = memory([
    { name: 'PNG card, 10 MB', bytes: png(10_000_000, card(300)) },
    { name: 'charx, 2,000 assets, 40 MB', bytes: zip(charxMembers(2000, 20_000)) },
    { name: 'world info, 5,000 entries', bytes: worldInfo(5000) },
  ]);
  for (const { name, ratio, parse } of report.memory) {
    const bare = parse === undefined ? '' : `  (JSON.parse alone: ${parse.toFixed(2)})`;
    console.log(`${name.padEnd(44)} ${ratio.toFixed(2)}  ${verdict(ratio, 2)}${bare}`);
  }
}
if (wanted('bundle')) {
  console.log('\nbundles: kB (1,000 bytes) gzipped; the target is for what is loaded at once');
  report.bundles = await bundles();
  for (const { name, bytes, whole, bound } of report.bundles) {
    const sizes = `${(bytes / 1000).toFixed(1)} at once, ${(whole / 1000).toFixed(1)} whole`;
    console.log(`${name.padEnd(48)} ${sizes}  ${verdict(bytes / 1000, bound)}`);
  }
}
writeFileSync(fileURLToPath(new URL('report.json', import.meta.url)), `${JSON.stringify(report, null, 2)}\n`);
