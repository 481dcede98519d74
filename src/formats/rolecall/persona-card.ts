import { type Codec, list, required, text } from '../../core/codec.ts';
import { isRecord, keysOf, valueAt } from '../../core/draft.ts';
import type { Lens } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import { persona } from '../../entities/persona/lenses.ts';
import type { PersonaBody } from '../../entities/persona/schema.ts';
import { folded, unfolded } from './persona-fold.ts';
import { pictureAround } from './persona-picture.ts';

/** A colour: a text, or a record with one under `hex`, whose name and label stay. */
const colour: Codec<string> = {
  shape: 'text, or record with hex',
  read: (raw) => text().read(isRecord(raw) ? raw.hex : raw),
  write: (value, previous) => (isRecord(previous) ? { ...previous, hex: value } : value),
  account(raw, path, out) {
    if (!isRecord(raw)) return;
    for (const key of Object.keys(raw)) if (key !== 'hex' && raw[key] !== '') out.unread(`${path}.${key}`, raw[key]);
  },
};

/** A swatch among others: always a record when it is new. */
const swatch: Codec<string> = {
  ...colour,
  write: (value, previous) =>
    typeof previous === 'string' ? value : { ...(isRecord(previous) ? previous : {}), hex: value },
};

/** One linked book: RoleCall has room for one. */
const oneRef: Codec<string[]> = {
  shape: 'text',
  lossy: true,
  read: (raw) => (typeof raw === 'string' && raw !== '' ? [raw] : undefined),
  write: ([first]) => first,
};

/** The table of a persona that was exported as a card, over its `data`. */
export function cardPersonaFields(data: string): readonly Lens<PersonaBody>[] {
  const home = (name: string) => at(`${data}.${name}`);
  const own = (name: string) => at(`${data}.extensions.rolecall.${name}`);
  const slot = () => required(text(), '');
  return [
    persona.field('name', home('name'), slot(), { absent: '' }),
    persona.field('brief', home('creator_notes'), slot()),
    description(data),
    persona.field('sections.personality', home('personality'), slot()),
    persona.field('sections.history', home('scenario'), slot()),
    persona.field('sections.quirks', own('quirks'), text()),
    persona.field('sectionOrder', own('section_order'), list(text())),
    persona.field('traits', home('tags'), required(list(text()), [])),
    persona.field('identity.tagline', own('tagline'), text()),
    persona.field('identity.age', own('age'), text()),
    persona.field('identity.height', own('height'), text()),
    persona.field('identity.pronouns', own('pronouns'), text()),
    persona.field('presentation.signatureColor', own('signature_color'), colour),
    persona.field('presentation.colors', own('colors'), list(swatch)),
    persona.field('presentation.imageUrl', own('image_url'), text()),
    persona.field('knowledgeRefs', own('lorebook_id'), oneRef, { note: 'one linked book: the first' }),
    rating(data),
    pictureAround,
  ] as Lens<PersonaBody>[];
}

/** Content, appearance and body share one text; it is folded anew only when one of them changes. */
function description(data: string): Lens<PersonaBody> {
  const home = keysOf(`${data}.description`);
  return persona.joint(['content', 'sections.appearance', 'sections.body'], {
    wire: [`${data}.description`],
    shape: 'text with paragraphs marked Appearance: and Body:',
    lossy: true,
    note: 'a blank line inside appearance or body ends it',
    read(wire) {
      const said = text().read(valueAt(wire, home));
      if (said === undefined) return {};
      const { content, appearance, body } = unfolded(said);
      return { content, 'sections.appearance': appearance, 'sections.body': body };
    },
    write: (draft, now) =>
      draft.set(
        home,
        folded({ content: now.content, appearance: now['sections.appearance'], body: now['sections.body'] }),
      ),
    claims: (wire) => (typeof valueAt(wire, home) === 'string' ? [{ keys: home }] : []),
  }) as Lens<PersonaBody>;
}

/** The mark stands only on personas after dark: its absence says all ages. */
function rating(data: string): Lens<PersonaBody> {
  const home = keysOf(`${data}.extensions.rolecall.is_after_dark`);
  return persona.joint(['rating'], {
    wire: [`${data}.extensions.rolecall.is_after_dark`],
    shape: 'true, or absent',
    lossy: true,
    note: 'mature becomes after dark',
    read: (wire) => ({ rating: valueAt(wire, home) === true ? 'explicit' : 'all-ages' }),
    write(draft, { rating: now }) {
      if (now === 'explicit' || now === 'mature') draft.set(home, true);
      else if (valueAt(draft.twin, home) === true) draft.delete(home);
    },
    claims: (wire) => (typeof valueAt(wire, home) === 'boolean' ? [{ keys: home }] : []),
  }) as Lens<PersonaBody>;
}
