/** Backyard, once called Faraday: the older JSON character, and the `.byaf` archive that replaced it. */
import type { AnyAdapter } from '../../entities/kinds.ts';
import { backyard } from './backyard.ts';
import { byaf } from './byaf.ts';

export { backyard, byaf };

export default [backyard, byaf] satisfies AnyAdapter[];
