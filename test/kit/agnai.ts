/** Samples and edits of the Agnai tests. */
import { readFileSync } from 'node:fs';
import type { Wire } from '../../src/core/draft.ts';
import { create, get, put } from '../../src/core/lens.ts';
import { createEngine } from '../../src/engine.ts';
import { type CharacterBody, emptyCharacter } from '../../src/entities/character/schema.ts';
import type { EntityOf } from '../../src/entities/kinds.ts';
import { agnaiBase, agnaiFields } from '../../src/formats/agnai/fields.ts';
import adapters, { agnai } from '../../src/formats/agnai/index.ts';
import { left as escrowOf, parse, readAs } from './adapter.ts';

export const SAMPLES = new URL('../../samples/agnai/', import.meta.url);
export const engine = createEngine(adapters);
const sample = (name: string): Wire => parse(readFileSync(new URL(name, SAMPLES)));
export const irma = sample('agnai.irma.json');
export const nagi = sample('agnai.nagi.json');
export const harbour = sample('agnai-lorebook.harbour.json');
type Body = CharacterBody;
export const read = (card: unknown): EntityOf<'character'> => readAs(agnai, card);
export const bodyOf = (card: Wire): Body => get(agnaiFields, { carrier: 'json', card }, emptyCharacter());

/** The card after an edit of its body, as the field table writes it. */
export const edited = (card: Wire, edit: (body: Body) => void): Wire => {
  const body = structuredClone(bodyOf(card));
  edit(body);
  return put(agnaiFields, { carrier: 'json', card }, body).card as Wire;
};

export const fresh = (edit: (body: Body) => void): Wire => {
  const body = emptyCharacter();
  edit(body);
  return create(agnaiFields, { carrier: 'json', card: agnaiBase() }, body).card as Wire;
};

export const left = (card: Wire) => escrowOf(agnai, card);
