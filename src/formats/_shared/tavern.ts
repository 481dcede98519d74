import type { AccountResult } from '../../core/account.ts';
import type { EmitContext } from '../../core/adapter.ts';
import {
  agree,
  existsAt,
  isRecord,
  type Keys,
  keysOf,
  openDraft,
  same,
  saysNothing,
  valueAt,
  type Wire,
} from '../../core/draft.ts';
import type { Warning } from '../../core/errors.ts';
import { create, get, type Lens, put } from '../../core/lens.ts';
import { type CharacterBody, emptyCharacter } from '../../entities/character/schema.ts';
import type { AdapterOf, EntityOf } from '../../entities/kinds.ts';
import type { LorebookBody } from '../../entities/lorebook/schema.ts';
import { type CardSpec, type CardWrite, type CardWritten, cardIn, defineCard } from './card.ts';
import { type OpenedCard, payloadsOf } from './card-carriers.ts';
import type { Payload } from './card-io.ts';
import { bookHomes, cardBook } from './character-book.ts';
import { type BookDialect, embedBooks, extractBook } from './embedded-book.ts';
import { withoutPrivateKeys } from './private-keys.ts';
import { type CardLevel, tavernFields, v3OnlyFields } from './tavern-fields.ts';
import { baseCard, type CardVariant, gainsV3, relabelled, V3_KEYS, variantOf, wantsV3 } from './tavern-variant.ts';

/** What makes one app's Tavern card different from the next. */
export interface TavernSpec
  extends Pick<
    CardSpec,
    | 'id'
    | 'family'
    | 'label'
    | 'generic'
    | 'containers'
    | 'carriers'
    | 'carrierFor'
    | 'detect'
    | 'choose'
    | 'doubts'
    | 'stripSecrets'
  > {
  /**
   * Fields beyond the common ones, over `data` (`card.data`). One that claims the canonical path of a common field
   * stands in its place.
   */
  extra?(data: string, level: CardLevel): Lens<CharacterBody>[];
  /** The fresh card with the marks that this app knows its own cards by. */
  mark?(card: Wire, container: string): Wire;
  /** How the app spells the book in a card; absent: as SillyTavern does. */
  readonly book?: BookDialect;
  /** Books that the app keeps in the file beside the card. */
  readonly shelf?: BookShelf;
}

/** A place for whole books beside the card, in step with the one book that the card itself can hold. */
export interface BookShelf {
  /** The books there; undefined: there are none, and the card's own book counts. */
  open(wire: Wire): readonly EntityOf<'lorebook'>[] | undefined;
  /** The file with these books; undefined: they go into the card alone. `twin` is the file they may have come from. */
  close(wire: Wire, books: readonly EntityOf<'lorebook'>[], twin: Wire | undefined): Wire | undefined;
}

/** The common fields without those whose paths the app's own fields claim, and the app's own. */
export function withOwn(
  common: readonly Lens<CharacterBody>[],
  own: readonly Lens<CharacterBody>[],
): Lens<CharacterBody>[] {
  const claimed = new Set(own.flatMap(({ canonical }) => canonical));
  return [...common.filter(({ canonical }) => !canonical.some((path) => claimed.has(path))), ...own];
}

type Books = EmitContext<LorebookBody>['lorebooks'];
type Media = CharacterBody['media'];

const dataOf = (variant: CardVariant): string => (variant === 'v2' || variant === 'v3' ? 'card.data' : 'card');
const homesOf = (variant: CardVariant): readonly Keys[] => bookHomes(keysOf(dataOf(variant)).slice(1));
/** The fullest table of a variant: what reads it. */
const FULL: Readonly<Record<CardVariant, CardLevel>> = { v1: 'v1', flat: 'v2', v2: 'v3', v3: 'v3' };

