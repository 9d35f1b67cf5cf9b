import { parseDay } from '../../src/domain/attribute/calendar.js';
import { plainNumber } from '../../src/domain/attribute/plain-number.js';
import type { TableFormat } from '../../src/domain/format/table-format.js';
import { InputError } from '../../src/domain/input-error.js';
import { openDuckDB } from '../duckdb/duckdb.js';
import { privateRelation } from '../duckdb/relation.js';
import { isAddress } from '../sql/address.js';
import { openAddress } from '../sql/engines.js';
import { tableFile } from '../table/table-file.js';
import { readableFile } from '../table/written-plainly.js';

/** The names of a private table's columns, and whether an unnamed index stood before them. */
export interface HeaderNames {
  readonly names: readonly string[];
  readonly hasIndex: boolean;
}

/**
 * The names of the columns of a private table: the header of a file or what Parquet or a database says of itself, and no row. Names are published with a release, so a first line
 * that looks like a row is refused: it would be one where the header is missing.
 */
export const headerNames = async (
  name: string,
  {
    table,
    query,
  }: {
    readonly table?: TableFormat | undefined;
    /** A query of one's own in the database of an address. */
    readonly query?: string | undefined;
  } = {},
): Promise<HeaderNames> => {
  if (isAddress(name)) return columnNames(name, query);
  const found = await tableFile(name);
  if (found.format === 'json')
    throw new InputError(
      `${name}: the columns of JSON lines stand in its rows, which are private, so they must be named in a schema; write one with the names`,
    );
  if (found.empty) throw new InputError(`${name}: must have at least a header, got an empty file`);
  const { file, remove } = await readableFile(found, table);
  const database = await openDuckDB([file.path]).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  try {
    const { columns, hasIndex = false } = await privateRelation(database, file, []);
    const names = columns.filter(({ kind }) => kind !== 'nested').map((column) => column.name);
    if (names.some((own) => plainNumber(own) !== undefined || parseDay(own) !== undefined))
      throw new InputError(
        `${name}: the first line must be a header, got names that are numbers or dates, as a row has them; add a header, or name the columns in a schema`,
      );
    return { names, hasIndex };
  } finally {
    await database.close();
    await remove();
  }
};

const columnNames = async (address: string, query: string | undefined): Promise<HeaderNames> => {
  const { connection, relation } = await openAddress(address, { query });
  await connection.close();
  return { names: relation.columns.filter(({ kind }) => kind !== 'nested').map(({ name }) => name), hasIndex: false };
};
