import { type Database, type DuckDBLimits, openDuckDB } from '../duckdb/duckdb.js';
import type { ReadAsPublic } from '../private/looks-private.js';
import { type PublicFile, publicFile } from '../private/public-file.js';
import type { TableFile } from './table-file.js';
import { readableFile } from './written-plainly.js';

/** A *public* table that can be read: a workbook through a copy of its sheet. Refuses one that looks private. The caller closes it. */
export const openPublic = async (
  file: string | PublicFile,
  signs: ReadAsPublic,
  limits: DuckDBLimits = {},
): Promise<{ readonly found: TableFile; readonly database: Database; close(): Promise<void> }> => {
  const { file: found, remove } = await readableFile(await publicFile(file, signs), undefined, limits.temporary);
  const database = await openDuckDB([found.path], limits).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  return {
    found,
    database,
    close: async () => {
      await database.close();
      await remove();
    },
  };
};
