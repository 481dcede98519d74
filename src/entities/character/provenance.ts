/** Which app probably wrote a file: a guess by the marks it leaves. A second pass, unrelated to detection. */
import { isRecord, valueAt, type Wire } from '../../core/draft.ts';

/** Which app probably wrote a file. A guess by marks; unrelated to detection. */
export interface Label {
  /** Card spec, not an adapter id: `chara_card_v3`, `agnai`, `byaf`, `unknown` … */
  readonly format: string;
  readonly container: string;
  /** Absent when no rule fired. */
  readonly likelyOrigin?: string;
  /** Weight of the winning rule, 0 to 1. */
  readonly confidence: number;
  /** Every rule that fired. */
  readonly signals: readonly string[];
}

/** What the rules look at. Each part is `{}` where the file has none. */
interface Evidence {
  readonly root: Wire;
  /** `root.data`, else the root. */
  readonly data: Wire;
  /** `data.extensions`. */
  readonly ext: Wire;
  readonly container: string;
}

interface FormatRule {
  readonly format: string;
  readonly test: (evidence: Evidence) => boolean;
}

interface OriginRule {
  /** The app, or where the file names it itself. */
  readonly origin: string | ((evidence: Evidence) => string);
  readonly weight: number;
  readonly signal: string;
  readonly test: (evidence: Evidence) => boolean;
}

const at = (wire: unknown, ...keys: string[]): unknown => valueAt(wire, keys);
const isText = (value: unknown): value is string => typeof value === 'string';
const hasText = (wire: unknown, ...keys: string[]): boolean => keys.some((key) => isText(at(wire, key)));
const has = (wire: Wire, ...keys: string[]): boolean => keys.some((key) => Object.hasOwn(wire, key));
const starts = (value: unknown, prefix: string): boolean => isText(value) && value.startsWith(prefix);

const isAgnai = ({ root }: Evidence): boolean =>
  at(root, 'kind') === 'character' && isRecord(at(root, 'persona')) && isText(at(root, 'greeting'));
const isAgnaiBook = ({ root }: Evidence): boolean =>
  at(root, 'kind') === 'memory' && Array.isArray(at(root, 'entries'));
const isNovelAi = ({ root }: Evidence): boolean =>
  ['lorebookVersion', 'scenarioVersion', 'storyContainerVersion', 'presetVersion'].some(
    (key) => typeof at(root, key) === 'number',
  );
const isRisuBook = ({ root }: Evidence): boolean => at(root, 'type') === 'risu' && Array.isArray(at(root, 'data'));
const isNative = ({ root }: Evidence): boolean =>
  isText(at(root, 'schemaVersion')) && isText(at(root, 'kind')) && isRecord(at(root, 'body'));
const isByaf = ({ root, container }: Evidence): boolean =>
  container === 'byaf' || (Array.isArray(at(root, 'characters')) && Array.isArray(at(root, 'scenarios')));
const PYGMALION = ['char_name', 'char_persona', 'char_greeting', 'world_scenario', 'example_dialogue'];
const isPygmalion = ({ root }: Evidence): boolean => PYGMALION.filter((key) => isText(at(root, key))).length >= 2;
const worldInfoRow = ({ root }: Evidence): Wire | undefined => {
  const entries = at(root, 'entries');
  const row = isRecord(entries) ? Object.values(entries)[0] : undefined;
  return isRecord(row) ? row : undefined;
};
const isWorldInfo = (evidence: Evidence): boolean => {
  const row = worldInfoRow(evidence);
  return row !== undefined && has(row, 'key', 'keysecondary', 'uid');
};
const toolName = ({ root }: Evidence): unknown => at(root, 'metadata', 'tool', 'name');
const appObject = (key: string) => (evidence: Evidence) => isRecord(at(evidence.ext, key));

/** First match wins. The first five are the card specs, the rest came later. */
const FORMATS: readonly FormatRule[] = [
  { format: 'chara_card_v3', test: ({ root }) => at(root, 'spec') === 'chara_card_v3' },
  { format: 'chara_card_v2', test: ({ root }) => at(root, 'spec') === 'chara_card_v2' },
  { format: 'agnai', test: isAgnai },
  {
    format: 'backyard',
    test: ({ root }) =>
      [root, at(root, 'character')].some((one) =>
        hasText(one, 'aiName', 'aiPersona', 'aiDisplayName', 'customDialogue'),
      ),
  },
  { format: 'chara_card_v1', test: ({ data }) => isText(at(data, 'name')) && isText(at(data, 'first_mes')) },
  { format: 'byaf', test: isByaf },
  { format: 'vaud-json', test: isNative },
  { format: 'pygmalion', test: isPygmalion },
  { format: 'lorebook_v3', test: ({ root }) => at(root, 'spec') === 'lorebook_v3' },
  { format: 'agnai-memory', test: isAgnaiBook },
  { format: 'novelai', test: isNovelAi },
  { format: 'risu-lorebook', test: isRisuBook },
  { format: 'lumiverse', test: ({ root }) => starts(at(root, 'type'), 'lumiverse_') },
  { format: 'marinara', test: ({ root }) => starts(at(root, 'type'), 'marinara_') },
  { format: 'world_info', test: isWorldInfo },
  { format: 'character_book', test: ({ root }) => Array.isArray(at(root, 'entries')) },
];

const LUMIVERSE_KEYS = [
  'alternate_character_name',
  'alternate_fields',
  'alternate_avatars',
  'expression_groups',
  'world_book_ids',
  'databank_ids',
  'lumiverse_image_gen_lora',
];