/** An adapter for a Tavern card from its declaration. */
export function defineTavern(spec: TavernSpec): AdapterOf<'character'> {
  const dialect = spec.book ?? cardBook;
  const memo = new Map<string, readonly Lens<CharacterBody>[]>();
  const table = (variant: CardVariant, level: CardLevel = FULL[variant]): readonly Lens<CharacterBody>[] => {
    const key = `${variant} ${level}`;
    let fields = memo.get(key);
    if (!fields) {
      const data = dataOf(variant);
      const own = level === 'v1' ? [] : (spec.extra?.(data, level) ?? []);
      fields = withOwn(tavernFields(data, data === 'card' ? undefined : 'card', level), own);
      memo.set(key, fields);
    }
    return fields;
  };

  const emptyCard = (variant: 'v2' | 'v3', container: string): Wire => {
    const card = baseCard(variant);
    return spec.mark?.(card, container) ?? card;
  };

  /** A V2 payload beside a V3 one keeps the V3 keys that stand in it in step, and gains none. */
  const secondTable = (card: Wire): readonly Lens<CharacterBody>[] => {
    const variant = variantOf(card);
    if (variant !== 'v2') return table(variant);
    const present = v3OnlyFields('card.data').filter(({ wire }) =>
      wire.some((name) => existsAt({ card }, keysOf(name))),
    );
    return [...table('v2', 'v2'), ...present];
  };
  const asV2 = (body: CharacterBody, books: Books): unknown => {
    const wire = create(table('v2', 'v2'), { carrier: 'json', card: emptyCard('v2', 'png') }, { ...body, media: {} });
    return withBooks(wire, dialect, homesOf('v2'), books).card;
  };

  /** The books on the shelf beside the card where the app has one, else in the card. */
  const placeBooks = (wire: Wire, variant: CardVariant, books: Books, twin?: Wire): Wire => {
    const shelved = books && spec.shelf?.close(wire, books as readonly EntityOf<'lorebook'>[], twin);
    return shelved ?? withBooks(wire, dialect, homesOf(variant), books);
  };

  const writeFresh = ({ body, container, context, base }: CardWrite): CardWritten => {
    const variant = context.variant === 'v2' ? 'v2' : 'v3';
    const wire = placeBooks(create(table(variant, variant), base, body), variant, context.lorebooks);
    const main: Payload = { keyword: variant === 'v3' ? 'ccv3' : 'chara', value: wire.card };
    const both = variant === 'v3' && container === 'png';
    return { wire, payloads: both ? [{ keyword: 'chara', value: asV2(body, context.lorebooks) }, main] : [main] };
  };

  const writeTwin = (job: CardWrite, twin: OpenedCard): CardWritten => {
    const variant = variantOf(cardIn(twin.wire));
    const level = variant === 'v2' && !wantsV3(twin, job.body, job.container) ? 'v2' : FULL[variant];
    let wire = put(table(variant, level), job.base, job.body);
    const warnings: Warning[] = [];
    if (variant === 'v2' && gainsV3(twin.wire, wire)) {
      wire = relabelled(wire);
      warnings.push({
        code: 'card.relabelled',
        path: 'spec',
        message: 'the card is V3 now: an edit says something that V2 has no key for',
      });
    }
    wire = placeBooks(wire, variant, job.context.lorebooks, twin.wire);
    // Archives and JSON hold the one card; a V2 form beside it would be made to be thrown away.
    const inPicture = job.base.carrier !== 'charx' && job.base.carrier !== 'json';
    return { wire, warnings, payloads: inPicture ? payloadsFor(job, twin, wire) : [] };
  };

  /** A second payload keeps its own media as long as the assets of the first are what they were. */
  const secondMedia = (theirs: Media, { assets }: Media, twin: OpenedCard): Media => {
    const before = get(table(variantOf(cardIn(twin.wire))), twin.wire, emptyCharacter()).media.assets;
    if (agree(assets, before)) return theirs;
    const { assets: _, ...rest } = theirs;
    return assets === undefined ? rest : { ...rest, assets };
  };

  /** Every payload that the picture had says what the main one says; a new picture gets both forms of a V3 card. */
  const payloadsFor = ({ body, context }: CardWrite, twin: OpenedCard, wire: Wire): Payload[] => {
    const v3 = variantOf(cardIn(wire)) === 'v3';
    const inPng = twin.wire.carrier === 'png' && twin.entry.unmapped?.slot !== 'exif';
    const keyword = inPng ? (twin.entry.unmapped?.slot === 'ccv3' ? 'ccv3' : 'chara') : v3 ? 'ccv3' : 'chara';
    const payloads = new Map<Payload['keyword'], unknown>([[keyword, wire.card]]);
    for (const other of payloadsOf(twin.entry)) {
      if (payloads.has(other.keyword) || !isRecord(other.value)) continue;
      const fields = secondTable(other.value);
      const second = { carrier: 'json', card: other.value };
      const media = secondMedia(get(fields, second, emptyCharacter()).media, body.media, twin);
      const next = put(fields, second, { ...body, media });
      payloads.set(other.keyword, withBooks(next, dialect, homesOf(variantOf(other.value)), context.lorebooks).card);
    }
    if (keyword === 'ccv3' && !inPng) payloads.set('chara', asV2(body, context.lorebooks));
    return [...payloads]
      .map(([word, value]) => ({ keyword: word, value }))
      .sort((a, b) => (a.keyword < b.keyword ? 1 : -1));
  };

  return defineCard({
    ...spec,
    table: () => table('v3'),
    fields: (wire) => table(variantOf(cardIn(wire))),
    structure(wire) {
      const homes = homesOf(variantOf(cardIn(wire))).filter((keys) => isRecord(valueAt(wire.card, keys)));
      return [['card', 'spec'], ['card', 'spec_version'], ...homes.map((keys) => ['card', ...keys])].map((keys) => ({
        keys,
      }));
    },
    fresh: (container, context) => emptyCard(context.variant === 'v2' ? 'v2' : 'v3', container),
    write: (job) => (job.twin ? writeTwin(job, job.twin) : writeFresh(job)),
    unmapped: (wire) => ({ variant: variantOf(cardIn(wire)) }),
    doubts(twin) {
      const own = spec.doubts?.(twin);
      const differing = disagreements(twin, table(variantOf(cardIn(twin.wire))), secondTable);
      return {
        left: [...differing.left, ...(own?.left ?? [])],
        warnings: [...(differing.warnings ?? []), ...labelDoubts(cardIn(twin.wire)), ...(own?.warnings ?? [])],
      };
    },
    stripSecrets: spec.stripSecrets ?? withoutPrivateKeys,
    book: dialect,
    extractLorebook: (card) => extractBook(card, dialect, homesOf(variantOf(card))),
    ...(spec.shelf ? { shelved: (wire: Wire) => spec.shelf?.open(wire) } : {}),
  });
}

