import { readFile } from 'node:fs/promises';
import { InputError } from '../../src/domain/input-error.js';
import type { Running } from '../../src/domain/running.js';
import { isAddress, saysCopy, type TableAddress, tableAddress } from './address.js';
import { type Connection, LostConnection } from './connection.js';
import type { SqlTable } from './sql-table.js';

/** What there is to know of an engine that tables can be in. */
interface Engine {
  /** Where a table is, by all that is known without asking the engine: the same text for the same place, without credentials. */
  identity(address: TableAddress): Promise<string>;
  /** `writes` where something is to be written: a release's rows, never private ones. */
  connect(
    address: TableAddress,
    options: Pick<Running, 'signal'> & { readonly writes?: boolean | undefined },
  ): Promise<Connection>;
  /** The table of an address, for a FROM clause. */
  table(address: TableAddress): string;
}

/** Each is loaded when it is asked for. */
const engines: Readonly<Record<string, () => Promise<Engine>>> = {
  postgres: async () => {
    const [{ postgresIdentity, postgresTable, tableLogin }, { postgresConnection }] = await Promise.all([
      import('../postgres/postgres-place.js'),
      import('../postgres/connection.js'),
    ]);
    return {
      identity: postgresIdentity,
      table: postgresTable,
      connect: async (address, { signal }) =>
        postgresConnection({
          login: await tableLogin(address),
          shown: address.shown,
          copies: saysCopy(address),
          signal,
        }),
    };
  },
  spark: async () => {
    const [{ sparkIdentity, sparkLogin, sparkTable }, { sparkConnection }] = await Promise.all([
      import('../spark/spark-place.js'),
      import('../spark/connection.js'),
    ]);
    return {
      identity: sparkIdentity,
      table: sparkTable,
      connect: (address) => sparkConnection(sparkLogin(address)),
    };
  },
  clickhouse: async () => {
    const [{ clickhouseIdentity, clickhouseLogin, clickhouseTable }, { clickhouseConnection }] = await Promise.all([
      import('../clickhouse/clickhouse-place.js'),
      import('../clickhouse/connection.js'),
    ]);
    return {
      identity: clickhouseIdentity,
      table: clickhouseTable,
      connect: (address, { writes }) => clickhouseConnection({ ...clickhouseLogin(address), writes }),
    };
  },
  trino: async () => {
    const [{ trinoIdentity, trinoLogin, trinoTable }, { trinoConnection }] = await Promise.all([
      import('../trino/trino-place.js'),
      import('../trino/connection.js'),
    ]);
    return {
      identity: trinoIdentity,
      table: trinoTable,
      connect: (address) => trinoConnection(trinoLogin(address)),
    };
  },
};

/** The engine of an address. */
export const engineOf = ({ engine }: Pick<TableAddress, 'engine'>): Promise<Engine> => engines[engine]();

/** The place of the table that an address names, for ledgers and for telling tables apart. */
export const addressIdentity = async (name: string): Promise<string> => {
  const address = tableAddress(name);
  return (await engineOf(address)).identity(address);
};

/** A table of an engine, reached and looked at: its columns are known, and no row is read. */
export interface OpenedTable {
  readonly connection: Connection;
  readonly relation: SqlTable;
  /** The table that was named beside it. */
  readonly second?: SqlTable | undefined;
}

/** What is opened in a database. */
export interface OpenAddressOptions extends Pick<Running, 'signal'> {
  /** A query of one's own in the same database, whose rows are in the place of the table's. */
  readonly query?: string | undefined;
  /** The address of another table of the same database, that of the households. */
  readonly beside?: string | undefined;
}

/** Reaches the engine of an address: the table that it names, or the rows of a query of one's own in the same database, and another table beside it. */
export const openAddress = async (
  name: string,
  { query, beside, ...running }: OpenAddressOptions,
): Promise<OpenedTable> => {
  const address = tableAddress(name);
  const second = beside === undefined ? undefined : besideOf(address, beside);
  const engine = await engineOf(address);
  const connection = await engine.connect(address, running).catch((error: unknown) => {
    throw unreached(address, error);
  });
  const described = async (sql: string, shown: string): Promise<SqlTable> => {
    const columns = await connection.columns(sql, running).catch((error: unknown) => {
      throw unreached(address, error);
    });
    const repeated = columns.find(({ name: one }, i) => columns.findIndex((other) => other.name === one) < i);
    if (repeated !== undefined)
      throw new InputError(
        `${shown}: columns must differ by name, got ${JSON.stringify(repeated.name)} twice; name them`,
      );
    return { shown, sql, columns, isPrivate: true };
  };
  try {
    const sql = query === undefined ? engine.table(address) : `(${checkedQuery(query)}\n) AS own`;
    return {
      connection,
      relation: await described(sql, connection.shown),
      second: second && (await described(engine.table(second), second.shown)),
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
};

/** The address of a second table, which must be where the first one is: one connection counts both. */
const besideOf = (first: TableAddress, name: string): TableAddress => {
  const second = isAddress(name) ? tableAddress(name) : undefined;
  const place = ({ engine, host, port, user, database, parameters }: TableAddress): string =>
    JSON.stringify([engine, host, port, user, database, [...parameters].sort()]);
  if (second === undefined || place(second) !== place(first))
    throw new InputError(
      `${second?.shown ?? name}: must be in the same database as ${first.shown}, by an address that differs in its table alone, got another place; put both tables into one database, or write both to files`,
    );
  if (second.table === first.table && second.schema === first.schema)
    throw new InputError(
      `${second.shown}: must be another table than that of the persons, got the same; leave it out where one table has both`,
    );
  return second;
};

/** A server that does not answer at first is nothing to wait for. */
const unreached = ({ shown }: TableAddress, error: unknown): unknown =>
  error instanceof LostConnection
    ? new InputError(
        `${shown}: must be within reach, got no answer (${error.code}); check the host and the port, and that the server runs`,
      )
    : error;

/** One SELECT, as it can stand in parentheses. */
const checkedQuery = (text: string): string => {
  const query = text.trim().replace(/;\s*$/, '');
  if (!/^(select|with|table|values)\b/i.test(query.replace(/^(\s*(--[^\n]*\n|\/\*[\s\S]*?\*\/))+\s*/, '')))
    throw new InputError('query: must be one SELECT, got another statement; write what the rows are, and nothing else');
  return query;
};

/** Reads a query of one's own from a file. */
export const readQuery = async (file: string): Promise<string> => {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new InputError(`${file}: must be a file with a SELECT, got none that can be read; check the path`);
  });
  return checkedQuery(text);
};
