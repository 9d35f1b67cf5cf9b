import { type Domain, indexOf } from '../../src/domain/domain.js';
import { InputError } from '../../src/domain/input-error.js';
import type { Running } from '../../src/domain/running.js';
import type { Outside } from '../../src/domain/schema/outside.js';
import type { Counted } from '../../src/query/holding.js';
import { checkUnit, type Unit } from '../../src/query/unit.js';
import { isCryptographic } from '../../src/random/cryptographic.js';
import type { Random } from '../../src/random/random.js';
import { checkMarginals } from '../../src/source/check-marginals.js';
import { type ClosableSource, closable } from '../../src/source/closable.js';
import { wantedSets } from '../../src/source/wanted-sets.js';
import { askingOf, checkFixed, oneRow } from './asking.js';
import { boundingKey } from './bounded-sql.js';
import { areCheap } from './codes-sql.js';
import type { Connection } from './connection.js';
import { copiedRows } from './copied-rows.js';
import {
  apartSql,
  batchSql,
  type CountBatch,
  holdingsAtOnce,
  holdingsSql,
  planBatches,
  summedOut,
  tablesFor,
} from './count-sql.js';
import { type HouseholdTables, householdRows } from './household-rows.js';
import { type KeptRows, plainRows } from './kept-rows.js';
import { packedSql } from './packed-sql.js';
import type { SqlTable } from './sql-table.js';

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
  /** How persons belong to households, where the domain declares them. */
  readonly households?: HouseholdTables | undefined;
  /** Whether something about the rows was answered before, over the same connection. */
  readonly answered?: boolean | undefined;
}

/**
 * A private source over an engine of SQL: sends queries, not rows. The engine computes the cell of every value, cuts every unit to its bound and counts joint
 * tables, many in one pass; nothing but counts crosses the wire, for a session alone. Where the connection makes copies, cells are computed and units are cut once, and counts are of the
 * copy. It owns the connection from here on.
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
  {
    dataset,
    unit,
    random,
    signal,
    outside = 'declared',
    memoryLimit = 2 ** 31,
    changing = false,
    households,
    answered,
  }: SqlSourceOptions,
): Promise<ClosableSource> => {
  const { dialect } = connection;
  checkUnit(unit);
  const isOfHouseholds = unit.kind === 'household' || unit.kind === 'person';
  if (isOfHouseholds !== (domain.households !== undefined) || isOfHouseholds !== (households !== undefined))
    throw new InputError(
      'source: a household or a person is protected in a table with households, and a row or an id in one without, got otherwise; say in the schema what households are, or choose another unit',
    );
  // A copy stays as it is, and is checked; whether keys of households agree is asked of the tables themselves.
  checkFixed(connection, changing || (connection.copy !== undefined && households === undefined));
  const sizes = domain.attributes.map(({ size }) => size);
  const isChosen = unit.kind === 'id' || households?.rule === 'trim';
  const how = { domain, outside, unit, key: isChosen ? boundingKey(random) : '' };
  const rows =
    households === undefined
      ? plainRows(connection, relation, how)
      : householdRows(connection, relation, how, households);

  /** Where codes are read: the table, or a copy of them. */
  let kept: Pick<KeptRows, 'codes' | 'units'> = rows;
  let units: number | undefined;
  const asking = askingOf(connection, {
    changing,
    answered,
    check: async (stop) => {
      [units, kept] = [undefined, rows];
      units = await rows.check(stop);
      if (connection.copy === undefined) return;
      const copied = await copiedRows(connection, relation, rows, how, stop);
      [units, kept] = [copied.known ?? units, copied];
    },
  });
  await asking.begin(signal);

  const countsSql = (batch: CountBatch): string =>
    dialect.isFasterApart &&
    kept === rows &&
    unit.kind === 'row' &&
    areCheap(dialect, relation, { domain, outside, attributes: batch.attributes })
      ? apartSql(dialect, batch, sizes, rows.codes, (cover) =>
          dialect.countsFirst ? packedSql(dialect, relation, { domain, outside }, cover) : undefined,
        )
      : batchSql(dialect, batch, sizes, kept.codes(batch.attributes));

  /** Counts joint tables, batch by batch, and gives every query its own; `more` cells beyond the last one of each are left out. */
  const count = async (
    queries: readonly Counted[],
    running: Running,
    plan: (sets: readonly (readonly number[])[]) => CountBatch[],
    sqlOf: (batch: CountBatch) => string,
    more: number,
  ): Promise<Float64Array[]> => {
    running.signal?.throwIfAborted();
    checkMarginals(domain, queries, memoryLimit);
    const { sets, take } = wantedSets(domain, queries);
    const batches = plan(sets);
    const results = new Array<Float64Array>(queries.length);
    for (const [i, batch] of batches.entries()) {
      const { tables, put } = tablesFor(batch, more);
      await connection.query(sqlOf(batch), { signal: running.signal, onRow: put });
      for (const [at, cover] of batch.covers.entries()) {
        const of = summedOut(tables[at], cover, sizes);
        for (const set of cover.wanted)
          for (const { position, counts } of take(set, of(sets[set]), 0)) results[position] = counts;
      }
      running.onProgress?.({ stage: 'count', done: i + 1, total: batches.length });
    }
    return results;
  };
  // Households add up over what is said of households and over nothing else: one is in several cells of its persons.
  const shared = new Set(domain.households?.attributes.map((name) => indexOf(domain, name)));
  const family = (set: readonly number[]): string => set.filter((attribute) => !shared.has(attribute)).join();

  return {
    domain,
    unit,
    dataset,
    seeded: isChosen && !isCryptographic(random),
    units: () =>
      asking.answer(undefined, async () => {
        units ??= (await oneRow(connection, kept.units, undefined))[0];
        return units;
      }),
    ...closable(
      (marginals, running) =>
        asking.answer(running.signal, () =>
          count(marginals, running, (sets) => planBatches(dialect, sets, sizes), countsSql, 0),
        ),
      () => asking.end(() => connection.close()),
      households === undefined
        ? undefined
        : (holdings, running) =>
            asking.answer(running.signal, () =>
              count(
                holdings,
                running,
                (sets) => planBatches({ setsAtOnce: holdingsAtOnce(dialect) }, sets, sizes, family),
                (batch) => holdingsSql(dialect, batch, sizes, kept.codes(batch.attributes)),
                1,
              ),
            ),
    ),
  };
};
