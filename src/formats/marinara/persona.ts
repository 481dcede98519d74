import { asBytes } from '../../core/bytes.ts';
import { list, required, text } from '../../core/codec.ts';
import { existsAt, isRecord, keysOf, same, valueAt, type Wire } from '../../core/draft.ts';
import { create, type Lens } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import { persona } from '../../entities/persona/lenses.ts';
import { emptyPersona, type PersonaBody } from '../../entities/persona/schema.ts';
import { defineJson } from '../_shared/json-file.ts';
import { hexColor, spokenText } from './codecs.ts';
import { ENVELOPE, freshExport, isExport } from './envelope.ts';
import { withJsonText } from './json-text.ts';
import { idMarks, restingKeys } from './marks.ts';

/** Columns that hold JSON as text. */
const TEXT_COLUMNS = [
  'tags',
  'altDescriptions',
  'personaStats',
  'savedStatusOptions',
  'convoBehavior',
  'trackerCardColors',
];

/** The face, as `data:` text beside the fields; a path on the app's server is none. */
function portrait(home: string): Lens<PersonaBody> {
  const keys = keysOf(home);
  return persona.joint(['media.portrait'], {
    wire: [home],
    shape: 'data: text',
    lossy: true,
    note: 'one picture, as its bytes',
    read(wire) {
      const ref = asBytes(valueAt(wire, keys));
      if (!ref) return {};
      return { 'media.portrait': { role: 'portrait', ref, ...(ref.mime === undefined ? {} : { mime: ref.mime }) } };
    },
    write(draft, { 'media.portrait': now }, { 'media.portrait': before }) {
      const bytes = now && asBytes(now.ref);
      if (bytes && same(bytes, before?.ref)) return;
      if (bytes) draft.set(keys, bytes);
      else if (!now) draft.delete(keys);
    },
    claims: (wire) => (asBytes(valueAt(wire, keys)) ? [{ keys }] : []),
  }) as Lens<PersonaBody>;
}

/** The table of a persona whose fields stand under `at`; in an export that is `data`. */
function personaFields(prefix: string): readonly Lens<PersonaBody>[] {
  const home = (key: string) => at(`${prefix}${key}`);
  return [
    persona.field('name', home('name'), required(text(), ''), { absent: '' }),
    persona.field('brief', home('comment'), spokenText()),
    persona.field('content', home('description'), spokenText()),
    persona.field('sections.personality', home('personality'), spokenText()),
    persona.field('sections.appearance', home('appearance'), spokenText()),
    persona.field('sections.history', home('backstory'), spokenText()),
    persona.field('traits', home('tags'), list(text())),
    persona.field(
      'presentation.signatureColor',
      home('nameColor'),
      { ...hexColor(), blank: '' },
      {
        note: 'a plain hex colour',
      },
    ),
    persona.field('attribution.creator', home('creator'), spokenText()),
    persona.field('attribution.version', home('personaVersion'), spokenText()),
    persona.field('attribution.createdAt', home('metadata.createdAt'), text()),
    portrait(`${prefix}avatar`),
  ] as readonly Lens<PersonaBody>[];
}

/** The table of the export. */
export const personaExportFields = personaFields('data.');

/** Without the envelope: the "compatible" export, and a row of the app's database. */
const flatFields = [
  ...personaFields(''),
  persona.field('presentation.imageUrl', at('avatarPath'), text()),
  persona.field('attribution.source', at('extensions.marinara.source'), text()),
  idMarks<PersonaBody>('id'),
  restingKeys<PersonaBody>({ isActive: false }),
] as readonly Lens<PersonaBody>[];

const isText = (value: unknown): value is string => typeof value === 'string';
const COLUMNS = ['nameColor', 'dialogueColor', 'boxColor', 'personaStats'];
const FOREIGN = [
  'subjective_pronoun',
  'objective_pronoun',
  'type',
  'spec',
  'data',
  'kind',
  'schemaVersion',
  'body',
  'entries',
  'prompts',
  'first_mes',
];

/** Three texts and a column that only this app has; our own mark needs no column. */
function isFlat(value: unknown): boolean {
  if (!isRecord(value) || FOREIGN.some((key) => existsAt(value, [key]))) return false;
  if (!isText(value.name) || !isText(value.description) || !isText(value.personality)) return false;
  const marked = isRecord(valueAt(value, ['extensions', 'marinara']));
  return marked || COLUMNS.some((key) => existsAt(value, [key]));
}

const asWire = (raw: unknown): Wire | undefined => (isRecord(raw) ? raw : undefined);

/** A persona without a twin, with the texts that the app always writes. */
function fresh(body: PersonaBody): Wire {
  const keys = ['name', 'comment', 'description', 'personality', 'scenario', 'backstory', 'appearance'];
  const colors = ['nameColor', 'dialogueColor', 'boxColor'];
  const empty: Wire = { ...Object.fromEntries([...keys, ...colors].map((key) => [key, ''])), tags: [] };
  const wire = create(personaExportFields, { data: empty }, body);
  return freshExport('marinara_persona', isRecord(wire.data) ? wire.data : empty);
}

/** A persona in the app's envelope, or the bare row. */
export const marinaraPersona = defineJson({
  id: 'marinara-persona',
  family: 'marinara',
  label: 'Marinara persona',
  kind: 'persona',
  shapes: [
    {
      dialect: 'marinara_persona',
      fields: personaExportFields,
      structure: ENVELOPE,
      parts: withJsonText(
        TEXT_COLUMNS.map((key) => `data.${key}`),
        asWire,
      ),
      recognize: (value) => (isExport(value, 'marinara_persona') && isText(value.data.name) ? 1 : 0),
    },
    {
      dialect: 'flat',
      fields: flatFields,
      parts: withJsonText(TEXT_COLUMNS, asWire),
      recognize: (value) => (isFlat(value) ? 0.95 : 0),
    },
  ],
  empty: emptyPersona,
  fresh,
});
