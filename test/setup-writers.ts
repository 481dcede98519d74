import { sealing } from '../src/formats/_shared/card-carriers.ts';

/* Tests of one adapter write without waiting; that every adapter loads this itself is a test of its own. */
await sealing.load();
