/** `bunzai studio`: the studio on this machine, with a folder as its library, until it is stopped. */
import { spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { startStudio } from '../ui/server.ts';
import { usage } from './fault.ts';
import { fact, heading } from './layout.ts';
import type { Side, Terminal } from './terminal.ts';
import { counted } from './text.ts';

export interface StudioFlags {
  readonly port?: string;
  readonly open?: boolean;
  readonly json?: boolean;
}

/** The folder of the library inside the user's documents. */
const LIBRARY = 'bunzai';
/** The built page, as seen from the built command. */
const SITE = join(__dirname, '..', 'studio');

/** Runs the studio until the process is told to stop. Returns the exit code. */
export async function studio(terminal: Terminal, [dir]: readonly string[], flags: StudioFlags): Promise<number> {
  const { out } = terminal;
  const library = resolve(dir ?? join(documents(), LIBRARY));
  const running = await startStudio({ library, site: SITE, port: portOf(flags.port) });
  const stopped = stopSignal();
  const { address, folder, items } = running;
  if (flags.json) out.line(JSON.stringify({ ok: true, address, folder, items }));
  else for (const line of shown(out, address, folder, items)) out.line(line);
  if (flags.open) openBrowser(address);
  await stopped;
  await running.stop();
  return 0;
}

/** The address stands alone on its line and is never cut: it is there to be clicked or copied. */
function shown(side: Side, address: string, folder: string, items: number): string[] {
  return [
    heading(side, side.paint.green('●'), 'bunzai studio', 'local server'),
    ...fact(side, 'library', folder),
    ...fact(side, '', items === 0 ? 'drop cards into the page, or put them into the folder' : counted(items, 'items')),
    ...fact(side, 'open', 'this address in a browser; it is valid until you stop'),
    '',
    address,
    '',
    ...fact(side, 'stop', 'Ctrl-C'),
  ];
}

function portOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const port = /^\d{1,5}$/.test(given) ? Number(given) : Number.NaN;
  if (port >= 0 && port <= 65_535) return port;
  throw usage(`"${given}" is no port`, 'give --port a number from 0 to 65535; 0 takes any free one');
}

/** Where this user keeps documents; the home folder where no such place is known. */
function documents(): string {
  const home = homedir();
  const named = process.platform === 'linux' ? namedDocuments(home) : undefined;
  return [named, join(home, 'Documents')].find((path) => path !== undefined && isFolder(path)) ?? home;
}

/** Linux desktops call the folder by a word of the user's language and write it down. */
function namedDocuments(home: string): string | undefined {
  try {
    const settings = process.env.XDG_CONFIG_HOME || join(home, '.config');
    const text = readFileSync(join(settings, 'user-dirs.dirs'), 'utf8');
    return /^XDG_DOCUMENTS_DIR="(.*)"/m.exec(text)?.[1]?.replace(/^\$HOME/, home);
  } catch {
    return undefined;
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Resolves when the process is told to stop. A second time ends it at once. */
const stopSignal = (): Promise<void> =>
  new Promise((done) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => done());
  });

/** Hands the address to the system. Where that fails, it stands on the screen. */
function openBrowser(address: string): void {
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(command ?? '', [...args, address], { detached: true, stdio: 'ignore' });
  child.on('error', () => undefined);
  child.unref();
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
