import type { AccountResult, Claim } from '../../core/account.ts';
import type { Container, EmitContext, Sealed } from '../../core/adapter.ts';
import { isBytes } from '../../core/bytes.ts';
import { type OriginalEntry, SCHEMA_VERSION } from '../../core/canonical.ts';
import { accountOf, coverage } from '../../core/coverage.ts';
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
import { BunzaiError, type Warning } from '../../core/errors.ts';
import { canonicalId } from '../../core/ids.ts';
import { claimsOf, create, get, type Lens, put } from '../../core/lens.ts';
import type { Source } from '../../core/source.ts';
import { type CharacterBody, emptyCharacter } from '../../entities/character/schema.ts';
import type { AdapterOf, EntityOf } from '../../entities/kinds.ts';
import type { LorebookBody } from '../../entities/lorebook/schema.ts';
import type { Payload } from './card-io.ts';
import { bookHomes, embedBooks, extractBook } from './character-book.ts';
import { stemOf } from './file-name.ts';
import { isPng } from './png.ts';
import { type CardCarriers, type OpenedCard, payloadsOf } from './tavern-carriers.ts';
import { type CardLevel, tavernFields, v3OnlyFields } from './tavern-fields.ts';

/** The shape of a Tavern card: flat with the six texts, flat with V2 names, or an envelope. */
export type CardVariant = 'v1' | 'flat' | 'v2' | 'v3';

/** Names that came with V2; a flat card with one of them is `flat`, not `v1`. */
export const V2_KEYS = [
  'alternate_greetings',
  'system_prompt',
  'post_history_instructions',
  'creator_notes',
  'character_version',
  'extensions',
] as const;

/** The shape decides, not the label: a `data` object is an envelope, whatever `spec` says. */
export function variantOf(card: Wire): CardVariant {
  if (isRecord(card.data)) return card.spec === 'chara_card_v3' ? 'v3' : 'v2';
  return V2_KEYS.some((key) => existsAt(card, [key])) ? 'flat' : 'v1';
}

/** What makes one app's Tavern card different from the next. */
export interface TavernSpec {
  readonly id: string;
  readonly family: string;
  readonly label: string;
  readonly generic?: boolean;
  readonly containers: readonly [Container, ...Container[]];
  readonly carriers: readonly CardCarriers[];
  /** Fields beyond the common ones, over `data` (`card.data`). */
  extra?(data: string): Lens<CharacterBody>[];
  /** Confidence for an opened or refused file. */
  detect(source: Source): number;
  /** The container of a fresh file with this body. */
  choose(body: CharacterBody): string;
}

/** Keys of an envelope or a flat card that say what the file is, not what is in it. */
const STRUCTURE: readonly Claim[] = [
  ['card', 'spec'],
  ['card', 'spec_version'],
  ['carrier'],
  ['picture'],
  ['files'],
].map((keys) => ({ keys }));

const dataOf = (variant: CardVariant): string => (variant === 'v2' || variant === 'v3' ? 'card.data' : 'card');

