import type { Domain } from '../../src/domain/domain.js';
import { InputError } from '../../src/domain/input-error.js';
import type { Running } from '../../src/domain/running.js';
import type { Outside } from '../../src/domain/schema/outside.js';
import { inTurn } from '../../src/privacy/in-turn.js';
import type { Marginal } from '../../src/query/marginal.js';
import { checkUnit, type Unit } from '../../src/query/unit.js';
import { isCryptographic } from '../../src/random/cryptographic.js';
import type { Random } from '../../src/random/random.js';
import { checkMarginals } from '../../src/source/check-marginals.js';
import { type ClosableSource, closable } from '../../src/source/closable.js';
import { SourceLost } from '../../src/source/source-lost.js';
import { wantedSets } from '../../src/source/wanted-sets.js';
import { boundedSql, boundingKey } from './bounded-sql.js';
import { areCheap, codesSql, mayLackCells } from './codes-sql.js';
import { type Connection, LostConnection, type SqlValue } from './connection.js';
import { apartSql, batchSql, type CountBatch, planBatches, summedOut, tablesFor } from './count-sql.js';
import { columnNamed, type SqlTable } from './sql-table.js';

/** Whose rows they are, and what becomes of values outside the schema. */
export interface SqlSourceOptions {
  /** A stable name for the ledger that does not derive from the rows. */
  readonly dataset: string;
  readonly unit: Unit;
  /** What becomes of values that the schema does not name; `declared` unless told. */
  readonly outside?: Outside | undefined;
  /** Makes the key that chooses the rows to keep of a unit beyond its bound: cryptographic for private data. */
  readonly random: Random;
  readonly signal?: AbortSignal | undefined;
  /** Bytes that the results of one `counts` may take, 2 GiB by default. */
  readonly memoryLimit?: number | undefined;
  /** Go on where the engine cannot keep to the same rows, or lost them: each answer is then of the rows of its moment. */
  readonly changing?: boolean | undefined;
}

/** How often one answer is asked for again after the connection was lost. */
const RETRIES = 3;

/**
 * A private source over an engine of SQL: sends queries, not rows. The engine computes the cell of every value, cuts every unit to its bound and counts joint
 * tables, many in one pass; nothing but counts crosses the wire, for a session alone. It owns the connection from here on.
 */
export const sqlSource = async (
  connection: Connection,
  relation: SqlTable,
  domain: Domain,
  options: SqlSourceOptions,
): Promise<ClosableSource> => {
  try {
    return await opened(connection, relation, domain, options);
  } catch (error) {
    await connection.close();
    throw error;
  }
};

