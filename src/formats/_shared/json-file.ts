import type { AccountResult, Claim } from '../../core/account.ts';
import type { Container, EmitContext, Sealed, Stripped } from '../../core/adapter.ts';
import { asBytes, type Bytes } from '../../core/bytes.ts';
import { type Entity, type OriginalEntry, SCHEMA_VERSION } from '../../core/canonical.ts';
import { accountOf, type CoverageRow, coverage } from '../../core/coverage.ts';
import { isRecord, type Wire } from '../../core/draft.ts';
import { BunzaiError, type Warning } from '../../core/errors.ts';
import { hidden } from '../../core/hidden.ts';
import { canonicalId } from '../../core/ids.ts';
import { jsonOf } from '../../core/json.ts';
import { jsonFile } from '../../core/json-print.ts';
import { claimsOf, get, type Lens, put } from '../../core/lens.ts';
import type { Source } from '../../core/source.ts';
import type { AdapterOf, Bodies, BodyKind } from '../../entities/kinds.ts';
import { JSON_CONTAINER } from './containers.ts';
import { stemOf } from './file-name.ts';
import type { Carried, JsonCarrier } from './json-carriers.ts';

/** One entity inside a parsed file. */
export interface FilePart {
  /** Key or index of this entity in the file; noted in `unmapped.row`. */
  readonly row: string;
  /** What the fields see. */
  readonly wire: Wire;
}

/** A part as it is to be written: `row` is absent for an entity that the file did not hold before. */
export interface WrittenPart<B> {
  readonly row?: string;
  readonly wire: Wire;
  readonly body: B;
}

/** How a file holds several entities. A file of one needs none of this. */
export interface FileParts<B> {
  /** The entities of a file, the main one first. */
  split(raw: unknown): readonly FilePart[];
  /** The file with these parts changed or added; everything else stays. `raw` is absent for a fresh file. */
  join(raw: unknown, parts: readonly WrittenPart<B>[]): unknown;
}

/** One wire shape of a JSON format. */
export interface FileShape<B> {
  /** Name in `unmapped.dialect`. */
  readonly dialect: string;
  readonly fields: readonly Lens<B>[];
  /** Wire keys that say what the file is, not what is in it. */
  readonly structure?: readonly Claim[];
  readonly parts?: FileParts<B>;
  /** File extension of this shape, where it is not the format's. */
  readonly extension?: string;
  /** Confidence that this parsed value has this shape. Never throws. */
  recognize(value: unknown): number;
  /** What nothing claims, and who asks for this format by name gets all the same: a file without rows. */
  onRequest?(value: unknown): boolean;
}

/** A format whose files are JSON. */
export interface JsonSpec<K extends BodyKind> {
  readonly id: string;
  readonly family: string;
  readonly label: string;
  readonly kind: K;
  readonly generic?: boolean;
  /** A file goes back in the shape it came in; a fresh one takes the first. */
  readonly shapes: readonly [FileShape<Bodies[K]>, ...FileShape<Bodies[K]>[]];
  /** Escrow key, where it is not the adapter's id. */
  readonly escrow?: string;
  /** File extension, where it is not `json`. */
  readonly extension?: string;
  /** Blanks a level in the written text; absent: 2. */
  readonly indent?: number;
  /** Files around the JSON value that are not JSON text. */
  readonly carriers?: readonly JsonCarrier[];
  /** Its files are never bare JSON text: the first carrier is the default. */
  readonly carriedOnly?: boolean;
  /** The slot of the body for the picture around the value; absent: the picture stays in `sourceMedia` alone. */
  readonly portrait?: {
    place(body: Bodies[K], picture: Bytes): void;
    pick(body: Bodies[K]): unknown;
  };
  empty(): Bodies[K];
  /** The wire object of an entity without a twin, in the first shape. */
  fresh(body: Bodies[K]): Wire;
  /** What else a person should know about a file, from its parsed value and the row of one entity in it. */
  doubts?(raw: unknown, row: string): readonly Warning[];
  /** Why a body cannot be written; `entry` is its twin in this format. */
  refuses?(entry: OriginalEntry | undefined): string | undefined;
  /** Why an entity read from this twin goes into no other app's format. */
  bound?(entry: OriginalEntry): string | undefined;
  /** The parsed value without secrets. */
  stripSecrets?(raw: unknown): Stripped;
}

