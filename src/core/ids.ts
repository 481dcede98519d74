/** Longest id, in code points. */
const MAX_ID_LENGTH = 120;
const DEVICE_NAME = /^(con|prn|aux|nul|com[1-9]|lpt[1-9])$/;

/** A stable, readable id from a name: `Mira Vale` -> `mira-vale`; `fallback` when nothing is left of it. */
export function canonicalId(name: unknown, fallback: string): string {
  const text = typeof name === 'string' ? name : '';
  // Plain names need no tables of Unicode, which cost a millisecond on the first use.
  const plain = /^[\x20-\x7e]*$/.test(text);
  const lower = (plain ? text : text.normalize('NFKC')).toLowerCase();
  const slug = lower.replace(plain ? /[^a-z0-9]+/g : /[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '');
  const points = [...slug.slice(0, MAX_ID_LENGTH * 2)];
  const short = points.length > MAX_ID_LENGTH ? points.slice(0, MAX_ID_LENGTH).join('').replace(/-$/, '') : slug;
  if (short === '') return fallback;
  return DEVICE_NAME.test(short) ? `${short}-id` : short;
}

/** One id a row, in order: a repeated one gets `-2`, `-3` …, never a suffix that some row really carries. */
export function assignIds(raw: readonly string[]): string[] {
  const real = new Set(raw);
  const used = new Set<string>();
  const counts = new Map<string, number>();
  return raw.map((id) => {
    let unique = id;
    for (let n = counts.get(id) ?? 1; used.has(unique); ) {
      do unique = `${id}-${++n}`;
      while (real.has(unique));
      counts.set(id, n);
    }
    used.add(unique);
    return unique;
  });
}
