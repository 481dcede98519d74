import type { CharacterBody } from '../../../entities/character/schema.ts';
import {
  choice,
  colour,
  date,
  json,
  line,
  list,
  maybe,
  number,
  pairs,
  RATINGS,
  ROLES,
  rows,
  type Said,
  type TableOf,
  text,
} from './describe.ts';

/** Slots of a card that the greetings editor and the media tab show. */
export type CharacterElsewhere =
  | 'greetings.firstMessage'
  | 'greetings.alternateGreetings'
  | 'greetings.groupOnlyGreetings'
  | 'media.portrait'
  | 'media.assets'
  | 'presentation.background.ref';

const main = { main: true };
const voice = { inside: { provider: '' } };
const background = { inside: { ref: '' } };

/** Fields of a card. */
export const characterFields: TableOf<CharacterBody, CharacterElsewhere> = {
  'identity.name': line(['Name', '名字'], ['What {{char}} becomes.', '{{char}} 会变成这个名字。'], {
    required: true,
    main: true,
  }),
  'identity.nickname': line(
    ['Nickname', '昵称'],
    ['What {{char}} becomes instead, where an app knows it.', '支持的应用会用它代替 {{char}}。'],
  ),
  'identity.tagline': line(['Tagline', '简介'], ['One line for lists.', '列表里显示的一行。'], main),
  'identity.description': text(
    ['Description', '描述'],
    ['Who the character is. In the prompt at every turn.', '角色是谁。每一轮都在提示词里。'],
    main,
  ),
  'identity.characterVersion': line(['Version', '版本'], ['Of this card.', '这张卡的版本。'], main),
  'identity.fullName': line(['Full name', '全名']),
  'identity.title': line(['Title', '头衔']),
  'identity.age': line(['Age', '年龄'], ['Free text.', '任意文字。']),
  'identity.pronouns': line(['Pronouns', '人称代词']),
  'identity.culture': line(['Language or accent', '语言或口音'], ['For example en-us.', '例如 zh-cn。']),

  'persona.personality': text(['Personality', '性格'], ['In the prompt at every turn.', '每一轮都在提示词里。'], main),
  'persona.scenario': text(
    ['Scenario', '场景'],
    ['Where and when the chat takes place.', '对话发生的地点和情境。'],
    main,
  ),
  'persona.appearance': text(['Appearance', '外貌']),
  'persona.voice.provider': line(
    ['Voice: provider', '语音：服务'],
    ['A choice of voice, never sound.', '只是语音的选择，不含音频。'],
  ),
  'persona.voice.voiceId': line(['Voice: name', '语音：名称'], undefined, voice),
  'persona.voice.rate': number(['Voice: speed', '语音：语速'], undefined, { step: 0.1, ...voice }),
  'persona.voice.pitch': number(['Voice: pitch', '语音：音调'], undefined, { step: 0.1, ...voice }),
  'persona.voice.disabled': maybe(['Voice: off', '语音：停用'], undefined, voice),
  'persona.voice.extras': json(['Voice: more settings', '语音：其他设置'], undefined, voice),
  'persona.imagePrompt.prompt': text(['Picture prompt', '绘图提示词'], ['For image generation.', '用于生成图片。']),
  'persona.imagePrompt.prefix': line(['Picture prompt: before', '绘图提示词：前缀']),
  'persona.imagePrompt.suffix': line(['Picture prompt: after', '绘图提示词：后缀']),
  'persona.imagePrompt.negative': text(['Picture prompt: leave out', '绘图提示词：排除']),
  'persona.imagePrompt.template': line(['Picture prompt: template', '绘图提示词：模板']),
  'persona.imagePrompt.instructions': text(['Picture prompt: instructions', '绘图提示词：说明']),
  'persona.imagePrompt.emotionInstructions': text(['Picture prompt: emotions', '绘图提示词：表情']),
  'persona.imagePrompt.rows': rows(
    ['Picture prompt: rows', '绘图提示词：条目'],
    {
      label: line(['Label', '标签'], undefined, { required: true }),
      value: line(['Text', '文字'], undefined, { required: true }),
    },
    () => ({ label: '', value: '' }),
  ),
  'persona.structured': json(
    ['Attributes', '属性'],
    ['How the persona is written down: kind and attributes.', '人设的书写方式：类型和属性。'],
  ),

  'prompts.systemPrompt': text(
    ['Main prompt', '主提示词'],
    [
      "Takes the place of the app's own. {{original}} stands for that.",
      '替换应用自带的主提示词，{{original}} 代表原文。',
    ],
    main,
  ),
  'prompts.postHistoryInstructions': text(
    ['Instructions after the chat', '历史后指令'],
    ['The last thing the model reads.', '模型最后读到的内容。'],
    main,
  ),
  'prompts.depthInjections': rows(
    ['Depth notes', '深度注释'],
    {
      text: text(['Text', '文字'], undefined, { required: true, main: true }),
      depth: number(['Depth', '深度'], ['Messages from the end; 0 is the newest.', '从末尾数的消息数；0 为最新。'], {
        required: true,
        main: true,
        min: 0,
      }),
      role: choice(['Role', '身份'], ROLES, undefined, main),
      enabled: maybe(['On', '启用'], undefined, main),
      origin: choice(
        ['Written as', '写作'],
        {
          depth_prompt: ['Character note', '角色注释'],
          rolecall_details: ['RoleCall details', 'RoleCall 细节'],
          worldinfo: ['Lorebook entry', '世界书条目'],
        },
        ['Where the file keeps it.', '在文件中的位置。'],
      ),
    },
    () => ({ text: '', depth: 4 }),
    ['Put into the chat at a depth.', '插入到对话的某个深度。'],
    main,
  ),
  'prompts.prefill': text(['Start of the reply', '回复开头'], ['The model goes on from here.', '模型会从这里继续。']),
  'prompts.additionalText': text(['Further text', '附加文字']),

  'examples.exampleMessages': text(
    ['Example messages', '对话示例'],
    ['<START> begins each example.', '每段示例以 <START> 开头。'],
    main,
  ),

  'discovery.tags': list(['Tags', '标签'], undefined, main),
  'discovery.genre': line(['Genre', '类型']),
  'discovery.fandom': line(['Fandom', '作品']),
  'discovery.rating': choice(['Rating', '分级'], RATINGS, undefined, main),
  'discovery.contentWarnings': list(['Content warnings', '内容警告']),

  'attribution.creator': line(['Creator', '作者'], undefined, main),
  'attribution.originalCreator': line(['First creator', '原作者']),
  'attribution.creatorNotes': text(
    ["Creator's notes", '作者注释'],
    ['For players; never in a prompt.', '给玩家看的，绝不进入提示词。'],
    main,
  ),
  'attribution.creatorNotesMultilingual': pairs(
    ["Creator's notes by language", '各语言的作者注释'],
    ['Language code, for example ja.', '语言代码，例如 zh。'],
  ),
  'attribution.publicNote': text(['Public note', '公开备注']),
  'attribution.source': list(['Sources', '来源'], ['Links stay text; nothing is opened.', '链接只是文字，不会打开。']),
  'attribution.sourceUrl': line(['Address', '网址']),
  'attribution.license': line(['Licence', '许可']),
  'attribution.createdAt': date(['Made on', '创建时间']),
  'attribution.updatedAt': date(['Changed on', '修改时间']),

  'presentation.signatureColor': colour(['Colour', '主题色']),
  'presentation.gradientColors': list(['Gradient', '渐变色']),
  'presentation.palette': rows(
    ['Palette', '配色'],
    {
      hex: colour(['Colour', '颜色'], undefined, { required: true }),
      label: line(['Label', '标签']),
      name: line(['Name', '名称']),
    },
    () => ({ hex: '#808080' }),
  ),
  'presentation.background.overlayOpacity': number(['Background: cover', '背景：遮罩'], undefined, {
    step: 0.05,
    ...background,
  }),
  'presentation.background.videoPlaybackRate': number(['Background: video speed', '背景：视频速度'], undefined, {
    step: 0.1,
    ...background,
  }),
  'presentation.fieldOrder': list(['Order of fields', '字段顺序']),
  'presentation.spoilers.mode': choice(['Hide spoilers', '剧透保护'], { on: ['On', '开'], off: ['Off', '关'] }),
  'presentation.spoilers.order': list(['Spoilers: order', '剧透：顺序']),
  'presentation.spoilers.fields': json(['Spoilers: fields', '剧透：字段']),
  'presentation.mediaLinks': list(
    ['Links to media', '媒体链接'],
    ['Kept as text; nothing is loaded.', '只保留文字，不会加载。'],
  ),
  'media.visualKind': line(['Shown as', '显示方式']),
  'media.faceLabel': line(['Expression of the portrait', '立绘的表情']),
  'media.sprite.parts': pairs(['Sprite: parts', '精灵图：部件']),
  'media.sprite.gender': line(['Sprite: gender', '精灵图：性别']),
  'media.sprite.eyeColor': line(['Sprite: eyes', '精灵图：眼睛']),
  'media.sprite.bodyColor': line(['Sprite: body', '精灵图：身体']),
  'media.sprite.hairColor': line(['Sprite: hair', '精灵图：头发']),

  'settings.talkativeness': number(['Talkativeness', '健谈程度'], ['0 to 1, in group chats.', '0 到 1，用于群聊。'], {
    min: 0,
    max: 1,
    step: 0.05,
  }),
  'settings.risu.viewScreen': line(['RisuAI: view screen', 'RisuAI：视图']),
  'settings.risu.largePortrait': maybe(['RisuAI: large portrait', 'RisuAI：大立绘']),
  'settings.risu.inlayViewScreen': maybe(['RisuAI: inlay view', 'RisuAI：内嵌视图']),
  'settings.risu.utilityBot': maybe(['RisuAI: utility bot', 'RisuAI：工具角色']),
  'settings.risu.lorePlus': maybe(['RisuAI: LorePlus', 'RisuAI：LorePlus']),
  'settings.responseSchema': json(['Form of the reply', '回复格式']),

  'behavior.regexScripts': rows(
    ['Regex rules in the card', '卡内正则'],
    {
      label: line(['Name', '名称'], undefined, main),
      find: line(['Find', '查找'], undefined, { required: true, main: true }),
      replace: text(['Replace with', '替换为'], undefined, { required: true, main: true }),
      flags: line(['Flags', '标志'], undefined, main),
      phase: line(['When', '时机'], ['For example editdisplay.', '例如 editdisplay。'], { required: true, main: true }),
      useFlags: maybe(['The flags count', '使用标志']),
    },
    () => ({ find: '', replace: '', phase: 'editdisplay' }),
    ['Kept as text, never run here. Try them out under Rules.', '只保留文字，绝不运行。可在“规则”里试用。'],
  ),
  'behavior.triggerScripts': json(['Triggers', '触发器'], ['Kept as text, never run.', '只保留文字，绝不运行。']),
  'behavior.virtualScript': text(['Script', '脚本'], ['Kept as text, never run.', '只保留文字，绝不运行。']),
  'behavior.backgroundHTML': text(
    ['Background HTML', '背景 HTML'],
    ['Kept as text, never shown live.', '只保留文字，绝不渲染。'],
  ),
  'behavior.backgroundCSS': text(
    ['Background CSS', '背景 CSS'],
    ['Kept as text, never used.', '只保留文字，绝不生效。'],
  ),
  'behavior.defaultVariables': text(['Variables at the start', '初始变量']),
  'behavior.moduleToggles': text(['Module switches', '模块开关']),
  'behavior.prebuiltAsset.command': maybe(['Asset prompt', '资源提示词']),
  'behavior.prebuiltAsset.exclude': list(['Asset prompt: leave out', '资源提示词：排除']),
  'behavior.prebuiltAsset.style': line(['Asset prompt: style', '资源提示词：样式']),
  'behavior.privileged': maybe(
    ['Asks for low-level access', '要求底层访问'],
    ['An app that grants it lets the card run scripts.', '授予后，卡片可以运行脚本。'],
  ),

  knowledgeRefs: list(['Linked lorebooks', '关联世界书'], ['By id, in order.', '按编号，依次。'], { group: 'links' }),
  behaviorRefs: list(['Linked regex sets', '关联正则集'], ['By id, in order.', '按编号，依次。'], { group: 'links' }),
  worldName: line(
    ['Lorebook by name', '按名称关联的世界书'],
    ['One that the app has to have.', '应用里须有同名世界书。'],
    { group: 'links' },
  ),
  bias: rows(
    ['Word biases', '词语偏置'],
    {
      phrase: line(['Words', '词语'], undefined, { required: true }),
      weight: number(['Weight', '权重'], undefined, { required: true, step: 0.1 }),
    },
    () => ({ phrase: '', weight: 0 }),
    undefined,
    { group: 'settings' },
  ),
  variants: rows(
    ['Variants', '变体'],
    {
      id: line(['Id', '编号'], undefined, { required: true }),
      label: line(['Name', '名称']),
      mirrorBase: maybe(['Follows the card', '继承本体']),
      overrides: json(['What is different', '差异'], undefined, { required: true }),
    },
    (others) => ({ id: `variant-${others.length + 1}`, overrides: {} }),
    ['Other versions of this character.', '角色的其他版本。'],
    { group: 'links' },
  ),
};

export const characterGroups: Readonly<Record<string, Said>> = {
  identity: ['Who it is', '身份'],
  persona: ['Character', '人设'],
  prompts: ['Prompts', '提示词'],
  examples: ['Examples', '示例'],
  discovery: ['Tags and rating', '标签与分级'],
  attribution: ['Author', '作者'],
  presentation: ['Look', '外观'],
  media: ['Look: sprite', '外观：精灵图'],
  settings: ['Settings', '设置'],
  behavior: ['Rules and scripts', '规则与脚本'],
  links: ['Links and variants', '关联与变体'],
};
