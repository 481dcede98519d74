import fc from 'fast-check';

/*
 * Generated input is the same on every machine: a red run is a fault of the change, not of the
 * dice. `SEED=random` (or a number) looks elsewhere; a run with more cases always does.
 */
const FIXED = 20_240_506;

const asked = process.env.SEED;
if (asked !== undefined && asked !== 'random') fc.configureGlobal({ seed: Number(asked) });
else if (asked === undefined && process.env.RUNS === undefined) fc.configureGlobal({ seed: FIXED });
