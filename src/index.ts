/**
 * bunzai: every format of AI character files through one canonical model.
 * The functions here use all formats; `createEngine` makes the same functions over a chosen few.
 */
import { createEngine } from './engine.ts';
import type { AnyAdapter } from './entities/kinds.ts';
import { formats as roster } from './formats/index.generated.ts';

const engine = createEngine(roster as readonly AnyAdapter[]);

export const { detect, read, write, convert, inspect, label, targets, diff, split, formats } = engine;

export { type ContentHashOptions, contentHash } from './content-hash.ts';
export { type Bytes, bytesOf, isBytes } from './core/bytes.ts';
export type { Entity, Kind, Original, OriginalEntry } from './core/canonical.ts';
export { BunzaiError, ERROR_TEXT, type ErrorCode, type Warning } from './core/errors.ts';
export { canonicalId } from './core/ids.ts';
export type { EscrowLine, Loss, Report } from './core/report.ts';
export type { Input } from './core/source.ts';
export type { OutputFile, WriteOptions } from './emit.ts';
export { createEngine } from './engine.ts';
export type {
  ConvertOptions,
  ConvertResult,
  Detected,
  DiffResult,
  Engine,
  FormatInfo,
  ReadResult,
  TargetOutlook,
  WriteResult,
} from './engine-types.ts';
export type { CharacterBody } from './entities/character/schema.ts';
export type { AnyAdapter, AnyEntity, EntityOf } from './entities/kinds.ts';
export type { LorebookBody, LorebookEntry } from './entities/lorebook/schema.ts';
export type { EntitySummary, Inspection, Label } from './inspect.ts';
