import { type Account, type Claim, joinPath } from '../../core/account.ts';
import { dictionary, list, text } from '../../core/codec.ts';
import { type Draft, isRecord, type Keys, same, valueAt, type Wire } from '../../core/draft.ts';
import { character } from '../../entities/character/lenses.ts';
import type { StructuredPersona } from '../../entities/character/schema.ts';

const KIND: Keys = ['card', 'persona', 'kind'];
const ATTRIBUTES: Keys = ['card', 'persona', 'attributes'];
const TEXT: Keys = [...ATTRIBUTES, 'text'];

type AttributeKind = Exclude<StructuredPersona['kind'], 'text'>;
const ATTRIBUTE_KINDS: readonly AttributeKind[] = ['attributes', 'wpp', 'sbf', 'boostyle'];

/** The values of one attribute; a lone text is a list of one. */
const values = list(text(), { lone: 'one item' });
const attributes = dictionary(values);

/** Names each value of the map that is no list of texts, and each row that is no text. */
function accountAttributes(raw: unknown, path: string, out: Account): void {
  if (!isRecord(raw)) return out.unread(path, raw);
  for (const [key, held] of Object.entries(raw)) {
    if (values.read(held) === undefined) out.unread(joinPath(path, key), held);
    else values.account?.(held, joinPath(path, key), out);
  }
}

const kindOf = (wire: Wire): StructuredPersona['kind'] | undefined => {
  const kind = valueAt(wire, KIND);
  return kind === 'text' ? kind : ATTRIBUTE_KINDS.find((known) => known === kind);
};
/** A text persona is a list with one text; anything behind the first is not Agnai's own and stays in the twin. */
const firstText = (wire: Wire): string | undefined => text().read(valueAt(wire, [...TEXT, '0']));

/**
 * The persona: one text, which is the personality, or a map of attributes in one of four styles.
 * Source: Agnai `common/types/library.ts`, Persona.
 */
export const persona = character.joint(['persona.personality', 'persona.structured'], {
  wire: ['card.persona.kind', 'card.persona.attributes'],
  shape: 'kind and attributes',
  lossy: true,
  note: 'one or the other: beside attributes there is no place for a personality text',
  read(wire) {
    const kind = kindOf(wire);
    if (kind === undefined) return {};
    if (kind === 'text') return { 'persona.personality': firstText(wire), 'persona.structured': { kind } };
    return { 'persona.structured': { kind, attributes: attributes.read(valueAt(wire, ATTRIBUTES)) ?? {} } };
  },
  write(draft, { 'persona.personality': personality = '', 'persona.structured': structured }) {
    const before = kindOf(draft.twin);
    if (structured === undefined || structured.kind === 'text') return writeText(draft, personality, before);
    if (structured.kind !== before) draft.set(KIND, structured.kind);
    const held = valueAt(draft.twin, ATTRIBUTES);
    if (before === undefined || before === 'text' || !same(attributes.read(held), structured.attributes))
      draft.set(ATTRIBUTES, attributes.write(structured.attributes, held));
  },
  claims(wire): readonly Claim[] {
    const kind = kindOf(wire);
    if (kind === undefined) return [];
    if (kind !== 'text') return [{ keys: KIND }, { keys: ATTRIBUTES, inside: accountAttributes }];
    return [
      { keys: KIND },
      {
        keys: TEXT,
        inside(raw, path, out) {
          if (!Array.isArray(raw)) return out.unread(path, raw);
          raw.forEach((row, index) => {
            if (index > 0 || typeof row !== 'string') out.unread(`${path}[${index}]`, row);
          });
        },
      },
    ];
  },
});

/** A text persona; further texts of the twin's list stay, attributes of another style go. */
function writeText(draft: Draft, personality: string, before: StructuredPersona['kind'] | undefined): void {
  if (before !== 'text') {
    draft.set(KIND, 'text');
    return draft.set(ATTRIBUTES, attributes.write({ text: [personality] }, valueAt(draft.twin, ATTRIBUTES)));
  }
  if ((firstText(draft.twin) ?? '') === personality) return;
  const held = valueAt(draft.twin, TEXT);
  draft.set(TEXT, [personality, ...(Array.isArray(held) ? held.slice(1) : [])]);
}
