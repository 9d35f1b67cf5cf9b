import { gatherFactors } from '../run-factors.js';
import type { Workbench } from './workbench.js';

/**
 * Adds up the potentials of every maximal factor and of what it holds, in its part of the marginals' vector; gives these parts by
 * the factors' indices.
 */
export const gatherLogs = ({ plan, engine: { kernels, memory } }: Workbench): Map<number, Float64Array> => {
  const logs = new Map<number, Float64Array>();
  gatherFactors(plan, kernels);
  for (const index of plan.inward) {
    const { table, potential, gather, spread } = plan.factors[index];
    if (spread) continue;
    const own = new Float64Array(memory.buffer, table.address, table.cells);
    if (gather.length === 0) own.set(new Float64Array(memory.buffer, potential.address, table.cells));
    logs.set(index, own);
  }
  return logs;
};
