/**
 * NovelAI: lorebooks of versions 1 to 6. There is no published specification.
 * Facts: exported files of versions 1, 2, 4 and 6, scenarios of versions 0 and 1, a community handbook.
 */
import type { AnyAdapter } from '../../entities/kinds.ts';
import { novelaiLorebook } from './lorebook.ts';

export default [novelaiLorebook] satisfies AnyAdapter[];
