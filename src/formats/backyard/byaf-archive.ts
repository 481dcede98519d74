/** The opened archive as a wire object, `{ manifest, character, scenarios: [{ path, value }], files }` under `card`. */
import { type Bytes, isBytes } from '../../core/bytes.ts';
import { type Draft, isRecord, valueAt, type Wire } from '../../core/draft.ts';
import { scenarioShell } from './byaf-base.ts';

/** The member that names all others. */
export const MANIFEST = 'manifest.json';

/** A scenario file: its member path and its parsed object. */
export interface Scenario {
  readonly path: string;
  readonly value: Wire;
}

const SCENARIOS = ['card', 'scenarios'];
const LISTED = ['card', 'manifest', 'scenarios'];
const isText = (value: unknown): value is string => typeof value === 'string';

/** The text at `keys`, or undefined. */
export const textIn = (wire: unknown, ...keys: string[]): string | undefined => {
  const held = valueAt(wire, keys);
  return isText(held) ? held : undefined;
};

/** The scenarios in the order of the manifest; the first is the primary one. */
export function scenariosOf(wire: Wire): readonly Scenario[] {
  const rows = valueAt(wire, SCENARIOS);
  if (!Array.isArray(rows)) return [];
  return rows.filter((row): row is Scenario => isRecord(row) && isText(row.path) && isRecord(row.value));
}

/** The primary scenario's object; empty where there is none. */
export const primaryOf = (wire: Wire): Wire => scenariosOf(wire)[0]?.value ?? {};

/** The member path of the character. */
export const characterPathOf = (manifest: unknown): string | undefined => {
  const [first] = listOf(valueAt(manifest, ['characters']));
  return isText(first) ? first : undefined;
};

/** The folder of the character, with its slash. */
export const folderOf = (wire: Wire): string => {
  const path = characterPathOf(valueAt(wire, ['card', 'manifest'])) ?? '';
  return path.slice(0, path.lastIndexOf('/') + 1);
};

/** What `characterID` says in messages. */
export const speakerOf = (wire: Wire): string => textIn(wire, 'card', 'character', 'id') ?? '';

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The bytes of a member that is no document. */
export const fileAt = (wire: Wire, path: string | undefined): Bytes | undefined => {
  const held = path === undefined ? undefined : valueAt(wire, ['card', 'files', path]);
  return isBytes(held) ? held : undefined;
};

/** Member names in use, in lower case: documents, files, and what the manifest lists although it is not there. */
export function takenNames(wire: Wire): Set<string> {
  const files = valueAt(wire, ['card', 'files']);
  const names = [...(isRecord(files) ? Object.keys(files) : []), ...scenariosOf(wire).map(({ path }) => path)];
  return new Set([...names, ...listOf(valueAt(wire, LISTED)).filter(isText)].map((name) => name.toLowerCase()));
}

/** A path for a scenario that no member has. */
export function freeScenarioPath(taken: Set<string>): string {
  let n = 1;
  while (taken.has(`scenarios/scenario${n}.json`)) n++;
  const path = `scenarios/scenario${n}.json`;
  taken.add(path);
  return path;
}

/** Puts an edited primary scenario in its place; an archive without one gets one. */
export function editPrimary(draft: Draft, edit: (value: Wire) => Wire): void {
  const [first, ...rest] = scenariosOf(draft.wire);
  const value = first?.value ?? scenarioShell();
  const next = edit(value);
  if (next === first?.value) return;
  const path = first?.path ?? freeScenarioPath(takenNames(draft.wire));
  setScenarios(draft, [{ ...first, path, value: next }, ...rest]);
}

/** Puts the list of scenarios, and the same paths into the manifest; the pictures of one that is gone go with it. */
export function setScenarios(draft: Draft, next: readonly Scenario[]): void {
  const known = new Set(scenariosOf(draft.wire).map(({ path }) => path));
  const backgrounds = scenariosOf(draft.wire).map(({ value }) => textIn(value, 'backgroundImage'));
  draft.set(SCENARIOS, next);
  const listed = listOf(valueAt(draft.wire, LISTED));
  const paths = merged(
    listed,
    next.map(({ path }) => path),
    known,
  );
  if (paths.length !== listed.length || paths.some((path, index) => path !== listed[index])) draft.set(LISTED, paths);
  for (const path of backgrounds) dropFile(draft, path);
}

/** The listed paths with the readable ones replaced in their places; entries that name nothing readable stay. */
function merged(listed: readonly unknown[], next: readonly string[], known: ReadonlySet<string>): unknown[] {
  const seen = new Set<unknown>();
  const rest = [...next];
  const out: unknown[] = [];
  for (const path of listed) {
    const readable = isText(path) && known.has(path);
    if (!readable) out.push(path);
    else if (!seen.has(path) && rest.length > 0) out.push(rest.shift());
    seen.add(path);
  }
  return [...out, ...rest];
}

/** Archive paths that rows of pictures and backgrounds point at. */
export function pointedAt(wire: Wire): ReadonlySet<string> {
  const folder = folderOf(wire);
  const rows = listOf(valueAt(wire, ['card', 'character', 'images'])).flatMap((row) => {
    const path = textIn(row, 'path');
    return path === undefined ? [] : [folder + path];
  });
  return new Set([...rows, ...scenariosOf(wire).flatMap(({ value }) => textIn(value, 'backgroundImage') ?? [])]);
}

/** Removes a file that nothing points at any more. */
export function dropFile(draft: Draft, path: string | undefined): void {
  if (path !== undefined && fileAt(draft.wire, path) && !pointedAt(draft.wire).has(path)) {
    draft.delete(['card', 'files', path]);
  }
}