/** An adapter for a Tavern card from its declaration. */
export function defineTavern(spec: TavernSpec): AdapterOf<'character'> {
  const memo = new Map<string, Lens<CharacterBody>[]>();
  const table = (variant: CardVariant, level: CardLevel): Lens<CharacterBody>[] => {
    const key = `${variant} ${level}`;
    let fields = memo.get(key);
    if (!fields) {
      const data = dataOf(variant);
      fields = [
        ...tavernFields(data, data === 'card' ? undefined : 'card', level),
        ...(level === 'v1' ? [] : (spec.extra?.(data) ?? [])),
      ];
      memo.set(key, fields);
    }
    return fields;
  };
  const reading = (variant: CardVariant) => table(variant, variant === 'v1' ? 'v1' : variant === 'flat' ? 'v2' : 'v3');
  const homesOf = (variant: CardVariant): readonly Keys[] => bookHomes(keysOf(dataOf(variant)).slice(1));

  const open = (source: Source): OpenedCard => {
    for (const carriers of spec.carriers) {
      const opened = carriers.open(source);
      if (opened) return opened;
    }
    throw new BunzaiError('format.mismatch', { format: spec.id, detail: 'there is no card in this file' });
  };
  const twins = new WeakMap<OriginalEntry, OpenedCard>();
  const twinOf = (entity: EntityOf<'character'>): OpenedCard | undefined => {
    const entry = entity.original?.[spec.id];
    if (!entry) return undefined;
    let twin = twins.get(entry);
    if (!twin) {
      for (const carriers of spec.carriers) twin ??= carriers.reopen(entry);
      if (twin) twins.set(entry, twin);
    }
    return twin;
  };
  const cardIn = (wire: Wire): Wire => (isRecord(wire.card) ? wire.card : {});

  const levelFor = (twin: OpenedCard, variant: CardVariant, body: CharacterBody, container: string): CardLevel => {
    if (variant !== 'v2') return variant === 'v1' ? 'v1' : variant === 'flat' ? 'v2' : 'v3';
    const keys = [
      'nickname',
      'group_only_greetings',
      'creator_notes_multilingual',
      'source',
      'creation_date',
      'modification_date',
      'assets',
    ];
    if (keys.some((key) => existsAt(twin.wire, ['card', 'data', key]))) return 'v3';
    return needsV3(body) || strangePortrait(twin, body, container) ? 'v3' : 'v2';
  };

  /** The wire object that the fields are put on, in the container asked for. */
  const started = (twin: OpenedCard, container: string): Wire => {
    if (twin.wire.carrier === container) return twin.wire;
    const files = isRecord(twin.wire.files) ? { files: twin.wire.files } : {};
    return { carrier: container, card: twin.wire.card, ...files };
  };

  const emitTwin = (
    twin: OpenedCard,
    body: CharacterBody,
    container: string,
    lorebooks: EmitContext<LorebookBody>['lorebooks'],
  ): Sealed => {
    const variant = variantOf(cardIn(twin.wire));
    const base = started(twin, container);
    const fields = table(variant, levelFor(twin, variant, body, container));
    let wire = put(fields, base, body);
    const warnings: Warning[] = [];
    if (variant === 'v2' && gainsV3(twin.wire, wire)) {
      wire = relabelled(wire);
      warnings.push({
        code: 'card.relabelled',
        path: 'spec',
        message: 'the card is V3 now: an edit says something that V2 has no key for',
      });
    }
    wire = withBooks(wire, homesOf(variant), lorebooks);
    const payloads = wire.card === twin.entry.raw ? [] : payloadsFor(twin, wire, variant, body, lorebooks);
    const sealed = sealIn(container, { wire, twin, payloads });
    return { bytes: sealed.bytes, container: containerOf(container), warnings: [...warnings, ...sealed.warnings] };
  };

  /** Every payload that the picture had says what the main one says; a picture that is new gets both forms of a V3 card. */
  const payloadsFor = (
    twin: OpenedCard,
    wire: Wire,
    variant: CardVariant,
    body: CharacterBody,
    lorebooks: EmitContext<LorebookBody>['lorebooks'],
  ): Payload[] => {
    const main: Payload = {
      keyword: wasCcv3(twin) || (twin.wire.carrier !== 'png' && variant === 'v3') ? 'ccv3' : 'chara',
      value: wire.card,
    };
    const fresh = twin.wire.carrier !== 'png' || wire.picture !== twin.wire.picture;
    const seen = new Set<string>([main.keyword]);
    const others = payloadsOf(twin.entry).flatMap((payload): Payload[] => {
      if (seen.has(payload.keyword) || !isRecord(payload.value)) return [];
      seen.add(payload.keyword);
      const own = variantOf(payload.value);
      const holder: Wire = { carrier: 'json', card: payload.value };
      const next = put(secondTable(own, payload.value), holder, { ...body, media: {} });
      return [{ keyword: payload.keyword, value: withBooks(next, homesOf(own), lorebooks).card }];
    });
    if (fresh && main.keyword === 'ccv3' && !seen.has('chara'))
      others.push({ keyword: 'chara', value: asV2(body, lorebooks) });
    return [...others, main].sort((a, b) => (a.keyword === b.keyword ? 0 : a.keyword === 'chara' ? -1 : 1));
  };
  const wasCcv3 = (twin: OpenedCard) => twin.entry.unmapped?.slot === 'ccv3';

  /** A V2 payload beside a V3 one keeps the V3 keys that stand in it in step, and gains none. */
  const secondTable = (variant: CardVariant, card: Wire): Lens<CharacterBody>[] => {
    if (variant !== 'v2') return reading(variant);
    const extra = v3OnlyFields('card.data').filter((lens) =>
      lens.wire.some((name) => existsAt({ card }, keysOf(name))),
    );
    return [...table('v2', 'v2'), ...extra];
  };

  const asV2 = (body: CharacterBody, lorebooks: EmitContext<LorebookBody>['lorebooks']): unknown => {
    const wire = create(table('v2', 'v2'), { carrier: 'json', card: baseCard('v2') }, { ...body, media: {} });
    return withBooks(wire, homesOf('v2'), lorebooks).card;
  };

  const emitFresh = (body: CharacterBody, container: string, context: EmitContext<LorebookBody>): Sealed => {
    const variant = context.variant === 'v2' ? 'v2' : 'v3';
    const base: Wire = { carrier: container, card: baseCard(variant) };
    const wire = withBooks(create(table(variant, variant), base, body), homesOf(variant), context.lorebooks);
    const main: Payload = { keyword: variant === 'v3' ? 'ccv3' : 'chara', value: wire.card };
    const payloads =
      variant === 'v3' && container === 'png'
        ? [{ keyword: 'chara' as const, value: asV2(body, context.lorebooks) }, main]
        : [main];
    const sealed = sealIn(container, { wire, payloads });
    return { bytes: sealed.bytes, container: containerOf(container), warnings: sealed.warnings };
  };

  const sealIn = (container: string, job: Parameters<CardCarriers['seal']>[0]) => {
    const carriers = spec.carriers.find(({ names }) => names.includes(container));
    if (!carriers) throw new BunzaiError('container.unsupported', { format: spec.id, detail: `"${container}"` });
    return carriers.seal(job);
  };
  const containerOf = (name: string): Container =>
    spec.containers.find((one) => one.name === name) ?? { name, extension: name, mime: `image/${name}` };

  return {
    id: spec.id,
    family: spec.family,
    label: spec.label,
    kind: 'character',
    ...(spec.generic ? { generic: true } : {}),
    containers: spec.containers,
    coverage: coverage(table('v3', 'v3') as unknown as Lens<never>[]).map((row) => ({
      ...row,
      wire: row.wire.replaceAll('card.', ''),
    })),
    escrowIds: [spec.id],
    detect: spec.detect,
    toCanonical(source) {
      const opened = open(source);
      const card = cardIn(opened.wire);
      const variant = variantOf(card);
      const body = get(reading(variant), opened.wire, emptyCharacter());
      const entry: OriginalEntry = { ...opened.entry, unmapped: { variant, ...opened.entry.unmapped } };
      twins.set(entry, { ...opened, entry });
      const id = canonicalId(saysNothing(body.identity.name) ? stemOf(source) : body.identity.name, 'character');
      return [{ schemaVersion: SCHEMA_VERSION, kind: 'character', id, body, original: { [spec.id]: entry } }];
    },
    fromCanonical([entity], context) {
      const twin = twinOf(entity);
      const container =
        context.container ?? (twin ? carrierFor(twin, entity.body) : undefined) ?? spec.choose(entity.body);
      return twin
        ? emitTwin(twin, entity.body, container, context.lorebooks)
        : emitFresh(entity.body, container, context);
    },
    account(entity): AccountResult {
      const twin = twinOf(entity);
      if (!twin) return accountOf([], undefined);
      const variant = variantOf(cardIn(twin.wire));
      const books = homesOf(variant)
        .filter((keys) => isRecord(valueAt(twin.wire.card, keys)))
        .map((keys) => ({ keys: ['card', ...keys] }));
      const whole = accountOf([...claimsOf(reading(variant) as never, twin.wire), ...STRUCTURE, ...books], twin.wire);
      const clean = <T extends { readonly path: string }>(line: T): T => ({
        ...line,
        path: line.path.replace(/^card\.?/, ''),
      });
      const doubts = disagreements(twin, reading(variant), (one) => secondTable(variantOf(one), one));
      return {
        ...whole,
        left: [...whole.left.map(clean), ...doubts.left],
        repairs: whole.repairs.map(clean),
        warnings: [...twin.warnings, ...doubts.warnings, ...labelDoubts(cardIn(twin.wire))],
      };
    },
    extractLorebook(entity) {
      const raw = entity.original?.[spec.id]?.raw;
      return isRecord(raw) ? extractBook(raw, homesOf(variantOf(raw))) : undefined;
    },
  };
}

