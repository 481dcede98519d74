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
    const both = reads.join() === writes.join();
    return [id, kind, both ? writes.join(' ') : `${reads.join(' ')} → ${writes.join(' ')}`, label];
  });
  for (const line of table(out, [['format', 'kind', 'files', 'app'], ...rows])) out.line(line);
  return 0;
}
