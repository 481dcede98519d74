import { flag, list, number, required, text } from '../../core/codec.ts';
import { same, type Wire } from '../../core/draft.ts';
import { create, type Lens, marks } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import { presetGroup, presetPrompt } from '../../entities/preset/lenses.ts';
import type { PresetGroup, PresetPrompt } from '../../entities/preset/schema.ts';
import { CATEGORY, marker, markerFor } from './preset-marker.ts';

const APPENDED = '_append';
const ROLES = ['system', 'user', 'assistant'] as const;
/** Depth of a prompt that says none, in the model. */
const USUAL_DEPTH = 4;

const roleIn = (wire: Wire) =>
  typeof wire.role === 'string'
    ? ROLES.find((role) => role === (wire.role as string).replace(APPENDED, ''))
    : undefined;
const isAppended = (wire: Wire): boolean => typeof wire.role === 'string' && wire.role.endsWith(APPENDED);
const isInChat = (wire: Wire): boolean => wire.position === 'in_history';

function placementIn(wire: Wire): string | undefined {
  if (isAppended(wire)) return 'append';
  if (isInChat(wire)) return 'in_chat';
  return wire.position === 'pre_history' || wire.position === 'post_history' ? 'relative' : undefined;
}

/** Outside of the history a depth of 0 is what the app writes, and says nothing. */
function depthIn(wire: Wire): number | undefined {
  const depth = number().read(wire.depth);
  return depth === 0 && !isInChat(wire) ? undefined : depth;
}

/**
 * Who speaks and where. Before and after the history are one place in the model, where the order of the prompts says
 * the rest; words behind the last message of a role are a role of their own here.
 */
const place: Lens<PresetPrompt> = presetPrompt.joint(['role', 'placement', 'injectionDepth'], {
  wire: ['role', 'position', 'depth'],
  shape: 'a role, also user_append and assistant_append; pre_history, in_history or post_history; number',
  lossy: true,
  note: 'no tool role; in order, at a depth, or behind the last message of a role',
  read: (wire) => ({ role: roleIn(wire) ?? 'system', placement: placementIn(wire), injectionDepth: depthIn(wire) }),
  write(draft, now, before) {
    const { twin } = draft;
    const role = now.role === 'tool' ? roleIn(twin) : now.role;
    const placement = now.placement ?? 'relative';
    const appended = placement === 'append' && role !== 'system';
    if (now.role !== before.role || now.placement !== before.placement) {
      const word = `${role ?? 'system'}${appended ? APPENDED : ''}`;
      if (word !== twin.role) draft.set(['role'], word);
    }
    if (now.placement !== before.placement) {
      if (placement === 'in_chat') draft.set(['position'], 'in_history');
      else if (isInChat(twin) || twin.position === undefined) draft.set(['position'], 'pre_history');
    }
    const inChat = placement === 'in_chat';
    const depth = now.injectionDepth ?? (inChat ? USUAL_DEPTH : 0);
    const quiet = !inChat && depth === USUAL_DEPTH && before.role === undefined;
    if (!quiet && (!same(now.injectionDepth, before.injectionDepth) || inChat) && number().read(twin.depth) !== depth)
      draft.set(['depth'], number().write(depth, twin.depth));
  },
  claims: (wire) => [
    ...(roleIn(wire) === undefined ? [] : [{ keys: ['role'] }]),
    ...(placementIn(wire) === undefined ? [] : [{ keys: ['position'] }]),
    ...(number().read(wire.depth) === undefined ? [] : [{ keys: ['depth'] }]),
  ],
}) as Lens<PresetPrompt>;

/** The table of a block with a text. */
export const promptFields = [
  presetPrompt.field('name', at('name'), required(text(), ''), { absent: '' }),
  presetPrompt.field('content', at('content'), required(text(), ''), { absent: '' }),
  place,
  presetPrompt.field('enabled', at('enabled'), flag(), { absent: true }),
  marker,
  presetPrompt.field('injectionTrigger', at('injectionTrigger'), required(list(text()), [])),
  marks<PresetPrompt>(['id', 'group']),
] as readonly Lens<PresetPrompt>[];

/** The table of a block that is a heading. */
export const groupFields = [
  presetGroup.field('name', at('name'), required(text(), ''), { absent: '' }),
  presetGroup.field('content', at('content'), required(text(), '')),
  presetGroup.field('enabled', at('enabled'), flag(), { absent: true }),
  marks<PresetGroup>(['id', 'marker', 'group', 'role', 'position', 'depth']),
] as readonly Lens<PresetGroup>[];

const base = (id: string, word: string | null): Wire => ({
  id,
  name: '',
  content: '',
  role: 'system',
  enabled: true,
  position: 'pre_history',
  depth: 0,
  marker: word,
  isLocked: false,
  color: null,
  injectionTrigger: [],
  group: null,
  categoryMode: null,
});

/** The block of a prompt without a twin. */
export function freshBlock(prompt: PresetPrompt, id: string): Wire {
  const known = markerFor(prompt);
  return create(promptFields, { ...base(id, known?.word ?? null), isLocked: known?.place ?? false }, prompt);
}

/** The heading of a group without a twin. */
export const freshHeading = (group: PresetGroup, id: string): Wire => create(groupFields, base(id, CATEGORY), group);
