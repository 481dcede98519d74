import type { AccountResult, Claim } from '../../core/account.ts';
import type { Container, EmitContext, Sealed, Stripped } from '../../core/adapter.ts';
import { asBytes, type Bytes, isBytes } from '../../core/bytes.ts';
import { type Entity, type OriginalEntry, SCHEMA_VERSION } from '../../core/canonical.ts';
import { accountOf, type CoverageRow, coverage } from '../../core/coverage.ts';
import { isRecord, same, type Wire } from '../../core/draft.ts';
import { BunzaiError, type Warning } from '../../core/errors.ts';
import { hidden } from '../../core/hidden.ts';
import { canonicalId } from '../../core/ids.ts';
import { claimsOf, create, get, type Lens, put } from '../../core/lens.ts';
import { onAsk } from '../../core/on-ask.ts';
import type { Source } from '../../core/source.ts';
import { type CharacterBody, emptyCharacter } from '../../entities/character/schema.ts';
import type { AdapterOf, Bodies, EntityOf } from '../../entities/kinds.ts';
import type { LorebookBody } from '../../entities/lorebook/schema.ts';
import type { CardCarriers, CardJob, OpenedCard } from './card-carriers.ts';
import { accountOfBook, type BookDialect } from './embedded-book.ts';
import { stemOf } from './file-name.ts';
import { isPng } from './png.ts';

/** Kinds whose entities travel as a card: in JSON, in a picture, in an archive. */
export type CardKind = 'character' | 'persona';

/** What a write has to go by. */
export interface CardWrite<B = CharacterBody> {
  readonly body: B;
  /** Container the result goes into. */
  readonly container: string;
  readonly context: EmitContext<LorebookBody>;
  /** The file the entity came from, when it came from one of this format. */
  readonly twin?: OpenedCard;
  /** The wire object to write on: the twin's in the new container, or the format's empty file. */
  readonly base: Wire;
}

/** The written wire object, with what a picture is to carry. */
export interface CardWritten {
  readonly wire: Wire;
  readonly payloads: CardJob['payloads'];
  readonly warnings?: readonly Warning[];
}

/** A format of cards from its declaration. Fields stand over the opened file `{ carrier, card, picture?, files? }`. */
export interface CarriedSpec<K extends CardKind> {
  readonly kind: K;
  empty(): Bodies[K];
  /** The name that the id of an entity is made from. */
  nameOf(body: Bodies[K]): string;
  readonly id: string;
  readonly family: string;
  readonly label: string;
  readonly generic?: boolean;
  readonly containers: readonly [Container, ...Container[]];
  readonly carriers: readonly CardCarriers[];
  /** Confidence for a source. Never throws. */
  detect(source: Source): number;
  /** The fields that read this file; also the coverage, for the fullest shape. */
  fields(wire: Wire): readonly Lens<Bodies[K]>[];
  /** The table that coverage and docs show. */
  table(): readonly Lens<Bodies[K]>[];
  /** A wire home as people should read it in coverage and docs; absent: as the table says it. */
  shown?(wire: string): string;
  /** Where the card stands in the file, for the paths of reports; absent: the file is the card. */
  readonly home?: string;
  /** Homes that say what the file is, or that belong to an embedded book. */
  structure(wire: Wire): readonly Claim[];
  /** The carrier that fields see for a container of another name: an archive behind a picture is an archive. */
  carrierFor?(container: string): string;
  /** The container of a fresh file; absent: the first one. */
  choose?(body: Bodies[K]): string;
  /** The card of a file without a twin. */
  fresh(container: string, context: EmitContext<LorebookBody>): Wire;
  /** The write itself; absent: the fields are put on the base, the card is the one payload under `chara`. */
  write?(job: CardWrite<Bodies[K]>): CardWritten;
  /** What else a person should know about a file of this format. */
  doubts?(twin: OpenedCard): Pick<AccountResult, 'left' | 'warnings'>;
  /** How an embedded book is spelled, for a format that has a place for one. */
  readonly book?: BookDialect;
  /** The embedded book, from the parsed card. */
  extractLorebook?(card: Wire): EntityOf<'lorebook'> | undefined;
  /** Books beside the card in the opened file, which then count instead of the embedded one. */
  shelved?(wire: Wire): readonly EntityOf<'lorebook'>[] | undefined;
  /** The parsed card without marks of private use. */
  stripSecrets?(card: unknown): Stripped;
  /** Facts that the carrier layer adds to `unmapped`. */
  unmapped?(wire: Wire): Readonly<Record<string, unknown>>;
}

