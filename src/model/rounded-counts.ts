import type { Random } from '../random/random.js';
import { uniform } from '../random/uniform.js';

/**
 * Whole numbers with sum `total` whose expectations are `total` times the probabilities, each within one of it: systematic
 * sampling, one uniform draw. Counts of cells then deviate from the distribution far less than independent draws would.
 */
export const roundedCounts = (probabilities: ArrayLike<number>, total: number, random: Random): Uint32Array => {
  const counts = new Uint32Array(probabilities.length);
  const start = uniform(random);
  let sum = 0;
  let before = 0;
  for (let i = 0; i < probabilities.length; i++) {
    sum += probabilities[i];
    // The last point of the grid start + k that lies below total * sum; rounding may not lose or add one at the end.
    const upTo =
      i === probabilities.length - 1 ? total : Math.min(total, Math.max(before, Math.ceil(total * sum - start)));
    counts[i] = upTo - before;
    before = upTo;
  }
  return counts;
};
