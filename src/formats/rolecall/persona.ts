/** Personas: RoleCall's own envelope, and the card that its export makes of one; in JSON or in a picture. */
import { existsAt, isRecord, type Keys, saysNothing, valueAt, type Wire } from '../../core/draft.ts';
import { BunzaiError } from '../../core/errors.ts';
import { create, type Lens, put } from '../../core/lens.ts';
import type { Source } from '../../core/source.ts';
import type { AdapterOf } from '../../entities/kinds.ts';
import { emptyPersona, type PersonaBody } from '../../entities/persona/schema.ts';
import { type CardWrite, type CardWritten, cardIn, defineCarried, isPngPortrait } from '../_shared/card.ts';
import { payloadsOf, plainCarriers } from '../_shared/card-carriers.ts';
import { cardValueOf, type Payload } from '../_shared/card-io.ts';
import { JSON_CONTAINER, PNG_CONTAINER } from '../_shared/containers.ts';
import { isPersonaCard } from '../_shared/tavern-detect.ts';
import { cardPersonaFields } from './persona-card.ts';
import { envelopeFields } from './persona-envelope.ts';

/** `rcpersona` is the envelope, `rc-v2-export` the card. */
type Shape = 'rcpersona' | 'rc-v2-export';

/** The persona in a parsed file: what wrapper it lies in, and which shape it has. */
interface Found {
  readonly keys: Keys;
  readonly shape: Shape;
}

/** The download wrapper first, then the inner one; a persona has a `spec` of its own. */
function find(card: unknown): Found | undefined {
  let keys: Keys = [];
  const here = () => valueAt(card, keys);
  const outer = here();
  if (isRecord(outer) && outer.spec === undefined && isRecord(outer.data)) {
    if (['exportedAt', 'type'].some((key) => existsAt(outer, [key]))) keys = ['data'];
  }
  const inner = here();
  if (isRecord(inner) && inner.spec === undefined && isRecord(inner.persona)) keys = [...keys, 'persona'];
  const persona = here();
  if (!isRecord(persona)) return undefined;
  if (persona.spec === 'rolecall_persona') return isRecord(persona.data) ? { keys, shape: 'rcpersona' } : undefined;
  return isPersonaCard(persona) ? { keys, shape: 'rc-v2-export' } : undefined;
}

const tables = new Map<string, readonly Lens<PersonaBody>[]>();

function fieldsOf(wire: Wire): readonly Lens<PersonaBody>[] {
  const found = find(wire.card) ?? { keys: [], shape: 'rcpersona' as const };
  const root = ['card', ...found.keys];
  const bare = found.shape === 'rc-v2-export' && !isRecord(valueAt(wire, [...root, 'data']));
  const data = [...root, ...(bare ? [] : ['data'])].join('.');
  const key = `${found.shape} ${data}`;
  let fields = tables.get(key);
  if (!fields) {
    fields = found.shape === 'rcpersona' ? envelopeFields(data) : cardPersonaFields(data);
    tables.set(key, fields);
  }
  return fields;
}

/** The wire with the persona, and every payload of a picture that says the same. */
function write({ twin, base, body, container }: CardWrite<PersonaBody>): CardWritten {
  if (saysNothing(body.name)) {
    throw new BunzaiError('canonical.invalid', { format: 'rolecall-persona', path: 'name', detail: 'it has no name' });
  }
  const fields = fieldsOf(base);
  const wire = twin ? put(fields, base, body) : create(fields, base, body);
  const slot = twin?.wire.carrier === container ? twin.entry.unmapped?.slot : undefined;
  const fresh = find(wire.card)?.shape === 'rc-v2-export' ? 'chara' : 'rcpersona';
  const keyword = slot === 'ccv3' || slot === 'chara' || slot === 'rcpersona' ? slot : fresh;
  const main: Payload = { keyword, value: wire.card };
  const others = twin && slot !== undefined ? payloadsOf(twin.entry) : [];
  const further = others.flatMap((other): Payload[] => {
    if (other.keyword === keyword || !find(other.value)) return [];
    const held = { carrier: 'json', card: other.value };
    return [{ keyword: other.keyword, value: put(fieldsOf(held), held, { ...body, media: {} }).card }];
  });
  return { wire, payloads: [main, ...further] };
}

const STRUCTURE = ['exportedAt', 'type', 'version', 'spec', 'spec_version'];

const carried: AdapterOf<'persona'> = defineCarried({
  kind: 'persona',
  empty: emptyPersona,
  nameOf: ({ name }) => name,
  id: 'rolecall-persona',
  family: 'rolecall',
  label: 'RoleCall Persona',
  containers: [JSON_CONTAINER, PNG_CONTAINER],
  carriers: [plainCarriers],
  table: () => envelopeFields('card.data'),
  detect: (source) => (find(cardValueOf(source)) ? 1 : 0),
  fields: fieldsOf,
  structure(wire) {
    const { keys, shape } = find(wire.card) ?? { keys: [] };
    const wrappers = [[], ...(keys ?? []).map((_, depth) => (keys ?? []).slice(0, depth + 1))];
    const marks = wrappers.flatMap((at) => STRUCTURE.map((name) => ({ keys: ['card', ...at, name] })));
    const data = isRecord(valueAt(cardIn(wire), [...keys, 'data'])) ? ['data'] : [];
    const kind = { keys: ['card', ...keys, ...data, 'extensions', 'rolecall', 'type'] };
    return shape === 'rc-v2-export' ? [...marks, kind] : marks;
  },
  choose: ({ media }) => (isPngPortrait(media?.portrait?.ref) ? 'png' : 'json'),
  fresh: () => ({ spec: 'rolecall_persona', spec_version: '1.0', data: { name: '', content: '' } }),
  unmapped: (wire) => ({ shape: find(wire.card)?.shape }),
  write,
});

const { toCanonical } = carried;

/** RoleCall's persona. A persona without a name is refused: none is ever made up. */
export const rolecallPersona: AdapterOf<'persona'> = Object.assign(carried, {
  toCanonical(source: Source) {
    const entities = toCanonical(source);
    if (!find(cardValueOf(source)) || saysNothing(entities[0]?.body.name)) {
      throw new BunzaiError('format.mismatch', {
        format: 'rolecall-persona',
        path: 'data.name',
        detail: 'there is no named RoleCall persona in this file',
      });
    }
    return entities;
  },
});