/** A character format from its declaration. */
export type CardSpec = Omit<CarriedSpec<'character'>, 'kind' | 'empty' | 'nameOf'>;

const CARRIER: readonly Claim[] = ['carrier', 'picture', 'files'].map((key) => ({ keys: [key] }));

/** The parsed card of an opened file. */
export const cardIn = (wire: Wire): Wire => (isRecord(wire.card) ? wire.card : {});

/** A portrait that can stand around a card: bytes of a PNG. */
export const isPngPortrait = (ref: unknown): ref is Bytes =>
  isBytes(ref) && isPng(ref.segments()[0] ?? new Uint8Array());

/** An adapter for characters from its declaration. */
export const defineCard = (spec: CardSpec): AdapterOf<'character'> =>
  defineCarried({ ...spec, kind: 'character', empty: emptyCharacter, nameOf: ({ identity }) => identity.name });

/** An adapter for any kind that travels as a card. */
export function defineCarried<K extends CardKind>(spec: CarriedSpec<K>): AdapterOf<K> {
  type Body = Bodies[K];
  const inFile = spec.home === undefined ? '' : `${spec.home}.`;
  const twins = hidden<OpenedCard>(`opened ${spec.id}`);
  const twinOf = (entity: Entity<Body>): OpenedCard | undefined => {
    const entry = entity.original?.[spec.id];
    if (!entry) return undefined;
    let twin = twins.of(entry);
    if (!twin) {
      for (const carriers of spec.carriers) twin ??= carriers.reopen(entry);
      if (twin) twins.keep(entry, twin);
    }
    return twin;
  };
  const open = (source: Source): OpenedCard => {
    for (const carriers of spec.carriers) {
      const opened = carriers.open(source);
      if (opened) return opened;
    }
    throw new BunzaiError('format.mismatch', { format: spec.id, detail: 'there is no card in this file' });
  };
  /** Nothing was read from the card, whatever carries it. */
  const isBlank = (wire: Wire, body: Body): boolean => {
    const carrier = { ...wire, card: {} };
    return same(body, get(spec.fields(carrier), carrier, spec.empty())) && !spec.extractLorebook?.(cardIn(wire));
  };
  const seal = (container: string, job: CardJob): Sealed => {
    const carriers = spec.carriers.find(({ names }) => names.includes(container));
    if (!carriers) throw new BunzaiError('container.unsupported', { format: spec.id, detail: `"${container}"` });
    const known = spec.containers.find(({ name }) => name === container);
    return {
      ...carriers.seal(job),
      container: known ?? { name: container, extension: container, mime: `image/${container}` },
    };
  };
  const write =
    spec.write ??
    ((job: CardWrite<Body>): CardWritten => {
      const fields = spec.fields(job.base);
      const wire = job.twin ? put(fields, job.base, job.body) : create(fields, job.base, job.body);
      return { wire, payloads: [{ keyword: 'chara', value: wire.card }] };
    });

  let rows: readonly CoverageRow[] | undefined;
  let bookRows: readonly CoverageRow[] | undefined;
  const adapter = {
    id: spec.id,
    family: spec.family,
    label: spec.label,
    kind: spec.kind,
    ...(spec.generic ? { generic: true } : {}),
    containers: spec.containers,
    reads: spec.carriers.flatMap(({ names }) => names),
    // Tables are built when someone looks at them: a start should not pay for those of every format.
    get lorebookCoverage() {
      bookRows ??= spec.book ? coverage(spec.book.fields as never) : [];
      return bookRows;
    },
    get coverage() {
      const shown = spec.shown ?? ((wire: string) => wire);
      rows ??= coverage(spec.table() as never).map((row) => ({
        ...row,
        wire: shown(row.wire.replaceAll('card.', inFile)),
      }));
      return rows;
    },
    escrowIds: spec.book ? [spec.id, spec.book.escrow] : [spec.id],
    detect: spec.detect,
    async prepare(work: 'read' | 'write') {
      if (work === 'write') for (const carriers of spec.carriers) await carriers.prepare?.();
    },
    toCanonical(source: Source): readonly Entity<Body, K>[] {
      const opened = open(source);
      const body = get(spec.fields(opened.wire), opened.wire, spec.empty());
      if (spec.detect(source) === 0 && isBlank(opened.wire, body))
        throw new BunzaiError('format.mismatch', { format: spec.id, detail: `there is no ${spec.kind} in this file` });
      const unmapped = { ...spec.unmapped?.(opened.wire), ...opened.entry.unmapped };
      const entry: OriginalEntry = Object.keys(unmapped).length === 0 ? opened.entry : { ...opened.entry, unmapped };
      twins.keep(
        entry,
        onAsk({ wire: opened.wire, entry }, 'warnings', () => opened.warnings),
      );
      const name = spec.nameOf(body);
      const id = canonicalId(name, canonicalId(stemOf(source), spec.kind));
      return [{ schemaVersion: SCHEMA_VERSION, kind: spec.kind, id, body, original: { [spec.id]: entry } }];
    },
    fromCanonical(
      [entity]: readonly [Entity<Body, K>, ...Entity<Body, K>[]],
      context: EmitContext<LorebookBody>,
    ): Sealed {
      const twin = twinOf(entity);
      const { body } = entity;
      const container =
        context.container ?? (twin && stayIn(spec, twin, body)) ?? spec.choose?.(body) ?? spec.containers[0].name;
      const carrier = spec.carrierFor?.(container) ?? container;
      const base = twin ? moved(twin, carrier) : { carrier, card: spec.fresh(container, context) };
      const written = write({ body, container, context, base, ...(twin ? { twin } : {}) });
      const sealed = seal(container, { wire: written.wire, payloads: written.payloads, ...(twin ? { twin } : {}) });
      return { ...sealed, warnings: [...(written.warnings ?? []), ...sealed.warnings] };
    },
    account(entity: Entity<Body, K>): AccountResult {
      const twin = twinOf(entity);
      if (!twin) return accountOf([], undefined);
      const claims = [
        ...claimsOf(spec.fields(twin.wire) as never, twin.wire),
        ...CARRIER,
        ...spec.structure(twin.wire),
      ];
      const whole = accountOf(claims, twin.wire);
      const clean = <T extends { readonly path: string }>(line: T): T => ({
        ...line,
        path: line.path.replace(/^card(\.|$)/, inFile),
      });
      const doubts = spec.doubts?.(twin);
      return {
        ...whole,
        left: [...whole.left.map(clean), ...(doubts?.left ?? [])],
        repairs: whole.repairs.map(clean),
        warnings: [...twin.warnings, ...(doubts?.warnings ?? [])],
      };
    },
    ...(spec.book
      ? { accountLorebook: (book: EntityOf<'lorebook'>) => accountOfBook(spec.book as BookDialect, book) }
      : {}),
    ...(spec.stripSecrets ? { stripSecrets: spec.stripSecrets } : {}),
    ...(spec.extractLorebook
      ? {
          extractLorebook: (entity: Entity<Body, K>) => {
            const twin = twinOf(entity);
            return twin && (spec.shelved?.(twin.wire)?.[0] ?? spec.extractLorebook?.(cardIn(twin.wire)));
          },
        }
      : {}),
    ...(spec.shelved
      ? {
          extractLorebooks: (entity: Entity<Body, K>) => {
            const twin = twinOf(entity);
            return (twin && spec.shelved?.(twin.wire)) ?? [];
          },
        }
      : {}),
  };
  return adapter as unknown as AdapterOf<K>;
}

/** The twin's wire object in another container: the picture around it stays behind. */
function moved(twin: OpenedCard, container: string): Wire {
  if (twin.wire.carrier === container) return twin.wire;
  const files = isRecord(twin.wire.files) ? { files: twin.wire.files } : {};
  return { carrier: container, card: twin.wire.card, ...files };
}

/** The carrier of the twin, as long as it can show the portrait there is; else one that the format writes fresh. */
function stayIn<K extends CardKind>(spec: CarriedSpec<K>, twin: OpenedCard, body: Bodies[K]): string | undefined {
  const { carrier, picture } = twin.wire;
  if (typeof carrier !== 'string' || !asBytes(twin.entry.sourceMedia))
    return typeof carrier === 'string' ? carrier : undefined;
  const ref = body.media?.portrait?.ref;
  if (same(ref, picture)) return carrier;
  const before = get(spec.fields(twin.wire), twin.wire, spec.empty()).media?.portrait?.ref;
  if (ref !== undefined && same(ref, before)) return carrier;
  const writes = (container: string) => spec.containers.some(({ name }) => name === container);
  if (isPngPortrait(ref) && writes('png')) return 'png';
  return writes('json') ? 'json' : undefined;
}