/** The carrier of the twin, as long as it can show the portrait there is. */
function carrierFor(twin: OpenedCard, body: CharacterBody): string | undefined {
  const { carrier, picture } = twin.wire;
  const ref = body.media.portrait?.ref;
  if (carrier === 'json' || carrier === 'charx') return carrier;
  if (typeof carrier !== 'string') return undefined;
  if (same(ref, picture) || (ref === undefined && picture === undefined)) return carrier;
  const own = get(tavernFields('card.data', undefined, 'v3'), twin.wire, emptyCharacter()).media.portrait?.ref;
  if (ref !== undefined && same(ref, own)) return carrier;
  return isBytes(ref) && isPng(ref.segments()[0] ?? new Uint8Array()) ? 'png' : 'json';
}

/** Something that V2 has no key for. */
function needsV3(body: CharacterBody): boolean {
  const { identity, greetings, attribution, media } = body;
  const slots = [
    identity.nickname,
    greetings.groupOnlyGreetings,
    attribution.source,
    attribution.createdAt,
    attribution.updatedAt,
    media.assets,
  ];
  return slots.some((slot) => !saysNothing(slot)) || Object.keys(attribution.creatorNotesMultilingual ?? {}).length > 0;
}

/** A portrait that is not the picture the card came in, and that the container does not show. */
function strangePortrait(twin: OpenedCard, body: CharacterBody, container: string): boolean {
  const ref = body.media.portrait?.ref;
  if (ref === undefined || same(ref, twin.wire.picture)) return false;
  return !(container === 'png' && isBytes(ref) && isPng(ref.segments()[0] ?? new Uint8Array()));
}

