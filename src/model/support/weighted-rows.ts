import { cellsOf, type Domain, indexOf } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import type { Running } from '../../domain/running.js';
import { eachInTurn, inTurns } from '../../domain/turns.js';
import type { Region } from '../../kernel/arena.js';
import { createEngine, type Engine } from '../../kernel/engine.js';
import { jobBytes, writeJob } from '../../kernel/job.js';
import type { KernelCall } from '../../kernel/kernels.js';
import { loadingColumns } from '../../kernel/load-columns.js';
import { createPool, type Pool } from '../../kernel/pool.js';
import { browserSpawn, type Spawn } from '../../kernel/spawn.js';
import type { Support } from './support.js';
import { onSlice, type Slice, sliceAddress, slicesOf, type Weighted } from './weighted.js';

/** How many threads work, and how they are started. */
export interface Threads {
  /** 2 by default; one where there are no workers. */
  readonly threads?: number | undefined;
  /** `nodeWorkers` in Node; in a browser the default does. */
  readonly workers?: Spawn | undefined;
}

/** Values of all cells of one marginal in kernel memory, beside the cell of every row. */
export interface CellMap {
  readonly attributes: readonly string[];
  readonly cells: number;
  /** Sums of weights in each cell, after `collect`. */
  readonly sums: Region<Float64Array>;
  /** What `gather` adds for each cell: the caller's to fill. */
  readonly potential: Region<Float64Array>;
  /** The cell (u32) of each row. */
  readonly index: Region<Uint32Array>;
}

/**
 * The rows of a support in kernel memory, seen through a fixed list of marginals, one by one: scatter weights of rows to cells, gather
 * values of cells to rows. Each costs about a nanosecond for each row and marginal and thread. Where all marginals are wanted at once, joint
 * tables serve several (`openJointRows`).
 */
export interface WeightedRows extends Pick<Weighted, 'start' | 'vector' | 'run' | 'close'> {
  readonly support: Support;
  readonly engine: Engine;
  readonly maps: readonly CellMap[];
  /** Calls that overwrite `target` with the sum over `which` maps (all by default) of the potential of each row's cell. */
  gather(target: Region<Float64Array>, slice: Slice, which?: readonly number[]): KernelCall[];
  /** Calls that sum `weights` by cell for `which` maps (all by default), to be completed by `collect`. */
  scatter(weights: Region<Float64Array>, slice: Slice, which?: readonly number[]): KernelCall[];
  /** Adds up what the threads have scattered, into `sums`. */
  collect(which?: readonly number[]): void;
}

/** Kernel memory that a support and its marginals may take. */
const mostBytes = 3.5e9;
const kernelBytes = (
  domain: Domain,
  marginals: readonly (readonly string[])[],
  length: number,
  lanes: number,
): number => {
  const cells = marginals.reduce((sum, attributes) => sum + cellsOf(domain, attributes), 0);
  return marginals.length * length * 4 + cells * 8 * (lanes + 2);
};

/** Refuses marginals that kernel memory cannot hold with so many rows: for whoever must know before something is spent. */
export const checkWeightedRows = (
  { domain, length }: Support,
  marginals: readonly (readonly string[])[],
  lanes = 2,
): void => {
  const need = kernelBytes(domain, marginals, length, lanes);
  if (need > mostBytes)
    throw new InputError(
      `marginals: with ${length} rows they must fit 3.5 GB of kernel memory, got a need of ${(need / 1e9).toFixed(1)} GB; use fewer marginals or coarser cells`,
    );
};

/** Loads a support and the cells of its rows in the marginals. Refuses when kernel memory does not hold them. */
export const openWeightedRows = async (
  support: Support,
  marginals: readonly (readonly string[])[],
  { threads = 2, workers = browserSpawn(), signal }: Threads & Pick<Running, 'signal'> = {},
): Promise<WeightedRows> => {
  const { domain, length } = support;
  const sizes = marginals.map((attributes) => cellsOf(domain, attributes));
  const lanes = workers === undefined ? 1 : Math.max(1, Math.min(threads, Math.floor(length / 2048)));
  checkWeightedRows(support, marginals, lanes);
  const engine = await createEngine({ shared: lanes > 1 });
  const pool: Pool = createPool(engine, { threads: lanes, spawn: workers });
  const { arena, kernels } = engine;
  const columns = await inTurns(loadingColumns(support, undefined, arena), { signal });
  const mapOf = (attributes: readonly string[], m: number): CellMap => {
    const index = arena.u32(length);
    const mark = arena.mark();
    const job = arena.u32(jobBytes(attributes.length) / 4);
    writeJob(job.view, {
      columns: attributes.map((name) => columns[indexOf(domain, name)]),
      cells: sizes[m],
      copies: 1,
      table: 0,
    });
    kernels.cellIndex(job.address, 0, length, index.address);
    arena.release(mark);
    return { attributes, cells: sizes[m], index, sums: arena.f64(sizes[m]), potential: arena.f64(sizes[m]) };
  };
  const maps = await inTurns(
    eachInTurn(marginals.entries(), ([m, attributes]) => mapOf(attributes, m)),
    { signal },
  );
  /** One table a lane and map; the first lane writes straight into `sums`. */
  const tables = maps.map(({ cells, sums }) =>
    Array.from({ length: lanes }, (_, lane) => (lane === 0 ? sums : arena.f64(cells))),
  );
  const slices = slicesOf(length, lanes);
  const all = maps.map((_, m) => m);
  const cellAddress = (m: number, { from }: Slice): number => maps[m].index.address + 4 * from;

  return {
    support,
    start: support.weights,
    engine,
    maps,
    vector: () => arena.f64(length),
    run: (calls) => Promise.all(slices.map((slice) => pool.run(calls(slice)))),
    gather: (target, slice, which = all) => [
      ['clear', sliceAddress(target, slice), 8 * slice.length],
      ...which.map((m) => onSlice(slice, 'gatherAdd', cellAddress(m, slice), maps[m].potential.address, 1, target)),
    ],
    scatter: (weights, slice, which = all) =>
      which.flatMap((m): KernelCall[] => {
        const table = tables[m][slice.lane].address;
        return [
          ['clear', table, 8 * maps[m].cells],
          onSlice(slice, 'scatterAdd', cellAddress(m, slice), weights, table),
        ];
      }),
    collect: (which = all) => {
      for (const m of which)
        for (let lane = 1; lane < lanes; lane++)
          kernels.axpy(1, tables[m][lane].address, maps[m].sums.address, maps[m].cells);
    },
    close: () => pool.close(),
  };
};