/** The card with these books in its slot, wherever this card keeps its book. */
function withBooks(wire: Wire, dialect: BookDialect, homes: readonly Keys[], books: Books): Wire {
  const edits = embedBooks(cardIn(wire), dialect, homes, books as readonly EntityOf<'lorebook'>[] | undefined);
  if (edits.length === 0) return wire;
  const draft = openDraft(wire);
  for (const [keys, book] of edits) {
    if (book === undefined) draft.delete(['card', ...keys]);
    else draft.set(['card', ...keys], book);
  }
  return draft.wire;
}

/** A second payload of a picture that says something else than the one that counts. */
function disagreements(
  twin: OpenedCard,
  main: readonly Lens<CharacterBody>[],
  tableOf: (card: Wire) => readonly Lens<CharacterBody>[],
): Pick<AccountResult, 'left' | 'warnings'> {
  const read = (fields: readonly Lens<CharacterBody>[], card: unknown) =>
    get(fields, { carrier: 'json', card }, emptyCharacter());
  const differing = payloadsOf(twin.entry).flatMap(({ keyword, value }) => {
    if (!isRecord(value) || (isRecord(value.data) && same(value.data, cardIn(twin.wire).data))) return [];
    const fields = tableOf(value);
    const theirs = read(fields, value);
    const ours = read(main, twin.wire.card);
    const paths = fields.flatMap(({ canonical }) => canonical).filter((path) => !path.startsWith('media.'));
    const path = paths.find((one) => !agree(valueAt(theirs, keysOf(one)), valueAt(ours, keysOf(one))));
    return path === undefined ? [] : [{ keyword, value, path }];
  });
  return {
    left: differing.map(({ keyword, value }) => ({ path: `unmapped.payloads.${keyword}`, value })),
    warnings: differing.map(({ keyword, path }) => ({
      code: 'card.payloads-differ',
      path,
      message: `the picture holds two cards that differ; the other one (${keyword}) is kept as it is`,
    })),
  };
}

/** A label that contradicts the shape, or a version newer than what is known. */
function labelDoubts(card: Wire): Warning[] {
  const { spec, spec_version: version } = card;
  const doubts: Warning[] = [];
  if (typeof spec === 'string' && spec.startsWith('chara_card_') && !isRecord(card.data)) {
    doubts.push({
      code: 'card.label',
      path: 'spec',
      message: 'the label promises an envelope, the card is flat: it is read as flat',
    });
  }
  if (spec === 'chara_card_v2' && V3_KEYS.some((key) => !saysNothing(valueAt(card, ['data', key])))) {
    doubts.push({
      code: 'card.label',
      path: 'spec',
      message: 'the label says V2, keys of V3 stand in the card: they are read too',
    });
  }
  if (Number.parseFloat(String(version)) >= 3.1) {
    doubts.push({
      code: 'card.newer',
      path: 'spec_version',
      message: 'a newer version: what it added is kept, not converted',
    });
  }
  if (typeof version === 'number')
    doubts.push({ code: 'card.label', path: 'spec_version', message: 'a number where a text belongs' });
  return doubts;
}
