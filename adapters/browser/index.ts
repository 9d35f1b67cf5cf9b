/** What Surmise adds in a page: chosen files in, ledgers, journals and releases in IndexedDB. */

export { bundleStore } from './bundle-store.js';
export { answerOf, openDatabase, type PageDatabase } from './database.js';
export { keptReleases, type ReleaseNote } from './kept-releases.js';
export { blobDigest, learnBlob } from './learn-blob.js';
export { openPageJournal } from './page-journal.js';
export { pageLedgers, type TableMark } from './page-ledgers.js';
export { readCodes } from './read-codes.js';
export { giveUpRelease, releaseBlob } from './release-blob.js';
export { privateNames, tableBlob } from './table-blob.js';
export type { TableBlob } from './table-part.js';
export { writeParquet } from './write-parquet.js';
