/** An opened ZIP: its members as lazy bytes, and what stands in front of it. */
import { type Bytes, bytesOf, keepForm, lazyBytes, type PackedForm } from '../../core/bytes.ts';
import { BunzaiError } from '../../core/errors.ts';
import type { Source } from '../../core/source.ts';
import { crc32 } from './crc32.ts';
import { InflateError, inflatedAtMost, inflateRaw, ratioDetail } from './inflate.ts';
import { type Row, readDirectory, type Stamp } from './zip-directory.ts';
import { mimeOfName } from './zip-names.ts';

/** Largest single member that is inflated. */
export const MAX_MEMBER_BYTES = 512 * 1024 * 1024;

/** Largest member that is inflated only to tell what an archive is. */
export const MAX_MANIFEST_BYTES = 1024 * 1024;

/** Compression method of bytes as they are. */
export const STORED = 0;
/** Compression method of raw deflate; with `STORED` all that bunzai reads. */
export const DEFLATED = 8;

/** An opened archive. Nothing of its content is read yet. */
export interface Zip {
  /** Bytes in front of the archive, such as the picture of a JPEG polyglot; size 0 when there are none. */
  readonly prefix: Bytes;
  /** In the order of the central directory, equal names and directories included. */
  readonly members: readonly Member[];
  /** The first member of exactly this name. */
  get(name: string): Member | undefined;
  /** Names that more than one member has, each once. */
  readonly duplicates: readonly string[];
  /** The archive's comment, empty when it has none. */
  readonly comment: string;
}

/** One file or directory of an archive. */
export interface Member extends PackedForm {
  /** As stored: may be unsafe (`isSafeName`) or equal to another one's. */
  readonly name: string;
  /** The name ends in a slash. */
  readonly directory: boolean;
  /** Declared size of the content in bytes. Proven only when the content is read. */
  readonly size: number;
  /** Compression method on the wire: 0 stored, 8 deflated, others cannot be read but are passed through. */
  readonly method: number;
  /** Declared CRC-32 of the content. */
  readonly crc: number;
  /** Length of the compressed bytes. */
  readonly packedSize: number;
  readonly stamp: Stamp;
  /** The compressed bytes, a view into the source. */
  raw(): Uint8Array;
  /**
   * The content, inflated when its bytes are first asked for, always the same object. Then it may throw
   * `zip.too-large`, `zip.damaged` (another size than declared), `zip.crc`, `zip.method`, with the member's path.
   */
  readonly content: Bytes;
}

/** Which member a `Bytes` came from, so that writing it untouched needs no inflating. */
const ORIGIN = Symbol('member');

interface Content extends Bytes {
  [ORIGIN]?: Member;
}

/** The member whose `content` this very object is. */
export const memberOf = (content: Bytes): Member | undefined => (content as Content)[ORIGIN];

/**
 * The archive in this source, found from its tail; undefined when there is none. Opening reads the directory only.
 * Throws `zip.*` for an archive that is damaged, encrypted or past the limits.
 */
export function openZip(source: Source): Zip | undefined {
  const zip = zipOf(source);
  if (zip instanceof BunzaiError) throw zip;
  return zip;
}

/** The same without throwing: the refusal is the result. Worked out once per source. */
export const zipOf = (source: Source): Zip | BunzaiError | undefined => source.once(attempt);

function attempt({ bytes }: Source): Zip | BunzaiError | undefined {
  try {
    const directory = readDirectory(bytes);
    if (directory === undefined) return undefined;
    const members = directory.rows.map((row) => new RowMember(bytes, row));
    const byName = new Map<string, Member>();
    const repeated = new Set<string>();
    for (const member of members) {
      if (byName.has(member.name)) repeated.add(member.name);
      else byName.set(member.name, member);
    }
    return {
      prefix: prefixOf(bytes.subarray(0, directory.prefix)),
      members,
      get: (name) => byName.get(name),
      duplicates: [...repeated],
      comment: directory.comment,
    };
  } catch (refusal) {
    if (refusal instanceof BunzaiError) return refusal;
    throw refusal;
  }
}

