import { readPieces } from './bundle.ts';
import { primaryOriginal } from './core/canonical.ts';
import { BunzaiError } from './core/errors.ts';
import { onAsk } from './core/on-ask.ts';
import { createRegistry } from './core/registry.ts';
import { type Input, openInput, type Source } from './core/source.ts';
import type { Engine } from './engine-types.ts';
import type { AnyAdapter } from './entities/kinds.ts';
import { loadFallback } from './formats/_shared/inflate.ts';

/** Loaded with the first write: a page that only tells and reads files is spared it. */
const loadWriting = () => import('./writing.ts');

/** Kept once loaded: asking the loader again takes a part of the time of reading a small card. */
let accounts: typeof import('./accounts.ts') | undefined;

/** An engine that knows exactly these adapters. */
export function createEngine(adapters: readonly AnyAdapter[]): Engine {
  const registry = createRegistry(adapters);

  const choose = (source: Source, format: string | undefined): AnyAdapter | undefined => {
    if (source.bytes.byteLength === 0)
      throw new BunzaiError('input.empty', { file: source.filename, hint: 'the file has no bytes: fetch it again' });
    const asked = format === undefined ? undefined : registry.named(format);
    if (asked && asked.detect(source) > 0) return asked;
    const hit = registry.detect(source);
    // What another reader recognises as another kind would become a blank entity of this one.
    if (asked && hit && hit.adapter.kind !== asked.kind) {
      const detail = `it is a ${hit.adapter.kind} (${hit.adapter.id}), not a ${asked.kind}`;
      throw new BunzaiError('format.mismatch', { format: asked.id, detail, hint: `read it as ${hit.adapter.id}` });
    }
    if (asked) return asked;
    return hit?.adapter;
  };
  const opened = async (input: Input, format: string | undefined) => {
    const source = await opening(input);
    const adapter = inFile(source.filename, () => choose(source, format));
    if (!adapter) throw (await import('./unclaimed.ts')).unclaimed(source);
    await adapter.prepare?.('read');
    return inFile(source.filename, () => ({ source, adapter, entities: readPieces(adapter, source) }));
  };

  return {
    registry,
    async detect(input) {
      const hit = registry.detect(await opening(input));
      return hit && { format: hit.adapter.id, kind: hit.adapter.kind, score: hit.score };
    },
    async read(input, options = {}) {
      const { adapter, entities } = await opened(input, options.format);
      accounts ??= await import('./accounts.ts');
      const { readWarnings } = accounts;
      return onAsk({ format: adapter.id, entities }, 'warnings', () => readWarnings(registry, entities));
    },
    async write(entities, format, options = {}) {
      const { checked, ready, writePieces } = await loadWriting();
      const from = primaryOriginal(entities[0]?.original)?.[0] ?? 'vaud-json';
      await checked(entities);
      await ready(registry, entities, format);
      return writePieces(registry, entities, format, from, options);
    },
    async convert(input, format, options = {}) {
      const { source, adapter, entities } = await opened(input, options.from);
      const { ready, writePieces } = await loadWriting();
      const name = options.name ?? stem(source.filename);
      await ready(registry, entities, format);
      const result = inFile(source.filename, () =>
        writePieces(registry, entities, format, adapter.id, name === undefined ? options : { ...options, name }),
      );
      return { from: result.report.from, to: result.report.to, kind: result.report.kind, entities, ...result };
    },
    async inspect(input, options = {}) {
      const { source, adapter, entities } = await opened(input, options.format);
      const { inspectSource } = await import('./inspect.ts');
      return inspectSource({ registry, source, adapter, score: adapter.detect(source), entities });
    },
    async label(input) {
      const source = await opening(input);
      const { labelSource } = await import('./inspect.ts');
      const hit = registry.detect(source);
      await hit?.adapter.prepare?.('read');
      try {
        return labelSource(source, hit?.adapter.toCanonical(source));
      } catch (error) {
        if (error instanceof BunzaiError) return labelSource(source);
        throw error;
      }
    },
    async targets(input, options = {}) {
      const { adapter, entities } = await opened(input, options.format);
      return (await loadWriting()).outlooksOf(registry, adapter, entities);
    },
    async split(input) {
      const { isTold, listItems } = await import('./lists.ts');
      const items = listItems(registry, await opening(input)) ?? [];
      const [first] = items;
      return first && isTold((await opened(first, undefined)).entities[0]) ? items : [];
    },
    async diff(a, b) {
      const [left, right] = [await opened(a, undefined), await opened(b, undefined)];
      const { diffPieces } = await import('./diff.ts');
      return diffPieces(left.adapter.id, left.entities, right.adapter.id, right.entities);
    },
    formats: () =>
      adapters.map(({ id, family, kind, label, containers, reads, native, coverage }) => {
        const writes = containers.map(({ name }) => name);
        return { id, family, kind, label, reads: [...(reads ?? writes)], writes, native: native ?? false, coverage };
      }),
  };
}

/** Opens an input, with what detectors need where the runtime has no inflater of its own. */
async function opening(input: Input): Promise<Source> {
  await loadFallback();
  return openInput(input);
}

/** Runs `work`, and puts the name of the file to a refusal that lacks one. */
function inFile<T>(file: string | undefined, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof BunzaiError) || error.file !== undefined || file === undefined) throw error;
    const { code, format, path, detail, hint } = error;
    throw new BunzaiError(code, { file, format, path, detail, hint, cause: error });
  }
}

/** The file name without folder and extension. */
const stem = (filename: string | undefined): string | undefined => {
  const base = filename?.replace(/^.*[\\/]/, '').replace(/\.[^.]{1,10}$/, '');
  return base === '' ? undefined : base;
};
