import type { Region } from '../../kernel/arena.js';
import type { IdeRows } from './rows.js';
import { updateJoint } from './update.js';

/** The average of the rows' weights over all updates of an epoch, in the making. */
export interface Averaging {
  readonly average: Region<Float64Array>;
  readonly scratch: Region<Float64Array>;
  /** Sum over the updates of a joint's weights: as multiples of the rows' weights, and as mass spread evenly. */
  readonly multiple: Region<Float64Array>;
  readonly even: Float64Array;
  updates: number;
}

/** A joint's turn in an epoch: its workloads update the weights of its combinations, and its rows follow. */
export interface JointTurn {
  /** Updates joint j, whose sums are collected, with its workloads. Returns the farthest that an update moved answers, in L1. */
  update(j: number, members: readonly number[], into: Averaging | undefined): number;
  /**
   * Fills the joint's potential, and the average's multiples, with what the weights of each combination's rows are to be multiplied by.
   * True when some combination has mass to spread, which its rows have no weights to share by.
   */
  fillRatios(j: number, into: Averaging | undefined): boolean;
  /** Gives the rows of each combination with mass to spread the same weight. */
  spreadRows(j: number, into: Averaging | undefined): void;
  startAverage(): Averaging;
}

export const jointTurn = (
  { rows, joints, workloads }: IdeRows,
  noisy: readonly Float64Array[],
  weights: Region<Float64Array>,
): JointTurn => {
  const { kernels, arena } = rows.engine;
  const most = joints.reduce((largest, { length }) => Math.max(largest, length), 0);
  /** Weights of a joint's combinations while its workloads take their turns, and before. */
  const joint = arena.f64(most);
  const before = new Float64Array(most);
  /** 1 for combinations whose mass is to be spread evenly. */
  const spread = new Uint8Array(most);
  return {
    update: (j, members, into) => {
      const { length } = joints[j];
      const start = rows.maps[j].sums.view;
      joint.view.set(start);
      before.set(start);
      spread.fill(0);
      into?.multiple.view.fill(0);
      into?.even.fill(0);
      let farthest = 0;
      for (const s of members) {
        const moved = updateJoint(kernels, workloads[s], noisy[s], joints[j], joint, spread);
        farthest = Math.max(farthest, moved);
        if (!into) continue;
        const [mass, multiple] = [joint.view, into.multiple.view];
        for (let i = 0; i < length; i++) (spread[i] ? into.even : multiple)[i] += mass[i];
        into.updates++;
      }
      return farthest;
    },
    fillRatios: (j, into) => {
      const { length } = joints[j];
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
      return anySpread;
    },
    spreadRows: (j, into) => {
      const { index, rows: counts } = joints[j];
      const mass = joint.view;
      const view = weights.view;
      for (let row = 0; row < index.length; row++) {
        const i = index[row];
        if (spread[i] === 0) continue;
        view[row] = mass[i] / counts[i];
        if (into) into.average.view[row] += into.even[i] / counts[i];
      }
    },
    startAverage: () => ({
      average: rows.vector(),
      scratch: rows.vector(),
      multiple: arena.f64(most),
      even: new Float64Array(most),
      updates: 0,
    }),
  };
};
