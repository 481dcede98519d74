/** Places in a body in words: `Greeting 3 › Text`. */
import type { BodyKind } from '../../../entities/kinds.ts';
import type { Path } from '../../item/patch.ts';
import type { FieldTable, Said } from './describe.ts';
import { FIELDS } from './index.ts';
import { entryFields } from './lorebook.ts';

const text = { label: ['Text', '文字'] as Said };
const title = { label: ['Title', '标题'] as Said };
type Named = { readonly label: Said; readonly rows?: Readonly<Record<string, Named>> | FieldTable };

/** Slots that have an editor of their own. */
const ELSEWHERE: Readonly<Record<string, Named>> = {
  'greetings.firstMessage': { label: ['First message', '第一条消息'] },
  'greetings.alternateGreetings': { label: ['Greetings', '开场白'], rows: { text, title } },
  'greetings.groupOnlyGreetings': { label: ['Group greetings', '群聊开场白'], rows: { text, title } },
  'media.portrait': { label: ['Portrait', '立绘'] },
  'media.assets': { label: ['Pictures and sounds', '图片和音频'] },
  'presentation.background.ref': { label: ['Background', '背景'] },
  entries: { label: ['Entries', '条目'], rows: entryFields },
};

/** `a.b[3].c` as keys. */
export const pathOf = (path: string): Path =>
  path.split(/\.|(?=\[)/).map((part) => {
    const index = /^\[\+?(\d+)\]$/.exec(part)?.[1];
    return index === undefined ? part : Number(index);
  });

/** The parts of a place, from the outside in: names, and the numbers of rows from 1. */
export function labelsOf(kind: BodyKind, path: Path): (Said | number)[] {
  const labels: (Said | number)[] = [];
  let table: Readonly<Record<string, Named>> = { ...ELSEWHERE, ...FIELDS[kind].table };
  let rest = path;
  while (rest.length > 0) {
    const [first] = rest;
    if (typeof first === 'number') {
      labels.push(first + 1);
      rest = rest.slice(1);
      continue;
    }
    const length = [...rest.keys()]
      .map((at) => at + 1)
      .findLast((end) => Object.hasOwn(table, rest.slice(0, end).join('.')));
    const field = length === undefined ? undefined : table[rest.slice(0, length).join('.')];
    if (length === undefined || !field) {
      labels.push([String(first), String(first)]);
      rest = rest.slice(1);
      continue;
    }
    labels.push(field.label);
    table = (field.rows ?? {}) as Readonly<Record<string, Named>>;
    rest = rest.slice(length);
  }
  return labels;
}
