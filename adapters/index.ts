/** What Surmise adds under Node: files in and out through DuckDB, private files as sources, ledgers, releases, workers. */

export type { FitApart, FitFound, FitJob, Fitters, OpenFitters } from '../src/flow/fit-elsewhere.js';
export type { Spawn, WorkerPort } from '../src/kernel/spawn.js';
export type { LedgerRun, Reservation } from '../src/privacy/ledger/ledger.js';
export type { NewLedger } from '../src/privacy/ledger/new-ledger.js';
export type { StoredLedger } from '../src/privacy/ledger/stored-ledger.js';
export type { ClosableSource } from '../src/source/closable.js';
export { bundleDirectory, describeFile, readAnyBundle, readBundle, readHouseholdBundle } from './bundle-directory.js';
export {
  type CheckedPublicFiles,
  type CheckPublicFilesOptions,
  type ComparedPublicFile,
  checkPublicFiles,
  comparePublicFiles,
  type PublicFiles,
} from './check-public-files.js';
export { type ClickHouseOptions, clickhouseConnection } from './clickhouse/connection.js';
export {
  type DiscoverFilesOptions,
  type DraftedFile,
  discoverFiles,
  discoverRest,
  draftUnit,
} from './discover-files.js';
export { type Database, type DuckDBLimits, openDuckDB } from './duckdb/duckdb.js';
export { type DuckDBSourceOptions, duckdbSource } from './duckdb/duckdb-source.js';
export { tableRelation } from './duckdb/relation.js';
export { type EstimateFilesOptions, estimateFiles } from './estimate-files.js';
export { createLedger, ledgerExists, ledgerName, ledgerStore, openLedger } from './ledger/any-ledger.js';
export { bindTable } from './ledger/bind-table.js';
export { createFileLedger, fileLedger, fileStore, type LedgerFile, type LedgerFiles } from './ledger/file-ledger.js';
export { ledgerPlace } from './ledger/ledger-place.js';
export type { LedgerDatabase } from './ledger/postgres-database.js';
export { createPostgresLedger, postgresLedger, postgresStore } from './ledger/postgres-ledger.js';
export { type TableLedger, type TableLedgerOptions, tableLedger } from './ledger/table-ledger.js';
export { nodeFitters } from './node-fitters.js';
export { nodeWorkers } from './node-workers.js';
export { type PlanFilesOptions, planFiles } from './plan-files.js';
export { type PostgresConnectionOptions, type PostgresLogin, postgresConnection } from './postgres/connection.js';
export { postgres as postgresDialect } from './postgres/dialect.js';
export { checkOriginName } from './private/check-origin.js';
export { type HeaderNames, headerNames } from './private/header-names.js';
export { assertDistinct, assertPublic, looksPrivate, type ReadAsPublic } from './private/looks-private.js';
export { openPrivateFile } from './private/private-file.js';
export type { PrivateFileOptions } from './private/private-file-options.js';
export type { PublicFilesOptions } from './public-files.js';
export { type Answerable, readAnswerable } from './read-answerable.js';
export { type JsonFile, jsonFrom, readJson } from './read-json.js';
export { type ReadPublicOptions, readPublic } from './read-public.js';
export { type RefitFilesOptions, refitFiles } from './refit-files.js';
export { type ReleaseFilesOptions, releaseFiles, releaseHouseholdFiles } from './release-files.js';
export { type ServedFolder, serveFolder } from './serve-folder.js';
export { type SparkOptions, sparkConnection } from './spark/connection.js';
export { isAddress, tableAddress } from './sql/address.js';
export { type Connection, LostConnection, type QueryOptions, type SqlValue as EngineValue } from './sql/connection.js';
export type { CellDialect, Dialect } from './sql/dialect.js';
export { readQuery } from './sql/engines.js';
export { type FetchedTable, fetchPublic } from './sql/fetch-public.js';
export { type DatabaseTableOptions, openDatabaseTable } from './sql/open-database-table.js';
export { type SqlSourceOptions, sqlSource } from './sql/sql-source.js';
export type { Column, ColumnKind, SqlTable } from './sql/sql-table.js';
export { checkTarget, writeDatabaseRows } from './sql/write-rows.js';
export { type HouseholdSizes, householdSizes } from './table/household-sizes.js';
export { learnFile } from './table/learn-file.js';
export { type LearnHouseholdsOptions, learnHouseholds } from './table/learn-households.js';
export { type ReadColumnsOptions, readColumns, type TableColumn, tableColumns } from './table/read-columns.js';
export { type ReadHouseholdsOptions, readHouseholds } from './table/read-households.js';
export { readDraft, readSchema } from './table/read-schema.js';
export { type ReadTableOptions, readTable } from './table/read-table.js';
export { tableFile } from './table/table-file.js';
export { type WriteTableOptions, writeTable } from './table/write-table.js';
export { type TrinoOptions, trinoConnection } from './trino/connection.js';
export { discardUnfinished, finishUnfinished, openUnfinished, type Unfinished } from './unfinished.js';
export { type WriteWholeOptions, writeWhole, writeWholeDirectory } from './write-whole.js';
