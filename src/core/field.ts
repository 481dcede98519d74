import type { Account, Claim } from './account.ts';
import type { Codec } from './codec.ts';
import { type Draft, existsAt, type Keys, keysOf, reachable, same, saysNothing, valueAt, type Wire } from './draft.ts';
import { type Lens, placeAt } from './lens.ts';

/** A wire home: the first spelling is the one we write, the others are spellings we also read. */
export interface Home {
  readonly names: readonly string[];
  readonly keys: readonly Keys[];
}

/** A home whose names are taken apart when someone looks for them. */
class NamedHome implements Home {
  readonly names: readonly string[];
  #keys: readonly Keys[] | undefined;

  constructor(names: readonly string[]) {
    this.names = names;
  }

  get keys(): readonly Keys[] {
    this.#keys ??= this.names.map((name) => keysOf(name));
    return this.#keys;
  }
}

/** A home, e.g. `at('char_name', 'name')` or `at('extensions.depth_prompt.prompt')`; dots descend. */
export const at = (...names: readonly [string, ...string[]]): Home => new NamedHome(names);

/** How a field treats its home beyond reading and writing. */
export interface FieldOptions<V> {
  /** What a missing wire value means. It is compared, never written by itself. */
  readonly absent?: V;
  readonly note?: string;
  /** Further places that hold the same value: never read, written on every edit where they exist. */
  readonly copies?: readonly string[];
  /** The spellings are copies, not alternatives: an edit goes to every one that exists, whatever it said. */
  readonly together?: boolean;
}

/** What a field works out of its paths when it is first used: most tables of a roster are not, in one run. */
interface Worked {
  readonly keys: Keys;
  readonly copies: readonly Keys[];
  readonly onCopies: readonly Claim[];
  readonly onSpelling: readonly Claim[];
}

/** One canonical value at one wire home. */
export class Field<B extends object, V> implements Lens<B, V> {
  readonly canonical: readonly [string];
  readonly wire: readonly string[];
  readonly note?: string;
  readonly #home: Home;
  readonly #codec: Codec<V>;
  readonly #options: FieldOptions<V>;
  #worked: Worked | undefined;

  constructor(path: string, home: Home, codec: Codec<V>, options: FieldOptions<V>) {
    this.canonical = [path];
    this.wire = home.names;
    if (options.note !== undefined) this.note = options.note;
    this.#home = home;
    this.#codec = codec;
    this.#options = options;
  }

  get shape(): string {
    return this.#codec.shape;
  }

  get lossy(): boolean {
    return this.#codec.lossy ?? false;
  }

  read(wire: Wire): V | undefined {
    const { keys } = this.#home;
    if (keys.length > 1) return this.#winner(wire).value;
    return this.#codec.read(valueAt(wire, keys[0]!)) ?? this.#options.absent;
  }

  narrowRead(there: (home: Keys) => boolean): ((wire: Wire) => V | undefined) | undefined {
    const codec = this.#codec;
    const { absent } = this.#options;
    const spellings = this.#home.keys.filter(there);
    const [first] = spellings;
    if (first === undefined) return absent === undefined ? undefined : () => absent;
    if (spellings.length > 1) return (wire) => this.#winner(wire, spellings).value;
    const [key] = first;
    if (first.length > 1 || key === undefined) return (wire) => codec.read(valueAt(wire, first)) ?? absent;
    return (wire) => codec.read(wire[key]) ?? absent;
  }

  write(draft: Draft, now: V | undefined, before: V | undefined): void {
    const { keys } = this.#home;
    const found = this.#winner(draft.twin).i;
    // Without a spelling that is there, the first one that can be written.
    const free = keys.findIndex((spelling) => reachable(draft.wire, spelling));
    const main = found >= 0 ? found : Math.max(free, 0);
    keys.forEach((spelling, i) => {
      const old = this.#codec.read(valueAt(draft.twin, spelling));
      const follows = this.#options.together
        ? existsAt(draft.twin, spelling)
        : old !== undefined && (saysNothing(now) || same(old, before));
      if (i === main || follows) this.#writeAt(draft, spelling, now);
    });
    for (const copy of this.#parts().copies) if (existsAt(draft.twin, copy)) this.#writeAt(draft, copy, now);
  }

  pick(body: B): V | undefined {
    return (valueAt(body, this.#parts().keys) ?? this.#options.absent) as V | undefined;
  }

  place(body: B, value: V): void {
    const { keys } = this.#parts();
    if (keys.length > 1) placeAt(body, keys, value);
    else (body as Record<string, unknown>)[keys[0]!] = value;
  }

  part(value: V | undefined): unknown {
    return value;
  }

  claims(wire: Wire): readonly Claim[] {
    return this.#claimsAmong(wire, this.#home.keys, this.#parts().onSpelling);
  }

  narrowClaims(there: (home: Keys) => boolean): (wire: Wire) => readonly Claim[] {
    const { onCopies, onSpelling } = this.#parts();
    const spellings = this.#home.keys.filter(there);
    const held = onSpelling.filter(({ keys }) => there(keys));
    const [keys] = spellings;
    if (keys === undefined) return () => onCopies;
    if (spellings.length > 1) return (wire) => this.#claimsAmong(wire, spellings, held);
    const all = [...onCopies, ...held];
    return (wire) => (this.#codec.read(valueAt(wire, keys)) === undefined ? onCopies : all);
  }

  #parts(): Worked {
    this.#worked ??= this.#workOut();
    return this.#worked;
  }

  #workOut(): Worked {
    const { account } = this.#codec;
    const inside = account && ((raw: unknown, path: string, out: Account) => this.#codec.account?.(raw, path, out));
    const copies = (this.#options.copies ?? []).map((copy) => keysOf(copy));
    return {
      keys: this.canonical[0].split('.'),
      copies,
      onCopies: copies.map((keys) => ({ keys })),
      onSpelling: this.#home.keys.map((keys) => (inside ? { keys, inside } : { keys })),
    };
  }

  /** The spelling that wins: the first non-empty one, else the first readable one, else none. */
  #winner(wire: Wire, spellings = this.#home.keys): { readonly i: number; readonly value: V | undefined } {
    let found = { i: -1, value: this.#options.absent };
    for (let i = 0; i < spellings.length; i++) {
      const value = this.#codec.read(valueAt(wire, spellings[i]!));
      if (value === undefined) continue;
      if (found.i < 0 || !saysNothing(value)) found = { i, value };
      if (!saysNothing(value)) break;
    }
    return found;
  }

  #claimsAmong(wire: Wire, spellings: readonly Keys[], claims: readonly Claim[]): readonly Claim[] {
    const { value } = this.#winner(wire, spellings);
    const { onCopies } = this.#parts();
    const taken = claims.filter((_, i) => {
      const old = this.#codec.read(valueAt(wire, spellings[i]!));
      return old !== undefined && (this.#options.together === true || same(old, value));
    });
    return onCopies.length === 0 ? taken : [...onCopies, ...taken];
  }

  #writeAt(draft: Draft, spelling: Keys, now: V | undefined): void {
    const { blank } = this.#codec;
    if (now !== undefined) {
      const raw = this.#codec.write(now, valueAt(draft.twin, spelling));
      if (raw !== undefined) draft.set(spelling, raw);
    } else if (blank === undefined) draft.delete(spelling);
    else if (existsAt(draft.twin, spelling)) draft.set(spelling, blank);
  }
}
