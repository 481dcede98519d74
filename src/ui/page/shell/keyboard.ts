/** The keys of the page. */
import { library } from '../state/library.svelte.ts';
import { tell } from '../state/notices.svelte.ts';
import { studio } from '../state/studio.svelte.ts';
import { tabs } from '../tabs/registry.ts';
import { words } from '../words/shell.ts';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  !(target instanceof HTMLInputElement && /^(?:checkbox|radio|button)$/.test(target.type));

/** Acts on a key of the page. Returns whether it was one. */
export function onKey(event: KeyboardEvent, help: () => void): boolean {
  if (event.defaultPrevented || event.isComposing || document.querySelector('dialog[open]')) return false;
  const { doc } = studio;
  const key = event.key.toLowerCase();
  if (event.ctrlKey || event.metaKey) return withControl(key, event);
  if (key === 'escape') {
    if (library.selected.size > 0) library.selected.clear();
    else if (event.target instanceof HTMLElement) event.target.blur();
    return false;
  }
  if (isTyping(event.target) || event.altKey) return false;
  if (key === '/') {
    studio.step = 'library';
    requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-search]')?.focus());
  } else if (key === '?') help();
  else if (key === 'e' && doc) {
    const edit = tabs.find((tab) => tab.order > 0 && tab.shows(doc));
    if (edit) studio.tab = edit.id;
    studio.step = 'item';
  } else if (/^arrow/.test(key) && event.target === document.body) {
    document.querySelector<HTMLElement>('[role=listbox]')?.focus();
  } else return false;
  return true;
}

function withControl(key: string, event: KeyboardEvent): boolean {
  const { doc } = studio;
  if (!doc) return false;
  const elsewhere = isTyping(event.target) && !(event.target as HTMLElement).closest('[data-doc]');
  if (key === 's') {
    if (doc.dirty) doc.save().then((done) => done && tell(words().saved));
  } else if (key === 'z' && !elsewhere) event.shiftKey ? doc.redo() : doc.undo();
  else if (key === 'y' && !elsewhere) doc.redo();
  else if (key === 'enter') {
    studio.step = 'convert';
    const button = document.querySelector<HTMLButtonElement>('[data-download]');
    if (button) button.click();
    else document.querySelector<HTMLButtonElement>('[data-target] button')?.focus();
  } else return false;
  return true;
}
