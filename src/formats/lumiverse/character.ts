/** Characters: a V3 card with keys of the app's own, alone, in a picture, or in an archive with modules beside it. */
import type { AccountResult } from '../../core/account.ts';
import type { Stripped } from '../../core/adapter.ts';
import { isBytes } from '../../core/bytes.ts';
import { text } from '../../core/codec.ts';
import { existsAt, isRecord, type Keys, keysOf, openDraft, valueAt, type Wire } from '../../core/draft.ts';
import { type Lens, marks } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import type { Source } from '../../core/source.ts';
import { character } from '../../entities/character/lenses.ts';
import type { CharacterBody } from '../../entities/character/schema.ts';
import type { AdapterOf } from '../../entities/kinds.ts';
import { assetMaps } from '../_shared/asset-maps.ts';
import { isPngPortrait } from '../_shared/card.ts';
import { type OpenedCard, plainCarriers } from '../_shared/card-carriers.ts';
import { cardValueOf } from '../_shared/card-io.ts';
import { archivedCardOf, charxOf, charxWith } from '../_shared/charx.ts';
import { JSON_CONTAINER, PNG_CONTAINER } from '../_shared/containers.ts';
import { withoutPrivateKeys } from '../_shared/private-keys.ts';
import { defineTavern } from '../_shared/tavern.ts';
import { isTavernCard } from '../_shared/tavern-detect.ts';
import type { CardLevel } from '../_shared/tavern-fields.ts';
import { mediaFields } from '../_shared/tavern-media.ts';
import { MODULES, pointedAt } from './archive.ts';
import { archiveMedia, looseIn } from './archive-media.ts';
import { worldBookShelf } from './books.ts';
import { hasFingerprint } from './fingerprint.ts';
import { variantField } from './variants.ts';

/** The version of the modules; whole books, which are accounted for on their own. */
const moduleMarks: Lens<CharacterBody> = {
  ...marks<CharacterBody>(['modules.version', 'modules.world_books'], 'whole books are entities of their own'),
  claims: () => [{ keys: ['modules', 'version'] }, { keys: ['modules', 'world_books'] }],
};

/** Fields of the app's own over `data`. */
export function lumiverseFields(data: string, level: CardLevel): Lens<CharacterBody>[] {
  return [
    ...mediaFields(data, level === 'v3', {
      home: archiveMedia,
      maps: assetMaps('extensions.expressions.mappings', 'extensions.expression_groups.*'),
    }),
    character.field(
      'identity.nickname',
      at(`${data}.extensions.alternate_character_name`, ...(level === 'v3' ? [`${data}.nickname`] : [])),
      text(),
    ),
    variantField(data),
    moduleMarks,
  ] as Lens<CharacterBody>[];
}

const isOurs = (card: unknown): boolean => isTavernCard(card) && hasFingerprint(isRecord(card.data) ? card.data : card);

/** Modules are certain; RisuAI's own module says that an archive is RisuAI's. */
function detect(source: Source): number {
  const zip = charxOf(source);
  if (!zip) return isOurs(cardValueOf(source)) ? 0.95 : 0;
  if (zip.get(MODULES.member)) return 1;
  return !zip.get('module.risum') && isOurs(archivedCardOf(source)) ? 0.96 : 0;
}

/** A fresh card has a key that nobody else writes, so that it is known again; an archive has its modules. */
function mark(card: Wire, container: string): Wire {
  const data = isRecord(card.data) ? card.data : {};
  return container === 'charx' ? card : { ...card, data: { ...data, extensions: { alternate_fields: {} } } };
}

/** Whether a character says something that only an archive holds. */
function needsArchive({ media: { assets = [], portrait }, variants = [] }: CharacterBody): boolean {
  const pictures = variants.map(({ overrides }) => valueAt(overrides, ['media', 'portrait', 'ref']));
  const refs = [...assets.map(({ ref }) => ref), ...pictures];
  return refs.some(isBytes) || (isBytes(portrait?.ref) && !isPngPortrait(portrait.ref));
}

function doubts({ wire }: OpenedCard): Pick<AccountResult, 'left' | 'warnings'> {
  const files = isRecord(wire.files) ? wire.files : {};
  const known = new Set([...pointedAt(wire), ...looseIn(wire, true).gallery]);
  const left = Object.keys(files).filter((path) => wire.carrier === 'charx' && !known.has(path));
  const scripts = valueAt(wire, ['modules', 'regex_scripts']);
  const rules = Array.isArray(scripts) ? scripts.length : 0;
  const message = `carries ${rules === 1 ? '1 rule' : `${rules} rules`} that an app may run; bunzai never runs them`;
  return {
    left: left.map((path) => ({ path: `unmapped.assetFiles["${path}"]`, value: files[path] })),
    warnings: rules === 0 ? [] : [{ code: 'card.carries-code', path: 'modules.regex_scripts', message }],
  };
}

/** Ids of an account, and the name of the file it was uploaded as: the app strips them itself when it exports. */
const PRIVATE: readonly Keys[] = [
  'world_book_id',
  'world_book_ids',
  'databank_ids',
  'avatar_crop_image_id',
  'original_image_id',
  '_lumiverse_source_filename',
].map((key) => keysOf(`data.extensions.${key}`));

function stripSecrets(raw: unknown): Stripped {
  const plain = withoutPrivateKeys(raw);
  if (!isRecord(plain.raw)) return plain;
  const draft = openDraft(plain.raw);
  const there = PRIVATE.filter((keys) => existsAt(plain.raw, keys));
  for (const keys of there) draft.delete(keys);
  return { raw: draft.wire, removed: [...plain.removed, ...there.map((keys) => keys.join('.'))] };
}

/** Lumiverse's character. */
export const lumiverse: AdapterOf<'character'> = defineTavern({
  id: 'lumiverse',
  family: 'lumiverse',
  label: 'Lumiverse',
  containers: [JSON_CONTAINER, PNG_CONTAINER, { name: 'charx', extension: 'charx', mime: 'application/zip' }],
  carriers: [charxWith([MODULES]), plainCarriers],
  extra: lumiverseFields,
  mark,
  shelf: worldBookShelf,
  detect,
  choose: (body) => (needsArchive(body) ? 'charx' : isPngPortrait(body.media.portrait?.ref) ? 'png' : 'json'),
  doubts,
  stripSecrets,
});
