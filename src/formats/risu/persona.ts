/** Personas: a PNG with one text chunk `persona`. Facts: RisuAI 166.3.3, section 10. */
import { required, text } from '../../core/codec.ts';
import { isRecord } from '../../core/draft.ts';
import { create, type Lens } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import { persona } from '../../entities/persona/lenses.ts';
import { emptyPersona, type PersonaBody } from '../../entities/persona/schema.ts';
import { isPngPortrait } from '../_shared/card.ts';
import { textChunkCarrier } from '../_shared/json-carriers.ts';
import { defineJson } from '../_shared/json-file.ts';

const said = () => required(text(), '');

const personaFields = [
  persona.field('name', at('name'), said(), { absent: '' }),
  persona.field('content', at('personaPrompt', 'text'), said()),
  persona.field('brief', at('note'), said(), { note: 'the note below the name' }),
] as readonly Lens<PersonaBody>[];

/** RisuAI imports a persona only where both texts are there. */
const isPersona = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value.name === 'string' &&
  [value.personaPrompt, value.text].some((one) => typeof one === 'string');

/** RisuAI's persona: always a picture. */
export const risuPersona = defineJson({
  id: 'risu-persona',
  family: 'risu',
  label: 'RisuAI Persona',
  kind: 'persona',
  carriers: [textChunkCarrier('persona')],
  carriedOnly: true,
  shapes: [{ dialect: 'persona', fields: personaFields, recognize: (value) => (isPersona(value) ? 1 : 0) }],
  portrait: {
    place: (body, picture) => {
      body.media = { portrait: { role: 'portrait', ref: picture, mime: 'image/png' } };
    },
    pick: ({ media }) => (isPngPortrait(media?.portrait?.ref) ? media?.portrait?.ref : undefined),
  },
  empty: emptyPersona,
  fresh: (body) => create(personaFields, { name: '', personaPrompt: '', note: '' }, body),
});
