/** `bunzai dedupe`: which files are the same, byte for byte or in what they say. Nothing is ever deleted. */
import type { FileMarks, PieceMark } from './dedupe-unit.ts';
import { inputsOf } from './inputs.ts';
import { beside, fact, heading } from './layout.ts';
import { capped } from './report-lines.ts';
import { type RunFlags, run } from './run.ts';
import { grouped } from './tally.ts';
import type { Side, Terminal } from './terminal.ts';
import { clean } from './text.ts';

/** Files that say the same. */
export interface SameGroup {
  /** `file`: every byte. `content`: everything that is said. `words`: everything but the pictures. */
  readonly same: 'file' | 'content' | 'words';
  readonly kind?: string;
  readonly name?: string;
  readonly files: readonly string[];
}

/** Files of a group that a person is shown. */
const MAX_FILES = 20;
const LEVELS = {
  file: 'every byte',
  content: 'what they say; what only one app knows is not compared',
  words: 'all but pictures',
} as const;

export async function dedupe(terminal: Terminal, args: readonly string[], flags: RunFlags): Promise<number> {
  const found = openGroups();
  let unread = 0;
  return run<FileMarks>(terminal, await inputsOf(args), flags, {
    unit: 'dedupe',
    options: {},
    done: 'looked at',
    async settle(item, data) {
      if (data.format === undefined) unread++;
      found.add(item.path, data);
      return { data, files: [] };
    },
    quiet: true,
    finish({ out, err }) {
      const groups = found.groups();
      if (flags.json) for (const group of groups) out.line(JSON.stringify({ ok: true, ...group }));
      else
        for (const [index, group] of groups.entries())
          out.line([...(index > 0 ? [''] : []), ...showGroup(out, group)].join('\n'));
      if (flags.json) return;
      const copies = groups.reduce((sum, { files }) => sum + files.length - 1, 0);
      const text =
        groups.length === 0 ? 'none' : `${grouped(groups.length)} groups, ${grouped(copies)} files more than needed`;
      const lines = [
        ...fact(err, 'doubles', text),
        ...(unread > 0 ? fact(err, 'unread', `${grouped(unread)}, only their bytes were compared`) : []),
      ];
      err.line(['', ...lines].join('\n'));
    },
    fields: () => ({}),
    lines: () => [],
    brief: () => '',
  });
}

interface Member {
  readonly path: string;
  readonly file: string;
  readonly piece: PieceMark;
}

/** Puts files together by their marks. Holds a few hundred bytes for each piece, never its content. */
export function openGroups(): { add(path: string, marks: FileMarks): void; groups(): SameGroup[] } {
  const files = new Map<string, { path: string; piece: PieceMark | undefined }[]>();
  const words = new Map<string, Member[]>();
  return {
    add(path, { sha256, pieces }) {
      push(files, sha256, { path, piece: pieces[0] });
      for (const piece of pieces) push(words, piece.words, { path, file: sha256, piece });
    },
    groups() {
      const same = [...files.values()]
        .filter((members) => members.length > 1)
        .map((members) => groupOf('file', members[0]?.piece, members));
      const said = [...words.values()].flatMap((members) => saidBy(members));
      return [...same, ...said];
    },
  };
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const held = map.get(key);
  if (held) held.push(value);
  else map.set(key, [value]);
}

/** The groups among pieces of the same words: one file of equal ones stands for all of them. */
function saidBy(members: readonly Member[]): SameGroup[] {
  const [first] = members;
  // The book of two equal cards is no news.
  const owners = new Set(members.map(({ piece }) => piece.inside));
  if (!first || (owners.size === 1 && first.piece.inside !== undefined)) return [];
  const contents = new Map<string, Member[]>();
  for (const member of distinct(members, ({ file }) => file)) push(contents, member.piece.content, member);
  const groups = [...contents.values()]
    .filter((same) => same.length > 1)
    .map((same) => groupOf('content', first.piece, same));
  if (contents.size < 2) return groups;
  const each = [...contents.values()].flatMap(([one]) => one ?? []);
  return [...groups, groupOf('words', first.piece, each)];
}

const groupOf = (
  same: SameGroup['same'],
  piece: PieceMark | undefined,
  members: readonly { path: string }[],
): SameGroup => ({
  same,
  ...(piece ? { kind: piece.kind, name: piece.name } : {}),
  files: [...new Set(members.map(({ path }) => path))],
});

function distinct<T>(rows: readonly T[], keyOf: (row: T) => string): T[] {
  const seen = new Set<string>();
  return rows.filter((row) => !seen.has(keyOf(row)) && seen.add(keyOf(row)));
}

function showGroup(side: Side, { same, kind, name, files }: SameGroup): string[] {
  return [
    heading(
      side,
      same === 'words' ? side.paint.yellow('●') : side.paint.cyan('◆'),
      name || (files[0] ?? ''),
      kind ?? 'file',
    ),
    ...fact(side, 'same', LEVELS[same]),
    ...beside(side, 'in', capped(files.map(clean), MAX_FILES, 'more (--json lists all)')),
  ];
}