/** The highest weight wins; of equal ones the first. */
const ORIGINS: readonly OriginRule[] = [
  { origin: 'RoleCall', weight: 0.98, signal: 'extensions.rolecall', test: appObject('rolecall') },
  { origin: 'RisuAI', weight: 0.97, signal: 'extensions.risuai', test: appObject('risuai') },
  { origin: 'Chub (CharacterHub)', weight: 0.9, signal: 'extensions.chub', test: appObject('chub') },
  {
    origin: 'Agnai',
    weight: 0.9,
    signal: 'agnai-native-persona',
    test: (evidence) => isRecord(at(evidence.ext, 'agnai')) || isAgnai(evidence),
  },
  {
    origin: 'Backyard AI (Faraday)',
    weight: 0.85,
    signal: 'backyard-native-fields',
    test: ({ root, ext }) =>
      isRecord(at(ext, 'backyardai')) ||
      [root, at(root, 'character')].some((one) => hasText(one, 'aiName', 'aiPersona', 'basePrompt')),
  },
  {
    origin: 'SillyTavern',
    weight: 0.5,
    signal: 'sillytavern-extension-keys',
    test: ({ ext }) => has(ext, 'talkativeness', 'depth_prompt', 'world', 'fav'),
  },
  {
    origin: 'RoleCall',
    weight: 0.98,
    signal: 'rolecall-spec',
    test: ({ root }) => starts(at(root, 'spec'), 'rolecall_'),
  },
  { origin: 'RisuAI', weight: 0.97, signal: 'risu-native-book', test: isRisuBook },
  { origin: 'RisuAI', weight: 0.95, signal: 'risum-module', test: ({ container }) => container === 'risum' },
  {
    origin: 'Lumiverse',
    weight: 0.97,
    signal: 'lumiverse-type',
    test: ({ root }) => starts(at(root, 'type'), 'lumiverse_'),
  },
  {
    origin: 'Lumiverse',
    weight: 0.93,
    signal: 'lumiverse-extension-keys',
    test: ({ ext }) => has(ext, ...LUMIVERSE_KEYS),
  },
  {
    origin: 'Marinara',
    weight: 0.97,
    signal: 'marinara-type',
    test: ({ root }) => starts(at(root, 'type'), 'marinara_'),
  },
  {
    origin: 'Marinara',
    weight: 0.93,
    signal: 'marinara-extension-keys',
    test: ({ ext }) => has(ext, 'rpgStats', 'nameColor', 'dialogueColor', 'boxColor') || isRecord(at(ext, 'marinara')),
  },
  { origin: 'bunzai', weight: 0.97, signal: 'native-wrapper', test: isNative },
  {
    origin: (evidence) => String(toolName(evidence)),
    weight: 0.95,
    signal: 'metadata.tool.name',
    test: (evidence) => isText(toolName(evidence)) && toolName(evidence) !== '',
  },
  { origin: 'NovelAI', weight: 0.95, signal: 'novelai-version-number', test: isNovelAi },
  { origin: 'Backyard AI (Faraday)', weight: 0.95, signal: 'byaf-archive', test: isByaf },
  { origin: 'Agnai', weight: 0.9, signal: 'agnai-memory', test: isAgnaiBook },
  {
    origin: 'KoboldAI',
    weight: 0.9,
    signal: 'kobold-save',
    test: ({ root }) => typeof at(root, 'gamestarted') === 'boolean',
  },
  {
    origin: 'Voxta',
    weight: 0.9,
    signal: 'voxta',
    test: ({ root, ext }) => isText(at(root, '$type')) || isRecord(at(ext, 'voxta')),
  },
  { origin: 'Ginger', weight: 0.88, signal: 'extensions.ginger', test: appObject('ginger') },
  { origin: 'MikuGG', weight: 0.88, signal: 'extensions.mikugg', test: ({ ext }) => has(ext, 'mikugg', 'mikugg_v2') },
  {
    origin: 'SillyTavern',
    weight: 0.8,
    signal: 'extensions.tavern_helper',
    test: ({ ext }) => has(ext, 'tavern_helper'),
  },
  { origin: 'Pygmalion', weight: 0.7, signal: 'pygmalion-native-fields', test: isPygmalion },
  { origin: 'SillyTavern', weight: 0.6, signal: 'world-info-rows', test: isWorldInfo },
];

/** Labels a parsed file. `value` is the file's main object, whatever it is; never throws. */
export function labelOf(value: unknown, container: string): Label {
  const evidence = gather(value, container);
  const format = FORMATS.find(({ test }) => test(evidence))?.format ?? 'unknown';
  const fired = ORIGINS.filter(({ test }) => test(evidence));
  const best = fired.reduce<OriginRule | undefined>(
    (top, rule) => (top && top.weight >= rule.weight ? top : rule),
    undefined,
  );
  const signals = fired.map(({ signal }) => signal);
  if (!best) return { format, container, confidence: 0, signals };
  const likelyOrigin = typeof best.origin === 'string' ? best.origin : best.origin(evidence);
  return { format, container, likelyOrigin, confidence: best.weight, signals };
}

/** Archives keep their card one step down. */
function gather(value: unknown, container: string): Evidence {
  const outer = isRecord(value) ? value : {};
  const card = at(outer, 'card');
  const root = isRecord(card) && !has(outer, 'spec') ? card : outer;
  const data = at(root, 'data');
  const inner = isRecord(data) ? data : root;
  const extensions = at(inner, 'extensions');
  return { root, data: inner, ext: isRecord(extensions) ? extensions : {}, container };
}
