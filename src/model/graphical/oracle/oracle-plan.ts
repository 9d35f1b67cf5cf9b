import type { Region } from '../../../kernel/arena.js';
import type { Engine } from '../../../kernel/engine.js';
import { shapeWords, writeShape } from '../../../kernel/table-shape.js';
import type { MarginalOracle, OracleFactor } from './marginal-oracle.js';
import type { FactorsPlan } from './plan-factors.js';
import type { Table, TableStep } from './table-step.js';

/** Everything that the runs of an oracle share, made once. Attributes of one cell are left out: they change nothing. */
export interface OraclePlan extends FactorsPlan {
  /** One cell: 1, or 0 in log space. */
  readonly unit: Table;
  /** Scratch for log space, as large as the largest table of sums. */
  readonly peaks: Table;
  /** Tables that need memory of their own. */
  readonly kept: readonly Table[];
  /** log of the cells of attributes outside all factors. */
  readonly free: number;
  /** Bytes of tables, messages and two vectors. */
  readonly bytes: number;
}

const cellsOf = (list: readonly Table[]): number => list.reduce((sum, { cells }) => sum + cells, 0);

const most = (numbers: readonly number[]): number => numbers.reduce((largest, each) => Math.max(largest, each), 0);

/** Bytes that the tables of a plan and two vectors take, or a little more. */
export const planBytes = ({ kept, passing, factors }: Pick<OraclePlan, 'kept' | 'passing' | 'factors'>): number => {
  const bytesOf = (list: readonly Table[]): number => 8 * cellsOf(list) + 16 * list.length;
  return bytesOf(kept) + most(passing.map(bytesOf)) + 16 * cellsOf(factors.map(({ table }) => table));
};

/** Scratch as large as the largest of some tables. */
export const scratchTable = (tables: readonly (Table | undefined)[]): Table => ({
  attributes: [],
  cells: Math.max(1, most(tables.map((each) => each?.cells ?? 0))),
  address: 0,
});

/** Gives the tables of a plan memory; groups of passing ones the same. */
export const placeTables = ({ kept, passing }: OraclePlan, { arena }: Engine): void => {
  for (const each of kept) each.address = arena.f64(each.cells).address;
  const scratch = arena.allocate(8 * most(passing.map(cellsOf)));
  for (const list of passing) {
    let at = scratch;
    for (const each of list) {
      each.address = at;
      at += 8 * each.cells;
    }
  }
};

/** The steps that gather potentials before a run and sum marginals out after it. */
export const factorSteps = ({ factors }: FactorsPlan): TableStep[] =>
  factors.flatMap(({ gather, spread }) => (spread ? [...gather, spread] : gather));

/** Writes axes to kernel memory; their addresses. */
export const placeAxes = (list: readonly TableStep['axes'][], { arena }: Engine): number[] => {
  const words = arena.u32(list.reduce((sum, axes) => sum + shapeWords(axes.length), 0));
  let at = 0;
  return list.map((axes) => {
    const from = at;
    at += shapeWords(axes.length);
    writeShape(words.view.subarray(from, at), axes);
    return words.address + 4 * from;
  });
};

/** Gives steps the addresses of their axes. */
export const placeShapes = (steps: readonly TableStep[], engine: Engine): void => {
  const addresses = placeAxes(
    steps.map(({ axes }) => axes),
    engine,
  );
  for (const [i, step] of steps.entries()) step.shape = addresses[i];
};

/** What oracles have in common: vectors with a place for each factor, and how a run finds two of them. */
export const oracleVectors = (engine: Engine, factors: readonly OracleFactor[], plan: OraclePlan) => {
  const length = factors.reduce((cells, factor) => cells + factor.cells, 0);
  const vector: MarginalOracle['vector'] = () => {
    const region = engine.arena.f64(length);
    region.view.fill(0);
    return region;
  };
  return {
    engine,
    factors,
    length,
    vector,
    /** Lets the plan's factors read and write these vectors. */
    attach: (potentials: Region<Float64Array>, marginals: Region<Float64Array>): void => {
      for (const [index, { offset }] of factors.entries()) {
        plan.factors[index].potential.address = potentials.address + 8 * offset;
        plan.factors[index].table.address = marginals.address + 8 * offset;
      }
    },
  };
};
