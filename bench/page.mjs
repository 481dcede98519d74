/** Puts the tables of the last `npm run bench` into docs/performance.md: `node bench/page.mjs`. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const report = JSON.parse(readFileSync(at('bench/report.json'), 'utf8'));
const day = statSync(at('bench/report.json')).mtime.toLocaleDateString('en-GB', { dateStyle: 'long' });

const target = ({ bound, met }) => (bound === undefined ? '' : `${bound}, ${met ? 'met' : '**not met**'}`);
const rows = report.rows.map((row) => {
  const cells = [row.name, row.input ?? '', row.ms.toFixed(2), row.floorMs.toFixed(2), row.ratio.toFixed(2)];
  return `| ${[...cells, target(row)].join(' | ')} |`;
});
const MEMORY_BOUND = 2;
const memory = report.memory.map((row) => {
  const met = row.ratio <= MEMORY_BOUND;
  const bare = row.parse === undefined ? '' : `; \`JSON.parse\` of its text alone takes ${row.parse.toFixed(2)}`;
  return `| ${row.name}${bare} | ${row.ratio.toFixed(2)} | ${target({ bound: MEMORY_BOUND, met })} |`;
});
const kB = (bytes) => (bytes / 1000).toFixed(1);
const bundles = report.bundles.map(
  (row) =>
    `| ${row.name} | ${kB(row.bytes)} | ${kB(row.whole)} | ${target({ bound: row.bound, met: kB(row.bytes) <= row.bound })} |`,
);
const growth = report.growth.map(
  ({ name, sizes, unit, ratio }) => `${name}, ${sizes.join(' and ')} ${unit}: ${ratio.toFixed(2)}`,
);
const text = `Node ${report.node}, ${report.cores} cores, load ${report.load[0].toFixed(1)}, ${day}.

| Operation | Input | CPU, ms | Floor, ms | Ratio | Target |
| --- | --- | --- | --- | --- | --- |
${rows.join('\n')}

Two workers against one, in wall time: ${report.twoWorkers.ratio.toFixed(2)} (${target(report.twoWorkers)}); the floor itself: ${report.twoWorkers.floor.toFixed(2)}.

Growth, time per part with many parts against few: ${growth.join('; ')}.

Peak memory of a read, above a process with the library, in sizes of the file:

| File | Sizes | Target |
| --- | --- | --- |
${memory.join('\n')}

Browser bundles, gzipped, in kB of 1,000 bytes; the target is for what the import loads at once:

| Bundle | At once | Whole | Target |
| --- | --- | --- | --- |
${bundles.join('\n')}
`;
const page = at('docs/performance.md');
const old = readFileSync(page, 'utf8');
writeFileSync(
  page,
  old.replace(/(<!-- bench -->\n)[\s\S]*(<!-- \/bench -->)/, (_, open, close) => `${open}\n${text}\n${close}`),
);
