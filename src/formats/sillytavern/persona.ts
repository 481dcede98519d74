/** Persona backups. Facts: SillyTavern 1.19.0, section 7. */
import { type Codec, number, required, text } from '../../core/codec.ts';
import { type Draft, existsAt, isRecord, openDraft, same, saysNothing, type Wire } from '../../core/draft.ts';
import { withoutEnd } from '../../core/ends.ts';
import type { Warning } from '../../core/errors.ts';
import { create, type Lens } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import { persona } from '../../entities/persona/lenses.ts';
import { emptyPersona, type PersonaBody } from '../../entities/persona/schema.ts';
import { defineJson, type FileParts } from '../_shared/json-file.ts';
import { roleNumber } from '../_shared/lore-codecs.ts';

const POSITIONS: ReadonlyMap<number, string> = new Map([
  [0, 'prompt'],
  [1, 'prompt'],
  [2, 'author_note_top'],
  [3, 'author_note_bottom'],
  [4, 'in_chat'],
  [9, 'none'],
]);
const NUMBERS: ReadonlyMap<string, number> = new Map([
  ['prompt', 0],
  ['author_note_top', 2],
  ['author_note_bottom', 3],
  ['in_chat', 4],
  ['depth', 4],
  ['none', 9],
]);

/** Where a persona can stand; the old 1 is the prompt too. What other apps call `depth` is 4, their other places are 0. */
const position = (): Codec<string> => ({
  shape: '0 prompt, 2 author_note_top, 3 author_note_bottom, 4 in_chat, 9 none',
  lossy: true,
  read: (raw) => POSITIONS.get(number().read(raw) ?? -1),
  write: (value, previous) => number().write(NUMBERS.get(value) ?? 0, previous),
});

const HOME = 'persona_descriptions';
const PLACE = { position: position(), depth: number(), role: roleNumber() };
const PLACE_KEYS = ['position', 'depth', 'role'] as const;
const descriptor = (wire: Wire): Wire => (isRecord(wire[HOME]) ? wire[HOME] : {});

/** A place that is not written is the prompt; one that is not known hides its depth and role too. */
const chatInjection: Lens<PersonaBody> = persona.joint(
  ['chatInjection.position', 'chatInjection.depth', 'chatInjection.role'],
  {
    wire: PLACE_KEYS.map((key) => `${HOME}.${key}`),
    shape: `${PLACE.position.shape}; number; ${PLACE.role.shape}`,
    lossy: true,
    note: 'places of other apps become the prompt or a depth in the chat',
    read(wire) {
      const raw = descriptor(wire);
      const known = PLACE.position.read(raw.position);
      const depth = PLACE.depth.read(raw.depth);
      const role = PLACE.role.read(raw.role);
      if (known === undefined && raw.position !== undefined && raw.position !== null) return {};
      const said = depth !== undefined || role !== undefined;
      return {
        'chatInjection.position': known ?? (said ? 'prompt' : undefined),
        'chatInjection.depth': depth,
        'chatInjection.role': role,
      };
    },
    write(draft, now) {
      const raw = descriptor(draft.twin);
      const said = now['chatInjection.depth'] !== undefined || now['chatInjection.role'] !== undefined;
      for (const key of PLACE_KEYS) {
        const value = now[`chatInjection.${key}`];
        const unsaid = key === 'position' && value === 'prompt' && said && saysNothing(raw.position);
        // Against the wire, not against what was read: a depth that an unknown place hid would show again.
        if (!unsaid && !same(value, PLACE[key].read(raw[key]))) writePlace(draft, key, value);
      }
    },
    claims: (wire) => {
      const raw = descriptor(wire);
      const known = PLACE.position.read(raw.position) !== undefined || raw.position === undefined;
      return PLACE_KEYS.filter((key) => known && PLACE[key].read(raw[key]) !== undefined).map((key) => ({
        keys: [HOME, key],
      }));
    },
  },
);

function writePlace(draft: Draft, key: (typeof PLACE_KEYS)[number], value: unknown): void {
  const raw =
    value === undefined ? undefined : (PLACE[key] as Codec<unknown>).write(value, descriptor(draft.twin)[key]);
  if (raw === undefined) draft.delete([HOME, key]);
  else draft.set([HOME, key], raw);
}

