import pg from 'pg';
import { postgresConnection } from '../../adapters/postgres/connection.js';
import { type SqlSourceOptions, sqlSource } from '../../adapters/sql/sql-source.js';
import type { AttributeType } from '../../src/domain/attribute/attribute.js';
import { decodeTable } from '../../src/domain/encode/decode-table.js';
import type { Table } from '../../src/domain/table.js';
import type { Random } from '../../src/random/random.js';
import type { ClosableSource } from '../../src/source/closable.js';
import { freshDatabase, sharedPostgres } from './postgres.js';

/** How to connect to a database of the tests. */
export type Login = Awaited<ReturnType<typeof freshDatabase>>;

const types: Readonly<Record<AttributeType, string>> = {
  category: 'text',
  boolean: 'boolean',
  integer: 'bigint',
  number: 'float8',
  date: 'date',
};

/** Somebody who may write in a database of their own. */
export interface Owner {
  readonly login: Login;
  readonly client: pg.Client;
  /** Writes a table's rows, values drawn within their cells, to a new table; its name. */
  write(table: Table, random: Random): Promise<string>;
  end(): Promise<void>;
}

let tables = 0;

export const databaseOwner = async (): Promise<Owner> => {
  const login = await freshDatabase(await sharedPostgres());
  const client = new pg.Client(login);
  await client.connect();
  return {
    login,
    client,
    write: async (table, random) => {
      const name = `t${++tables}`;
      const columns = decodeTable(table, { random });
      const specs = table.domain.attributes.map(({ spec }) => spec);
      const list = specs.map((spec) => `"${spec.name}" ${types[spec.type]}`);
      await client.query(`CREATE TABLE ${name} (${list.join(', ')})`);
      const arrays = specs.map((spec, i) => `$${i + 1}::text[]::${types[spec.type]}[]`);
      const values = specs.map(({ name: own }) =>
        Array.from(columns[own], (value) => (value === null ? null : String(value))),
      );
      if (table.length > 0)
        await client.query(`INSERT INTO ${name} SELECT * FROM unnest(${arrays.join(', ')})`, values);
      return name;
    },
    end: () => client.end(),
  };
};

/** A source over a table of PostgreSQL. */
export const postgresSource = async (
  login: Login,
  table: string,
  domain: Table['domain'],
  options: SqlSourceOptions & { patience?: number; copies?: boolean },
): Promise<ClosableSource> => {
  const connection = await postgresConnection({
    login,
    shown: 'postgres',
    patience: options.patience,
    copies: options.copies,
  });
  const columns = await connection.columns(table);
  return sqlSource(connection, { shown: 'postgres', sql: table, columns, isPrivate: true }, domain, options);
};
