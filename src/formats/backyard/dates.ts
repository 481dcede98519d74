import { type Codec, isoSeconds } from '../../core/codec.ts';

/** Stands where the format requires a date and nobody knows one. Reads as no date. */
export const UNKNOWN_TIME = '1970-01-01T00:00:00.000Z';

/** Length of `2024-02-03T04:05:06.789Z`: years before 0 and after 9999 are spelled longer and refused by the apps. */
const ISO_LENGTH = 24;

/** Seconds since 1970 as an ISO 8601 text in UTC. The wire has milliseconds; an edit writes `.000`. */
export const isoTime = (): Codec<number> => ({
  ...isoSeconds(),
  read: (raw) => (raw === UNKNOWN_TIME ? undefined : isoSeconds().read(raw)),
  write(seconds, previous) {
    const text = isoSeconds().write(seconds, previous);
    return typeof text === 'string' && text.length === ISO_LENGTH ? text : undefined;
  },
});