/** The one book that a persona has, by its name. */
const bookName: Codec<string[]> = {
  shape: 'text, the name of a book',
  lossy: true,
  blank: '',
  read: (raw) => (typeof raw === 'string' ? (raw === '' ? [] : [raw]) : undefined),
  write: ([first = '']) => first,
};

/** One persona of a backup: its entry in each of the two maps. */
export const personaFields: readonly Lens<PersonaBody>[] = [
  persona.field('name', at('personas'), required(text(), ''), { absent: '' }),
  persona.field('content', at(`${HOME}.description`), required(text(), '')),
  persona.field('identity.tagline', at(`${HOME}.title`), required(text(), '')),
  persona.field('knowledgeRefs', at(`${HOME}.lorebook`), bookName, {
    note: 'one book, by its name: only the first is written',
  }),
  chatInjection,
];

const mapsIn = (raw: unknown): { names: Wire; descriptors: Wire } => {
  const file = isRecord(raw) ? raw : {};
  return {
    names: isRecord(file.personas) ? file.personas : {},
    descriptors: isRecord(file[HOME]) ? file[HOME] : {},
  };
};

/** Picture files that personas go by, the default one first. */
function avatarsIn(raw: unknown): string[] {
  const { names } = mapsIn(raw);
  const all = Object.keys(names).filter((key) => typeof names[key] === 'string');
  const first = isRecord(raw) ? raw.default_persona : undefined;
  return [...all.filter((key) => key === first), ...all.filter((key) => key !== first)];
}

const parts: FileParts<PersonaBody> = {
  split(raw) {
    const { names, descriptors } = mapsIn(raw);
    return avatarsIn(raw).map((avatar) => {
      const wire = { personas: names[avatar] };
      return { row: avatar, wire: existsAt(descriptors, [avatar]) ? { ...wire, [HOME]: descriptors[avatar] } : wire };
    });
  },
  join(raw, written) {
    const draft = openDraft(isRecord(raw) ? raw : { personas: {}, [HOME]: {}, default_persona: null });
    const taken = new Set(Object.keys(mapsIn(raw).names));
    for (const { row, wire, body } of written) {
      const avatar = row ?? freshAvatar(body.name, taken);
      taken.add(avatar);
      for (const key of ['personas', HOME]) {
        const { names, descriptors } = mapsIn(draft.wire);
        const before = (key === HOME ? descriptors : names)[avatar];
        if (existsAt(wire, [key]) && wire[key] !== before) draft.set([key, avatar], wire[key]);
      }
    }
    return draft.wire;
  },
};

/** A picture file name that no other persona has: SillyTavern deletes the same characters from file names. */
function freshAvatar(name: string, taken: ReadonlySet<string>): string {
  const stem = withoutEnd(name.replace(/[/\\?<>:*|"\u0000-\u001f\u0080-\u009f]/g, ''), /[. ]/) || 'persona';
  let avatar = `${stem}.png`;
  for (let n = 2; taken.has(avatar); n++) avatar = `${stem}-${n}.png`;
  return avatar;
}

function recognize(value: unknown): number {
  return isRecord(value) && isRecord(value.personas) && isRecord(value[HOME]) && avatarsIn(value).length > 0 ? 0.95 : 0;
}

/** Said once a file: pictures are not in it, and descriptions without a name are nobody's. */
function doubts(raw: unknown, row: string): Warning[] {
  const avatars = avatarsIn(raw);
  if (row !== avatars[0]) return [];
  const pictures = avatars.length === 1 ? 'the picture is' : `the ${avatars.length} pictures are`;
  const known = new Set(avatars);
  const lost = Object.keys(mapsIn(raw).descriptors).filter((key) => !known.has(key));
  return [
    {
      code: 'persona.picture-by-name',
      path: 'personas',
      message: `${pictures} named only: a backup holds no picture files`,
    },
    ...lost.map((key) => ({
      code: 'persona.nameless',
      path: `${HOME}[${JSON.stringify(key)}]`,
      message: 'a description without a persona: SillyTavern skips it too',
    })),
  ];
}

export const sillytavernPersona = defineJson({
  id: 'sillytavern-persona',
  family: 'sillytavern',
  label: 'SillyTavern',
  kind: 'persona',
  generic: true,
  shapes: [{ dialect: 'backup', fields: personaFields, parts, recognize }],
  empty: emptyPersona,
  fresh: (body) => create(personaFields, { personas: '', [HOME]: { description: '' } }, body),
  doubts,
});
