import type { Client } from 'pg';
import type { AttributeType } from '../../src/domain/attribute/attribute.js';
import type { Domain } from '../../src/domain/domain.js';
import { InputError } from '../../src/domain/input-error.js';
import type { Running } from '../../src/domain/running.js';
import { isAddress, type TableAddress, tableAddress } from '../sql/address.js';
import { LostConnection } from '../sql/connection.js';
import { postgres } from './dialect.js';
import { loadPg } from './load-pg.js';
import { postgresError } from './postgres-error.js';
import { postgresTable, tableLogin } from './postgres-place.js';

/** The column that holds an attribute's values. */
const types: Readonly<Record<AttributeType, string>> = {
  category: 'text',
  boolean: 'boolean',
  integer: 'bigint',
  number: 'double precision',
  date: 'date',
};

const target = (name: string): TableAddress => {
  const address = isAddress(name) ? tableAddress(name) : undefined;
  if (address?.engine === 'postgres') return address;
  throw new InputError(
    `${address?.shown ?? name}: must be the address of a table, postgres://HOST/DATABASE?table=NAME, got another; check it`,
  );
};

/** Runs statements at a place that rows go to; what fails is told without the server's words, and what was not committed is gone. */
const at = async <T>(place: TableAddress, { signal }: Running, work: (client: Client) => Promise<T>): Promise<T> => {
  const pg = await loadPg();
  const client = new pg.Client({ ...(await tableLogin(place)), keepAlive: true, connectionTimeoutMillis: 15_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } catch (error) {
    signal?.throwIfAborted();
    const { code } = error as { code?: unknown };
    if (code === '42P07') throw taken(place);
    if (code === '42501') throw closed(place);
    const told = postgresError(error, place.shown);
    throw told instanceof LostConnection ? new InputError(`${told.message}, and nothing was written; try again`) : told;
  } finally {
    await client.end().catch(() => undefined);
  }
};

const taken = ({ shown }: TableAddress): InputError =>
  new InputError(`${shown}: must not exist yet, got a table that is there; name another, or drop it first`);

const closed = ({ shown }: TableAddress): InputError =>
  new InputError(`${shown}: the role may not make a table there (42501); grant it CREATE on the schema`);

const schemaOf = ({ schema = 'public' }: TableAddress): string => schema;

/** Refuses a place where no table can be made, before any work is done for it. */
export const checkTarget = async (address: string, running: Running = {}): Promise<void> => {
  const place = target(address);
  await at(place, running, async (client) => {
    const { rows } = await client.query<{ there: boolean; may: boolean | null }>(
      `SELECT to_regclass($1) IS NOT NULL AS there, (SELECT has_schema_privilege(oid, 'CREATE') FROM pg_namespace WHERE nspname = $2) AS may`,
      [postgresTable(place), schemaOf(place)],
    );
    if (rows[0].there) throw taken(place);
    if (rows[0].may === null)
      throw new InputError(`${place.shown}: there is no such schema; check its name, or make it`);
    if (!rows[0].may) throw closed(place);
  });
};

/**
 * Writes rows of values to a new table of a PostgreSQL database, whole or not at all: in one transaction. The rows are a release's, or public; a table that is there is left as it is.
 */
export const writeDatabaseRows = async (
  address: string,
  domain: Domain,
  parts: AsyncIterable<Readonly<Record<string, ArrayLike<unknown>>>>,
  { signal, onProgress }: Running = {},
): Promise<number> => {
  const place = target(address);
  const table = postgresTable(place);
  const specs = domain.attributes.map(({ spec }) => spec);
  const arrays = specs.map(({ type }, i) => `$${i + 1}::text[]::${types[type]}[]`);
  return at(place, { signal }, async (client) => {
    let done = 0;
    await client.query('BEGIN');
    await client.query("SET LOCAL DateStyle = 'ISO, YMD'");
    const columns = specs.map(({ name, type }) => `${postgres.identifier(name)} ${types[type]}`);
    await client.query(`CREATE TABLE ${table} (${columns.join(', ')})`);
    for await (const part of parts) {
      signal?.throwIfAborted();
      const length = part[specs[0].name].length;
      const values = specs.map((spec) => {
        // A CSV file has no null: what is empty is one, unless the attribute has an empty text.
        const isText = spec.type === 'category' && spec.values.includes('');
        return Array.from(part[spec.name], (value) =>
          value === null || (value === '' && !isText) ? null : String(value),
        );
      });
      for (let from = 0; from < length; from += BATCH)
        await client.query(
          `INSERT INTO ${table} SELECT * FROM unnest(${arrays.join(', ')})`,
          values.map((column) => column.slice(from, from + BATCH)),
        );
      done += length;
      onProgress?.({ stage: 'write', done });
    }
    signal?.throwIfAborted();
    await client.query('COMMIT');
    return done;
  });
};

/** Rows that go at once. */
const BATCH = 10_000;
