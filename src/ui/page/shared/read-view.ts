/** Text of a card with its markup, made harmless: nothing in it runs, loads or leaves its box. */
import DOMPurify from 'dompurify';
import { marked } from 'marked';

/** Longest text that is shown with its markup, in letters; longer ones are shown as text. */
const MAX_MARKUP = 200_000;

const RULES = {
  RETURN_DOM_FRAGMENT: true,
  FORBID_TAGS: ['style', 'form', 'input', 'button', 'select', 'textarea', 'video', 'audio', 'svg', 'math', 'dialog'],
  FORBID_ATTR: ['style', 'class', 'id', 'name', 'srcset', 'background', 'poster', 'target', 'popover', 'is', 'slot'],
  FORBID_CONTENTS: ['x-script', 'x-style', 'x-iframe', 'svg', 'math', 'video', 'audio'],
  ALLOW_DATA_ATTR: false,
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|data:image\/(?:png|jpeg|gif|webp);)/i,
} as const;

/**
 * The same markup without what the page's policy would complain of while it is parsed. It makes the console quiet, not
 * the markup safe: that is DOMPurify's part, which comes after.
 */
const quieted = (html: string): string =>
  html
    .replace(/<(\/?)(script|style|base|link|meta|iframe|object|embed)\b/gi, '<$1x-$2')
    .replace(/<[a-z][^>]*>/gi, (tag) =>
      tag.replace(/([\s"'/])(style|srcset|srcdoc|poster|background|on\w+)(?=\s*=)/gi, '$1data-$2'),
    );

/** The text as nodes. A picture from the web becomes a note with its address. */
export function readable(text: string, notLoaded: (host: string) => string): Node {
  if (text.length > MAX_MARKUP) return document.createTextNode(text);
  const html = marked.parse(text, { async: false, gfm: true, breaks: true });
  const fragment = DOMPurify.sanitize(quieted(html), RULES as never) as unknown as DocumentFragment;
  for (const image of fragment.querySelectorAll('img')) {
    const source = image.getAttribute('src') ?? '';
    if (/^data:image\//i.test(source)) continue;
    const note = document.createElement('span');
    note.dataset.notLoaded = '';
    note.textContent = notLoaded(/^https?:\/\/([^/?#]+)/i.exec(source)?.[1] ?? source);
    image.replaceWith(note);
  }
  for (const link of fragment.querySelectorAll('a')) {
    link.target = '_blank';
    link.rel = 'noopener noreferrer nofollow';
  }
  return fragment;
}
