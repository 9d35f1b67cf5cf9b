import type { Engine } from '../../../kernel/engine.js';
import type { TableStep } from './table-step.js';

/**
 * Overwrites the sums of a step with log sum exp(a + b), over the largest term, which stands at `peaks` meanwhile: scratch for as many
 * cells as the sums have.
 */
export const logSum = (
  { kernels, memory }: Engine,
  { a, b, sums, shape }: Pick<TableStep, 'a' | 'b' | 'sums' | 'shape'>,
  peaks: number,
): void => {
  const { address, cells } = sums!;
  new Float64Array(memory.buffer, peaks, cells).fill(Number.NEGATIVE_INFINITY);
  kernels.peakTables(shape, a.address, b.address, peaks);
  kernels.clear(address, 8 * cells);
  kernels.expSumTables(shape, a.address, b.address, peaks, address);
  kernels.log(address, address, cells);
  kernels.axpy(1, peaks, address, cells);
};
