import { shuffle } from '../../random/shuffle.js';
import type { Entropy } from '../entropy.js';
import { bernoulliExpBig } from '../noise/bernoulli.js';
import { type SelectionOptions, scoreGaps, selectionGrid } from './score-grid.js';

export const permuteAndFlip = (scores: Float64Array, options: SelectionOptions, entropy: Entropy): number => {
  const { grid, sensitivity } = selectionGrid(options.sensitivity, options.grid);
  const gaps = scoreGaps(scores, grid);
  const a = options.epsilon.numerator * grid.numerator * sensitivity.denominator;
  const b = 2n * options.epsilon.denominator * grid.denominator * sensitivity.numerator;
  for (const i of shuffle(gaps.keys(), entropy)) if (bernoulliExpBig(BigInt(gaps[i]) * a, b, entropy)) return i;
  throw new Error('permute-and-flip: the best candidate is always accepted');
};
