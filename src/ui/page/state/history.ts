/** Undo and redo over plain data that is changed by path copy. */
import { type Patch, type Path, patched, valueAtPath } from '../../item/patch.ts';

/** One step back and forth. */
export interface Step<T> {
  readonly before: T;
  readonly after: T;
  readonly forward: readonly Patch[];
  readonly backward: readonly Patch[];
  /** Steps of one mark that follow each other closely are one: typing in a field. */
  readonly mark: string | undefined;
  /** Milliseconds. */
  readonly at: number;
}

/** Typing is one step as long as the pauses are shorter, in milliseconds. */
const PAUSE = 1_000;

/** The patches that undo `patches` on `root`, in their own order of use. */
export function backwardOf(root: unknown, patches: readonly Patch[]): Patch[] {
  const back: Patch[] = [];
  let now = root;
  for (const patch of patches) {
    back.unshift(inverse(now, patch));
    now = patched(now, [patch]);
  }
  return back;
}

/** Sets what stood there. What a patch makes or takes out is undone at the nearest parent that stays. */
function inverse(root: unknown, { path, value }: Patch): Patch {
  for (let length = 1; length <= path.length; length++) {
    const parent: Path = path.slice(0, length - 1);
    const holder = valueAtPath(root, parent);
    const key = path[length - 1] as string | number;
    const missing = typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, key);
    const isLast = length === path.length;
    if (Array.isArray(holder) && (missing || (isLast && value === undefined))) return { path: parent, value: holder };
    if (missing)
      return holder === undefined
        ? { path: parent, value: undefined }
        : { path: path.slice(0, length), value: undefined };
  }
  return { path, value: valueAtPath(root, path) };
}

/** `next` after `last` as one step, where they belong together. */
export function joined<T>(last: Step<T> | undefined, next: Step<T>): Step<T> | undefined {
  if (!last || next.mark === undefined || last.mark !== next.mark || next.at - last.at > PAUSE) return undefined;
  return {
    ...next,
    backward: [...next.backward, ...last.backward],
    before: last.before,
    forward: [...last.forward, ...next.forward],
  };
}
