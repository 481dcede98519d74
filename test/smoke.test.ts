import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createEngine } from '../src/engine.ts';
import { formats } from '../src/formats/index.generated.ts';
import { printJson } from '../src/core/json.ts';
import type { AnyAdapter } from '../src/entities/kinds.ts';
const engine = createEngine(formats as AnyAdapter[]);
const C = '/work/shared/corpus/';
const rows = readFileSync(C + 'MANIFEST.tsv', 'utf8').trim().split('\n').slice(1).map((l) => l.split('\t'));
test('corpus', async () => {
  let bad = 0;
  for (const [path, , , expected] of rows) {
    const bytes = new Uint8Array(readFileSync(C + path));
    const want = expected === 'character-book' ? 'sillytavern-lorebook' : expected;
    const d = await engine.detect(bytes);
    if (['sillytavern', 'sillytavern-lorebook', 'none'].includes(want!)) {
      if ((d?.format ?? 'none') !== want) { console.log('DETECT', path, want, d); bad++; continue; }
    } else { if (d) console.log('claims', path, expected, d); continue; }
    if (!d) continue;
    try {
      const r = await engine.read({ bytes, filename: path! });
      const w = await engine.write(r.entities, d.format);
      const before = r.entities[0]!.original![d.format]!.raw;
      const back = await engine.read(w.files[0]!.bytes);
      const after = back.entities[0]!.original![d.format]!.raw;
      if (printJson(before) !== printJson(after)) { console.log('RT', path); bad++; }
      if (w.report.losses.length) { console.log('LOSS', path, JSON.stringify(w.report.losses.slice(0, 3))); bad++; }
      if (path!.endsWith('.png') || path!.endsWith('.webp')) { if (Buffer.compare(bytes, w.files[0]!.bytes)) { console.log('BYTES', path); bad++; } }
      void r.warnings;
    } catch (e) { console.log('THROW', path, e); bad++; }
  }
  expect(bad).toBe(0);
}, 120000);
