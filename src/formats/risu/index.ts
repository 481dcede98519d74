/** RisuAI: V3 cards in a `.charx` archive with their pictures, alone or behind a JPEG. Facts: RisuAI 166.3.3. */
import { existsAt, isRecord, valueAt } from '../../core/draft.ts';
import type { AnyAdapter } from '../../entities/kinds.ts';
import { charxCarriers, charxOf } from '../_shared/charx.ts';
import { defineTavern } from '../_shared/tavern.ts';
import { risuFields } from './fields.ts';

export const risu = defineTavern({
  id: 'risu',
  family: 'risu',
  label: 'RisuAI',
  containers: [{ name: 'charx', extension: 'charx', mime: 'application/zip' }],
  carriers: [charxCarriers],
  extra: risuFields,
  /** An archive that also has Lumiverse's modules is Lumiverse's. */
  detect(source) {
    const zip = charxOf(source);
    return zip && !zip.get('lumiverse_modules.json') ? 1 : 0;
  },
  choose: () => 'charx',
  doubts({ wire }) {
    const files = isRecord(wire.files) ? wire.files : {};
    const pointed = pointedAt(wire.card);
    const left = Object.keys(files).filter((path) => !pointed.has(path.toLowerCase()));
    return {
      left: left.map((path) => ({ path: `unmapped.assetFiles["${path}"]`, value: files[path] })),
      warnings: existsAt(files, ['module.risum']) ? [MODULE] : [],
    };
  },
});

const MODULE = {
  code: 'risu.module',
  path: 'module.risum',
  message:
    'RisuAI takes book, rules and scripts from the module rather than from the card: an edit of those does not reach it yet',
};

/** Members that asset rows of the card point at, in lower case. */
function pointedAt(card: unknown): Set<string> {
  const rows = valueAt(card, ['data', 'assets']);
  const uris = Array.isArray(rows) ? rows.map((row) => (isRecord(row) ? String(row.uri) : '')) : [];
  return new Set(uris.map((uri) => uri.replace(/^[a-z]+:\/\//i, '').toLowerCase()));
}

export default [risu] satisfies AnyAdapter[];
