import type { Region } from '../../kernel/arena.js';
import type { KernelCall } from '../../kernel/kernels.js';
import { onSlice as on, type Slice } from '../../model/support/weighted.js';
import type { WeightedRows } from '../../model/support/weighted-rows.js';
import { type Averaging, jointTurn } from './joint-turn.js';
import type { IdeRows } from './rows.js';

/** Which workloads an epoch updates with, in order: joints one after another, and the workloads of each. */
export type IdeOrder = readonly { readonly joint: number; readonly workloads: readonly number[] }[];

/** The weights of one run of IDE, in kernel memory. */
export interface IdeFit {
  /** Updates with every workload of the order, once. Returns the farthest that an update moved answers, in L1. */
  epoch(order: IdeOrder): Promise<number>;
  /** The same, and starts and fills the average over all its updates. */
  averagedEpoch(order: IdeOrder): Promise<number>;
  /** Proportions that the present weights, the average, or other weights give the answers of each workload. */
  answers(of: 'last' | 'average' | Float64Array): Promise<Float64Array[]>;
  /** The present weights, or the average; a new array with sum 1 up to rounding. */
  distribution(of: 'last' | 'average'): Float64Array;
}

/** Starts IDE at the support's weights; `noisy` are the measured proportions, an array for each workload. */
export const startIde = (ide: IdeRows, noisy: readonly Float64Array[]): IdeFit => {
  const { rows, joints, workloads } = ide;
  const { kernels } = rows.engine;
  const weights = rows.vector();
  weights.view.set(rows.support.weights);
  const turn = jointTurn(ide, noisy, weights);
  let averaging: Averaging | undefined;
  let other: Region<Float64Array> | undefined;

  const carry = (j: number, into: Averaging | undefined, slice: Slice): KernelCall[] =>
    carryCalls(rows, weights, j, into, slice);

  const run = async (order: IdeOrder, into: Averaging | undefined): Promise<number> => {
    let farthest = 0;
    /** The joint whose changes the rows have not seen yet: they are carried over on the way to the next one. */
    let waiting = -1;
    for (const { joint: j, workloads: members } of order) {
      const carried = waiting;
      await rows.run((slice) => [
        ...(carried < 0 ? [] : carry(carried, into, slice)),
        ...rows.scatter(weights, slice, [j]),
      ]);
      rows.collect([j]);
      farthest = Math.max(farthest, turn.update(j, members, into));
      waiting = j;
      if (turn.fillRatios(j, into)) {
        await rows.run((slice) => carry(j, into, slice));
        turn.spreadRows(j, into);
        waiting = -1;
      }
    }
    const carried = waiting;
    if (carried >= 0) await rows.run((slice) => carry(carried, into, slice));
    return farthest;
  };

  const vectorOf = (of: 'last' | 'average'): Region<Float64Array> =>
    of === 'average' && averaging ? averaging.average : weights;
  const vectorWith = (values: Float64Array): Region<Float64Array> => {
    other ??= rows.vector();
    other.view.set(values);
    return other;
  };

  return {
    epoch: (order) => run(order, undefined),
    averagedEpoch: async (order) => {
      averaging ??= turn.startAverage();
      averaging.average.view.fill(0);
      averaging.updates = 0;
      const farthest = await run(order, averaging);
      const { average, updates } = averaging;
      const view = average.view;
      for (let row = 0; row < view.length; row++) view[row] /= updates;
      return farthest;
    },
    answers: async (of) => {
      const vector = typeof of === 'string' ? vectorOf(of) : vectorWith(of);
      await rows.run((slice) => rows.scatter(vector, slice));
      rows.collect();
      return workloads.map(({ joint: j, index, sums, answers }) => {
        kernels.clear(sums.address, 8 * sums.length);
        kernels.scatterAdd(index.address, rows.maps[j].sums.address, sums.address, joints[j].length);
        return sums.view.slice(0, answers);
      });
    },
    distribution: (of) => vectorOf(of).view.slice(),
  };
};

/** Calls that carry what happened to joint j over to the rows' weights, and before that to the average. */
const carryCalls = (
  { maps }: WeightedRows,
  weights: Region<Float64Array>,
  j: number,
  into: Averaging | undefined,
  slice: Slice,
): KernelCall[] => {
  const index = maps[j].index.address + 4 * slice.from;
  const scaled = on(slice, 'gatherScale', index, maps[j].potential.address, weights);
  if (!into) return [scaled];
  const { average, scratch, multiple } = into;
  return [
    ['clear', scratch.address + 8 * slice.from, 8 * slice.length],
    on(slice, 'axpy', 1, weights, scratch),
    on(slice, 'gatherScale', index, multiple.address, scratch),
    on(slice, 'axpy', 1, scratch, average),
    scaled,
  ];
};
