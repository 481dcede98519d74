/** What FORMAT-SUPPORT.md says, measured on the adapters themselves. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BunzaiError } from '../src/core/errors.ts';
import { printJson } from '../src/core/json-print.ts';
import { createEngine } from '../src/engine.ts';
import type { AnyAdapter, AnyEntity } from '../src/entities/kinds.ts';
import { maximalCharacter, maximalLorebook } from '../test/entities/maximal.ts';
import { maximalPersona, maximalPreset, maximalRegex } from '../test/entities/maximal-more.ts';
import type { MeasuredSupport } from './docs.ts';

const SAMPLES = fileURLToPath(new URL('../samples/', import.meta.url));

/** The maximal entity of a kind, with its book for a character. */
export function maximalOf(kind: AnyEntity['kind']): AnyEntity[] {
  if (kind === 'lorebook') return [maximalLorebook()];
  if (kind === 'persona') return [maximalPersona()];
  if (kind === 'regex') return [maximalRegex()];
  if (kind === 'preset') return [maximalPreset()];
  const character = maximalCharacter();
  const book = { ...maximalLorebook(), id: character.body.knowledgeRefs?.[0] ?? 'harbour' };
  return [character, book];
}

/** Sample files by the adapter that their name begins with. */
function samplesOf(id: string): string[] {
  const names = readdirSync(SAMPLES, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  return names.filter((name) => name.replace(/^.*\//, '').startsWith(`${id}.`) && name.includes('/')).sort();
}

/** Every adapter with what its fresh file carried and how its samples came back. */
export async function measureSupport(adapters: readonly AnyAdapter[]): Promise<MeasuredSupport[]> {
  const engine = createEngine(adapters);
  return Promise.all(
    adapters.map(async (adapter): Promise<MeasuredSupport> => {
      const whole = maximalOf(adapter.kind);
      const written = await engine.write(whole, adapter.id).catch(refused);
      if (!written) return { adapter, carried: 0, populated: 0, paths: [], roundTrip: await roundTrip(adapter) };
      const { losses, counts } = written.report;
      const lost = losses.filter(({ entity }) => entity === whole[0]?.id).map(({ path }) => general(path));
      const paths = populatedPaths(whole[0]?.body).filter((path) => !lost.some((one) => touches(one, path)));
      return {
        adapter,
        carried: counts.carried,
        populated: counts.populated,
        paths,
        roundTrip: await roundTrip(adapter),
      };
    }),
  );

  async function roundTrip(adapter: AnyAdapter): Promise<string> {
    const names = samplesOf(adapter.id);
    if (names.length === 0) return 'no sample';
    let exact = 0;
    for (const name of names) {
      const bytes = new Uint8Array(readFileSync(SAMPLES + name));
      const { entities } = await engine.read({ bytes, filename: name }, { format: adapter.id });
      const { files } = await engine.write(entities, adapter.id);
      const twin = (list: readonly AnyEntity[]) => printJson(list[0]?.original?.[adapter.escrowIds[0]]?.raw ?? list[0]);
      const back = await engine.read(
        { bytes: files[0]?.bytes ?? new Uint8Array(), filename: name },
        { format: adapter.id },
      );
      if (twin(entities) === twin(back.entities)) exact++;
    }
    return `${exact} of ${names.length} exact`;
  }
}

/** A format that takes nothing but its own files refuses by name. */
function refused(error: unknown): undefined {
  if (error instanceof BunzaiError && error.code === 'format.cannot-write') return undefined;
  throw error;
}

/** One path lies at or under the other. */
const touches = (a: string, b: string): boolean => {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return (
    long.startsWith(short) && (long.length === short.length || long[short.length] === '.' || long[short.length] === '[')
  );
};

const general = (path: string): string => path.replace(/\[\d+\]/g, '[*]');

/** General paths of a body, down to groups' fields; rows stand for themselves. */
function populatedPaths(body: unknown, at = ''): string[] {
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([key, value]) => {
    const path = at === '' ? key : `${at}.${key}`;
    const isGroup = at === '' && typeof value === 'object' && value !== null && !Array.isArray(value);
    return isGroup ? populatedPaths(value, path) : [path];
  });
}
