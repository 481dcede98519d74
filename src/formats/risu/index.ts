/** RisuAI: V3 cards with their pictures in a `.charx`, alone or behind a JPEG, or in a PNG. Facts: RisuAI 166.3.3. */
import { isRecord, same, valueAt, type Wire } from '../../core/draft.ts';
import type { Warning } from '../../core/errors.ts';
import type { AnyAdapter } from '../../entities/kinds.ts';
import { charxOf } from '../_shared/charx.ts';
import { PNG_CONTAINER } from '../_shared/containers.ts';
import { defineTavern } from '../_shared/tavern.ts';
import { risuBook } from './card-book.ts';
import { charx, chunkedPng, fronted, isRisuPng, MEMBER } from './carriers.ts';
import { risuFields } from './fields.ts';
import { risuLorebook } from './lorebook.ts';
import { risuModule } from './module.ts';
import { booksDiffer, moduleShelf } from './module-book.ts';
import { hasModule, MODULE, withModule } from './module-scripts.ts';
import { risuPersona } from './persona.ts';
import { risuRegex } from './regex.ts';

export const risu = defineTavern({
  id: 'risu',
  family: 'risu',
  label: 'RisuAI',
  containers: [
    { name: 'charx', extension: 'charx', mime: 'application/zip' },
    PNG_CONTAINER,
    { name: 'jpeg', extension: 'jpeg', mime: 'image/jpeg' },
  ],
  carriers: [charx, chunkedPng, fronted],
  carrierFor: (container) => (container === 'jpeg' ? 'charx' : container),
  book: risuBook,
  shelf: moduleShelf,
  mark: (card, container) => (container === 'png' ? marked(card) : card),
  extra: (data) => withModule(risuFields(data), data),
  /** An archive that also has Lumiverse's modules is Lumiverse's. */
  detect(source) {
    const zip = charxOf(source);
    if (zip) return zip.get('lumiverse_modules.json') ? 0 : 1;
    return isRisuPng(source) ? 0.95 : 0;
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

/** The block by which a picture is known as RisuAI's: else its folders would come back as entries. */
const marked = (card: Wire): Wire => {
  const data = isRecord(card.data) ? card.data : {};
  return {
    ...card,
    data: { ...data, extensions: { ...(isRecord(data.extensions) ? data.extensions : {}), risuai: {} } },
  };
};

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
  return new Set(uris.map((uri) => uri.replace(/^(?:[a-z]+:\/\/|__asset:|asset:|pngchunk:)/i, '').toLowerCase()));
}

export default [risu, risuLorebook, risuRegex, risuModule, risuPersona] satisfies AnyAdapter[];
