import 'fake-indexeddb/auto';
import { openIdbStore } from './idb-store.ts';
import { libraryContract } from './testing.ts';

let count = 0;

libraryContract(async () => {
  const name = `test-${++count}`;
  return { store: await openIdbStore(name), again: () => openIdbStore(name) };
});
