import { randomBytes } from 'node:crypto';
import type { AttributeSpec } from '../../src/domain/attribute/attribute.js';
import type { Domain } from '../../src/domain/domain.js';
import { InputError } from '../../src/domain/input-error.js';
import type { Running } from '../../src/domain/running.js';
import { isAddress, type TableAddress, tableAddress } from './address.js';
import { type Connection, LostConnection } from './connection.js';
import type { Dialect } from './dialect.js';
import { engineOf } from './engines.js';
import { type Writing, writings } from './writing.js';

/** Rows of values, column by column. */
type Parts = AsyncIterable<Readonly<Record<string, ArrayLike<unknown>>>>;

/** Rows, and characters, that go in one statement: engines read all of one before they do any of it. */
const BATCH = { rows: 1000, characters: 400_000 };

const target = (name: string): TableAddress => {
  if (isAddress(name)) return tableAddress(name);
  throw new InputError(
    `${name}: must be the address of a table, such as postgres://HOST/DATABASE?table=NAME, got another; check it`,
  );
};

/** Refuses a place where no table can be made, before any work is done for it. */
export const checkTarget = async (address: string, running: Running = {}): Promise<void> => {
  const place = target(address);
  if (place.engine === 'postgres') return (await import('../postgres/write-rows.js')).checkTarget(address, running);
  await at(place, running, async ({ run, made, name }) => {
    // Whether the user may make a table is told by making one.
    await run(made([{ name: 'x', type: 'boolean' }]));
    await run(`DROP TABLE ${name}`);
  });
};

/**
 * Writes rows of values to a new table of a database, whole or not at all: in one transaction in PostgreSQL, elsewhere to a table of another name that gets its own at the end. The rows are a
 * release's, or public; a table that is there is left as it is.
 */
export const writeDatabaseRows = async (
  address: string,
  domain: Domain,
  parts: Parts,
  running: Running = {},
): Promise<number> => {
  const place = target(address);
  if (place.engine === 'postgres')
    return (await import('../postgres/write-rows.js')).writeDatabaseRows(address, domain, parts, running);
  const specs = domain.attributes.map(({ spec }) => spec);
  return at(place, running, async ({ connection, writing, run, made, name, renamed }) => {
    await run(made(specs));
    try {
      const done = await inserted(parts, { connection, writing, specs, name, run }, running);
      await run(renamed);
      return done;
    } catch (error) {
      // What could not be dropped is called after the table, and is not it.
      await connection.query(`DROP TABLE ${name}`, { onRow: () => undefined }).catch(() => undefined);
      throw error;
    }
  });
};

/** A place that a table is written to under another name. */
interface Target {
  readonly connection: Connection;
  readonly writing: Writing;
  readonly name: string;
  readonly renamed: string;
  made(columns: readonly Pick<AttributeSpec, 'name' | 'type'>[]): string;
  run(sql: string): Promise<void>;
}

const at = async <T>(place: TableAddress, { signal }: Running, work: (target: Target) => Promise<T>): Promise<T> => {
  const { shown } = place;
  if (['version', 'timestamp'].some((name) => place.parameters.has(name)))
    throw new InputError(`${shown}: must be a new table, got a state of one; leave the version or timestamp out`);
  const writing = writings[place.engine];
  const engine = await engineOf(place);
  let connection: Connection | undefined;
  try {
    const opened = await engine.connect(place, { signal, writes: true });
    connection = opened;
    const full = engine.table(place);
    if (await isThere(opened, full, signal))
      throw new InputError(`${shown}: must not exist yet, got a table that is there; name another, or drop it first`);
    const { dialect } = opened;
    if (dialect.name === 'Sail')
      throw new InputError(
        `${shown}: must be in an engine that keeps tables, got Sail, which forgets them; take the file`,
      );
    const name = engine.table({ ...place, table: `${place.table}_${randomBytes(6).toString('hex')}` });
    return await work({
      connection: opened,
      writing,
      name,
      renamed: writing.renamed(dialect, name, place, full),
      made: (columns) =>
        `CREATE TABLE ${name} (${columns.map((one) => `${dialect.identifier(one.name)} ${writing.types[one.type]}`).join(', ')})${writing.end}`,
      run: (sql) => opened.query(sql, { signal, onRow: () => undefined }),
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw error instanceof LostConnection
      ? new InputError(`${error.message}, and nothing was written; try again`)
      : error;
  } finally {
    await connection?.close();
  }
};

/** Whether a table is there already: its columns can be told. */
const isThere = (connection: Connection, table: string, signal: AbortSignal | undefined): Promise<boolean> =>
  connection.columns(table, { signal }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof InputError && error.message.includes('there is no such table')) return false;
      throw error;
    },
  );

const inserted = async (
  parts: Parts,
  {
    connection: { dialect },
    writing,
    specs,
    name,
    run,
  }: Pick<Target, 'connection' | 'writing' | 'name' | 'run'> & { readonly specs: readonly AttributeSpec[] },
  { signal, onProgress }: Running,
): Promise<number> => {
  let done = 0;
  let rows: string[] = [];
  let characters = 0;
  const flush = async (): Promise<void> => {
    if (rows.length > 0) await run(`INSERT INTO ${name} VALUES ${rows.join(', ')}`);
    rows = [];
    characters = 0;
  };
  for await (const part of parts) {
    signal?.throwIfAborted();
    const length = part[specs[0].name].length;
    for (let row = 0; row < length; row++) {
      const text = `(${specs.map((spec) => constant(dialect, writing, spec, part[spec.name][row])).join(', ')})`;
      rows.push(text);
      characters += text.length;
      if (rows.length === BATCH.rows || characters > BATCH.characters) await flush();
    }
    done += length;
    onProgress?.({ stage: 'write', done });
  }
  await flush();
  signal?.throwIfAborted();
  return done;
};

/** A value as a constant. A CSV file has no null: what is empty is one, unless the attribute has an empty text. */
const constant = (dialect: Dialect, { day }: Writing, spec: AttributeSpec, value: unknown): string => {
  const isText = spec.type === 'category' && spec.values.includes('');
  if (value === null || (value === '' && !isText)) return 'NULL';
  const text = String(value);
  if (spec.type === 'category') return dialect.literal(text);
  const isPlain = PLAIN[spec.type].test(text);
  if (!isPlain)
    throw new InputError(
      `column ${JSON.stringify(spec.name)}: must hold values of its type, got another; write the rows anew`,
    );
  if (spec.type === 'number') return dialect.double(Number(text));
  return spec.type === 'date' ? day(text) : text;
};

const PLAIN: Readonly<Record<Exclude<AttributeSpec['type'], 'category'>, RegExp>> = {
  boolean: /^(true|false)$/,
  integer: /^-?\d+$/,
  number: /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i,
  date: /^\d{4}-\d\d-\d\d$/,
};
