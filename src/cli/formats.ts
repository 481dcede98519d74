/** `bunzai formats`: the roster. */
import { engine } from './engine.ts';
import { table } from './layout.ts';
import type { Terminal } from './terminal.ts';

export async function listFormats({ out }: Terminal, flags: { readonly json?: boolean }): Promise<number> {
  const formats = engine.formats();
  if (flags.json) {
    out.line(JSON.stringify({ ok: true, formats }));
    return 0;
  }
  const rows = formats.map(({ id, kind, reads, writes, label }) => {
    const only = reads.filter((name) => !writes.includes(name));
    return [id, kind, writes.join(' ') + (only.length > 0 ? ` (${only.join(' ')})` : ''), label];
  });
  for (const line of table(out, [['format', 'kind', 'files (only read)', 'app'], ...rows])) out.line(line);
  return 0;
}
