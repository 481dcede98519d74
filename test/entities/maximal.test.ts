/** The maximal entities fill every path that the schemas name; the paths are read from the schemas themselves. */
import { describe, expect, test } from 'vitest';
import { ENTRY_DEFAULTS } from '../../src/entities/lorebook/schema.ts';
import {
  characterSchema,
  lorebookSchema,
  personaSchema,
  presetSchema,
  regexSchema,
  validateEntity,
} from '../../src/entities/validate.ts';
import { maximalCharacter, maximalLorebook } from './maximal.ts';
import { maximalPersona, maximalPreset, maximalRegex } from './maximal-more.ts';

/** What all valibot schemas show of themselves. */
interface Shown {
  readonly type: string;
  readonly entries?: Readonly<Record<string, Shown>>;
  readonly wrapped?: Shown;
  readonly item?: Shown;
  readonly value?: Shown;
  readonly options?: readonly unknown[];
  readonly pipe?: readonly Shown[];
}

/** Every path below a schema: `a.b`, rows as `[*]`, maps and opaque values as leaves. */
function pathsOf(schema: Shown, at = ''): string[] {
  const first = schema.pipe?.[0];
  if (first && first !== schema && first.type !== schema.type) return pathsOf(first, at);
  if (schema.wrapped) return pathsOf(schema.wrapped, at);
  if (schema.item) {
    const inside = pathsOf(schema.item, `${at}[*]`);
    return inside.length === 1 && inside[0] === `${at}[*]` ? [at] : [at, ...inside];
  }
  if (schema.entries) {
    const inside = Object.entries(schema.entries).flatMap(([key, child]) =>
      pathsOf(child, at === '' ? key : `${at}.${key}`),
    );
    return at === '' ? inside : [at, ...inside];
  }
  const options = schema.options?.filter(
    (one): one is Shown => typeof one === 'object' && one !== null && 'type' in one,
  );
  if (schema.type !== 'picklist' && options?.length)
    return [...new Set(options.flatMap((option) => pathsOf(option, at)))];
  return [at];
}

/** The values at a general path. */
function valuesAt(value: unknown, path: string): unknown[] {
  let found: unknown[] = [value];
  for (const part of path.match(/\[\*\]|[^.[]+/g) ?? []) {
    found = found.flatMap((one) => {
      if (part === '[*]') return Array.isArray(one) ? one : [];
      return typeof one === 'object' && one !== null ? [(one as Record<string, unknown>)[part]] : [];
    });
  }
  return found;
}

const DEFAULTS: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.entries(ENTRY_DEFAULTS).map(([key, value]) => [`entries[*].${key}`, value]),
);
const populated = (value: unknown, path: string): boolean =>
  value !== undefined &&
  value !== null &&
  value !== '' &&
  !(Array.isArray(value) && value.length === 0) &&
  value !== DEFAULTS[path];

describe.each([
  ['character', characterSchema as unknown as Shown, maximalCharacter()],
  ['lorebook', lorebookSchema as unknown as Shown, maximalLorebook()],
  ['persona', personaSchema as unknown as Shown, maximalPersona()],
  ['regex', regexSchema as unknown as Shown, maximalRegex()],
  ['preset', presetSchema as unknown as Shown, maximalPreset()],
] as const)('the maximal %s', (_, schema, entity) => {
  const paths = pathsOf(schema);

  test('fills every path of its schema', () => {
    expect(paths.length).toBeGreaterThan(20);
    const empty = paths.filter((path) => !valuesAt(entity.body, path).some((value) => populated(value, path)));
    expect(empty).toEqual([]);
  });

  test('is valid, and one key too many is not', async () => {
    expect(await validateEntity(entity)).toEqual([]);
    expect(await validateEntity({ ...entity, body: { ...entity.body, zz: 1 } })).toHaveLength(1);
  });

  test.each(paths.filter((path) => !path.includes('[*]')))(
    'a wrong type at %s is a fault of that path',
    async (path) => {
      const broken = structuredCopy(entity.body, path.split('.'), Symbol.for('no value of any slot'));
      const faults = await validateEntity({ ...entity, body: broken });
      expect(faults.map((fault) => fault.path)).toContain(`body.${path}`);
    },
  );
});

function structuredCopy(tree: unknown, keys: readonly string[], value: unknown): unknown {
  const [key = '', ...rest] = keys;
  const held = (tree as Record<string, unknown>)[key];
  return { ...(tree as object), [key]: rest.length === 0 ? value : structuredCopy(held, rest, value) };
}
