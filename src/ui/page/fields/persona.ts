import type { PersonaBody } from '../../../entities/persona/schema.ts';
import { choice, colour, line, list, number, RATINGS, ROLES, type Said, type TableOf, text } from './describe.ts';

const main = { main: true };
const injection = { inside: { position: 'prompt' } };

/** Fields of a persona; its portrait is in the media tab. */
export const personaFields: TableOf<PersonaBody, 'media.portrait'> = {
  name: line(['Name', '名字'], ['What {{user}} becomes.', '{{user}} 会变成这个名字。'], { required: true, main: true }),
  brief: line(['In short', '简介'], ['For lists; never in a prompt.', '仅用于列表，绝不进入提示词。'], main),
  content: text(['Text', '正文'], ['In the prompt at every turn.', '每一轮都在提示词里。'], main),
  traits: list(['Traits', '特征']),
  rating: choice(['Rating', '分级'], RATINGS),
  'sections.appearance': text(['Appearance', '外貌']),
  'sections.body': text(['Body', '身体']),
  'sections.personality': text(['Personality', '性格']),
  'sections.quirks': text(['Quirks', '习惯']),
  'sections.history': text(['History', '经历']),
  sectionOrder: list(['Order of sections', '分节顺序'], undefined, { group: 'sections' }),
  'identity.tagline': line(['Tagline', '一句话']),
  'identity.age': line(['Age', '年龄'], ['Free text.', '任意文字。']),
  'identity.height': line(['Height', '身高']),
  'identity.pronouns': line(['Pronouns', '人称代词'], undefined, main),
  'identity.pronounSet.subjective': line(['Pronoun: subject', '代词：主格'], ['she, he, they …', 'she、he、they …']),
  'identity.pronounSet.objective': line(['Pronoun: object', '代词：宾格']),
  'identity.pronounSet.possessive': line(['Pronoun: possessive', '代词：所有格']),
  'chatInjection.position': line(
    ['Where it goes', '插入位置'],
    ['For example prompt or in_chat.', '例如 prompt 或 in_chat。'],
  ),
  'chatInjection.depth': number(['Depth', '深度'], ['Messages from the end.', '从末尾数的消息数。'], {
    min: 0,
    ...injection,
  }),
  'chatInjection.role': choice(['Role', '身份'], ROLES, undefined, injection),
  'chatInjection.wrapper': line(['Wrapper', '包裹文字'], undefined, injection),
  knowledgeRefs: list(['Linked lorebooks', '关联世界书'], ['By id or name.', '按编号或名称。'], { group: 'links' }),
  'presentation.signatureColor': colour(['Colour', '主题色']),
  'presentation.colors': list(['Colours', '颜色']),
  'presentation.imageUrl': line(
    ['Address of a picture', '图片网址'],
    ['Kept as text; never loaded.', '只保留文字，不会加载。'],
  ),
  'attribution.creator': line(['Creator', '作者'], undefined, main),
  'attribution.version': line(['Version', '版本']),
  'attribution.createdAt': line(['Made on', '创建时间'], ['As the format writes it.', '按格式原样书写。']),
  'attribution.source': line(['Source', '来源']),
};

export const personaGroups: Readonly<Record<string, Said>> = {
  '': ['Persona', '人设'],
  sections: ['Sections', '分节'],
  identity: ['Who it is', '身份'],
  chatInjection: ['Place in the chat', '在对话中的位置'],
  links: ['Links', '关联'],
  presentation: ['Look', '外观'],
  attribution: ['Author', '作者'],
};
