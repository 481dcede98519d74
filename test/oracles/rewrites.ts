/** What the judges are known to change or refuse, and why. Whatever no row covers is a finding. */
import { cardIn } from './card-in.ts';
import type { Fresh } from './fresh.ts';
import type { Change } from './judge.ts';

interface About {
  /** Name of the judge. */
  readonly judge: string;
  /** Targets it is about; absent: all that this judge reads. */
  readonly targets?: readonly string[];
  readonly container?: string;
  readonly dialect?: string;
  readonly reason: string;
}

/** A change that a judge makes by its own design. */
export interface Rewrite extends About {
  readonly path: RegExp;
  /** A closer look at what it became. */
  readonly when?: (change: Change) => boolean;
}

/** A file that a judge does not take, by its own design. */
export interface Refusal extends About {
  readonly when: (file: Fresh, said: string) => boolean;
}

const SERVER = 'SillyTavern server';
const PAGE = 'SillyTavern page';
const added = ({ ours }: Change): boolean => ours === undefined;
const dropped = ({ theirs }: Change): boolean => theirs === undefined || theirs === null;

/** What SillyTavern takes out of a name, because its files are called by it. */
const asFileName = (name: unknown): string =>
  String(name)
    .replace(/[/?<>\\:*|"\u0000-\u001f\u0080-\u009f]/g, '')
    .replace(/[. ]+$/, '');

const cards: readonly Rewrite[] = [
  {
    judge: SERVER,
    path: /^(name|description|personality|scenario|first_mes|mes_example|talkativeness|tags|fav|chat|create_date)$/,
    when: added,
    reason: 'A copy of the main fields stands beside `data`, with the date and the chat of the import.',
  },
  { judge: SERVER, path: /^data\.extensions\.fav$/, reason: 'An imported character is not marked as a favourite.' },
  {
    judge: SERVER,
    path: /^spec(_version)?$/,
    when: ({ theirs }) => theirs === 'chara_card_v3' || theirs === '3.0',
    reason: 'Every stored card is labelled V3.',
  },
  {
    judge: SERVER,
    path: /^(data\.name|identity\.name)$/,
    when: ({ ours, theirs }) => ours !== theirs && asFileName(ours) === theirs,
    reason: 'A name loses the characters that a file name cannot have.',
  },
];

const pygmalion = { judge: SERVER, targets: ['pygmalion'] };
const byaf = { judge: SERVER, targets: ['byaf'] };
const converted: readonly Rewrite[] = [
  {
    ...pygmalion,
    path: /^persona\.personality$/,
    when: dropped,
    reason: 'The one persona text becomes the description and nothing else.',
  },
  {
    ...pygmalion,
    path: /^(media\.portrait\.ref|settings\.talkativeness)$/,
    when: added,
    reason: 'A picture and a talkativeness of its own are filled in.',
  },
  {
    ...byaf,
    path: /^examples\.exampleMessages$/,
    when: ({ theirs }) => String(theirs).startsWith('<START>'),
    reason:
      'Each example goes behind a `<START>` line, one that has such a line already too; single braces are doubled.',
  },
  {
    ...byaf,
    path: /^identity\.(name|nickname)$/,
    reason: 'The name in the chat is the name of the card; the shown name goes into an extension.',
  },
  {
    ...byaf,
    path: /^(identity\.description|persona\..*|prompts\..*|greetings\..*|entries\[\d+\]\..*)$/,
    when: ({ ours, theirs }) => /\{(character|user)\}/.test(String(ours)) && /\{\{(char|user)\}\}/.test(String(theirs)),
    reason: 'Placeholders get double braces.',
  },
  {
    ...byaf,
    path: /^greetings\.alternateGreetings\[\d+\](\.title)?$/,
    when: dropped,
    reason: 'A greeting has no title here; one that says the same as the first message is left out.',
  },
  {
    ...byaf,
    path: /^(attribution\.(createdAt|updatedAt|sourceUrl)|discovery\.rating|media\.assets.*|presentation\.background\.ref)$/,
    when: dropped,
    reason:
      'A V2 card is made, with no place for dates, the address, the rating and further pictures (files beside it).',
  },
  {
    ...byaf,
    path: /^media\.portrait\.ref$/,
    when: ({ ours, theirs }) => /^<image\//.test(String(ours)) && /^<image\/png/.test(String(theirs)),
    reason: 'The picture is made anew, as a PNG.',
  },
  {
    ...byaf,
    path: /^(attribution\.creatorNotes|discovery\.tags|media\.portrait\.ref)$/,
    when: added,
    reason: 'The address of the author is the note, a tag says what is for adults, a picture is filled in.',
  },
];

const books: readonly Rewrite[] = [
  {
    judge: PAGE,
    targets: ['novelai-lorebook', 'agnai-lorebook', 'risu-lorebook'],
    path: /^entries\[\d+\]\.(position|displayIndex)$/,
    reason: 'Every entry goes before the character, and is listed in the order of the book.',
  },
  {
    judge: PAGE,
    targets: ['novelai-lorebook'],
    path: /^(entries\[\d+\]\.(constant|categoryId|contextConfig\..*|loreBiasGroups.*|keyRelative|nonStoryActivatable)|categories.*)$/,
    when: dropped,
    reason: 'Label, keys, text, priority and the switch are read; what else NovelAI says of an entry is not.',
  },
  {
    judge: PAGE,
    targets: ['agnai-lorebook'],
    path: /^(name|description|global.*|tokenBudget|entries\[\d+\]\.(constant|priority|comment|secondaryTriggers.*|selective|probability|excludeRecursion))$/,
    when: dropped,
    reason: 'Label, keywords, text, weight and the switch are read, and nothing of the book itself.',
  },
  {
    judge: PAGE,
    targets: ['risu-lorebook'],
    path: /^(entries\[\d+\]\.(role|caseSensitive|categoryId)|categories.*)$/,
    when: dropped,
    reason: 'Label, keys, text, order, chance and the always-on switch are read; what RisuAI keeps beside them is not.',
  },
  {
    judge: PAGE,
    targets: ['risu-lorebook'],
    path: /^entries\[\+\d+\]$/,
    when: added,
    reason: 'A folder of the book becomes an entry without a text.',
  },
  {
    judge: PAGE,
    targets: ['risu-lorebook'],
    path: /^entries\[\d+\]\.triggers\[\+?\d+\]$/,
    reason: 'A regex with a comma in it is split there, as a list of keys is.',
  },
];

const embedded = { judge: PAGE, targets: ['sillytavern'] };
const cardBooks: readonly Rewrite[] = [
  {
    ...embedded,
    path: /^\d+\.extensions$/,
    when: added,
    reason: 'An entry out of a card keeps the extensions that it had there.',
  },
  {
    ...embedded,
    path: /^\d+\.(comment|addMemo)$/,
    reason: 'The label is `comment`, never `name`: an entry with a title and a note shows the note.',
  },
  {
    ...embedded,
    path: /^\d+\.(sticky|cooldown|delay|delayUntilRecursion)$/,
    when: ({ ours, theirs }) => !ours && !theirs,
    reason: 'None is spelled `null` or `false` where we write 0.',
  },
  {
    ...embedded,
    path: /^\d+\.caseSensitive$/,
    when: dropped,
    reason: 'Letter case is read from the extensions of an entry only, not from the key that V3 has for it.',
  },
];

const preset = { judge: PAGE, targets: ['sillytavern-preset'] };
const settings: readonly Rewrite[] = [
  { judge: PAGE, targets: ['sillytavern-regex'], path: /^\d+\.id$/, reason: 'Every imported script gets a new id.' },
  {
    judge: PAGE,
    targets: ['sillytavern-persona'],
    path: /^(personas|persona_descriptions)\.user-default\.png$/,
    when: added,
    reason: 'A picture that is there without a persona gets an empty one.',
  },
  {
    judge: PAGE,
    targets: ['sillytavern-persona'],
    path: /^persona_descriptions\./,
    when: dropped,
    reason: 'A description without a persona is skipped.',
  },
  {
    ...preset,
    path: /^(reverse_proxy|proxy_password|custom_url|custom_include_body|custom_exclude_body|custom_include_headers|vertexai_region|vertexai_express_project_id|azure_base_url|azure_deployment_name|workers_ai_account_id)$/,
    when: dropped,
    reason: 'Addresses and passwords are taken out when the person agrees; the run does.',
  },
  {
    ...preset,
    path: /^chosen: (prompts|sequence|enabled)\.[^.]+$/,
    when: added,
    reason: 'The prompts that the app itself has are filled in where a preset lacks them, outside of the order.',
  },
  {
    ...preset,
    path: /^chosen: (sequence|enabled)\./,
    reason: 'A line of the order that names no prompt is taken out.',
  },
  { ...preset, path: /^name$/, when: added, reason: 'A file without a name is called by its file name.' },
  {
    ...preset,
    dialect: 'instruct',
    path: /^system_prompt$/,
    when: dropped,
    reason: 'The system prompt of an old instruct template becomes a template of its own.',
  },
  {
    judge: PAGE,
    targets: ['sillytavern-quickreply'],
    path: /^(onlyBorderColor|color|qrList\.\d+\.(execute[A-Za-z]+|showLabel))$/,
    when: (change) => added(change) || change.theirs === 'rgba(0, 0, 0, 0)',
    reason:
      'Switches and a colour that a file leaves out are filled in; `transparent` is spelled as the page computes it.',
  },
];

const FOUNDRY = '@character-foundry/loader';
const libraries: readonly Rewrite[] = [
  {
    judge: FOUNDRY,
    path: /^(group_only_greetings|character_book\.entries\.\d+\.(secondary_keys|name|comment))$/,
    when: added,
    reason: 'A V2 card is made a V3 card, with empty values for what it left out.',
  },
  {
    judge: FOUNDRY,
    path: /^character_book\.(entries\.\d+\.use_regex|match_whole_words)$/,
    when: dropped,
    reason: 'Keys of a book that V2 does not have are left out of a V2 card.',
  },
];

export const REWRITES: readonly Rewrite[] = [...cards, ...converted, ...books, ...cardBooks, ...settings, ...libraries];

/** Whether the card or the persona text in a file has a name. */
function isNameless({ bytes }: Fresh): boolean {
  const card = cardIn(bytes) as { data?: { name?: unknown }; char_name?: unknown } | undefined;
  return (card?.data?.name ?? card?.char_name ?? '') === '';
}

export const REFUSALS: readonly Refusal[] = [
  {
    judge: SERVER,
    when: isNameless,
    reason: 'A character without a name: bunzai makes none up, and says so (`card.nameless`).',
  },
  {
    ...pygmalion,
    container: 'png',
    when: () => true,
    reason: 'Its PNG reader knows only Tavern cards: give it JSON, or write `sillytavern`.',
  },
  {
    judge: PAGE,
    targets: ['sillytavern-quickreply'],
    dialect: 'quickreply-v1',
    when: (_, said) => /valid quick reply set/.test(said),
    reason: 'A set in the shape of old versions, which the app itself no longer imports.',
  },
];
