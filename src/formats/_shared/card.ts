import type { AccountResult, Claim } from '../../core/account.ts';
import type { Container, EmitContext, Sealed } from '../../core/adapter.ts';
import { type Bytes, isBytes } from '../../core/bytes.ts';
import { type OriginalEntry, SCHEMA_VERSION } from '../../core/canonical.ts';
import { accountOf, coverage } from '../../core/coverage.ts';
import { isRecord, same, saysNothing, type Wire } from '../../core/draft.ts';
import { BunzaiError, type Warning } from '../../core/errors.ts';
import { canonicalId } from '../../core/ids.ts';
import { claimsOf, create, get, type Lens, put } from '../../core/lens.ts';
import type { Source } from '../../core/source.ts';
import { type CharacterBody, emptyCharacter } from '../../entities/character/schema.ts';
import type { AdapterOf, EntityOf } from '../../entities/kinds.ts';
import type { LorebookBody } from '../../entities/lorebook/schema.ts';
import type { CardCarriers, CardJob, OpenedCard } from './card-carriers.ts';
import { stemOf } from './file-name.ts';
import { isPng } from './png.ts';

/** What a write has to go by. */
export interface CardWrite {
  readonly body: CharacterBody;
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

/** A character format from its declaration. Fields stand over the opened file `{ carrier, card, picture?, files? }`. */
export interface CardSpec {
  readonly id: string;
  readonly family: string;
  readonly label: string;
  readonly generic?: boolean;
  readonly containers: readonly [Container, ...Container[]];
  readonly carriers: readonly CardCarriers[];
  /** Confidence for a source. Never throws. */
  detect(source: Source): number;
  /** The fields that read this file; also the coverage, for the fullest shape. */
  fields(wire: Wire): readonly Lens<CharacterBody>[];
  /** The table that coverage and docs show. */
  readonly table: readonly Lens<CharacterBody>[];
  /** Homes that say what the file is, or that belong to an embedded book. */
  structure(wire: Wire): readonly Claim[];
  /** The container of a fresh file; absent: the first one. */
  choose?(body: CharacterBody): string;
  /** The card of a file without a twin. */
  fresh(container: string, context: EmitContext<LorebookBody>): Wire;
  /** The write itself; absent: the fields are put on the base, the card is the one payload under `chara`. */
  write?(job: CardWrite): CardWritten;
  /** What else a person should know about a file of this format. */
  doubts?(twin: OpenedCard): Pick<AccountResult, 'left' | 'warnings'>;
  /** The embedded book, from the parsed card. */
  extractLorebook?(card: Wire): EntityOf<'lorebook'> | undefined;
  /** Facts that the carrier layer adds to `unmapped`. */
  unmapped?(wire: Wire): Readonly<Record<string, unknown>>;
}

const CARRIER: readonly Claim[] = ['carrier', 'picture', 'files'].map((key) => ({ keys: [key] }));

/** The parsed card of an opened file. */
export const cardIn = (wire: Wire): Wire => (isRecord(wire.card) ? wire.card : {});

/** A portrait that can stand around a card: bytes of a PNG. */
export const isPngPortrait = (ref: unknown): ref is Bytes =>
  isBytes(ref) && isPng(ref.segments()[0] ?? new Uint8Array());

export function defineCard(spec: CardSpec): AdapterOf<'character'> {
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
  const open = (source: Source): OpenedCard => {
    for (const carriers of spec.carriers) {
      const opened = carriers.open(source);
      if (opened) return opened;
    }
    throw new BunzaiError('format.mismatch', { format: spec.id, detail: 'there is no card in this file' });
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
    ((job: CardWrite): CardWritten => {
      const fields = spec.fields(job.base);
      const wire = job.twin ? put(fields, job.base, job.body) : create(fields, job.base, job.body);
      return { wire, payloads: [{ keyword: 'chara', value: wire.card }] };
    });

  return {
    id: spec.id,
    family: spec.family,
    label: spec.label,
    kind: 'character',
    ...(spec.generic ? { generic: true } : {}),
    containers: spec.containers,
    coverage: coverage(spec.table as never).map((row) => ({ ...row, wire: row.wire.replaceAll('card.', '') })),
    escrowIds: [spec.id],
    detect: spec.detect,
    async prepare(work) {
      if (work === 'write') for (const carriers of spec.carriers) await carriers.prepare?.();
    },
    toCanonical(source) {
      const opened = open(source);
      const body = get(spec.fields(opened.wire), opened.wire, emptyCharacter());
      const unmapped = { ...spec.unmapped?.(opened.wire), ...opened.entry.unmapped };
      const entry: OriginalEntry = Object.keys(unmapped).length === 0 ? opened.entry : { ...opened.entry, unmapped };
      twins.set(entry, { ...opened, entry });
      const id = canonicalId(saysNothing(body.identity.name) ? stemOf(source) : body.identity.name, 'character');
      return [{ schemaVersion: SCHEMA_VERSION, kind: 'character', id, body, original: { [spec.id]: entry } }];
    },
    fromCanonical([entity], context) {
      const twin = twinOf(entity);
      const { body } = entity;
      const container =
        context.container ?? (twin && stayIn(spec, twin, body)) ?? spec.choose?.(body) ?? spec.containers[0].name;
      const base = twin ? moved(twin, container) : { carrier: container, card: spec.fresh(container, context) };
      const written = write({ body, container, context, base, ...(twin ? { twin } : {}) });
      const sealed = seal(container, { wire: written.wire, payloads: written.payloads, ...(twin ? { twin } : {}) });
      return { ...sealed, warnings: [...(written.warnings ?? []), ...sealed.warnings] };
    },
    account(entity): AccountResult {
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
        path: line.path.replace(/^card\.?/, ''),
      });
      const doubts = spec.doubts?.(twin);
      return {
        ...whole,
        left: [...whole.left.map(clean), ...(doubts?.left ?? [])],
        repairs: whole.repairs.map(clean),
        warnings: [...twin.warnings, ...(doubts?.warnings ?? [])],
      };
    },
    ...(spec.extractLorebook
      ? {
          extractLorebook: (entity: EntityOf<'character'>) => {
            const raw = entity.original?.[spec.id]?.raw;
            return isRecord(raw) ? spec.extractLorebook?.(raw) : undefined;
          },
        }
      : {}),
  };
}

/** The twin's wire object in another container: the picture around it stays behind. */
function moved(twin: OpenedCard, container: string): Wire {
  if (twin.wire.carrier === container) return twin.wire;
  const files = isRecord(twin.wire.files) ? { files: twin.wire.files } : {};
  return { carrier: container, card: twin.wire.card, ...files };
}

/** The carrier of the twin, as long as it can show the portrait there is. */
function stayIn(spec: CardSpec, twin: OpenedCard, body: CharacterBody): string | undefined {
  const { carrier, picture } = twin.wire;
  if (typeof carrier !== 'string' || !isBytes(twin.entry.sourceMedia))
    return typeof carrier === 'string' ? carrier : undefined;
  const ref = body.media.portrait?.ref;
  if (same(ref, picture)) return carrier;
  const before = get(spec.fields(twin.wire), twin.wire, emptyCharacter()).media.portrait?.ref;
  if (ref !== undefined && same(ref, before)) return carrier;
  return isPngPortrait(ref) ? 'png' : 'json';
}
