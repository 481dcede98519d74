import { type Codec, flag, list, number, text } from '../../core/codec.ts';
import { existsAt, keysOf, same, valueAt, type Wire } from '../../core/draft.ts';
import type { Lens } from '../../core/lens.ts';
import { at, lensesFor } from '../../core/lenses.ts';
import { record } from '../../core/record.ts';
import { character } from '../../entities/character/lenses.ts';
import type { CharacterBody, DepthInjection } from '../../entities/character/schema.ts';
import { looseRole } from '../_shared/lore-codecs.ts';
import { depthPrompt } from '../_shared/tavern-fields.ts';
import { idOfRow } from './wire-rows.ts';

const PATH = 'prompts.depthInjections';

const injection = lensesFor<DepthInjection>();
const anyRow = record<DepthInjection>(
  [
    injection.field('text', at('content'), text(), { absent: '' }),
    injection.field('depth', at('depth'), number(), { absent: 4 }),
    injection.field('role', at('role'), looseRole()),
    injection.field('enabled', at('enabled'), flag()),
    idOfRow,
  ],
  () => ({ text: '', depth: 4, origin: 'rolecall_details' }),
);

/** A row of RoleCall's list. A blank one says nothing and keeps its place. */
const row: Codec<DepthInjection> = {
  ...anyRow,
  read(raw) {
    const value = anyRow.read(raw);
    return value && value.text.trim() !== '' ? value : undefined;
  },
};
const rows = list(row);

/**
 * Texts at a depth from two homes, one after the other: RoleCall's own list, then SillyTavern's single note. Each goes
 * back to the home it came from; what comes from elsewhere, or is switched off, goes to the list.
 */
export function injections(data: string): Lens<CharacterBody> {
  const name = `${data}.extensions.rolecall.details.prompt_depth_injections`;
  const home = keysOf(name);
  const note = depthPrompt(`${data}.extensions.depth_prompt`);
  const listed = (wire: Wire): DepthInjection[] => rows.read(valueAt(wire, home)) ?? [];
  const noted = (wire: Wire): DepthInjection[] =>
    (note.part(note.read(wire), PATH) as DepthInjection[] | undefined) ?? [];

  return character.joint([PATH], {
    wire: [name, ...note.wire],
    shape: 'list of record of content, depth, role, enabled; and one text at a depth',
    lossy: true,
    note: 'those of the list come first',
    read: (wire) => ({ [PATH]: [...listed(wire), ...noted(wire)] }),
    write(draft, { [PATH]: now = [] }) {
      const single = now.find(({ origin, enabled }) => origin === 'depth_prompt' && enabled !== false);
      const own = now
        .filter((one) => one !== single)
        .map((one): DepthInjection => ({ ...one, origin: 'rolecall_details' }));
      const before = noted(draft.twin);
      const after = single ? [single] : [];
      if (!same(after, before)) note.write(draft, after.length > 0 ? { [PATH]: after } : undefined, { [PATH]: before });
      if (same(own, listed(draft.twin))) return;
      const written = rows.write(own, valueAt(draft.twin, home)) as unknown[];
      if (written.length > 0) draft.set(home, written);
      else if (existsAt(draft.twin, home)) draft.delete(home);
    },
    claims: (wire) => [
      {
        keys: home,
        inside(raw, path, out) {
          if (Array.isArray(raw)) rows.account?.(raw, path, out);
          else if (raw !== null) out.unread(path, raw);
        },
      },
      ...note.claims(wire),
    ],
  }) as Lens<CharacterBody>;
}
