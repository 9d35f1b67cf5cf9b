import type { Region } from '../../kernel/arena.js';
import type { Kernels } from '../../kernel/kernels.js';
import type { Joint } from './joints.js';
import { nearestAnswers } from './nearest-answers.js';
import type { PlacedWorkload } from './rows.js';

/**
 * Definition 3.1 on the weights of a joint's combinations, which are overwritten: the distribution of least divergence from
 * the present one among those that give the partial workload the answers nearest to `noisy` (proportions). Combinations
 * whose mass had to be spread evenly over rows, for want of any weight to share it by, are set in `spread`. Returns how far
 * the answers moved, in L1.
 */
export const updateJoint = (
  kernels: Kernels,
  workload: PlacedWorkload,
  noisy: Float64Array,
  joint: Joint,
  weights: Region<Float64Array>,
  spread: Uint8Array,
): number => {
  const { index, sums, ratio, rows, covers, answers } = workload;
  kernels.clear(sums.address, 8 * sums.length);
  kernels.scatterAdd(index.address, weights.address, sums.address, joint.length);
  const current = sums.view;
  const ratios = ratio.view;
  const target = nearestAnswers(noisy, current, rows, covers);
  let given = 0;
  for (let i = 0; i < answers; i++) given += target[i];
  /** What the rows outside of all answers share: 1 - ||y_s||_1. */
  const rest = covers ? 0 : Math.max(0, 1 - given);
  let moved = covers ? 0 : Math.abs(rest - current[answers]);
  let empty = false;
  for (let i = 0; i <= answers; i++) {
    const mass = i < answers ? target[i] : rest;
    if (i < answers) moved += Math.abs(mass - current[i]);
    // Cases 1 and 3: in proportion to the present weights.
    ratios[i] = current[i] > 0 ? mass / current[i] : 0;
    if (mass > 0 && !(current[i] > 0 && ratios[i] < Infinity)) {
      ratios[i] = Number.NaN;
      empty = true;
    }
  }
  if (empty) {
    // Cases 2 and 4: evenly over the rows; a combination gets its rows' part.
    const view = weights.view;
    const cells = index.view;
    for (let i = 0; i < joint.length; i++) {
      const cell = cells[i];
      if (!Number.isNaN(ratios[cell])) continue;
      view[i] = ((cell < answers ? target[cell] : rest) * joint.rows[i]) / rows[cell];
      spread[i] = 1;
    }
    for (let i = 0; i <= answers; i++) if (Number.isNaN(ratios[i])) ratios[i] = 1;
  }
  kernels.gatherScale(index.address, ratio.address, weights.address, joint.length);
  return moved;
};
