/** The picture that stands in where a card has none. */
import { decodeBase64 } from '../../core/base64.ts';
import { type Bytes, bytesOf, equalBytes } from '../../core/bytes.ts';

/** A flat gray picture of 64 x 96, 104 bytes: IHDR, IDAT, IEND. */
const PLACEHOLDER =
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABgCAAAAACIris0AAAAL0lEQVR42u3MMQEAAAwCIKMb3RA7BwFIjyIQCAQCgUAgEAgEAoFAIBAIBAKB4FswqpgAtXI1ZGEAAAAASUVORK5CYII=';

/** The neutral picture for a card that has none; a new array on each call. */
export function placeholderPng(): Uint8Array {
  return Uint8Array.from(decodeBase64(PLACEHOLDER) as Uint8Array);
}

/** Whether these bytes are the neutral picture: it stands in for a portrait and is none. */
export function isPlaceholder(bytes: Bytes): boolean {
  return bytes.size === PLACEHOLDER_SIZE && equalBytes(bytes, bytesOf(placeholderPng()));
}
const PLACEHOLDER_SIZE = 104;
