/** RisuAI: V3 cards in a `.charx` archive with their pictures, alone or behind a JPEG. Facts: RisuAI 166.3.3. */
import { bytesOf } from '../../core/bytes.ts';
import { isRecord, same, valueAt, type Wire } from '../../core/draft.ts';
import type { Warning } from '../../core/errors.ts';
import type { AnyAdapter } from '../../entities/kinds.ts';
import { charxOf, charxWith } from '../_shared/charx.ts';
import { defineTavern } from '../_shared/tavern.ts';
import { risuBook } from './card-book.ts';
import { risuFields } from './fields.ts';
import { risuLorebook } from './lorebook.ts';
import { risuModule } from './module.ts';
import { booksDiffer, moduleShelf } from './module-book.ts';
import { hasModule, MODULE, withModule } from './module-scripts.ts';
import { risuRegex } from './regex.ts';
import { openModule, sealModule } from './risum.ts';

const MEMBER = 'module.risum';

const charx = charxWith([
  {
    member: MEMBER,
    key: MODULE,
    open: (content) => openModule(content.bytes(), MEMBER),
    seal: (value, twin) => bytesOf(sealModule(value, twin?.bytes()), 'application/octet-stream'),
  },
]);

export const risu = defineTavern({
  id: 'risu',
  family: 'risu',
  label: 'RisuAI',
  containers: [{ name: 'charx', extension: 'charx', mime: 'application/zip' }],
  carriers: [charx],
  book: risuBook,
  shelf: moduleShelf,
  extra: (data) => withModule(risuFields(data), data),
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
      warnings: hasModule(wire) ? differences(wire) : [],
    };
  },
});

const PAIRS = [
  ['regex', 'customScripts'],
  ['trigger', 'triggerscript'],
] as const;

/** What the card and the module say differently: the module counts, as in the app. */
function differences(wire: Wire): Warning[] {
  const scripts = PAIRS.filter(([inModule, inCard]) => {
    const card = valueAt(wire.card, ['data', 'extensions', 'risuai', inCard]);
    const held = valueAt(wire, [MODULE, 'module', inModule]);
    return Array.isArray(card) && card.length > 0 && !same(card, held);
  }).map(([inModule]) => inModule);
  return [...(booksDiffer(wire) ? ['lorebook'] : []), ...scripts].map((part) => ({
    code: 'risu.module-differs',
    path: `${MEMBER}: ${part}`,
    message: 'the card holds another copy of this: the module counts, as in the app; an edit goes to both',
  }));
}

/** Members that asset rows of the card point at, in lower case. */
function pointedAt(card: unknown): Set<string> {
  const rows = valueAt(card, ['data', 'assets']);
  const uris = Array.isArray(rows) ? rows.map((row) => (isRecord(row) ? String(row.uri) : '')) : [];
  return new Set(uris.map((uri) => uri.replace(/^[a-z]+:\/\//i, '').toLowerCase()));
}

export default [risu, risuLorebook, risuRegex, risuModule] satisfies AnyAdapter[];