/** A list is wrapped while fields look at it, so that every part is an object. */
export const LIST_KEY = 'rows';
const asWire = (value: unknown): Wire | undefined =>
  isRecord(value) ? value : Array.isArray(value) ? { [LIST_KEY]: value } : undefined;
const asFile = (wire: Wire, raw: unknown): unknown =>
  Array.isArray(raw) || (raw === undefined && isListWire(wire)) ? wire[LIST_KEY] : wire;
const isListWire = (wire: Wire): boolean => Object.keys(wire).length === 1 && Array.isArray(wire[LIST_KEY]);

/** The slot of the picture around a value. */
const AROUND: CoverageRow = {
  canonical: 'media.portrait',
  wire: 'the picture around it',
  shape: 'PNG picture',
  fidelity: 'converted',
  note: 'one picture, and only a PNG can carry the data',
};

/** A value that a carrier holds and that cannot be decoded is claimed, so that reading can say what is wrong with it. */
const UNDECODABLE = 0.9;

/** An opened file: `media` and what goes with it only where the value came in a carrier. */
type Opened =
  | { readonly held: Pick<Carried, 'value' | 'warnings'> & Partial<Carried> }
  | { readonly fault: BunzaiError };

/** An adapter for a JSON format from its declaration. */
export function defineJson<K extends BodyKind>(spec: JsonSpec<K>): AdapterOf<K> {
  type Body = Bodies[K];
  const escrow = spec.escrow ?? spec.id;
  const container = spec.extension === undefined ? JSON_CONTAINER : { ...JSON_CONTAINER, extension: spec.extension };
  const carriers = spec.carriers ?? [];
  const carried = carriers.map((one) => one.container);
  const containers: readonly [Container, ...Container[]] =
    spec.carriedOnly && carried[0] ? [carried[0], ...carried.slice(1)] : [container, ...carried];
  /** What reading noticed about the file of an entry. */
  const noticed = hidden<readonly Warning[]>('what reading noticed');
  const openCarried = (source: Source): Opened | undefined => {
    for (const carrier of carriers) {
      const outcome = carrier.open(source);
      if (outcome) return outcome;
    }
    return undefined;
  };
  const open = (source: Source): Opened | undefined => {
    const carried = openCarried(source);
    if (carried || spec.carriedOnly) return carried;
    const outcome = jsonOf(source);
    return outcome && 'parsed' in outcome ? { held: outcome.parsed } : outcome;
  };
  const shapeOf = (entry: OriginalEntry | undefined) =>
    spec.shapes.find(({ dialect }) => dialect === entry?.unmapped?.dialect) ?? spec.shapes[0];
  const best = (value: unknown): { readonly shape: FileShape<Body>; readonly score: number } | undefined => {
    if (value === undefined) return undefined;
    let hit: { shape: FileShape<Body>; score: number } | undefined;
    for (const shape of spec.shapes) {
      const score = shape.recognize(value);
      if (hit === undefined || score > hit.score) hit = { shape, score };
    }
    return hit;
  };
  const partsOf = (shape: FileShape<Body>, raw: unknown): readonly FilePart[] => {
    if (shape.parts) return shape.parts.split(raw);
    const wire = asWire(raw);
    return wire ? [{ row: '', wire }] : [];
  };
  const partOf = (entity: Entity<Body>) => {
    const entry = entity.original?.[escrow];
    if (!entry) return undefined;
    const shape = shapeOf(entry);
    const row = typeof entry.unmapped?.row === 'string' ? entry.unmapped.row : '';
    const part = partsOf(shape, entry.raw).find((one) => one.row === row);
    return part && { entry, shape, part };
  };
  const seal = (
    value: unknown,
    asked: string | undefined,
    entry: OriginalEntry | undefined,
    { extension }: FileShape<Body>,
    body: Body,
  ): Sealed => {
    const media = asBytes(entry?.sourceMedia);
    const came = media && carriers.find((one) => one.container.mime === media.mime);
    const name = asked ?? came?.container.name ?? containers[0].name;
    if (name === container.name && !spec.carriedOnly) {
      const bytes = jsonFile(came?.unwrap?.(value) ?? value, spec.indent);
      return { bytes, container: extension === undefined ? container : { ...container, extension }, warnings: [] };
    }
    const carrier = carriers.find((one) => one.container.name === name);
    if (!carrier) throw new BunzaiError('container.unsupported', { format: spec.id, detail: `"${name}"` });
    const picture = asBytes(spec.portrait?.pick(body));
    const sealed = carrier.seal({
      value,
      ...(media && came === carrier ? { twin: { media, unedited: value === entry?.raw } } : {}),
      ...(picture ? { picture } : {}),
    });
    return { ...sealed, container: carrier.container };
  };

  const boundBy = (entry: OriginalEntry | undefined) => entry && spec.bound?.(entry);
  let rows: readonly CoverageRow[] | undefined;
  const adapter = {
    id: spec.id,
    family: spec.family,
    label: spec.label,
    kind: spec.kind,
    ...(spec.generic ? { generic: true } : {}),
    containers,
    get coverage() {
      rows ??= [...coverage(spec.shapes[0].fields as never), ...(spec.portrait ? [AROUND] : [])];
      return rows;
    },
    escrowIds: [escrow],
    detect(source: Source): number {
      const opened = open(source);
      if (opened && 'fault' in opened) return openCarried(source) ? UNDECODABLE : 0;
      return best(opened?.held.value)?.score ?? 0;
    },
    toCanonical(source: Source): readonly Entity<Body, K>[] {
      const opened = open(source);
      if (opened && 'fault' in opened) throw opened.fault;
      const { value: raw, media, picture, warnings = [] } = opened?.held ?? {};
      const claimed = best(raw);
      const shape = claimed && claimed.score > 0 ? claimed.shape : spec.shapes.find((one) => one.onRequest?.(raw));
      const parts = shape ? partsOf(shape, raw) : [];
      if (!shape || parts.length === 0)
        throw new BunzaiError('format.mismatch', {
          format: spec.id,
          detail: `there is no ${spec.label} ${spec.kind} in this file`,
        });
      return parts.map(({ row, wire }) => {
        const body = get(shape.fields, wire, spec.empty());
        if (picture) spec.portrait?.place(body, picture);
        const { name } = body as { name?: unknown };
        const unmapped = { dialect: shape.dialect, ...(shape.parts ? { row } : {}) };
        const id = canonicalId(name, canonicalId(stemOf(source), spec.kind));
        const entry: OriginalEntry = { raw, unmapped, ...(media ? { sourceMedia: media } : {}) };
        noticed.keep(entry, warnings);
        return { schemaVersion: SCHEMA_VERSION, kind: spec.kind, id, body, original: { [escrow]: entry } };
      });
    },
    fromCanonical(
      entities: readonly [Entity<Body, K>, ...Entity<Body, K>[]],
      { container: asked }: EmitContext = {},
    ): Sealed {
      const twin = entities.map(partOf).find((one) => one !== undefined);
      const shape = twin?.shape ?? spec.shapes[0];
      const raw = twin?.entry.raw;
      const parts: WrittenPart<Body>[] = entities.flatMap((entity) => {
        const own = partOf(entity);
        if (!own || own.entry.raw !== raw) return [{ wire: spec.fresh(entity.body), body: entity.body }];
        const wire = put(shape.fields, own.part.wire, entity.body);
        return wire === own.part.wire ? [] : [{ row: own.part.row, wire, body: entity.body }];
      });
      const joined = () => (shape.parts ? shape.parts.join(raw, parts) : asFile(parts[0]?.wire ?? {}, raw));
      return seal(parts.length === 0 ? raw : joined(), asked, twin?.entry, shape, entities[0].body);
    },
    account(entity: Entity<Body, K>): AccountResult {
      const own = partOf(entity);
      if (!own) return accountOf([], undefined);
      const { shape, part, entry } = own;
      const result = accountOf([...claimsOf(shape.fields as never, part.wire), ...(shape.structure ?? [])], part.wire);
      return { ...result, warnings: [...(noticed.of(entry) ?? []), ...(spec.doubts?.(entry.raw, part.row) ?? [])] };
    },
    ...(spec.refuses ? { refuses: (entity: Entity<Body, K>) => spec.refuses?.(entity.original?.[escrow]) } : {}),
    ...(spec.bound ? { bound: (entity: Entity<Body, K>) => boundBy(entity.original?.[escrow]) } : {}),
    ...(spec.stripSecrets ? { stripSecrets: spec.stripSecrets } : {}),
  };
  return adapter as unknown as AdapterOf<K>;
}
