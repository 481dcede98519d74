import { type Codec, dictionary, epochSeconds, list, looseText, number, required, text } from '../../core/codec.ts';
import { existsAt, type Keys, keysOf, saysNothing, valueAt } from '../../core/draft.ts';
import type { Lens } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import { character } from '../../entities/character/lenses.ts';
import type { CharacterBody, DepthInjection, Greeting } from '../../entities/character/schema.ts';
import { looseRole } from './lore-codecs.ts';
import { mediaFields } from './tavern-media.ts';

/** Which keys a card may say: `v1` the six texts and a few more, `v2` the first envelope, `v3` everything. */
export type CardLevel = 'v1' | 'v2' | 'v3';

/** Tavern greetings are bare strings: a title from another format has no home and is reported. An empty one stays. */
const greeting: Codec<Greeting> = {
  shape: 'text',
  lossy: true,
  read: (raw) => (typeof raw === 'string' && raw !== '' ? { text: raw } : undefined),
  write: (value) => value.text,
};

const greetings = () => required(list(greeting, { lone: 'one item' }), []);
const requiredText = () => required(text(), '');

/**
 * The table of a Tavern card over the opened file `{ carrier, card, picture?, files? }`.
 * `data` is where the fields stand (`card.data`, or `card` in a flat card); `mirror` is where SillyTavern repeats some.
 */
export function tavernFields(data: string, mirror: string | undefined, level: CardLevel): Lens<CharacterBody>[] {
  const home = (...names: readonly [string, ...string[]]) =>
    at(...(names.map((name) => `${data}.${name}`) as [string, ...string[]]));
  const copy = (name: string) => (mirror === undefined ? {} : { copies: [`${mirror}.${name}`] });
  const v1 = [
    character.field('identity.name', home('name'), requiredText(), { absent: '', ...copy('name') }),
    character.field('identity.description', home('description'), requiredText(), copy('description')),
    character.field('persona.personality', home('personality'), requiredText(), copy('personality')),
    character.field('persona.scenario', home('scenario'), requiredText(), copy('scenario')),
    character.field('greetings.firstMessage', home('first_mes'), requiredText(), copy('first_mes')),
    character.field('examples.exampleMessages', home('mes_example'), requiredText(), copy('mes_example')),
    character.field('attribution.creator', home('creator'), requiredText()),
    character.field('discovery.tags', home('tags'), required(list(tag, { lone: 'comma list' }), []), copy('tags')),
  ];
  if (level === 'v1') {
    return [
      ...v1,
      character.field('attribution.creatorNotes', home('creatorcomment', 'creator_notes'), text()),
      character.field('settings.talkativeness', home('talkativeness'), number()),
      ...mediaFields(data, false),
    ] as Lens<CharacterBody>[];
  }
  const flat = mirror === undefined;
  const v2 = [
    ...v1,
    character.field(
      'attribution.creatorNotes',
      flat ? home('creator_notes', 'creatorcomment') : home('creator_notes'),
      requiredText(),
      copy('creatorcomment'),
    ),
    character.field('prompts.systemPrompt', home('system_prompt'), requiredText()),
    character.field('prompts.postHistoryInstructions', home('post_history_instructions'), requiredText()),
    character.field('identity.characterVersion', home('character_version'), required(looseText(), '')),
    character.field('greetings.alternateGreetings', home('alternate_greetings'), greetings(), {
      note: 'greetings are plain texts: titles have no place',
    }),
    depthPrompt(`${data}.extensions.depth_prompt`),
    character.field(
      'settings.talkativeness',
      flat ? home('extensions.talkativeness', 'talkativeness') : home('extensions.talkativeness'),
      number(),
      copy('talkativeness'),
    ),
    character.field('worldName', home('extensions.world'), text()),
  ];
  if (level === 'v2') return [...v2, ...mediaFields(data, false)] as Lens<CharacterBody>[];
  return [...v2, ...v3OnlyFields(data), ...mediaFields(data, true)] as Lens<CharacterBody>[];
}

/** The fields that V3 added. */
export function v3OnlyFields(data: string): Lens<CharacterBody>[] {
  const home = (name: string) => at(`${data}.${name}`);
  return [
    character.field('identity.nickname', home('nickname'), text()),
    character.field('greetings.groupOnlyGreetings', home('group_only_greetings'), greetings(), {
      note: 'greetings are plain texts: titles have no place',
    }),
    character.field('attribution.creatorNotesMultilingual', home('creator_notes_multilingual'), dictionary(text())),
    character.field('attribution.source', home('source'), list(text())),
    character.field('attribution.createdAt', home('creation_date'), epochSeconds()),
    character.field('attribution.updatedAt', home('modification_date'), epochSeconds()),
  ] as Lens<CharacterBody>[];
}

/** Tags: numbers become text, blank ones are left where they are. */
const tag: Codec<string> = {
  shape: 'text',
  read: (raw) =>
    typeof raw === 'number' ? String(raw) : typeof raw === 'string' && raw.trim() !== '' ? raw : undefined,
  write: (value) => value,
};

/** SillyTavern's character note: one text at one depth. A blank one is none, its settings stay in the twin. */
export function depthPrompt(path: string): Lens<CharacterBody> {
  const home = keysOf(path);
  const key = (name: string): Keys => [...home, name];
  return character.joint(['prompts.depthInjections'], {
    wire: [`${path}.prompt`, `${path}.depth`, `${path}.role`],
    shape: 'one text at a depth',
    lossy: true,
    note: 'one injection a card',
    read(wire) {
      const prompt = text().read(valueAt(wire, key('prompt')));
      if (prompt === undefined || prompt.trim() === '') return {};
      const role = looseRole().read(valueAt(wire, key('role')));
      const depth = number().read(valueAt(wire, key('depth'))) ?? 4;
      const injection: DepthInjection = {
        text: prompt,
        depth,
        origin: 'depth_prompt',
        ...(role === undefined ? {} : { role }),
      };
      return { 'prompts.depthInjections': [injection] };
    },
    write(
      { twin, set, delete: remove },
      { 'prompts.depthInjections': now = [] },
      { 'prompts.depthInjections': before = [] },
    ) {
      const next =
        now.find(({ origin, enabled }) => origin === 'depth_prompt' && enabled !== false) ??
        now.find(({ enabled }) => enabled !== false);
      const old = before[0];
      if (!next) {
        if (existsAt(twin, key('prompt'))) set(key('prompt'), '');
        return;
      }
      if (next.text !== old?.text) set(key('prompt'), next.text);
      if (next.depth !== old?.depth) set(key('depth'), number().write(next.depth, valueAt(twin, key('depth'))));
      if (next.role !== old?.role && next.role !== undefined)
        set(key('role'), looseRole().write(next.role, valueAt(twin, key('role'))));
      if (next.role === undefined && old?.role !== undefined) remove(key('role'));
    },
    claims: (wire) => {
      const prompt = valueAt(wire, key('prompt'));
      if (typeof prompt !== 'string' && !saysNothing(prompt)) return [];
      const role = valueAt(wire, key('role'));
      const known = saysNothing(role) || looseRole().read(role) !== undefined;
      return [key('prompt'), key('depth'), ...(known ? [key('role')] : [])].map((keys) => ({ keys }));
    },
  }) as Lens<CharacterBody>;
}
