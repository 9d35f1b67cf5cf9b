import { cellsOf } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import type { Region } from '../../kernel/arena.js';
import { createEngine } from '../../kernel/engine.js';
import type { KernelCall } from '../../kernel/kernels.js';
import { createPool } from '../../kernel/pool.js';
import { browserSpawn } from '../../kernel/spawn.js';
import type { Counted } from '../../query/holding.js';
import { rangesOf, type Slice, sliceAddress, slicesOf, type Weighted } from '../support/weighted.js';
import type { Threads } from '../support/weighted-rows.js';
import { loadPersonCells } from './household-cells.js';
import { type HouseholdSupport, householdCount } from './household-support.js';

/** Refuses queries that kernel memory cannot hold with the households: for whoever must know before something is spent. */
export const checkSlicedHouseholds = (
  { table }: Pick<HouseholdSupport, 'table'>,
  queries: readonly Counted[],
  lanes = 2,
): void => {
  const cells = queries.reduce((sum, { attributes }) => sum + cellsOf(table.domain, attributes) + 1, 0);
  const need = table.length * (4 * queries.length + 12 + 4 * table.domain.attributes.length) + cells * 8 * (lanes + 1);
  if (!(need <= 3.5e9))
    throw new InputError(
      `queries: with ${table.length} persons of public households they must fit 3.5 GB of kernel memory, got a need of ${(need / 1e9).toFixed(1)} GB; use fewer queries or coarser cells`,
    );
};

/**
 * Households in kernel memory, seen through queries of both kinds. A household adds its weight to the cell of each of its persons, once for each person
 * if the query counts persons and once for each cell if it counts households; and it gathers what it adds to. Both go through a vector with an
 * element for each person: a weight is handed to the persons and then scattered by cell; potentials are gathered by person and then summed. Each
 * costs one or two nanoseconds for each person and query, divided among threads by households.
 */
export const openSlicedHouseholds = async (
  support: HouseholdSupport,
  queries: readonly Counted[],
  { threads = 2, workers = browserSpawn() }: Threads = {},
): Promise<Weighted> => {
  const { table, weights } = support;
  const { length, offsets } = table;
  const lanes = workers === undefined ? 1 : Math.max(1, Math.min(threads, Math.floor(length / 2048)));
  checkSlicedHouseholds(support, queries, lanes);
  const engine = await createEngine({ shared: lanes > 1 });
  const pool = createPool(engine, { threads: lanes, spawn: workers });
  const { arena, kernels } = engine;
  const loaded = loadPersonCells(table, queries, engine);
  // Behind each query's cells is one more, for persons whose household has counted in their cell already: nothing is gathered there.
  const maps = rangesOf(loaded.map(({ cells }) => cells + 1)).map(({ from, cells }) => ({ from, cells: cells - 1 }));
  const all = loaded.reduce((sum, { cells }) => sum + cells + 1, 0);
  const potentials = arena.f64(all);
  potentials.view.fill(0);
  /** Sums of each lane; those of the first are the sums in the end. */
  const tables = Array.from({ length: lanes }, () => arena.f64(all));
  const [sums] = tables;
  const at = (region: Region<Float64Array>, q: number): number => region.address + 8 * maps[q].from;
  /** The household of each person, and something for each person. */
  const [home, person] = [arena.u32(length), arena.f64(length)];
  for (let h = 0; h < householdCount(table); h++) home.view.fill(h, offsets[h], offsets[h + 1]);
  const slices = slicesOf(householdCount(table), lanes);
  /** The persons of the households of a slice, as a slice. */
  const personsOf = ({ from, length: count, lane }: Slice): Slice => ({
    from: offsets[from],
    length: offsets[from + count] - offsets[from],
    lane,
  });
  const indexAddress = (index: Region<Uint32Array>, { from }: Slice): number => index.address + 4 * from;

  return {
    start: weights,
    maps,
    sums,
    potentials,
    vector: () => arena.f64(householdCount(table)),
    run: (calls) => Promise.all(slices.map((slice) => pool.run(calls(slice)))),
    gather: (target, slice) => {
      const people = personsOf(slice);
      const own = sliceAddress(person, people);
      return [
        ['clear', own, 8 * people.length],
        ...loaded.map(
          ({ index }, q): KernelCall => [
            'gatherAdd',
            indexAddress(index, people),
            at(potentials, q),
            1,
            own,
            people.length,
          ],
        ),
        ['clear', sliceAddress(target, slice), 8 * slice.length],
        ['scatterAdd', indexAddress(home, people), own, target.address, people.length],
      ];
    },
    scatter: (from, slice) => {
      const people = personsOf(slice);
      const each = sliceAddress(person, people);
      return [
        ['clear', each, 8 * people.length],
        ['gatherAdd', indexAddress(home, people), from.address, 1, each, people.length],
        ...loaded.flatMap(({ cells, index }, q): KernelCall[] => {
          const own = at(tables[slice.lane], q);
          return [
            ['clear', own, 8 * (cells + 1)],
            ['scatterAdd', indexAddress(index, people), each, own, people.length],
          ];
        }),
      ];
    },
    collect: () => {
      for (const { address } of tables.slice(1)) kernels.axpy(1, address, sums.address, all);
    },
    close: () => pool.close(),
  };
};
