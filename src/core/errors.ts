/** Every way bunzai refuses, with the sentence a person reads. Callers branch on the code, never on the text. */
export const ERROR_TEXT = {
  'input.empty': 'the file is empty',
  'input.too-large': 'the file is larger than the limit',
  'input.unreadable': 'the file could not be read',
  'input.unknown': 'no format bunzai knows claims this file',
  'text.encoding': 'the text is not valid UTF-8 or UTF-16',
  'json.syntax': 'the JSON is broken',
  'json.too-deep': 'the JSON is nested deeper than the limit',
  'json.too-many': 'the JSON holds more values than the limit',
  'png.damaged': 'the PNG is damaged before any card was found',
  'png.no-card': 'the picture carries no card',
  'card.payload': 'the card inside the picture cannot be decoded',
  'exif.damaged': 'the EXIF block is damaged',
  'zip.damaged': 'the archive is damaged',
  'zip.encrypted': 'the archive is encrypted',
  'zip.too-many': 'the archive has more members than the limit',
  'zip.too-large': 'the archive inflates to more than the limit',
  'zip.crc': 'a member of the archive fails its checksum',
  'zip.method': 'a member of the archive is compressed in a way bunzai cannot read',
  'zip.unsafe-name': 'a member name would leave the archive',
  'zip.missing-member': 'the archive lacks a member that the format needs',
  'format.unknown': 'no adapter has this id',
  'format.mismatch': 'the file is not of this format',
  'format.cannot-write': 'this format cannot be written for this kind',
  'kind.mismatch': 'the target holds another kind of entity',
  'container.unsupported': 'the format cannot be written in this container',
  'canonical.invalid': 'the canonical entity does not fit its schema',
  'convert.lossy': 'the conversion would lose something, and strict was asked for',
  'output.exists': 'the output exists already',
  'output.in-place': 'the output is the input',
  'output.failed': 'the output could not be written',
  'work.too-long': 'the work on this file took longer than the limit',
  'work.too-large': 'the work on this file needs more memory than a worker has',
  'work.ended': 'the worker ended in the middle of this file',
  'library.folder': 'the folder cannot be a library',
  'library.in-use': 'the library is open in another bunzai',
  'studio.port': 'the studio cannot use this port',
  'studio.missing': 'the built studio is not there',
  'usage.invalid': 'the command was called the wrong way',
} as const;

export type ErrorCode = keyof typeof ERROR_TEXT;

/** Where and why: everything a person needs to find the fault and what to try next. */
export interface ErrorPlace {
  /** File name as the caller gave it. */
  readonly file?: string | undefined;
  /** Adapter id that refused. */
  readonly format?: string | undefined;
  /** Place in the document: `data.character_book.entries[3].keys`, `line 4 column 9`, a member path. */
  readonly path?: string | undefined;
  /** What was expected and what was found, in one clause. */
  readonly detail?: string | undefined;
  /** What to try. */
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/** The one error class. `code` is stable; the message is for people. */
export class BunzaiError extends Error {
  readonly code: ErrorCode;
  readonly file: string | undefined;
  readonly format: string | undefined;
  readonly path: string | undefined;
  readonly detail: string | undefined;
  readonly hint: string | undefined;

  constructor(code: ErrorCode, place: ErrorPlace = {}) {
    const where = place.path === undefined ? '' : ` (at ${place.path})`;
    const what = place.detail === undefined ? '' : `: ${place.detail}`;
    super(`${ERROR_TEXT[code]}${where}${what}`, place.cause === undefined ? undefined : { cause: place.cause });
    this.name = 'BunzaiError';
    this.code = code;
    this.file = place.file;
    this.format = place.format;
    this.path = place.path;
    this.detail = place.detail;
    this.hint = place.hint;
  }
}

/** A fact about a file that a person should see, although nothing was refused. */
export interface Warning {
  readonly code: string;
  /** Place in the document, absent when it is about the whole file. */
  readonly path?: string;
  readonly message: string;
}
