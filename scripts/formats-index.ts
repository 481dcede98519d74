const WIDTH = 120;

/** `vaud-json` as a name in code: `vaudJson`. */
const nameOf = (folder: string): string => folder.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

/** `src/formats/index.generated.ts` for these format folders: one static import each, sorted. */
export function renderFormatsIndex(folders: readonly string[]): string {
  const sorted = [...folders].sort();
  const imports = sorted.map((folder) => `import ${nameOf(folder)} from './${folder}/index.ts';`);
  const spread = sorted.map((folder) => `...${nameOf(folder)}`);
  const line = `export const formats = [${spread.join(', ')}];`;
  const list =
    line.length <= WIDTH ? line : `export const formats = [\n${spread.map((one) => `  ${one},\n`).join('')}];`;
  return `// Written by \`npm run generate\`: one import for each format folder, sorted.\n${imports.join('\n')}\n\n${list}\n`;
}
