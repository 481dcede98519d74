/** What the walker meets on its way. */
export interface Met {
  open?(): void;
  close?(): void;
  /** A key of the object at hand, as it stands in the text: with its quotes. */
  key?(spelled: string, at: number): void;
}

type Box = '{' | '[';

/** What may stand next: `row` and `member` are the first of a list and of an object, which may also end there. */
type Next = 'value' | 'row' | 'key' | 'member' | 'colon' | 'more';

const BLANKS = /[ \t\n\r]*/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/**
 * Walks strict JSON token by token, for what `JSON.parse` does not tell. The offset of the first character that cannot
 * stand where it stands, the length of the text where that ends too early; undefined for sound JSON.
 */
export function walkJson(text: string, met: Met = {}): number | undefined {
  const boxes: Box[] = [];
  let next = 'value' as Next;
  let at = after(BLANKS, text, 0);
  const enter = (box: Box, first: Next) => {
    boxes.push(box);
    next = first;
    met.open?.();
  };
  const leave = () => {
    boxes.pop();
    next = 'more';
    met.close?.();
  };
  for (;;) {
    const sign = text[at];
    const box = boxes.at(-1);
    if (next === 'more' && box === undefined) return at === text.length ? undefined : at;
    let end = at + 1;
    if (next === 'more' && sign === ',') next = box === '{' ? 'key' : 'value';
    else if (sign === '}' && box === '{' && (next === 'more' || next === 'member')) leave();
    else if (sign === ']' && box === '[' && (next === 'more' || next === 'row')) leave();
    else if (next === 'colon' && sign === ':') next = 'value';
    else if (next === 'more' || next === 'colon') return at;
    else if (sign === '"') {
      end = endOfString(text, at);
      if (end < 0) return ~end;
      if (next === 'key' || next === 'member') {
        met.key?.(text.slice(at, end), at);
        next = 'colon';
      } else next = 'more';
    } else if (next === 'key' || next === 'member') return at;
    else if (sign === '{') enter('{', 'member');
    else if (sign === '[') enter('[', 'row');
    else {
      end = after(SCALAR, text, at);
      if (end === at) return at;
      next = 'more';
    }
    at = after(BLANKS, text, end);
  }
}

/** Behind the closing quote; the complement (`~`) of the place where the text goes wrong. */
function endOfString(text: string, open: number): number {
  for (let at = open + 1; ; ) {
    const code = text.charCodeAt(at);
    if (code === 34) return at + 1;
    const end = code === 92 ? after(ESCAPE, text, at) : code >= 32 ? at + 1 : at;
    if (end === at) return ~at;
    at = end;
  }
}

/** Behind what `pattern` matches at a place; the place itself where it does not. */
function after(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
