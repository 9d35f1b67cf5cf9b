import type { Turns } from '../../../../domain/turns.js';
import { logSum } from '../log-sum.js';
import { spreadFactors } from '../run-factors.js';
import type { TableStep } from '../table-step.js';
import { gatherLogs } from './gather-logs.js';
import type { Workbench } from './workbench.js';

/**
 * One run in log space, on the calling thread, in turns of a step each: log Z. The same plan as in linear space, where products are sums, sums are
 * log-sum-exp over the largest term, and quotients are differences. About ten times as slow, and nothing is lost.
 */
export function* runningLog(bench: Workbench): Turns<number> {
  const { plan, engine } = bench;
  const { kernels, memory } = engine;
  const unit = new Float64Array(memory.buffer, plan.unit.address, 1);

  const walk = ({ a, b, target, sums, shape }: TableStep): void => {
    // The sums are of what the target had been before: an operand may be the target itself.
    if (sums) logSum(engine, { a, b, sums, shape }, plan.peaks.address);
    if (target) kernels.addTables(shape, a.address, b.address, target.address);
  };

  unit[0] = 0;
  gatherLogs(bench);

  let logZ = plan.free;
  for (let c = plan.cliques.length - 1; c >= 0; c--) {
    const { parent, collect, message, update } = plan.cliques[c];
    for (const step of collect) {
      walk(step);
      yield;
    }
    if (parent >= 0) continue;
    const total = new Float64Array(memory.buffer, message.address, 1)[0];
    logZ += total;
    new Float64Array(memory.buffer, update.address, 1)[0] = -total;
  }
  if (logZ === Number.NEGATIVE_INFINITY) {
    for (const { table } of plan.factors) kernels.clear(table.address, 8 * table.cells);
    return logZ;
  }

  for (const { parent, message, update, wide, narrow } of plan.cliques) {
    if (parent >= 0) kernels.subtractLogs(update.address, message.address, update.address, update.cells);
    for (const step of [...wide, ...narrow]) {
      walk(step);
      yield;
    }
  }
  unit[0] = 1;
  for (const { table, spread } of plan.factors)
    if (!spread) kernels.expShift(table.address, 0, -708, table.address, table.cells);
  spreadFactors(plan, kernels);
  return logZ;
}
