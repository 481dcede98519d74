import { text } from '../../core/codec.ts';
import { type Keys, valueAt, type Wire } from '../../core/draft.ts';
import type { Lens } from '../../core/lens.ts';
import { character } from '../../entities/character/lenses.ts';
import type { CharacterBody } from '../../entities/character/schema.ts';

/**
 * The name on screen and the short one that `{character}` expands to, in the object at `prefix`. `keys` are the
 * spellings of the name, the first is the one we write; `short` is one of them. The short one is a nickname only where
 * it differs from the name.
 */
export function nameLens(prefix: Keys, keys: readonly [string, ...string[]], short: string): Lens<CharacterBody> {
  const held = (wire: Wire, key: string) => text().read(valueAt(wire, [...prefix, key]));
  const shown = (wire: Wire): string =>
    keys.map((key) => held(wire, key)).find((name) => name !== undefined && name !== '') ?? '';

  return character.joint(['identity.name', 'identity.nickname'], {
    wire: keys.map((key) => [...prefix, key].join('.')),
    shape: 'text',
    lossy: true,
    note: 'nickname only where it differs from the name',
    read(wire) {
      const name = shown(wire);
      const nickname = held(wire, short);
      return { 'identity.name': name, 'identity.nickname': nickname === name ? undefined : nickname };
    },
    write(draft, { 'identity.name': name = '', 'identity.nickname': nickname }) {
      const spelled = keys.filter((key) => held(draft.twin, key) !== undefined);
      const before = shown(draft.twin);
      const homes = new Set(spelled.filter((key) => name === '' || held(draft.twin, key) === before));
      if (homes.size === 0 || nickname !== undefined) homes.add(keys[0]);
      for (const key of homes) draft.set([...prefix, key], name);
      if (nickname !== undefined || spelled.includes(short)) draft.set([...prefix, short], nickname ?? name);
    },
    claims: (wire) =>
      keys
        .filter((key) => held(wire, key) !== undefined && (key === short || held(wire, key) === shown(wire)))
        .map((key) => ({ keys: [...prefix, key] })),
  }) as Lens<CharacterBody>;
}
