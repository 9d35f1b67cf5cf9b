import { cellsOf, type Domain, indexOf } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import type { Running } from '../../domain/running.js';
import { rowBytes } from '../../domain/table.js';
import { inTurns } from '../../domain/turns.js';
import { createEngine } from '../../kernel/engine.js';
import type { JobColumn } from '../../kernel/job.js';
import { type Joint, type JointStep, jointBytes, writeJoint } from '../../kernel/joint.js';
import { jointScratch } from '../../kernel/kernels.js';
import { loadingColumns } from '../../kernel/load-columns.js';
import { createPool } from '../../kernel/pool.js';
import { browserSpawn } from '../../kernel/spawn.js';
import { type Cover, coverSets } from '../../query/joint/cover.js';
import { planSums } from '../../query/joint/sum-out.js';
import type { Support } from './support.js';
import { type CellRange, rangesOf, sliceAddress, slicesOf, type Weighted } from './weighted.js';
import type { Threads } from './weighted-rows.js';

type Marginals = readonly (readonly string[])[];

/** Kernel memory that a support and the cells of its marginals may take. */
const mostBytes = 3.5e9;
/** Vectors of a fit with its probes, 8 bytes a row each. */
const fitVectors = 64;
/** Cells of a joint table at most: 128 KB, which stay beside the processor. */
const mostJointCells = 16_384;
/** Cells of a joint table for each row that a thread goes over: summing its marginals out then costs less than the rows do. */
const cellsARow = 0.4;

const lanesFor = (rows: number, { threads = 2, workers = browserSpawn() }: Threads): number =>
  workers === undefined ? 1 : Math.max(1, Math.min(threads, Math.floor(rows / 2048)));

const bytesBesideRows = (domain: Domain, marginals: Marginals, lanes: number): number =>
  marginals.reduce((sum, attributes) => sum + cellsOf(domain, attributes), 0) * 8 * (lanes + 1);

/** How many rows kernel memory holds with these marginals and the vectors of a fit; less than 0 where it holds none. */
export const heldRows = (domain: Domain, marginals: Marginals): number =>
  (mostBytes - bytesBesideRows(domain, marginals, 2)) / (rowBytes(domain) + 8 * fitVectors);

/** Refuses marginals that kernel memory cannot hold with so many rows: for whoever must know before something is spent. */
export const checkJointRows = ({ domain, length }: Support, marginals: Marginals, lanes = 2): void => {
  const need = bytesBesideRows(domain, marginals, lanes) + length * rowBytes(domain);
  if (need > mostBytes)
    throw new InputError(
      `marginals: with ${length} rows they must fit 3.5 GB of kernel memory, got a need of ${(need / 1e9).toFixed(1)} GB; use fewer marginals or coarser cells`,
    );
};

/** Joint tables that cover marginals, by their places in the list. */
const coversOf = (domain: Domain, marginals: Marginals, rows: number): Cover[] => {
  const sizes = domain.attributes.map(({ size }) => size);
  const sets = marginals.map((attributes) => attributes.map((name) => indexOf(domain, name)));
  const isAscending = (set: readonly number[]): boolean => set.every((each, i) => i === 0 || set[i - 1] < each);
  // Tables list attributes in the order of the domain. What asks for another order stands alone.
  const places = [...sets.keys()].filter((place) => isAscending(sets[place]));
  const limit = Math.max(64, Math.min(mostJointCells, Math.floor(cellsARow * rows)));
  const covers = coverSets(
    places.map((place) => sets[place]),
    sizes,
    { limit, alone: limit },
  ).map((cover) => ({ ...cover, wanted: cover.wanted.map((i) => places[i]) }));
  const others = [...sets.keys()].filter((place) => !isAscending(sets[place]));
  return [
    ...covers,
    ...others.map((place) => ({
      attributes: sets[place],
      cells: cellsOf(domain, marginals[place]),
      wanted: [place],
    })),
  ];
};

/** How much a pass over rows goes over, for forecasts. */
export interface JointWork {
  /** Joint tables, each of which every row is looked up in. */
  readonly joints: number;
  /** Cells of all tables that marginals are summed out of. */
  readonly cells: number;
}

/** What `openJointRows` would go over, for so many rows on so many threads. */
export const jointWork = (domain: Domain, marginals: Marginals, rows: number, threads: number): JointWork => {
  const covers = coversOf(domain, marginals, rows / lanesFor(rows, { threads, workers: () => undefined as never }));
  return {
    joints: covers.length,
    cells: covers.reduce((sum, { cells, wanted }) => sum + (wanted.length > 1 ? cells : 0), 0),
  };
};

