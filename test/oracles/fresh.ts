/**
 * Everything that bunzai writes: each sample, each corpus file where there are some, and a maximal entity of each kind,
 * through the built library as a user has it. A file of another format is converted; one of the target's own format
 * loses its twin first, so that it is written fresh too.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createEngine } from '../../src/engine.ts';
import type { AnyAdapter, AnyEntity } from '../../src/entities/kinds.ts';
import { formats } from '../../src/formats/index.generated.ts';
import { maximalCharacter, maximalLorebook } from '../entities/maximal.ts';
import { maximalPersona, maximalPreset, maximalRegex } from '../entities/maximal-more.ts';
import { corpusFile, corpusRows } from '../kit/corpus.ts';

/** The library that `npm run build` made. */
export const bunzai: typeof import('../../src/index.ts') = await import(
  new URL('../../dist/index.js', import.meta.url).href
);

/** One way to write one kind: a row of the table. */
export interface Job {
  readonly kind: 'character' | 'lorebook' | 'persona' | 'regex' | 'preset';
  /** Adapter id. */
  readonly target: string;
  readonly container: string;
  readonly variant?: string;
  /** Templates and quick replies by dialect: no other format becomes one, so they are written as they were read. */
  readonly dialect?: string;
}

/** One written file and where it came from. */
export interface Fresh {
  readonly job: Job;
  readonly source: string;
  /** A file name that no other file of the run has. */
  readonly name: string;
  readonly bytes: Buffer;
  /** The file as JSON; undefined where it is none. */
  readonly json: unknown;
}

interface Source {
  readonly name: string;
  readonly kind: string;
  readonly format: string;
  readonly load: () => Uint8Array;
}

const SAMPLES = fileURLToPath(new URL('../../samples/', import.meta.url));

/** For a quick look at some sources: `BUNZAI_SOURCES='^samples'`. */
const ONLY = new RegExp(process.env.BUNZAI_SOURCES ?? '');

/** Every file that can be read, with what it is. */
export async function sources(): Promise<Source[]> {
  const found: { name: string; load: () => Uint8Array }[] = [
    ...readdirSync(SAMPLES, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.md$|manifest/.test(entry.name))
      .map(({ name, parentPath }) => ({ name: `samples/${name}`, load: () => readFileSync(`${parentPath}/${name}`) })),
    ...corpusRows().map((row) => ({ name: `corpus/${row.path}`, load: () => corpusFile(row) })),
    ...(await maximal()),
  ];
  const known: Source[] = [];
  for (const { name, load } of found) {
    if (!ONLY.test(name)) continue;
    const hit = await bunzai.detect({ bytes: load(), filename: name });
    if (hit) known.push({ name, load, kind: hit.kind, format: hit.format });
  }
  return known;
}

/** Entities that say something in every slot, as files of our own format. */
async function maximal(): Promise<{ name: string; load: () => Uint8Array }[]> {
  const engine = createEngine(formats as readonly AnyAdapter[]);
  const sets: AnyEntity[][] = [
    [maximalCharacter(), maximalLorebook()],
    [maximalLorebook()],
    [maximalPersona()],
    [maximalRegex()],
    [maximalPreset()],
  ];
  const written = sets.map(async (entities) => {
    const { files } = await engine.write(entities, 'vaud-json');
    return { name: `maximal ${entities[0]?.kind}`, load: () => files[0]?.bytes ?? new Uint8Array() };
  });
  return Promise.all(written);
}

/** A format that refuses an entity, or a container that needs a picture: no file, and no finding. */
const REFUSALS = new Set(['format.cannot-write', 'container.unsupported']);

/** The files of a job, one source after another. */
export async function* freshFiles(job: Job, all: readonly Source[]): AsyncGenerator<Fresh> {
  const { kind, target, container, variant, dialect } = job;
  const options = variant === undefined ? { container } : { container, variant };
  for (const [index, source] of all.entries()) {
    if (source.kind !== kind) continue;
    const own = source.format === target;
    if (dialect !== undefined && !own) continue;
    const bytes = source.load();
    if (own && (await dialectOf(bytes)) !== dialect) continue;
    const work =
      own && dialect === undefined
        ? bunzai.read(bytes).then(({ entities }) => bunzai.write(entities.map(withoutTwin), target, options))
        : bunzai.convert(bytes, target, options);
    const result = await work.catch((error: { code?: string }) => {
      if (REFUSALS.has(error.code ?? '')) return undefined;
      throw new Error(`${source.name} to ${target}: ${error}`, { cause: error });
    });
    for (const [part, file] of (result?.files ?? []).entries()) {
      if (file.format !== target) continue;
      const out = Buffer.from(file.bytes);
      yield {
        job,
        source: source.name,
        name: `bz-${target}-${container}${variant ?? ''}-${index}-${part}.${file.extension}`,
        bytes: out,
        json:
          file.extension === 'png' || (out[0] !== 0x7b && out[0] !== 0x5b)
            ? undefined
            : JSON.parse(out.toString('utf8')),
      };
    }
  }
}

/** Which of the closed shapes a file has; undefined: it can become a file of another format, and other ones it. */
async function dialectOf(bytes: Uint8Array): Promise<string | undefined> {
  const { entities, format } = await bunzai.read(bytes);
  const dialect = entities[0]?.original?.[format]?.unmapped?.dialect;
  const closed = entities[0]?.kind === 'preset' && typeof dialect === 'string' && dialect !== 'chat';
  return closed ? dialect : undefined;
}

const withoutTwin = ({ original: _, ...entity }: AnyEntity): AnyEntity => entity as AnyEntity;
