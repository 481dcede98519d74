import { type Codec, oneOf, required, text } from '../../core/codec.ts';
import { existsAt, keysOf, saysNothing, valueAt, type Wire } from '../../core/draft.ts';
import type { Lens } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import { persona } from '../../entities/persona/lenses.ts';
import type { PersonaBody } from '../../entities/persona/schema.ts';
import { pictureAround } from './persona-picture.ts';

type Rating = NonNullable<PersonaBody['rating']>;

/** The parts of a persona in the order in which they make up its text. */
export const SECTIONS = ['appearance', 'body', 'personality', 'quirks', 'history'] as const;
type Sections = Partial<Record<(typeof SECTIONS)[number], string>>;

/** The text that RoleCall makes of the sections where there is no other: `Label: text` in blocks. */
export function compiled(sections: Sections): string | undefined {
  const blocks = SECTIONS.flatMap((name) => {
    const said = sections[name];
    return saysNothing(said?.trim()) ? [] : [`${name.charAt(0).toUpperCase()}${name.slice(1)}: ${said}`];
  });
  return blocks.length === 0 ? undefined : blocks.join('\n\n');
}

/** Two audiences; a rating between them becomes the upper one. */
const audience: Codec<Rating> = {
  ...oneOf<Rating>([
    ['all_hours', 'all-ages'],
    ['after_dark', 'explicit'],
  ]),
  write: (value) => (value === 'all-ages' ? 'all_hours' : 'after_dark'),
};

/** The table of RoleCall's own envelope, over its `data`. */
export function envelopeFields(data: string): readonly Lens<PersonaBody>[] {
  const home = (name: string) => at(`${data}.${name}`);
  return [
    persona.field('name', home('name'), required(text(), ''), { absent: '' }),
    persona.field('brief', home('description'), text()),
    contentAndSections(data),
    persona.field('rating', home('metadata.content_rating'), audience, { note: 'mature becomes after_dark' }),
    persona.field('attribution.creator', home('metadata.creator'), text()),
    persona.field('attribution.version', home('metadata.version'), text()),
    persona.field('attribution.createdAt', home('metadata.created_at'), text()),
    persona.field('attribution.source', home('metadata.source'), text()),
    pictureAround,
  ] as Lens<PersonaBody>[];
}

/** The text, and the sections that stand in for it where it is blank. Both are written where both are said. */
function contentAndSections(data: string): Lens<PersonaBody> {
  const content = keysOf(`${data}.content`);
  const section = (name: string) => keysOf(`${data}.sections.${name}`);
  const sectionsOf = (wire: Wire): Sections =>
    Object.fromEntries(
      SECTIONS.flatMap((name) => {
        const said = text().read(valueAt(wire, section(name)));
        return said === undefined ? [] : [[name, said]];
      }),
    );
  const contentOf = (wire: Wire): string | undefined => {
    const own = text().read(valueAt(wire, content));
    return saysNothing(own?.trim()) ? (compiled(sectionsOf(wire)) ?? own) : own;
  };
  const lens = persona.joint(
    ['content', 'sections.appearance', 'sections.body', 'sections.personality', 'sections.quirks', 'sections.history'],
    {
      wire: [`${data}.content`, ...SECTIONS.map((name) => `${data}.sections.${name}`)],
      shape: 'text, and the parts it is made of',
      lossy: true,
      note: 'a blank text is made of the sections',
      read: (wire) => ({ content: contentOf(wire), ...named(sectionsOf(wire)) }),
      write(draft, now, before) {
        for (const name of SECTIONS) {
          const said = now[`sections.${name}`];
          if (said === before[`sections.${name}`]) continue;
          if (said === undefined) draft.delete(section(name));
          else draft.set(section(name), said);
        }
        const stale = now.content !== before.content || (contentOf(draft.wire) ?? '') !== (now.content ?? '');
        if (stale && (now.content !== undefined || existsAt(draft.twin, content)))
          draft.set(content, now.content ?? '');
      },
      claims: (wire) =>
        [content, ...SECTIONS.map(section)].flatMap((keys) =>
          text().read(valueAt(wire, keys)) === undefined ? [] : [{ keys }],
        ),
    },
  );
  return lens as Lens<PersonaBody>;
}

const named = (sections: Sections) =>
  Object.fromEntries(Object.entries(sections).map(([name, said]) => [`sections.${name}`, said]));
