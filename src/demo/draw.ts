import type { Random } from '../random/random.js';
import { uniform } from '../random/uniform.js';

/** An index drawn in proportion to non-negative weights. */
export const pick = (random: Random, weights: readonly number[]): number => {
  let total = 0;
  for (const weight of weights) total += weight;
  let left = uniform(random) * total;
  for (let i = 0; i < weights.length - 1; i++) {
    left -= weights[i];
    if (left < 0) return i;
  }
  return weights.length - 1;
};

/** True with probability 1 / (1 + exp(-logit)). */
export const chance = (random: Random, logit: number): boolean => uniform(random) < 1 / (1 + Math.exp(-logit));

export const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));
