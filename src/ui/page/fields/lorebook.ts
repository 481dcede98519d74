import type { LorebookBody, LorebookEntry } from '../../../entities/lorebook/schema.ts';
import {
  choice,
  flag,
  json,
  keys,
  line,
  list,
  maybe,
  number,
  ROLES,
  rows,
  type Said,
  type TableOf,
  text,
} from './describe.ts';
import { freshId } from './regex.ts';

const must = { main: true, required: true };
const as = (group: string, more: object = {}) => ({ group, ...more });

export const POSITIONS: Readonly<Record<string, Said>> = {
  world: ['Before the character', '角色之前'],
  character: ['After the character', '角色之后'],
  before_example: ['Before the examples', '示例之前'],
  after_example: ['After the examples', '示例之后'],
  depth: ['At a depth', '指定深度'],
  append: ['End of the prompt', '提示词末尾'],
  append_bottom: ['Very end', '最末尾'],
  prepend_top: ['Very top', '最顶部'],
  scene: ['Scene', '场景'],
  author_note_top: ["Before the author's note", '作者注释之前'],
  author_note_bottom: ["After the author's note", '作者注释之后'],
  outlet: ['Outlet', '出口'],
};

const LOGIC: Readonly<Record<string, Said>> = {
  and_any: ['one of them too', '且含任一'],
  and_all: ['all of them too', '且含全部'],
  not_any: ['none of them', '且不含任一'],
  not_all: ['not all of them', '且不含全部'],
};

const filter = { inside: { names: [], tags: [], isExclude: false } };
const effects = { inside: { effects: [], onlyOnFirstTrigger: false, clearOnDeactivate: false } };
const scan = (label: Said) => flag(label, undefined, as('scan', { required: true }));
const maybeScan = (label: Said) => maybe(label, undefined, as('scan'));
const novel = (label: Said) => ({ ...number(label), group: 'novelai' });

/** Fields of one entry. */
export const entryFields: TableOf<LorebookEntry, 'id'> = {
  title: line(['Title', '标题'], undefined, as('text', must)),
  enabled: flag(['On', '启用'], undefined, as('text', must)),
  constant: flag(
    ['Always on', '常驻'],
    ['In the prompt without any key.', '不需要关键词，始终插入。'],
    as('text', must),
  ),
  triggers: keys(['Keys', '关键词'], undefined, as('text', must)),
  content: text(['Text', '正文'], ['Goes into the prompt.', '插入提示词的内容。'], as('text', must)),
  comment: text(['Note', '备注'], ['For yourself; never in a prompt.', '仅自己可见，绝不进入提示词。'], as('text')),
  secondaryTriggers: keys(['Second keys', '次要关键词'], undefined, as('keys', { required: true })),
  selectiveLogic: choice(['With the second keys', '次要关键词逻辑'], LOGIC, undefined, as('keys', { required: true })),
  selective: maybe(['Second keys count', '启用次要关键词'], undefined, as('keys')),
  caseSensitive: maybe(
    ['Case counts', '区分大小写'],
    ['Nothing said: as the book says.', '未说明：按世界书设置。'],
    as('keys'),
  ),
  matchWholeWords: maybe(['Whole words', '全词匹配'], undefined, as('keys')),
  scanDepth: number(
    ['Looks back', '扫描深度'],
    ['Messages; 0 looks nowhere.', '消息数；0 为不扫描。'],
    as('keys', { min: 0 }),
  ),
  triggerMode: choice(
    ['Kind of keys', '关键词模式'],
    { simple: ['Simple', '简单'], advanced: ['With chances', '带概率'] },
    undefined,
    as('keys', { required: true }),
  ),
  position: choice(['Position', '位置'], POSITIONS, undefined, as('place', must)),
  sortOrder: number(['Order', '顺序'], ['Higher is nearer to the end.', '越大越靠后。'], as('place', must)),
  probability: number(['Probability', '概率'], ['Per cent.', '百分比。'], as('place', { ...must, min: 0, max: 100 })),
  depth: number(
    ['Depth', '深度'],
    ['Messages from the end.', '从末尾数的消息数。'],
    as('place', { required: true, min: 0 }),
  ),
  role: choice(['Role', '身份'], ROLES, undefined, as('place', { required: true })),
  outletName: line(['Name of the outlet', '出口名称'], undefined, as('place')),
  priority: number(
    ['Priority', '优先级'],
    ['Higher survives longer when room is short.', '空间不足时，越大越晚被舍弃。'],
    as('place', { required: true }),
  ),
  ignoreBudget: flag(['Outside the budget', '不计预算'], undefined, as('place', { required: true })),
  categoryId: line(['Category', '分类'], ['Its id.', '分类编号。'], as('place')),
  displayIndex: number(['Place in the list', '列表序号'], undefined, as('place')),
  sticky: number(['Stays', '黏滞'], ['Messages.', '消息数。'], as('time', { required: true, min: 0 })),
  cooldown: number(['Rests', '冷却'], ['Messages.', '消息数。'], as('time', { required: true, min: 0 })),
  delay: number(['Waits', '延迟'], ['Messages.', '消息数。'], as('time', { required: true, min: 0 })),
  excludeRecursion: flag(
    ['Other entries do not trigger it', '不被其他条目触发'],
    undefined,
    as('time', { required: true }),
  ),
  preventRecursion: flag(['It triggers no others', '不触发其他条目'], undefined, as('time', { required: true })),
  delayUntilRecursion: number(['From recursion level', '递归层级'], undefined, as('time', { required: true, min: 0 })),
  groupName: line(['Group', '分组'], ['Only one of a group fires.', '同组只触发一条。'], as('group')),
  groupWeight: number(['Weight in the group', '组内权重'], undefined, as('group', { required: true })),
  groupOverride: maybe(['First in the group', '组内优先'], undefined, as('group')),
  useGroupScoring: maybe(['By number of matches', '按匹配数'], undefined, as('group')),
  scanCharacterDescription: scan(['Description', '角色描述']),
  scanCharacterPersonality: scan(['Personality', '性格']),
  scanScenario: scan(['Scenario', '场景']),
  scanUserPersona: scan(['Persona', '用户人设']),
  scanCharacterDepthPrompt: maybeScan(['Depth note', '深度注释']),
  scanCreatorNotes: maybeScan(["Creator's notes", '作者注释']),
  'characterFilter.names': list(['Only for characters', '限定角色'], undefined, as('scan', filter)),
  'characterFilter.tags': list(['Only for tags', '限定标签'], undefined, as('scan', filter)),
  'characterFilter.isExclude': maybe(['… or never for them', '…改为排除'], undefined, as('scan', filter)),
  generationTriggers: list(
    ['Only for', '仅用于'],
    ['normal, continue, swipe …', 'normal、continue、swipe …'],
    as('scan'),
  ),
  vectorized: maybe(['Found by meaning', '向量匹配'], undefined, as('more')),
  useMemo: flag(['Memory', '记忆'], undefined, as('more', { required: true })),
  automationId: line(['Automation id', '自动化编号'], undefined, as('more')),
  'sideEffects.effects': json(
    ['Variables', '变量'],
    ['Kept as text, never run.', '只保留文字，绝不运行。'],
    as('more', effects),
  ),
  'sideEffects.onlyOnFirstTrigger': maybe(
    ['Variables: first time only', '变量：仅首次'],
    undefined,
    as('more', effects),
  ),
  'sideEffects.clearOnDeactivate': maybe(
    ['Variables: clear afterwards', '变量：结束后清除'],
    undefined,
    as('more', effects),
  ),
  metadata: json(['More of its app', '应用的其他内容'], undefined, as('more')),
  keyRelative: maybe(['Next to the key', '紧邻关键词'], undefined, as('novelai')),
  nonStoryActivatable: maybe(['Also by text outside the story', '可由非正文触发'], undefined, as('novelai')),
  'contextConfig.prefix': line(['Before the text', '前缀'], undefined, as('novelai')),
  'contextConfig.suffix': line(['After the text', '后缀'], undefined, as('novelai')),
  'contextConfig.tokenBudget': novel(['Token budget', 'token 预算']),
  'contextConfig.reservedTokens': novel(['Reserved tokens', '保留 token']),
  'contextConfig.trimDirection': line(['Trim from', '裁剪方向'], undefined, as('novelai')),
  'contextConfig.insertionType': line(['Insert by', '插入单位'], undefined, as('novelai')),
  'contextConfig.maximumTrimType': line(['Trim at most', '最大裁剪'], undefined, as('novelai')),
  'contextConfig.insertionPosition': novel(['Insert at', '插入位置']),
  loreBiasGroups: json(['Phrase biases', '短语偏置'], undefined, as('novelai')),
};

