/** Short messages at the foot of the page; the last one counts. */

export interface Notice {
  readonly text: string;
  /** The way back, where there is one. */
  readonly undo?: (() => void | Promise<void>) | undefined;
}

/** Milliseconds a message stays. One with a way back stays longer. */
const STAY = 6_000;
const STAY_UNDO = 20_000;

let notice = $state.raw<Notice | undefined>();
let timer: ReturnType<typeof setTimeout> | undefined;

export const currentNotice = (): Notice | undefined => notice;

export function tell(text: string, undo?: Notice['undo']): void {
  clearTimeout(timer);
  notice = { text, undo };
  timer = setTimeout(dismiss, undo ? STAY_UNDO : STAY);
}

export function dismiss(): void {
  clearTimeout(timer);
  notice = undefined;
}
