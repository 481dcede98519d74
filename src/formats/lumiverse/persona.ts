/** Personas: one as the app's account keeps it, or an export of several. Facts: Lumiverse's public source, mid-2026. */
import { type Codec, isoSeconds, required, text } from '../../core/codec.ts';
import { derivedUuid } from '../../core/derived-id.ts';
import { isRecord, openDraft, type Wire } from '../../core/draft.ts';
import { create, type Lens, marks } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import { persona } from '../../entities/persona/lenses.ts';
import { emptyPersona, type PersonaBody } from '../../entities/persona/schema.ts';
import { defineJson, type FileParts } from '../_shared/json-file.ts';

/** The one book that a persona has. */
const oneBook: Codec<string[]> = {
  shape: 'text',
  lossy: true,
  blank: null,
  read: (raw) => (typeof raw === 'string' && raw !== '' ? [raw] : undefined),
  write: ([first]) => first ?? null,
};

/** Seconds since 1970 on the wire, ISO 8601 text in the model. */
const dateText: Codec<string> = {
  shape: 'seconds since 1970',
  lossy: true,
  read: (raw) =>
    typeof raw === 'number' && raw > 0 ? (isoSeconds().write(raw, undefined) as string | undefined) : undefined,
  write: (value) => isoSeconds().read(value),
};

const said = () => required(text(), '');

/** The table of one persona. */
export const personaFields = [
  persona.field('name', at('name'), said(), { absent: '' }),
  persona.field('content', at('description'), said()),
  persona.field('identity.tagline', at('title'), said()),
  persona.field('identity.pronounSet.subjective', at('subjective_pronoun'), said()),
  persona.field('identity.pronounSet.objective', at('objective_pronoun'), said()),
  persona.field('identity.pronounSet.possessive', at('possessive_pronoun'), said()),
  persona.field('presentation.imageUrl', at('avatar_path'), required(text(), null)),
  persona.field('knowledgeRefs', at('attached_world_book_id'), oneBook, {
    note: 'one book, by its id in the account: only the first is written',
  }),
  persona.field('attribution.createdAt', at('created_at'), dateText, { note: 'whole seconds' }),
  marks<PersonaBody>(['id']),
] as readonly Lens<PersonaBody>[];

/** What the app keeps of a new persona. */
function fresh(body: PersonaBody): Wire {
  const base: Wire = {
    id: derivedUuid(JSON.stringify(['persona', body.name, body.content ?? ''])),
    name: '',
    title: '',
    description: '',
    subjective_pronoun: '',
    objective_pronoun: '',
    possessive_pronoun: '',
    avatar_path: null,
    image_id: null,
    attached_world_book_id: null,
    folder: '',
    is_default: false,
    is_narrator: false,
    metadata: {},
  };
  return create(personaFields, base, body);
}

const rowsIn = (raw: unknown): readonly unknown[] => (isRecord(raw) && Array.isArray(raw.personas) ? raw.personas : []);

/** The persona that the app starts with comes first. */
const several: FileParts<PersonaBody> = {
  split(raw) {
    const all = rowsIn(raw).flatMap((wire, row) => (isRecord(wire) ? [{ row: String(row), wire }] : []));
    const first = all.find(({ wire }) => wire.is_default === true);
    return first ? [first, ...all.filter((part) => part !== first)] : all;
  },
  join(raw, parts) {
    const personas = [...rowsIn(raw)];
    const ids = new Set(personas.map((row) => (isRecord(row) ? row.id : undefined)));
    for (const { row, wire } of parts) {
      if (row !== undefined) personas[Number(row)] = wire;
      else personas.push(withFreeId(wire, ids));
    }
    const draft = openDraft(isRecord(raw) ? raw : { type: 'lumiverse_personas', version: 1 });
    draft.set(['personas'], personas);
    return draft.wire;
  },
};

/** Two personas that say the same get different ids all the same. */
function withFreeId(wire: Wire, taken: Set<unknown>): Wire {
  let { id } = wire;
  for (let n = 2; taken.has(id); n++) id = derivedUuid(JSON.stringify([wire.id, n]));
  taken.add(id);
  return id === wire.id ? wire : { ...wire, id };
}

const PRONOUNS = ['subjective_pronoun', 'objective_pronoun'] as const;

/** One persona outside of an export. */
const isAccount = (value: unknown): boolean =>
  isRecord(value) && ['name', 'description', ...PRONOUNS].every((key) => typeof value[key] === 'string');

/** What stays with the account: add-on texts, and where the persona stands in the chat. */
export const lumiversePersona = defineJson({
  id: 'lumiverse-persona',
  family: 'lumiverse',
  label: 'Lumiverse Persona',
  kind: 'persona',
  shapes: [
    {
      dialect: 'lumiverse_personas',
      fields: personaFields,
      parts: several,
      recognize: (value) =>
        isRecord(value) && value.type === 'lumiverse_personas' && Array.isArray(value.personas) ? 1 : 0,
    },
    {
      dialect: 'account',
      fields: personaFields,
      recognize: (value) => (isAccount(value) ? 0.95 : 0),
    },
  ],
  empty: emptyPersona,
  fresh,
});
