import { emptyRule, type RegexBody, type RegexRule } from '../../../entities/regex/schema.ts';
import {
  choice,
  flag,
  json,
  line,
  list,
  maybe,
  number,
  rows,
  type Said,
  type TableOf,
  text,
  texts,
} from './describe.ts';

const main = { main: true };
const must = { main: true, required: true };

/** Fields of one rule. */
export const ruleFields: TableOf<RegexRule, 'id'> = {
  label: line(['Name', '名称'], undefined, { ...main, group: 'rule' }),
  enabled: flag(['On', '启用'], undefined, { ...must, group: 'rule' }),
  find: text(['Find', '查找'], ['A pattern without slashes.', '不带斜杠的正则。'], { ...must, group: 'rule' }),
  flags: line(['Flags', '标志'], ['For example gi.', '例如 gi。'], { ...main, group: 'rule' }),
  replace: text(
    ['Replace with', '替换为'],
    ['$1 and {{match}} stand for what was found.', '$1 和 {{match}} 代表找到的内容。'],
    {
      ...must,
      group: 'rule',
    },
  ),
  trimStrings: texts(['Cut out first', '先行剪除'], ['Cut out of each match.', '从每个匹配中剪除。'], {
    group: 'rule',
  }),
  phases: list(
    ['Applies to', '作用于'],
    ['input, output, display, request, lorebook …', 'input、output、display、request、lorebook …'],
    {
      ...must,
      group: 'where',
    },
  ),
  targets: list(
    ['Shows in', '只影响'],
    ['prompt, response, display. Empty: the stored text changes.', 'prompt、response、display。留空：改动存储的文字。'],
    { group: 'where' },
  ),
  minDepth: number(['From depth', '最小深度'], ['Messages from the end.', '从末尾数的消息数。'], { group: 'where' }),
  maxDepth: number(['To depth', '最大深度'], undefined, { group: 'where' }),
  runOnEdit: maybe(['On edited messages too', '编辑消息时也生效'], undefined, { group: 'where' }),
  substituteFind: choice(
    ['Macros in the pattern', '正则中的宏'],
    {
      none: ['Left alone', '不处理'],
      raw: ['Filled in', '直接替换'],
      escaped: ['Filled in, escaped', '替换并转义'],
      after: ['Filled in afterwards', '事后替换'],
    },
    undefined,
    { group: 'where' },
  ),
  note: text(['Note', '备注'], undefined, { group: 'more' }),
  useFlags: maybe(['The flags count', '使用标志'], undefined, { group: 'more' }),
  sortOrder: number(['Order', '顺序'], undefined, { group: 'more' }),
  firstMatchOnly: maybe(['First match only', '只处理首个匹配'], undefined, { group: 'more' }),
  characterIds: list(['Only for these characters', '仅限这些角色'], undefined, { group: 'more' }),
  'condition.ruleId': line(['Only after the rule', '前置规则'], undefined, { group: 'more' }),
  'condition.matched': maybe(['… and only if it matched', '…且其已匹配'], undefined, { group: 'more' }),
  overlay: maybe(['Overlay', '叠加'], undefined, { group: 'more' }),
  extras: json(['More of its app', '应用的其他内容'], undefined, { group: 'more' }),
};

export const ruleGroups: Readonly<Record<string, Said>> = {
  rule: ['Rule', '规则'],
  where: ['Where', '作用范围'],
  more: ['More', '更多'],
};

/** Fields of a set. */
export const regexFields: TableOf<RegexBody> = {
  name: line(['Name', '名称'], undefined, must),
  description: text(['Description', '描述'], undefined, main),
  enabled: maybe(['On', '启用'], ['Nothing said means on.', '未说明即为启用。'], main),
  rules: rows(['Rules', '规则'], ruleFields, (others) => emptyRule(freshId(others)), undefined, must),
};

export const regexGroups: Readonly<Record<string, Said>> = { '': ['Regex set', '正则集'] };

/** An id that none of the rows has. */
export function freshId(others: readonly unknown[]): string {
  const taken = new Set(others.map((one) => (one as { id?: unknown }).id));
  let number = others.length + 1;
  while (taken.has(String(number))) number++;
  return String(number);
}
