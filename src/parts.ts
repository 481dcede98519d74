/** What is in an entity, by name and number. */
import { carriedCode } from './cautions.ts';
import { primaryOriginalRaw } from './core/canonical.ts';
import type { AnyEntity, EntityOf } from './entities/kinds.ts';

/** The name people see; empty where the file has none. */
export const nameOf = (entity: AnyEntity): string =>
  entity.kind === 'character' ? entity.body.identity.name : entity.body.name;

/** What an entity holds, by the plural word for it; parts that are not there are left out. */
export function partsOf(entity: AnyEntity): Record<string, number> {
  return Object.fromEntries(Object.entries(countsOf(entity)).filter(([, count]) => count > 0));
}

function countsOf(entity: AnyEntity): Record<string, number> {
  switch (entity.kind) {
    case 'character':
      return characterParts(entity);
    case 'lorebook':
      return bookParts(entity);
    case 'persona':
      return personaParts(entity);
    case 'regex':
      return ruleParts(entity);
    case 'preset':
      return presetParts(entity);
  }
}

function characterParts(entity: EntityOf<'character'>): Record<string, number> {
  const { greetings, media, discovery, prompts, persona, variants, knowledgeRefs } = entity.body;
  const { rules, scripts } = carriedCode(primaryOriginalRaw(entity.original), entity);
  const alternates = greetings.alternateGreetings?.length ?? 0;
  return {
    greetings: (greetings.firstMessage ? 1 : 0) + alternates,
    'group greetings': greetings.groupOnlyGreetings?.length ?? 0,
    books: knowledgeRefs?.length ?? 0,
    portraits: media.portrait ? 1 : 0,
    assets: media.assets?.length ?? 0,
    tags: discovery.tags?.length ?? 0,
    'depth notes': prompts.depthInjections?.length ?? 0,
    voices: persona.voice ? 1 : 0,
    variants: variants?.length ?? 0,
    rules,
    scripts,
  };
}

const bookParts = ({ body }: EntityOf<'lorebook'>): Record<string, number> => ({
  entries: body.entries.length,
  'always-on entries': body.entries.filter(({ constant }) => constant).length,
  'disabled entries': body.entries.filter(({ enabled }) => !enabled).length,
  categories: body.categories?.length ?? 0,
  tags: body.tags?.length ?? 0,
});

const personaParts = ({ body }: EntityOf<'persona'>): Record<string, number> => ({
  texts: body.content ? 1 : 0,
  sections: Object.keys(body.sections ?? {}).length,
  traits: body.traits?.length ?? 0,
  books: body.knowledgeRefs?.length ?? 0,
});

const ruleParts = ({ body }: EntityOf<'regex'>): Record<string, number> => ({
  rules: body.rules.length,
  'disabled rules': body.rules.filter(({ enabled }) => !enabled).length,
});

const presetParts = ({ body }: EntityOf<'preset'>): Record<string, number> => ({
  prompts: body.prompts.length,
  'disabled prompts': body.prompts.filter(({ enabled }) => !enabled).length,
  groups: body.groups?.length ?? 0,
  samplers: Object.keys(body.samplers ?? {}).length,
});
