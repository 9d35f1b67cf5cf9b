import type { Region } from '../../kernel/arena.js';
import type { KernelCall } from '../../kernel/kernels.js';
import type { Slice } from '../../model/support/weighted-rows.js';
import type { IdeRows } from './rows.js';
import { updateJoint } from './update.js';

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
  const { kernels, arena } = rows.engine;
  const most = joints.reduce((largest, { length }) => Math.max(largest, length), 0);
  const weights = rows.vector();
  weights.view.set(rows.support.weights);
  /** Weights of a joint's combinations while its workloads take their turns. */
  const joint = arena.f64(most);
  const before = new Float64Array(most);
  const spread = new Uint8Array(most);
  let averaging: Averaging | undefined;
  let other: Region<Float64Array> | undefined;

  interface Averaging {
    readonly average: Region<Float64Array>;
    readonly scratch: Region<Float64Array>;
    /** Sum over the updates of a joint's weights: as multiples of the rows' weights, and as mass spread evenly. */
    readonly multiple: Region<Float64Array>;
    readonly even: Float64Array;
    updates: number;
  }
  const startAverage = (): Averaging => ({
    average: rows.vector(),
    scratch: rows.vector(),
    multiple: arena.f64(most),
    even: new Float64Array(most),
    updates: 0,
  });
  const at = (vector: Region<Float64Array>, { from }: Slice): number => vector.address + 8 * from;

  /** Calls that add `multiple` of the rows' weights to the average. */
  const addCalls = ({ average, scratch, multiple }: Averaging, j: number, slice: Slice): KernelCall[] => [
    ['clear', at(scratch, slice), 8 * slice.length],
    ['axpy', 1, at(weights, slice), at(scratch, slice), slice.length],
    ['gatherScale', rows.maps[j].index.address + 4 * slice.from, multiple.address, at(scratch, slice), slice.length],
    ['axpy', 1, at(scratch, slice), at(average, slice), slice.length],
  ];

  /** Calls that carry what happened to joint j over to the rows. */
  const carryCalls = (j: number, into: Averaging | undefined, slice: Slice): KernelCall[] => [
    ...(into ? addCalls(into, j, slice) : []),
    [
      'gatherScale',
      rows.maps[j].index.address + 4 * slice.from,
      rows.maps[j].potential.address,
      at(weights, slice),
      slice.length,
    ],
  ];

  /** Rows whose combination's mass was spread: each takes the same. */
  const spreadRows = (j: number, into: Averaging | undefined): void => {
    const { index, rows: counts } = joints[j];
    const mass = joint.view;
    const view = weights.view;
    for (let row = 0; row < index.length; row++) {
      const i = index[row];
      if (spread[i] === 0) continue;
      view[row] = mass[i] / counts[i];
      if (into) into.average.view[row] += into.even[i] / counts[i];
    }
  };

  const run = async (order: IdeOrder, into: Averaging | undefined): Promise<number> => {
    let farthest = 0;
    /** The joint whose changes the rows have not seen yet: they are carried over on the way to the next one. */
    let waiting = -1;
    for (const { joint: j, workloads: members } of order) {
      const carried = waiting;
      await rows.run((slice) => [
        ...(carried < 0 ? [] : carryCalls(carried, into, slice)),
        ...rows.scatter(weights, slice, [j]),
      ]);
      rows.collect([j]);
      const { length } = joints[j];
      const start = rows.maps[j].sums.view;
      joint.view.set(start);
      before.set(start);
      spread.fill(0);
      into?.multiple.view.fill(0);
      into?.even.fill(0);
      for (const s of members) {
        const moved = updateJoint(kernels, workloads[s], noisy[s], joints[j], joint, spread);
        farthest = Math.max(farthest, moved);
        if (!into) continue;
        const [mass, multiple] = [joint.view, into.multiple.view];
        for (let i = 0; i < length; i++) (spread[i] ? into.even : multiple)[i] += mass[i];
        into.updates++;
      }
      const ratio = rows.maps[j].potential.view;
      const mass = joint.view;
      const multiple = into?.multiple.view;
      let anySpread = false;
      for (let i = 0; i < length; i++) {
        const inverse = before[i] > 0 ? 1 / before[i] : 0;
        // A quotient that a double does not hold: the rows have no weights to go by.
        if (mass[i] > 0 && !(mass[i] / before[i] < Infinity)) spread[i] = 1;
        if (spread[i]) anySpread = true;
        ratio[i] = spread[i] ? 0 : before[i] > 0 ? mass[i] / before[i] : 0;
        if (multiple) multiple[i] = inverse < Infinity ? multiple[i] * inverse : 0;
      }
      waiting = j;
      if (anySpread) {
        await rows.run((slice) => carryCalls(j, into, slice));
        spreadRows(j, into);
        waiting = -1;
      }
    }
    if (waiting >= 0) {
      const carried = waiting;
      await rows.run((slice) => carryCalls(carried, into, slice));
    }
    return farthest;
  };

  const vectorOf = (of: 'last' | 'average'): Region<Float64Array> =>
    of === 'average' && averaging ? averaging.average : weights;

  return {
    epoch: (order) => run(order, undefined),
    averagedEpoch: async (order) => {
      averaging ??= startAverage();
      averaging.average.view.fill(0);
      averaging.updates = 0;
      const farthest = await run(order, averaging);
      const { average, updates } = averaging;
      const view = average.view;
      for (let row = 0; row < view.length; row++) view[row] /= updates;
      return farthest;
    },
    answers: async (of) => {
      let vector: Region<Float64Array>;
      if (typeof of === 'string') vector = vectorOf(of);
      else {
        other ??= rows.vector();
        other.view.set(of);
        vector = other;
      }
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
