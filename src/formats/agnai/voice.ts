import { flag, number, text } from '../../core/codec.ts';
import { define, existsAt, isRecord, same, valueAt, type Wire } from '../../core/draft.ts';
import { character } from '../../entities/character/lenses.ts';
import type { Voice } from '../../entities/character/schema.ts';

const VOICE = ['card', 'voice'];
const DISABLED = ['card', 'voiceDisabled'];
const NAMED = { service: text(), voiceId: text(), rate: number(), pitch: number() } as const;
const isNamed = (key: string): key is keyof typeof NAMED => Object.hasOwn(NAMED, key);

const voiceIn = (wire: Wire): Wire => {
  const raw = valueAt(wire, VOICE);
  return isRecord(raw) ? raw : {};
};

/** The keys of a voice on the wire that can be read, by value: the four named ones, and whatever a service adds. */
function flatWire(raw: Wire): Wire {
  const flat: Record<string, unknown> = {};
  for (const [key, held] of Object.entries(raw)) {
    const value = isNamed(key) ? NAMED[key].read(held) : held;
    if (value !== undefined) define(flat, key, value);
  }
  return flat;
}

const flatVoice = ({ provider, voiceId, rate, pitch, extras }: Voice): Wire => {
  const all = Object.entries({ ...extras, service: provider, voiceId, rate, pitch });
  return Object.fromEntries(all.filter(([, value]) => value !== undefined));
};

/**
 * The voice, told apart by `service`; without one the voice is off and there is none in the model.
 * Keys of one service only (`seed`, `stability` …) are extras. Source: Agnai `texttospeech-schema.ts`.
 */
export const voice = character.joint(['persona.voice'], {
  wire: ['card.voice', 'card.voiceDisabled'],
  shape: 'record by service, and a flag',
  read(wire) {
    const { service, voiceId, rate, pitch, ...extras } = flatWire(voiceIn(wire));
    if (typeof service !== 'string') return {};
    const value: Voice = { provider: service };
    if (typeof voiceId === 'string') value.voiceId = voiceId;
    if (typeof rate === 'number') value.rate = rate;
    if (typeof pitch === 'number') value.pitch = pitch;
    const disabled = flag().read(valueAt(wire, DISABLED));
    if (disabled !== undefined) value.disabled = disabled;
    if (Object.keys(extras).length > 0) value.extras = extras;
    return { 'persona.voice': value };
  },
  write(draft, { 'persona.voice': now }) {
    const raw = voiceIn(draft.twin);
    const before = flatWire(raw);
    const after = now ? flatVoice(now) : {};
    for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) draft.delete([...VOICE, key]);
    for (const [key, value] of Object.entries(after)) {
      if (Object.hasOwn(before, key) && same(before[key], value)) continue;
      draft.set([...VOICE, key], typeof value === 'number' && isNamed(key) ? number().write(value, raw[key]) : value);
    }
    if (!now && existsAt(draft.wire, VOICE) && Object.keys(voiceIn(draft.wire)).length === 0) draft.delete(VOICE);
    const held = valueAt(draft.twin, DISABLED);
    if (now?.disabled === flag().read(held)) return;
    if (now?.disabled === undefined) draft.delete(DISABLED);
    else draft.set(DISABLED, flag().write(now.disabled, held));
  },
  claims(wire) {
    const raw = voiceIn(wire);
    if (typeof raw.service !== 'string') return [];
    const keys = Object.keys(flatWire(raw)).map((key) => ({ keys: [...VOICE, key] }));
    return flag().read(valueAt(wire, DISABLED)) === undefined ? keys : [...keys, { keys: DISABLED }];
  },
});