export const entryGroups: Readonly<Record<string, Said>> = {
  text: ['Entry', '条目'],
  keys: ['Second keys and matching', '次要关键词与匹配'],
  place: ['Place', '位置'],
  time: ['Timing and recursion', '时效与递归'],
  group: ['Group', '分组'],
  scan: ['Looks in, only for', '扫描范围与限定'],
  more: ['More', '更多'],
  novelai: ['NovelAI', 'NovelAI'],
};

/** Settings of a book; its entries are the lore tab. */
export const lorebookFields: TableOf<LorebookBody, 'entries'> = {
  name: line(['Name', '名称'], ['Links by name follow.', '按名称的关联会一并更新。'], must),
  description: text(['Description', '描述'], undefined, { main: true }),
  enabled: maybe(['On', '启用'], ['Nothing said means on.', '未说明即为启用。'], { main: true }),
  globalScanDepth: number(['Looks back', '扫描深度'], ['Messages; 0 looks nowhere.', '消息数；0 为不扫描。'], {
    min: 0,
    main: true,
  }),
  tokenBudget: number(['Token budget', 'token 预算'], undefined, { min: 0, main: true }),
  globalRecursion: maybe(['Entries trigger entries', '递归触发'], undefined, { main: true }),
  globalCaseSensitive: maybe(['Case counts', '区分大小写']),
  globalMatchWholeWords: maybe(['Whole words', '全词匹配']),
  budgetMode: choice(['Budget counts', '预算按'], { token: ['Tokens', 'token'], entry: ['Entries', '条目'] }),
  entryBudget: number(['Most entries', '最多条目'], undefined, { min: 0 }),
  lorebookType: choice(['Kind', '类别'], {
    world: ['World', '世界'],
    character: ['Character', '角色'],
    scenario: ['Scenario', '场景'],
    rules: ['Rules', '规则'],
    utility: ['Utility', '工具'],
    other: ['Other', '其他'],
  }),
  genre: line(['Genre', '类型']),
  fandom: line(['Fandom', '作品']),
  tags: list(['Tags', '标签']),
  categories: rows(
    ['Categories', '分类'],
    {
      id: line(['Id', '编号'], undefined, must),
      name: line(['Name', '名称'], undefined, must),
      sortOrder: number(['Order', '顺序'], undefined, must),
      enabled: maybe(['On', '启用']),
    },
    (others) => ({ id: `category-${freshId(others)}`, name: '', sortOrder: others.length }),
  ),
};

export const lorebookGroups: Readonly<Record<string, Said>> = { '': ['Lorebook', '世界书'] };
