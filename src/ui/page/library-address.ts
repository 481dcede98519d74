/** Where the library of this page is kept. */

/** The token of the local server's launch is remembered under this name, for reloads and further tabs. */
const KEY = 'bunzai-token';

/**
 * The address of the local server's library with the token of its launch after `#`; undefined where the library is in
 * this browser. The token comes in the address that was printed, and leaves the address bar at once.
 */
export function libraryAddress(): string | undefined {
  const { content } = document.querySelector<HTMLMetaElement>('meta[name="bunzai-library"]') ?? {};
  if (!content) return undefined;
  const given = location.hash.slice(1);
  if (given !== '') history.replaceState(history.state, '', location.pathname + location.search);
  return `${new URL(content, location.href)}#${given || (localStorage.getItem(KEY) ?? '')}`;
}

/** Remembers the token of an address that opened. A link with a wrong one locks nobody out. */
export function rememberLibrary(address: string | undefined): void {
  if (address !== undefined) localStorage.setItem(KEY, address.slice(address.indexOf('#') + 1));
}
