import { cholesky, solveInPlace } from '../../../estimate/linear/cholesky.js';
import { squareOf } from '../../../estimate/linear/square-of.js';
import type { Block } from '../../../query/block/block.js';
import type { Gram } from './gram.js';

/**
 * trace((A^T A)^-1 W^T W): the squared error of all answers of a workload by least squares from a strategy's answers of variance 1;
 * undefined when the strategy does not tell every cell.
 */
export const strategyTrace = (strategy: Block, gram: Gram): number | undefined => {
  const { size, diagonal } = gram;
  if (strategy.kind === 'keep') return diagonal.reduce((sum, entry) => sum + entry, 0);
  const factor = cholesky(squareOf(strategy, size), size);
  if (factor === undefined) return undefined;
  const inverse = new Float64Array(size * size);
  for (let cell = 0; cell < size; cell++) inverse[cell * size + cell] = 1;
  solveInPlace(factor, inverse, size);
  const product = gram.times(inverse);
  let trace = 0;
  for (let cell = 0; cell < size; cell++) trace += product[cell * size + cell];
  return trace;
};
