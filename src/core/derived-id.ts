/** Four lanes of 32 bits, so that ids of different content collide as rarely as random ones. */
const LANES = [
  [0x811c9dc5, 0x01000193],
  [0x9e3779b9, 0x85ebca6b],
  [0xc2b2ae35, 0x27d4eb2f],
  [0x165667b1, 0x9e3779b1],
] as const;

/** A lane spread over all its bits: near texts get far ids. */
function mixed(lane: number): number {
  let h = lane;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/**
 * An id in the shape of a UUID (version 8, "made by the application") for an app that asks for one: the same text
 * gives the same id on every machine. No clock, no random; not for secrets.
 */
export function derivedUuid(text: string): string {
  const lanes = LANES.map(([seed]) => seed as number);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    for (let lane = 0; lane < 4; lane++)
      lanes[lane] = Math.imul((lanes[lane] ?? 0) ^ code, LANES[lane]?.[1] ?? 1) + (lanes[(lane + 1) % 4] ?? 0);
  }
  const hex = lanes.map((lane) => mixed(lane).toString(16).padStart(8, '0')).join('');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}