function gainsV3(before: Wire, after: Wire): boolean {
  const rows = ['card', 'data', 'assets'];
  if (!same(valueAt(before, rows), valueAt(after, rows)) && !saysNothing(valueAt(after, rows))) return true;
  return v3OnlyFields('card.data').some((lens) => {
    const now = lens.read(after);
    return !saysNothing(now) && !agree(now, lens.read(before));
  });
}

/** The card as V3, with the keys that V3 requires. */
function relabelled(wire: Wire): Wire {
  const draft = openDraft(wire);
  draft.set(['card', 'spec'], 'chara_card_v3');
  draft.set(['card', 'spec_version'], '3.0');
  if (!existsAt(wire, ['card', 'data', 'group_only_greetings']))
    draft.set(['card', 'data', 'group_only_greetings'], []);
  return draft.wire;
}

function withBooks(wire: Wire, homes: readonly Keys[], lorebooks: EmitContext<LorebookBody>['lorebooks']): Wire {
  const card = isRecord(wire.card) ? wire.card : {};
  const edits = embedBooks(card, homes, lorebooks as readonly EntityOf<'lorebook'>[] | undefined);
  if (edits.length === 0) return wire;
  const draft = openDraft(wire);
  for (const [keys, book] of edits) {
    if (book === undefined) draft.delete(['card', ...keys]);
    else draft.set(['card', ...keys], book);
  }
  return draft.wire;
}

/** An empty card with every key that its version requires. */
export function baseCard(variant: 'v2' | 'v3'): Wire {
  const texts = [
    'name',
    'description',
    'personality',
    'scenario',
    'first_mes',
    'mes_example',
    'creator_notes',
    'system_prompt',
    'post_history_instructions',
  ];
  const data = {
    ...Object.fromEntries(texts.map((key) => [key, ''])),
    alternate_greetings: [],
    tags: [],
    creator: '',
    character_version: '',
    extensions: {},
    ...(variant === 'v3' ? { group_only_greetings: [] } : {}),
  };
  return { spec: `chara_card_${variant}`, spec_version: variant === 'v3' ? '3.0' : '2.0', data };
}

/** A second payload of a picture that says something else than the one that counts. */
function disagreements(
  twin: OpenedCard,
  main: readonly Lens<CharacterBody>[],
  tableOf: (card: Wire) => readonly Lens<CharacterBody>[],
): { readonly left: AccountResult['left']; readonly warnings: readonly Warning[] } {
  const others = payloadsOf(twin.entry).filter(({ value }) => isRecord(value) && !sameCard(value, twin.wire.card));
  const warnings = others.flatMap(({ keyword, value }): Warning[] => {
    const fields = tableOf(value as Wire);
    const theirs = get(fields, { carrier: 'json', card: value }, emptyCharacter());
    const ours = get(main, { carrier: 'json', card: twin.wire.card }, emptyCharacter());
    const known = new Set(fields.flatMap(({ canonical }) => canonical));
    const path = [...known].find(
      (one) => !one.startsWith('media.') && !agree(valueAt(theirs, keysOf(one)), valueAt(ours, keysOf(one))),
    );
    if (path === undefined) return [];
    return [
      {
        code: 'card.payloads-differ',
        path,
        message: `the picture holds two cards that differ; the other one (${keyword}) is kept as it is`,
      },
    ];
  });
  return {
    left: warnings.length === 0 ? [] : [{ path: 'unmapped.payloads', value: others.map(({ value }) => value) }],
    warnings,
  };
}

const sameCard = (a: unknown, b: unknown): boolean =>
  isRecord(a) && isRecord(b) && same(a.data, b.data) && isRecord(a.data);

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
  if (Number.parseFloat(String(version)) >= 4) {
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
