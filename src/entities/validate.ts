import * as v from 'valibot';
import { asBytes, isBytes } from '../core/bytes.ts';
import { KINDS, SCHEMA_VERSION } from '../core/canonical.ts';
import { characterSchema } from './character/validate.ts';
import { lorebookSchema } from './lorebook/validate.ts';
import { personaSchema } from './persona/validate.ts';
import { presetSchema } from './preset/validate.ts';
import { regexSchema } from './regex/validate.ts';

export { characterSchema, lorebookSchema, personaSchema, presetSchema, regexSchema };

/** One fault: where, and what was expected there. */
export interface Fault {
  /** Dotted path into the entity, rows by index. */
  readonly path: string;
  readonly message: string;
}

/** The schema of each kind that has one. */
export const BODY_SCHEMAS = {
  character: characterSchema,
  lorebook: lorebookSchema,
  persona: personaSchema,
  regex: regexSchema,
  preset: presetSchema,
} as const;

const bag = v.record(v.string(), v.unknown());
const media = v.union([
  v.custom(isBytes),
  v.pipe(
    v.strictObject({ b64: v.string(), mime: v.string() }),
    v.check((one) => asBytes(one) !== undefined, 'b64 is not base64'),
  ),
]);

const wrapper = v.strictObject({
  schemaVersion: v.literal(SCHEMA_VERSION),
  kind: v.picklist(KINDS),
  id: v.pipe(v.string(), v.minLength(1)),
  body: bag,
  profiles: v.optional(v.record(v.string(), bag)),
  original: v.optional(
    v.record(
      v.string(),
      v.strictObject({ raw: v.unknown(), unmapped: v.optional(bag), sourceMedia: v.optional(media) }),
    ),
  ),
  notes: v.optional(
    v.array(v.strictObject({ id: v.string(), text: v.string(), at: v.string(), by: v.optional(v.string()) })),
  ),
});

/** Faults of the wrapper alone: is this a canonical entity at all? */
export const wrapperFaults = (value: unknown): Fault[] => faultsOf(wrapper, value, '');

/** Every fault of a canonical entity, wrapper first. Empty: it is valid. The entity itself is never copied. */
export function entityFaults(entity: unknown): Fault[] {
  const outer = wrapperFaults(entity);
  if (outer.length > 0) return outer;
  const { kind, body, profiles } = entity as { kind: string; body: unknown; profiles?: Record<string, unknown> };
  const schema = BODY_SCHEMAS[kind as keyof typeof BODY_SCHEMAS];
  if (!schema) return [];
  const partial = v.partial(schema as typeof characterSchema);
  const laid = Object.entries(profiles ?? {}).flatMap(([id, profile]) => faultsOf(partial, profile, `profiles.${id}`));
  return [...faultsOf(schema, body, 'body'), ...laid];
}

/** As `entityFaults`, for callers that load the schemas only when they need them. */
export const validateEntity = async (entity: unknown): Promise<Fault[]> => entityFaults(entity);

function faultsOf(schema: v.GenericSchema, value: unknown, at: string): Fault[] {
  const result = v.safeParse(schema, value);
  return (result.issues ?? []).map((issue) => ({ path: pathOf(issue.path, at), message: issue.message }));
}

function pathOf(items: readonly { readonly key: unknown }[] | undefined, at: string): string {
  let path = at;
  for (const { key } of items ?? []) {
    path = typeof key === 'number' ? `${path}[${key}]` : path === '' ? String(key) : `${path}.${String(key)}`;
  }
  return path;
}
