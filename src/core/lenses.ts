import type { Claim } from './account.ts';
import type { Codec } from './codec.ts';
import { type Draft, keysOf, saysNothing, valueAt, type Wire } from './draft.ts';
import { Field, type FieldOptions, type Home } from './field.ts';
import { type At, type Lens, type Path, placeAt } from './lens.ts';

export { at, type FieldOptions, type Home } from './field.ts';

/** The lens constructors for one canonical body. */
export function lensesFor<B extends object>() {
  type Values<P extends readonly Path<B>[]> = { [K in P[number]]?: At<B, K> | undefined };

  /** One canonical value at one wire home. */
  const field = <P extends Path<B>>(
    path: P,
    home: Home,
    codec: Codec<At<B, P>>,
    options: FieldOptions<At<B, P>> = {},
  ): Lens<B, At<B, P>> => new Field<B, At<B, P>>(path, home, codec, options);

  /** Several canonical values that share wire keys and so must be decided together. */
  function joint<const P extends readonly Path<B>[]>(
    paths: P,
    spec: {
      readonly wire: readonly string[];
      readonly shape: string;
      readonly lossy?: boolean;
      readonly note?: string;
      read(wire: Wire): Values<P>;
      write(draft: Draft, now: Values<P>, before: Values<P>): void;
      /** Homes really taken; the default is every home whose value is there. */
      claims?(wire: Wire): readonly Claim[];
    },
  ): Lens<B, Values<P>> {
    const compiled = paths.map((path) => [path, path.split('.')] as const);
    const homes = spec.wire.map((name): Claim => ({ keys: keysOf(name) }));
    const tidy = (values: object): Values<P> | undefined => {
      let tidied: Record<string, unknown> | undefined;
      for (const path of paths) {
        const value = (values as Readonly<Record<string, unknown>>)[path];
        if (saysNothing(value)) continue;
        tidied ??= {};
        tidied[path] = value;
      }
      return tidied as Values<P> | undefined;
    };
    return {
      canonical: paths,
      wire: spec.wire,
      shape: spec.shape,
      lossy: spec.lossy ?? false,
      ...(spec.note === undefined ? {} : { note: spec.note }),
      read: (wire) => tidy(spec.read(wire)),
      write: (draft, now, before) => spec.write(draft, now ?? {}, before ?? {}),
      pick: (body) => tidy(Object.fromEntries(compiled.map(([path, keys]) => [path, valueAt(body, keys)]))),
      place(body, values) {
        for (const [path, keys] of compiled) {
          const value = values[path as P[number]];
          if (value !== undefined) placeAt(body, keys, value);
        }
      },
      part: (values, path) => values?.[path as P[number]],
      claims: spec.claims ?? (() => homes),
    };
  }

  return { field, joint };
}
