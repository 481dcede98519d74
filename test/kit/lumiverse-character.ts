/** Samples and edits of the tests of Lumiverse’s character. */

import { valueAt, type Wire } from '../../src/core/draft.ts';
import { sourceOf } from '../../src/core/source.ts';
import type { CharacterBody, MediaAsset } from '../../src/entities/character/schema.ts';
import { emptyCharacter } from '../../src/entities/character/schema.ts';
import type { EntityOf } from '../../src/entities/kinds.ts';
import { type Zip, zipOf } from '../../src/formats/_shared/zip.ts';
import { lumiverse } from '../../src/formats/lumiverse/character.ts';
import { parse, source } from './adapter.ts';
import { sampleBytes, sampleJson } from './lumiverse.ts';

export type Character = EntityOf<'character'>;
export const JSON_FILE = 'lumiverse.ananya.json';
const ZIP_FILE = 'lumiverse.mira.charx';
export const ananya = sampleJson(JSON_FILE);
export const mira = sampleBytes(ZIP_FILE);
await lumiverse.prepare?.('write');
export const read = (wire: unknown): Character => lumiverse.toCanonical(source(wire))[0] as Character;
export const write = (entity: Character, context = {}) => lumiverse.fromCanonical([entity], context);
export const edited = (entity: Character, edit: (body: CharacterBody) => void): Character => {
  const { body } = entity;
  const copy: CharacterBody = {
    ...body,
    identity: { ...body.identity },
    media: { ...body.media },
    persona: { ...body.persona },
  };
  edit(copy);
  return { ...entity, body: copy };
};

export const made = (edit: (body: CharacterBody) => void): Character => {
  const body = emptyCharacter();
  body.identity.name = 'Mira';
  edit(body);
  return { schemaVersion: '1', kind: 'character', id: 'mira', body };
};

export const extensions = (wire: Wire) => valueAt(wire, ['data', 'extensions']) as Wire;
export const zip = (bytes: Uint8Array): Zip => zipOf(sourceOf(bytes)) as Zip;
export const member = (bytes: Uint8Array, name: string): Wire => parse(zip(bytes).get(name)?.content.bytes());
export const modules = (bytes: Uint8Array) => member(bytes, 'lumiverse_modules.json');
export const labels = (assets: readonly MediaAsset[] = []) => assets.map(({ role, label }) => `${role} ${label}`);
export const left = (entity: Character) => lumiverse.account(entity).left.map(({ path }) => path);
