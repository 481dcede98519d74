/**
 * SHA-256 as 64 hexadecimal digits. The runtime's own where it has one; a page on an insecure origin has none, and
 * there a library does it, loaded on the first use.
 */
export async function sha256(bytes: Uint8Array): Promise<string> {
  const { crypto } = globalThis as { crypto?: { subtle?: SubtleCrypto } };
  const digest = crypto?.subtle
    ? new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>))
    : (await import('@noble/hashes/sha2')).sha256(bytes);
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
