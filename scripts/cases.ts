/** The page of real-world cases, from the titles of the tests that hold them. */
import { readdirSync, readFileSync } from 'node:fs';

/** Ids run from RW-001 to this. */
const CASES = 117;
const TITLE = /(['"`])(RW-\d{3}(?:(?!\1)[^\n\\])*)\1/g;

/** A title and the test file it stands in, by each id the title names. */
function titlesIn(root: string): Map<string, { readonly title: string; readonly file: string }[]> {
  const files = ['test', 'src'].flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
  );
  const held = new Map<string, { title: string; file: string }[]>();
  for (const file of files.sort()) {
    for (const [, , title = ''] of readFileSync(root + file, 'utf8').matchAll(TITLE)) {
      for (const [id] of title.matchAll(/RW-\d{3}/g)) held.set(id, [...(held.get(id) ?? []), { title, file }]);
    }
  }
  return held;
}

/** The ids that no test names. */
export function casesWithoutTest(root: string): string[] {
  const held = titlesIn(root);
  return Array.from({ length: CASES }, (_, n) => `RW-${String(n + 1).padStart(3, '0')}`).filter((id) => !held.has(id));
}

const worded = (title: string): string =>
  title
    .replace(/^(?:RW-\d{3}[:,\s]*(?:and |to )?)+/, '')
    .replaceAll(/%[sj]|\$\w+/g, '…')
    .replaceAll('|', '\\|');

/** One row a case: what its tests say, and where they are. */
export function casesPage(root: string): string {
  const rows = [...titlesIn(root)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, tests]) => {
      const files = [...new Set(tests.map(({ file }) => file))].map((file) => `[${file}](../${file})`);
      return `| ${id} | ${[...new Set(tests.map(({ title }) => worded(title)))].join('<br>')} | ${files.join('<br>')} |`;
    });
  return `<!-- Made by \`npm run generate\` from the titles of the tests. Change those, not this page. -->

# Real-world cases

Situations that people meet when they move characters, books, personas, rules and presets between apps. Each has a number
and at least one test that holds the right outcome.

| Case | What the tests hold | Where |
| --- | --- | --- |
${rows.join('\n')}
`;
}