const opened = async (
  connection: Connection,
  relation: SqlTable,
  domain: Domain,
  { dataset, unit, random, signal, outside = 'declared', memoryLimit = 2 ** 31, changing = false }: SqlSourceOptions,
): Promise<ClosableSource> => {
  const { dialect, shown } = connection;
  checkUnit(unit);
  if (unit.kind === 'household' || unit.kind === 'person')
    throw new InputError(
      `source: households are counted in memory, got ${dialect.name} as the engine; write the table to a file, or protect rows`,
    );
  if (!connection.isFixed && !changing)
    throw new InputError(
      `${shown}: all counts must be of the same rows, got an engine that cannot keep to them; name a version of the table, or say that it may change`,
    );
  const sizes = domain.attributes.map(({ size }) => size);
  const every = [...sizes.keys()];
  const key = unit.kind === 'id' ? boundingKey(random) : '';
  const id = unit.kind === 'id' ? dialect.text(columnNamed(relation, unit.column).sql) : undefined;
  for (const { name } of domain.attributes) columnNamed(relation, name);
  const coded = (attributes: readonly number[]): string =>
    codesSql(dialect, relation, { domain, outside, attributes, extra: id === undefined ? {} : { id } });
  // The rows that an id keeps hang on all its codes.
  const kept = (attributes: readonly number[]): string =>
    unit.kind === 'id'
      ? boundedSql(dialect, coded(every), { attributes: every, maxRecords: unit.maxRecords, key })
      : coded(attributes);

  let units: number | undefined;
  /** Whether anything about the rows was answered: from then on they must stay the same. */
  let answered = false;

  const strict = mayLackCells(dialect, relation, domain, outside);

  /** Refuses rows with a value that has no place, or without an id; only of columns where there can be any. */
  const check = async (stop: AbortSignal | undefined): Promise<void> => {
    units = undefined;
    if (strict.length === 0 && unit.kind !== 'id') return;
    const columns = strict.map((at) => `count(a${at})`);
    if (id !== undefined) columns.push(`count(nullif(id, ${dialect.literal('')}))`, 'count(DISTINCT id)');
    const found = await oneRow(`SELECT count(*), ${columns.join(', ')} FROM (${coded(strict)}) AS checked`, stop);
    const bad = strict.find((_, i) => found[i + 1] !== found[0]);
    if (bad !== undefined)
      throw new InputError(
        `${shown}: column ${JSON.stringify(domain.attributes[bad].name)}: holds a value that the schema has no cell for; declare it, give the attribute an \`other\` or \`"null": true\`, or choose another rule for values outside`,
      );
    if (id !== undefined && found[strict.length + 1] !== found[0])
      throw new InputError(
        `${shown}: column ${JSON.stringify((unit as { column: string }).column)}: is empty in a row, and every row must say whose it is; fill in the id or leave the row out`,
      );
    units = id === undefined ? found[0] : found[strict.length + 2];
  };

  const oneRow = async (sql: string, stop: AbortSignal | undefined): Promise<number[]> => {
    let row: readonly SqlValue[] = [];
    await connection.query(sql, {
      signal: stop,
      onRow: (found) => {
        row = found;
      },
    });
    return row.map(Number);
  };

  /** Whether the rows have to be checked: nobody has yet, or they may be others now. */
  let unchecked = true;

  /** Asks until there is an answer: one that was not given yet may be asked for again, as long as it is about the same rows. */
  const asking = async <T>(stop: AbortSignal | undefined, ask: () => T | Promise<T>): Promise<T> => {
    for (let tries = 0; ; tries++)
      try {
        if (unchecked) await check(stop);
        unchecked = false;
        return await ask();
      } catch (error) {
        if (!(error instanceof LostConnection)) throw error;
        if (tries === RETRIES)
          throw new SourceLost(
            `${shown}: must stay within reach, got lost again and again (${error.code}); try again later`,
          );
        if (await connection.recover({ signal: stop })) continue;
        if (answered && !changing)
          throw new SourceLost(
            `${shown}: the connection was lost (${error.code}), and with it the state of the table that all answers are of; nothing was spent on the last one. Resume the release: it keeps its answers and goes on with the table as it is now`,
          );
        unchecked = true;
      }
  };

  await asking(signal, () => undefined);

  const countsSql = (batch: CountBatch): string =>
    dialect.isFasterApart &&
    unit.kind !== 'id' &&
    areCheap(dialect, relation, { domain, outside, attributes: batch.attributes })
      ? apartSql(dialect, batch, sizes, coded)
      : batchSql(dialect, batch, sizes, kept(batch.attributes));

  const count = async (marginals: readonly Marginal[], running: Running): Promise<Float64Array[]> => {
    running.signal?.throwIfAborted();
    checkMarginals(domain, marginals, memoryLimit);
    const { sets, take } = wantedSets(domain, marginals);
    const batches = planBatches(dialect, sets, sizes);
    const results = new Array<Float64Array>(marginals.length);
    for (const [i, batch] of batches.entries()) {
      const { tables, put } = tablesFor(batch);
      await connection.query(countsSql(batch), { signal: running.signal, onRow: put });
      for (const [at, cover] of batch.covers.entries()) {
        const of = summedOut(tables[at], cover, sizes);
        for (const set of cover.wanted)
          for (const { position, counts } of take(set, of(sets[set]), 0)) results[position] = counts;
      }
      running.onProgress?.({ stage: 'count', done: i + 1, total: batches.length });
    }
    return results;
  };

  // Requests take turns: they share the connection.
  const next = inTurn();
  const answer = <T>(stop: AbortSignal | undefined, ask: () => Promise<T>): Promise<T> =>
    next(async () => {
      const found = await asking(stop, ask);
      answered = true;
      return found;
    });
  return {
    domain,
    unit,
    dataset,
    seeded: unit.kind === 'id' && !isCryptographic(random),
    units: () =>
      answer(undefined, async () => {
        units ??= (await oneRow(`SELECT count(*) FROM ${relation.sql}`, undefined))[0];
        return units;
      }),
    ...closable(
      (marginals, running) => answer(running.signal, () => count(marginals, running)),
      () => next(() => connection.close()),
    ),
  };
};
