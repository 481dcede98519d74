/** Libraries of other people that read cards, books and archives. */
import { existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { CCardLib } from '@risuai/ccardlib';
import * as zipjs from '@zip.js/zip.js';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import * as Cards from 'character-card-utils';
import { zipPieces } from '../kit/carriers.ts';
import { CORPUS } from '../kit/corpus.ts';
import { cardIn } from './card-in.ts';
import type { Fresh, Job } from './fresh.ts';
import { accepted, changesOf, type Judge, refused, type Verdict } from './judge.ts';
import { moduleOf, versionOf } from './sillytavern.ts';

type Tree = Record<string, unknown>;

interface Foundry {
  parseCard(file: Uint8Array): { readonly card: Tree };
}
interface FoundryBooks {
  parseLorebook(file: Uint8Array): { readonly book: Book };
}
interface LenmlCard {
  toSpecV3(): Tree;
}
interface Lenml {
  readonly CharacterCard: { from_json(card: unknown): LenmlCard; from_file(file: Uint8Array): Promise<LenmlCard> };
}

/** A book in any of the spellings that are read here. */
interface Book {
  readonly entries?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** What is used of yauzl, which brings no types. */
interface Yauzl {
  fromBuffer(buffer: Buffer, options: object, done: (error: Error | null, zip: YauzlFile) => void): void;
}
interface YauzlFile {
  on(event: 'error' | 'end' | 'entry', listener: (given: never) => void): void;
  readEntry(): void;
  openReadStream(entry: object, done: (error: Error | null, stream: NodeJS.ReadableStream) => void): void;
}
const yauzl: Yauzl = (await import('yauzl' as string)).default;

/** Cards with `spec` and `data`, in whatever file. */
const isTavern = ({ target }: Job): boolean => ['sillytavern', 'risu', 'lumiverse', 'rolecall'].includes(target);
const isArchive = ({ container }: Job): boolean => ['charx', 'byaf', 'jpeg'].includes(container);
const ownVersion = (name: string): string =>
  JSON.parse(readFileSync(new URL(`../../node_modules/${name}/package.json`, import.meta.url), 'utf8')).version;

/** A copy, because some checkers change what they look at. */
const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value));

interface Spec {
  readonly name: string;
  readonly asks: string;
  readonly version: string;
  readonly reads: (job: Job) => boolean;
  /** Throws where the library refuses. */
  readonly run: (file: Fresh) => Promise<Verdict | undefined> | Verdict | undefined;
}

const judgeOf = ({ run, ...rest }: Spec): Judge => ({
  ...rest,
  async judge(file) {
    try {
      return await run(file);
    } catch (error) {
      return refused(error instanceof Error ? error.message : error);
    }
  },
});

const checks: Spec[] = [
  {
    name: '@risuai/ccardlib',
    asks: 'check of the card',
    version: ownVersion('@risuai/ccardlib'),
    reads: isTavern,
    run({ bytes }) {
      const card = cardIn(bytes) as Tree;
      const found = CCardLib.character.check(copy(card));
      return card.spec === `chara_card_${found}` ? accepted() : refused(`it is a ${found} to it`);
    },
  },
  {
    name: 'character-card-utils',
    asks: 'schema of V2',
    version: ownVersion('character-card-utils'),
    reads: isTavern,
    run({ bytes }) {
      const card = cardIn(bytes) as Tree;
      if (card.spec !== 'chara_card_v2') return undefined;
      const { error } = Cards.v2.safeParse(copy(card));
      return error ? refused(JSON.stringify(error.issues[0])) : accepted();
    },
  },
];

/** Members by name, with their bytes inflated and their checksums held. */
async function zipJsMembers(bytes: Buffer): Promise<Map<string, Buffer>> {
  const reader = new zipjs.ZipReader(new zipjs.Uint8ArrayReader(new Uint8Array(bytes)), { checkSignature: true });
  const members = new Map<string, Buffer>();
  for (const entry of await reader.getEntries()) {
    if (entry.directory) continue;
    members.set(entry.filename, Buffer.from(await entry.getData(new zipjs.Uint8ArrayWriter())));
  }
  return members;
}

async function yauzlMembers(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await promisify(yauzl.fromBuffer)(bytes, { lazyEntries: true });
  const members = new Map<string, Buffer>();
  const stream = promisify(zip.openReadStream.bind(zip));
  return new Promise((resolve, reject) => {
    zip.on('error', reject);
    zip.on('end', () => resolve(members));
    zip.on('entry', async (entry: { fileName: string }) => {
      try {
        const parts: Buffer[] = [];
        for await (const part of await stream(entry)) parts.push(Buffer.from(part));
        members.set(entry.fileName, Buffer.concat(parts));
        zip.readEntry();
      } catch (error) {
        reject(error);
      }
    });
    zip.readEntry();
  });
}

