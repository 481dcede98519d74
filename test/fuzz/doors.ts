/** Everything that can be done with a file, done with one. A result or a coded error is fine; anything else is a finding. */
import { BunzaiError, ERROR_TEXT } from '../../src/core/errors.ts';
import { createEngine } from '../../src/engine.ts';
import type { AnyAdapter, AnyEntity } from '../../src/entities/kinds.ts';
import { entityFaults } from '../../src/entities/validate.ts';
import { formats } from '../../src/formats/index.generated.ts';

export const engine = createEngine(formats as readonly AnyAdapter[]);

/** What one door did: undefined where it was refused with a code. */
async function through<T>(door: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BunzaiError && error.code in ERROR_TEXT && error.message !== '') return undefined;
    throw new Error(`${door}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
}

/** Fails with what is wrong. */
function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

function asValid(entities: readonly AnyEntity[], door: string): void {
  for (const entity of entities) {
    const [fault] = entityFaults(entity);
    if (fault) throw new Error(`${door}: gave an entity with a fault at ${fault.path}: ${fault.message}`);
  }
}

/** The same entities after a small edit of the first. */
const edited = ([main, ...others]: readonly AnyEntity[]): AnyEntity[] => {
  if (!main) return [];
  const body = structuredEdit(main);
  return [{ ...main, body } as AnyEntity, ...others];
};
function structuredEdit(entity: AnyEntity): object {
  if (entity.kind === 'character')
    return { ...entity.body, greetings: { ...entity.body.greetings, firstMessage: 'An edit.' } };
  if (entity.kind === 'lorebook') return { ...entity.body, entries: entity.body.entries.slice(1) };
  return { ...entity.body, name: 'An edit' };
}

/** A file through detect, label, inspect, read, validate, same-format write, edited write and every target of its kind. */
export async function throughAllDoors(bytes: Uint8Array): Promise<void> {
  await through('label', () => engine.label(bytes));
  const found = await through('detect', () => engine.detect(bytes));
  await through('inspect', () => engine.inspect(bytes));
  const read = await through('read', () => engine.read(bytes));
  if (!read) return;
  must(found !== undefined, 'read gave a result for a file that detect does not know');
  must(Array.isArray(read.warnings), 'warnings are a list');
  asValid(read.entities, `read as ${read.format}`);
  const same = await through('same-format write', () => engine.write(read.entities, read.format));
  if (same)
    must(same.report.losses.length === 0, `same-format write as ${read.format} lost ${same.report.losses[0]?.path}`);
  await through('edited write', () => engine.write(edited(read.entities), read.format));
  const kind = read.entities[0]?.kind;
  for (const target of engine.registry.adapters) {
    if (target.kind !== kind || target.id === read.format) continue;
    const result = await through(`convert to ${target.id}`, () => engine.convert(bytes, target.id));
    for (const file of result?.files ?? []) await through(`read the ${target.id} file`, () => engine.read(file.bytes));
  }
}

/** A file read as a format that it may not be, and written back. */
export async function forcedThrough(bytes: Uint8Array, format: string): Promise<void> {
  const read = await through(`read as ${format}`, () => engine.read(bytes, { format }));
  if (!read) return;
  asValid(read.entities, `forced read as ${format}`);
  await through(`write as ${format}`, () => engine.write(read.entities, format));
}
