import { BunzaiError, ERROR_TEXT } from '../../../core/errors.ts';
import { LibraryConflict, LibraryFull } from '../../library/store.ts';
import type { Fault } from './api.ts';

/** What the library refuses, with what to try. */
const LIBRARY: Readonly<Record<string, readonly [title: string, hint: string]>> = {
  [LibraryConflict]: [
    'the item was changed in another tab',
    'download your version or save it as a copy, then open the item again',
  ],
  [LibraryFull]: ['there is no room left for the library', 'remove items, or free space on the disk'],
};

/** Any error as plain data that survives the way to the page. */
export function faultOf(error: unknown, file?: string): Fault {
  if (error instanceof BunzaiError) {
    const { code, path, detail, hint } = error;
    return { code, title: ERROR_TEXT[code], file: error.file ?? file, path, detail, hint };
  }
  const { name = '', message = String(error) } = error as { name?: string; message?: string };
  const known = LIBRARY[name];
  if (known) return { code: name, title: known[0], file, detail: message, hint: known[1] };
  return { code: 'unexpected', title: 'something went wrong', file, detail: message, hint: 'try once more' };
}