/** The members as the walker of the tests finds them, against those of a library. */
function membersAgree(bytes: Buffer, members: ReadonlyMap<string, Buffer>): Verdict {
  const walked = zipPieces(bytes).filter(({ name }) => name !== '(before the archive)');
  const digest = (body: Buffer | undefined) => body?.toString('base64');
  const ours = Object.fromEntries(walked.map(({ name, body }) => [name, digest(body)]));
  return accepted(changesOf(ours, Object.fromEntries([...members].map(([name, body]) => [name, digest(body)]))));
}

const archives: Spec[] = [
  {
    name: '@zip.js/zip.js',
    asks: 'every member, checksums held',
    version: ownVersion('@zip.js/zip.js'),
    reads: isArchive,
    run: async ({ bytes }) => membersAgree(bytes, await zipJsMembers(bytes)),
  },
  {
    name: 'yauzl',
    asks: 'every member',
    version: ownVersion('yauzl'),
    // It reads no archive with a picture in front.
    reads: (job) => isArchive(job) && job.container !== 'jpeg',
    run: async ({ bytes }) => membersAgree(bytes, await yauzlMembers(bytes)),
  },
];

/** The owner's schemas of the Backyard archive, from the corpus; none where there is no corpus. */
function byafSchemas(): Spec[] {
  const folder = new URL('byaf-schemas/', CORPUS);
  if (!existsSync(folder)) return [];
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const schema = (name: string) =>
    ajv.compile(JSON.parse(readFileSync(new URL(`byaf-${name}.schema.json`, folder), 'utf8')));
  const kinds = { manifest: schema('manifest'), character: schema('character'), scenario: schema('scenario') };
  const kindOf = (name: string) =>
    name === 'manifest.json' ? 'manifest' : /character\.json$/.test(name) ? 'character' : 'scenario';
  const run = ({ bytes }: Fresh): Verdict => {
    for (const { name, body } of zipPieces(bytes)) {
      if (!name.endsWith('.json')) continue;
      const check = kinds[kindOf(name)];
      if (!check(JSON.parse(body.toString('utf8')))) return refused(`${name}: ${ajv.errorsText(check.errors)}`);
    }
    return accepted();
  };
  const asks = 'JSON Schemas of the format owner';
  return [{ name: 'ajv', asks, version: ownVersion('ajv'), reads: ({ target }) => target === 'byaf', run }];
}

/** Readers that are installed with the oracles. */
async function readers(): Promise<Spec[]> {
  const foundry = await moduleOf<Foundry>('@character-foundry/loader/dist/index.js');
  const books = await moduleOf<FoundryBooks>('@character-foundry/character-foundry/dist/lorebook.js');
  const lenml = await moduleOf<Lenml>('@lenml/char-card-reader/dist/main.mjs');
  const compare = (bytes: Buffer, theirs: Tree): Verdict =>
    accepted(changesOf((cardIn(bytes) as Tree).data, copy(theirs.data)));
  return [
    {
      name: '@character-foundry/loader',
      asks: 'parseCard',
      version: versionOf('@character-foundry/loader'),
      reads: isTavern,
      run: ({ bytes }) => compare(bytes, foundry.parseCard(new Uint8Array(bytes)).card),
    },
    {
      name: '@character-foundry/character-foundry',
      asks: 'parseLorebook: keys and content of each entry',
      version: versionOf('@character-foundry/character-foundry'),
      reads: ({ target, container }) => /^(sillytavern|agnai)-lorebook$/.test(target) && container === 'json',
      run({ bytes, json }) {
        const { book } = books.parseLorebook(new Uint8Array(bytes));
        return accepted(changesOf(entriesOf(json as Book), entriesOf(book)));
      },
    },
    {
      name: '@lenml/char-card-reader',
      asks: 'the card as V3',
      version: versionOf('@lenml/char-card-reader'),
      reads: (job) => isTavern(job) && ['json', 'png'].includes(job.container),
      async run({ bytes, json }) {
        const { CharacterCard } = lenml;
        const card =
          json === undefined
            ? await CharacterCard.from_file(new Uint8Array(bytes))
            : CharacterCard.from_json(copy(json));
        return compare(bytes, card.toSpecV3());
      },
    },
  ];
}

/** Keys and content of each entry of a book; the reader puts them into another order. */
function entriesOf(book: Book): unknown[] {
  const rows = Object.values(book.entries ?? {});
  const told = rows.map((row) => ({ keys: row.keys ?? row.key ?? row.keywords, content: row.content ?? row.entry }));
  return told.map((one) => JSON.stringify(one)).sort();
}

export const libraryJudges = async (): Promise<Judge[]> =>
  [...checks, ...archives, ...byafSchemas(), ...(await readers())].map(judgeOf);
