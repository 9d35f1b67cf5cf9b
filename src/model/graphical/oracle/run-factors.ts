import type { Kernels } from '../../../kernel/kernels.js';
import type { FactorsPlan } from './plan-factors.js';

/** Before a run: adds the potentials of factors that lie in others to those of the others. */
export const gatherFactors = ({ factors, inward }: FactorsPlan, kernels: Kernels): void => {
  for (const index of inward)
    for (const { a, b, target, shape } of factors[index].gather)
      kernels.addTables(shape, a.address, b.address, target!.address);
};

/** After a run: sums the marginals of factors that lie in others out of those of the others. */
export const spreadFactors = ({ factors, inward }: FactorsPlan, kernels: Kernels): void => {
  for (const index of inward.toReversed()) {
    const { spread } = factors[index];
    if (!spread) continue;
    kernels.clear(spread.sums!.address, 8 * spread.sums!.cells);
    kernels.sumTables(spread.shape, spread.a.address, spread.b.address, spread.sums!.address);
  }
};
