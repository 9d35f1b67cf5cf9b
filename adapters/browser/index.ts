/** What Surmise adds in a page: chosen files in, ledgers, journals and releases in IndexedDB. */

export { bundleStore } from './bundle-store.js';
export { type ChosenFile, mayWrite } from './chosen-file.js';
export { answerOf, openDatabase, type PageDatabase } from './database.js';
export { keptReleases, type ReleaseNote } from './kept-releases.js';
export { learnBlob, learnHouseholdBlobs } from './learn-blob.js';
export { leftAfter } from './left-after.js';
export { openPageJournal } from './page-journal.js';
export { pageLedgers, type TableMark } from './page-ledgers.js';
export { checkPrivate, checkPublic, tableMarks } from './private-tables.js';
export type { ChosenTables } from './read-household-codes.js';
export { readPublicBlob } from './read-public.js';
export { discoverBlob, releaseBlob } from './release-blob.js';
export { giveUpRelease } from './spend-alone.js';
export { columnNames, privateNames, tableBlob } from './table-blob.js';
export type { TableBlob } from './table-part.js';
export { writeParquet } from './write-parquet.js';
