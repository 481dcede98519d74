import type { Kind } from './core/canonical.ts';
import type { Difference } from './core/compare.ts';
import type { CoverageRow } from './core/coverage.ts';
import type { Warning } from './core/errors.ts';
import type { Registry } from './core/registry.ts';
import type { Loss, Report } from './core/report.ts';
import type { Input } from './core/source.ts';
import type { OutputFile, WriteOptions } from './emit.ts';
import type { AnyAdapter, AnyEntity } from './entities/kinds.ts';
import type { Inspection, Label } from './inspect.ts';

/** The adapter that claims a file, and how surely. */
export interface Detected {
  readonly format: string;
  readonly kind: Kind;
  /** 0.5 to 1. */
  readonly score: number;
}

/** Everything a file holds: the main entity first, then its books and other parts. */
export interface ReadResult {
  readonly format: string;
  readonly entities: readonly AnyEntity[];
  /** Repairs, and facts that only their own format can keep. */
  readonly warnings: readonly Warning[];
}

export interface WriteResult {
  readonly files: readonly OutputFile[];
  readonly report: Report;
}

export interface ConvertResult extends WriteResult {
  readonly from: string;
  readonly to: string;
  readonly kind: Kind;
  /** What was read: the main entity first. */
  readonly entities: readonly AnyEntity[];
}

export interface ConvertOptions extends WriteOptions {
  /** Read as this format instead of detecting. */
  readonly from?: string;
}

/** One possible target and what would cross. */
export interface TargetOutlook {
  readonly format: string;
  readonly label: string;
  /** Populated canonical paths that read back equal, of `populated`. */
  readonly carried: number;
  readonly populated: number;
  readonly lost: readonly Loss[];
}

/** One adapter as the roster shows it. */
export interface FormatInfo {
  readonly id: string;
  readonly family: string;
  readonly kind: Kind;
  readonly label: string;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly native: boolean;
  readonly coverage: readonly CoverageRow[];
}

/** A canonical difference between two files, whatever formats they have. */
export interface DiffResult {
  readonly a: { readonly format: string; readonly kind: Kind; readonly id: string };
  readonly b: { readonly format: string; readonly kind: Kind; readonly id: string };
  readonly equal: boolean;
  readonly differences: readonly (Difference & { readonly entity: string })[];
  /** Paths that only `b` says. */
  readonly added: readonly string[];
}

/** The functions of the library over a chosen set of adapters. */
export interface Engine {
  detect(input: Input): Promise<Detected | undefined>;
  read(input: Input, options?: { readonly format?: string }): Promise<ReadResult>;
  write(entities: readonly AnyEntity[], format: string, options?: WriteOptions): Promise<WriteResult>;
  convert(input: Input, format: string, options?: ConvertOptions): Promise<ConvertResult>;
  /** What a file is and what is in it, with a warning for everything a person should look at first. */
  inspect(input: Input, options?: { readonly format?: string }): Promise<Inspection>;
  /** Which app probably wrote a file. Refuses nothing: what it cannot tell is `unknown`. */
  label(input: Input): Promise<Label>;
  targets(input: Input, options?: { readonly format?: string }): Promise<TargetOutlook[]>;
  diff(a: Input, b: Input): Promise<DiffResult>;
  /** The files that a JSON list of characters stands for, each to be read by itself; empty for anything else. */
  split(input: Input): Promise<readonly Uint8Array[]>;
  formats(): FormatInfo[];
  readonly registry: Registry<AnyAdapter>;
}
