/** What people do to cards and books: pure functions from canonical bodies to canonical bodies. */
export { renameBook, shareEqualBooks } from './books.ts';
export { type Appended, appendEntries, changeEntries, type EntryChange, type EntryEdit, splitBook } from './entries.ts';
export { greetingsOf, moveGreeting, type Reordered } from './greetings.ts';
export { keyFromText, keysFromList, listFromKeys, textFromKey } from './keys.ts';
export { characterOf, personaOf, RECAST_TABLE, type Recast } from './recast.ts';
export { countTokens, type TokenCount, type TokenRow, type TokenTime } from './tokens.ts';
export { type UpdatePreview, updated, updatePreview } from './update.ts';