function prefixOf(bytes: Uint8Array): Bytes {
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return bytesOf(bytes, 'image/jpeg');
  return bytesOf(bytes, bytes[0] === 0x89 && bytes[1] === 0x50 ? 'image/png' : undefined);
}

/** A row of the directory as a member. All share their methods: a getter in a literal would keep every file alive. */
class RowMember implements Member {
  readonly name: string;
  readonly directory: boolean;
  readonly size: number;
  readonly method: number;
  readonly crc: number;
  readonly packedSize: number;
  readonly stamp: Stamp;
  readonly #bytes: Uint8Array;
  readonly #at: number;
  #content: Content | undefined;

  constructor(bytes: Uint8Array, row: Row) {
    this.name = row.name;
    this.directory = row.name.endsWith('/');
    this.size = row.size;
    this.method = row.method;
    this.crc = row.crc;
    this.packedSize = row.packed;
    this.stamp = row.stamp;
    this.#bytes = bytes;
    this.#at = row.dataAt;
  }

  raw(): Uint8Array {
    return this.#bytes.subarray(this.#at, this.#at + this.packedSize);
  }

  segments(): readonly Uint8Array[] {
    return [this.raw()];
  }

  get content(): Bytes {
    this.#content ??= contentOf(this);
    return this.#content;
  }
}

function contentOf(member: Member): Content {
  // A refusal is kept: a member that is asked for ten times is not inflated in vain ten times.
  let refusal: unknown;
  const content: Content = lazyBytes(member.size, mimeOfName(member.name), () => {
    if (refusal !== undefined) throw refusal;
    try {
      return [unpacked(member)];
    } catch (error) {
      refusal = error;
      throw error;
    }
  });
  content[ORIGIN] = member;
  keepForm(content, member);
  return content;
}

function unpacked(member: Member): Uint8Array {
  const { name: path, size, method } = member;
  if (size > MAX_MEMBER_BYTES) {
    const detail = `${size} bytes, the limit is MAX_MEMBER_BYTES (${MAX_MEMBER_BYTES})`;
    throw new BunzaiError('zip.too-large', { path, detail, hint: 'leave this file out of the archive' });
  }
  if (method !== STORED && method !== DEFLATED) {
    const detail = `compression method ${method}, only stored (0) and deflated (8) are read`;
    throw new BunzaiError('zip.method', { path, detail, hint: 'pack it again with ordinary zip compression' });
  }
  const content = method === DEFLATED ? inflated(member) : member.raw();
  if (content.length !== size) {
    const detail = `${content.length} bytes, ${size} were declared`;
    throw new BunzaiError('zip.damaged', { path, detail, hint: 'fetch the file again' });
  }
  const crc = crc32(content);
  if (crc === member.crc) return content;
  const detail = `CRC-32 is ${hex(crc)}, ${hex(member.crc)} was declared`;
  throw new BunzaiError('zip.crc', { path, detail, hint: 'the bytes were changed on the way; fetch the file again' });
}

function inflated(member: Member): Uint8Array {
  const raw = member.raw();
  // Some writers label an empty file deflated and write no stream for it.
  if (raw.length === 0 && member.size === 0) return raw;
  if (member.size > inflatedAtMost(raw.length)) {
    const detail = ratioDetail(raw.length, `${member.size}`);
    throw new BunzaiError('zip.too-large', { path: member.name, detail, hint: 'leave this file out of the archive' });
  }
  try {
    return inflateRaw(raw, member.size, member.size);
  } catch (cause) {
    if (!(cause instanceof InflateError)) throw cause;
    const detail =
      cause.reason === 'too-large' ? `inflates to more than the ${member.size} bytes declared` : cause.message;
    const hint = cause.reason === 'too-large' ? 'the archive lies about its size' : 'fetch the file again';
    throw new BunzaiError('zip.damaged', { path: member.name, detail, hint, cause });
  }
}

const hex = (crc: number) => crc.toString(16).padStart(8, '0');
