/** The engine of the command line: all formats. */
import { createEngine } from '../engine.ts';
import type { AnyAdapter } from '../entities/kinds.ts';
import { formats } from '../formats/index.generated.ts';

export const engine = createEngine(formats as readonly AnyAdapter[]);
