import * as v from 'valibot';
import { group, mediaRef, number, oneOf, text, texts } from '../slots.ts';

/** The body of a persona; unknown keys are faults. */
export const personaSchema = v.strictObject({
  name: v.string(),
  brief: text(),
  content: text(),
  sections: group({ appearance: text(), body: text(), personality: text(), quirks: text(), history: text() }),
  sectionOrder: texts(),
  traits: texts(),
  identity: group({
    tagline: text(),
    age: text(),
    height: text(),
    pronouns: text(),
    pronounSet: group({ subjective: text(), objective: text(), possessive: text() }),
  }),
  presentation: group({ signatureColor: text(), colors: texts(), imageUrl: text() }),
  knowledgeRefs: texts(),
  rating: oneOf(['all-ages', 'mature', 'explicit']),
  chatInjection: group({
    position: v.string(),
    depth: number(),
    role: oneOf(['system', 'user', 'assistant']),
    wrapper: text(),
  }),
  attribution: group({ creator: text(), version: text(), createdAt: text(), source: text() }),
  media: group({
    portrait: group({
      role: v.picklist(['portrait', 'emotion', 'outfit', 'pose', 'background', 'other']),
      name: text(),
      label: text(),
      primary: v.nullish(v.boolean()),
      ref: mediaRef(),
      mime: text(),
    }),
  }),
});
