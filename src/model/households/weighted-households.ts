import { cellsOf } from '../../domain/domain.js';
import type { HouseholdTable } from '../../domain/households/household-table.js';
import { InputError } from '../../domain/input-error.js';
import { createEngine } from '../../kernel/engine.js';
import type { KernelCall } from '../../kernel/kernels.js';
import { createPool } from '../../kernel/pool.js';
import { browserSpawn } from '../../kernel/spawn.js';
import type { Counted } from '../../query/holding.js';
import type { Threads } from '../support/weighted-rows.js';
import { loadPersonCells } from './household-cells.js';
import { spreadToPersons } from './household-support.js';

/** The households that count in one cell of a query, and how often each: once if it counts households, else its persons there. */
export interface CellHouseholds {
  readonly households: Uint32Array;
  readonly counts: Uint8Array;
}

/**
 * Households in kernel memory, seen through a fixed list of queries of both kinds: weights of households are scattered to cells, about two nanoseconds for each
 * person and query. The cell of every person is kept for every query; a query that counts households has one cell more, where persons go
 * whose household is in their cell already.
 */
export interface WeightedHouseholds {
  readonly table: HouseholdTable;
  readonly queries: readonly Counted[];
  /** Evaluates all queries for these weights, one for each household. */
  scatter(weights: Float64Array): Promise<void>;
  /** What the last `scatter` found, for all cells of a query: a view that the next one overwrites. */
  sums(query: number): Float64Array;
  /** The households of one cell; found once and kept. */
  inCell(query: number, cell: number): CellHouseholds;
  close(): void;
}

/** Refuses queries that kernel memory cannot hold with so many persons: for whoever must know before something is spent. */
export const checkWeightedHouseholds = (
  { domain, length }: Pick<HouseholdTable, 'domain' | 'length'>,
  queries: readonly Counted[],
): void => {
  const cells = queries.reduce((sum, { attributes }) => sum + cellsOf(domain, attributes) + 1, 0);
  const need = length * (4 * queries.length + 8 + 4 * domain.attributes.length) + cells * 8;
  if (!(need <= 3.5e9))
    throw new InputError(
      `queries: with ${length} persons of listed households they must fit 3.5 GB of kernel memory, got a need of ${(need / 1e9).toFixed(1)} GB; use fewer queries or coarser cells`,
    );
};

/** Loads households and the cells of their persons in the queries. Refuses when kernel memory does not hold them. */
export const openWeightedHouseholds = async (
  table: HouseholdTable,
  queries: readonly Counted[],
  { threads = 2, workers = browserSpawn() }: Threads = {},
): Promise<WeightedHouseholds> => {
  const { length } = table;
  checkWeightedHouseholds(table, queries);
  const lanes = workers === undefined || length * queries.length < 2 ** 20 ? 1 : Math.max(1, threads);
  const engine = await createEngine({ shared: lanes > 1 });
  const pool = createPool(engine, { threads: lanes, spawn: workers });
  const { arena } = engine;
  const loaded = loadPersonCells(table, queries, engine);
  const tables = loaded.map(({ cells }) => arena.f64(cells + 1));
  const spread = arena.f64(length);
  const calls = Array.from({ length: lanes }, (_, lane) =>
    tables.flatMap((sums, q): KernelCall[] =>
      q % lanes !== lane
        ? []
        : [
            ['clear', sums.address, 8 * (loaded[q].cells + 1)],
            ['scatterAdd', loaded[q].index.address, spread.address, sums.address, length],
          ],
    ),
  );
  const found = new Map<string, CellHouseholds>();
  return {
    table,
    queries,
    scatter: async (weights) => {
      spreadToPersons(table, weights, spread.view);
      await Promise.all(calls.map((list) => pool.run(list)));
    },
    sums: (query) => tables[query].view.subarray(0, loaded[query].cells),
    inCell: (query, cell) => {
      const key = `${query}:${cell}`;
      const known = found.get(key) ?? householdsIn(loaded[query].index.view, table, cell);
      found.set(key, known);
      return known;
    },
    close: () => pool.close(),
  };
};

const householdsIn = (index: Uint32Array, { offsets }: HouseholdTable, cell: number): CellHouseholds => {
  const [households, counts]: [number[], number[]] = [[], []];
  for (let h = 0; h + 1 < offsets.length; h++) {
    let count = 0;
    for (let row = offsets[h]; row < offsets[h + 1]; row++) if (index[row] === cell) count++;
    if (count === 0) continue;
    households.push(h);
    counts.push(count);
  }
  return { households: Uint32Array.from(households), counts: Uint8Array.from(counts) };
};
