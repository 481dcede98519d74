/** Archives whose parts contradict each other: two places for one thing, or a place that cannot hold it. */
import { expect, test } from 'vitest';
import { encode, parse, source } from '../../../test/kit/adapter.ts';
import { bytesOf } from '../../core/bytes.ts';
import type { Wire } from '../../core/draft.ts';
import { sourceOf } from '../../core/source.ts';
import { type CharacterBody, emptyCharacter } from '../../entities/character/schema.ts';
import type { EntityOf } from '../../entities/kinds.ts';
import { writeZip, type Zip, zipOf } from '../_shared/zip.ts';
import { lumiverse } from './character.ts';

type Character = EntityOf<'character'>;
await lumiverse.prepare?.('write');

const MODULES = 'lumiverse_modules.json';
const MAIN = 'assets/icon/image/main.png';
const png = (n: number) => new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, n]);

/** An archive of a V3 card with these keys in `data`, these modules, and a main picture nothing points at. */
const archive = (data: Wire, modules: Wire): Uint8Array =>
  writeZip(
    Object.entries({
      'card.json': encode({ spec: 'chara_card_v3', spec_version: '3.0', data: { name: 'Noor', ...data } }),
      [MODULES]: encode({ version: 1, ...modules }),
      [MAIN]: png(1),
    }).map(([name, content]) => ({ name, content: bytesOf(content) })),
  );
const read = (bytes: Uint8Array): Character => lumiverse.toCanonical(source(bytes))[0] as Character;
const edited = (bytes: Uint8Array, edit: (body: CharacterBody) => void): Uint8Array => {
  const entity = read(bytes);
  const body = { ...entity.body, media: { ...entity.body.media } };
  edit(body);
  return lumiverse.fromCanonical([{ ...entity, body }], {}).bytes;
};
const member = (bytes: Uint8Array, name: string): Uint8Array | undefined =>
  (zipOf(sourceOf(bytes)) as Zip).get(name)?.content.bytes();

const VARIANTS = [{ id: 'a', label: 'रात', overrides: { identity: { description: 'By night.' } } }];
const ROW = [{ id: 'a', label: 'रात', content: 'By night.' }];

test.each<[string, Wire]>([
  ['a list', { alternate_fields: [] }],
  ['a number', { alternate_fields: 0 }],
  ['a text', { alternate_fields: 'none' }],
])('alternates go into the card where %s stands in their place beside it', (_, modules) => {
  const out = edited(archive({}, modules), (body) => {
    body.variants = VARIANTS;
  });
  expect(read(out).body.variants).toEqual(VARIANTS);
  expect(parse(member(out, MODULES))).toEqual({ version: 1, ...modules });
});

test('what cannot hold alternates hides none in the card, and is named', () => {
  const entity = read(archive({ extensions: { alternate_fields: { description: ROW } } }, { alternate_fields: 7 }));
  expect(entity.body.variants).toEqual(VARIANTS);
  expect(lumiverse.account(entity).left.map(({ path }) => path)).toContain('modules.alternate_fields');
});

test('the main picture comes before an icon that leads nowhere', () => {
  const lost = { assets: [{ type: 'icon', uri: 'embeded://assets/icon/gone.png', name: 'main', ext: 'png' }] };
  const bytes = archive(lost, {});
  expect(read(bytes).body.media.portrait?.ref).toMatchObject({ size: png(1).length });
  expect(read(bytes).body.media.assets).toMatchObject([{ role: 'portrait', ref: lost.assets[0]?.uri }]);
  const out = edited(bytes, (body) => {
    body.media = {};
  });
  expect(read(out).body.media).toEqual(emptyCharacter().media);
  expect(member(out, MAIN)).toBeUndefined();
});

test('beside an icon that is there the main picture is one of the gallery', () => {
  const uri = `data:image/png;base64,${Buffer.from(png(2)).toString('base64')}`;
  const bytes = archive({ assets: [{ type: 'icon', uri, name: 'main', ext: 'png' }] }, {});
  const { media } = read(bytes).body;
  expect(media.portrait?.ref).toMatchObject({ size: png(2).length });
  expect(media.assets).toMatchObject([{ role: 'other', label: 'main' }]);
  expect(
    member(
      edited(bytes, (body) => (body.media.assets = [])),
      MAIN,
    ),
  ).toBeUndefined();
});

test('a first expression touches nothing else of a module that stands', () => {
  const happy = (body: CharacterBody) => {
    body.media.assets = [{ role: 'emotion', label: 'happy', ref: bytesOf(png(3), 'image/png') }];
  };
  const expressions = (modules: Wire) => parse(member(edited(archive({}, modules), happy), MODULES)).expressions;
  const mappings = { happy: 'assets/other/image/expr_happy.png' };
  expect(expressions({ expressions: { zz: 1 } })).toEqual({ zz: 1, mappings });
  expect(expressions({})).toEqual({ enabled: true, defaultExpression: 'happy', mappings });
});