/** A cover as the kernels go over it: its columns, and how its marginals come out of it. */
const jointOf = ({ attributes, cells, wanted }: Cover, { sets, sizes, maps, columns }: Loaded): Joint => {
  const own = attributes.map((attribute) => columns[attribute]);
  if (wanted.length === 1 && sets[wanted[0]].length === attributes.length)
    return { columns: own, cells, bytes: 0, steps: [], place: 8 * maps[wanted[0]].from };
  const plan = planSums({ attributes, cells, wanted }, sets, sizes, 8 * cells, 8);
  const targets = new Map(plan.results.map(({ wanted: place, offset }) => [offset, 8 * maps[place].from]));
  const read = new Set(plan.steps.map(({ from }) => from));
  // Marginals that others are summed out of are tables of their own, and copied.
  const steps = plan.steps.map((step): JointStep => {
    const to = read.has(step.to) ? undefined : targets.get(step.to);
    return { ...step, isMarginal: to !== undefined, to: to ?? step.to };
  });
  const copied = plan.results
    .filter(({ offset }) => offset === 0 || read.has(offset))
    .map(
      ({ wanted: place, offset, cells: inner }): JointStep => ({
        ...{ from: offset, isMarginal: true, to: 8 * maps[place].from },
        ...{ outer: 1, size: 1, inner },
      }),
    );
  return { columns: own, cells, bytes: plan.bytes, steps: [...steps, ...copied] };
};

interface Loaded {
  readonly sets: readonly (readonly number[])[];
  readonly sizes: readonly number[];
  readonly maps: readonly CellRange[];
  readonly columns: readonly JobColumn[];
}

/**
 * The rows of a support in kernel memory, seen through all of a fixed list of marginals at once. A row is looked up in joint tables of several attributes,
 * each of which has the cells of several marginals, rather than in every marginal: all pairs of 20 attributes of 2 to 12 values take a tenth of the
 * lookups. Where a row's cells are is found anew each time, from its codes: so memory is that of the codes and of the marginals' cells, whatever their number.
 */
export const openJointRows = async (
  support: Support,
  marginals: Marginals,
  options: Threads & Pick<Running, 'signal'> = {},
): Promise<Weighted> => {
  const { domain, length } = support;
  const lanes = lanesFor(length, options);
  checkJointRows(support, marginals, lanes);
  const engine = await createEngine({ shared: lanes > 1 });
  const { workers = browserSpawn() } = options;
  const pool = createPool(engine, { threads: lanes, spawn: workers });
  const { arena, kernels } = engine;
  const maps = rangesOf(marginals.map((attributes) => cellsOf(domain, attributes)));
  const loaded: Loaded = {
    sets: marginals.map((attributes) => attributes.map((name) => indexOf(domain, name))),
    sizes: domain.attributes.map(({ size }) => size),
    maps,
    columns: await inTurns(loadingColumns(support, undefined, arena), options),
  };
  const joints = coversOf(domain, marginals, length / lanes).map((cover) => jointOf(cover, loaded));
  const words = arena.u32(joints.reduce((sum, joint) => sum + jointBytes(joint), 0) / 4);
  let next = 0;
  for (const joint of joints) {
    writeJoint(words.view.subarray(next), joint);
    next += jointBytes(joint) / 4;
  }
  const cells = maps.reduce((sum, map) => sum + map.cells, 0);
  const potentials = arena.f64(cells);
  /** Sums of each lane; those of the first are the sums in the end. */
  const tables = Array.from({ length: lanes }, () => arena.f64(cells));
  const largest = joints.reduce((most, { bytes }) => Math.max(most, bytes), 0);
  const scratch = Array.from({ length: lanes }, () => arena.allocate(jointScratch + largest));
  const [sums] = tables;
  const slices = slicesOf(length, lanes);

  return {
    start: support.weights,
    maps,
    sums,
    potentials,
    vector: () => arena.f64(length),
    run: (calls) => Promise.all(slices.map((slice) => pool.run(calls(slice)))),
    gather: (target, slice) => {
      const own = sliceAddress(target, slice);
      return [
        ['clear', own, 8 * slice.length],
        [
          ...(['gatherJoints', words.address, joints.length, slice.from, slice.length] as const),
          ...([potentials.address, own, scratch[slice.lane]] as const),
        ],
      ];
    },
    scatter: (weights, slice) => [
      [
        ...(['scatterJoints', words.address, joints.length, slice.from, slice.length] as const),
        ...([sliceAddress(weights, slice), tables[slice.lane].address, scratch[slice.lane]] as const),
      ],
    ],
    collect: () => {
      for (const { address } of tables.slice(1)) kernels.axpy(1, address, sums.address, cells);
    },
    close: () => pool.close(),
  };
};
