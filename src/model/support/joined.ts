import { mended } from '../../domain/constraints/mended.js';
import { InputError } from '../../domain/input-error.js';
import { codeColumn, type Table } from '../../domain/table.js';
import { distinctRows } from './distinct-rows.js';
import { reweighted, type Support } from './support.js';

/** A public table with what it counts for among others. */
export interface WeightedTable {
  readonly table: Table;
  /** Above 0, in proportion to the others'; 1 by default. */
  readonly weight?: number | undefined;
}

/** The weight of each table of a list, with sum 1. */
export const tableWeights = (tables: readonly Pick<WeightedTable, 'weight'>[]): number[] => {
  const weights = tables.map(({ weight = 1 }) => weight);
  for (const weight of weights)
    if (!(weight > 0 && weight < Infinity))
      throw new InputError(`public tables: a weight must be a number above 0, got ${weight}`);
  const sum = weights.reduce((all, weight) => all + weight, 0);
  return weights.map((weight) => weight / sum);
};

/** The rows of tables over one domain, one table after the other. A new table. */
export const joinedTable = (tables: readonly Table[]): Table => {
  if (tables.length === 0) throw new InputError('public tables: must be at least one, got none');
  const [{ domain }] = tables;
  if (tables.some((table) => JSON.stringify(table.domain) !== JSON.stringify(domain)))
    throw new InputError('public tables: must be over one domain, got several; read all of them by one schema');
  const length = tables.reduce((sum, table) => sum + table.length, 0);
  const columns = domain.attributes.map(({ size }, attribute) => {
    const column = codeColumn(size, length);
    let start = 0;
    for (const table of tables) {
      column.set(table.columns[attribute], start);
      start += table.length;
    }
    return column;
  });
  return { domain, length, columns };
};

/**
 * Several public tables as one support: all of their rows, and the mixture of their distributions in which each table has its weight,
 * however many rows it has. A row that is in several tables gets what each of them gives it.
 */
export const joinedSupport = (tables: readonly WeightedTable[]): Support => {
  const joined = mended(joinedTable(tables.map(({ table }) => table)));
  if (tables.some(({ table }) => table.length === 0))
    throw new InputError('public tables: each must have at least one row, got one without; leave it out');
  const shares = tableWeights(tables);
  const each = new Float64Array(joined.length);
  let start = 0;
  for (const [t, { table }] of tables.entries()) {
    each.fill(shares[t] / table.length, start, start + table.length);
    start += table.length;
  }
  const { columns, length, counts } = distinctRows(joined, each);
  return reweighted({ domain: joined.domain, length, columns, weights: counts }, counts);
};
