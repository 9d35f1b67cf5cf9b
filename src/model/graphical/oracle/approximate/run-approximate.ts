import type { Turns } from '../../../../domain/turns.js';
import type { Engine } from '../../../../kernel/engine.js';
import { logSum } from '../log-sum.js';
import { gatherFactors, spreadFactors } from '../run-factors.js';
import type { Table } from '../table-step.js';
import type { ApproximatePlan, SeparatorPlan } from './approximate-plan.js';

/** Stands for -Infinity, which differences could not bear; the exponential of either is 0. */
const impossible = -1e6;
/** Probabilities of a separator may differ by this between regions. */
const tolerance = 1e-11;
const sweeps = 2000;

/** One run, in turns of a separator each: an upper bound of log Z, equal to it where the factors have no cycle. */
export function* runningApproximate(plan: ApproximatePlan, engine: Engine): Turns<number> {
  const unit = numbersOf(engine, plan.unit);
  unit[0] = 0;
  startBeliefs(plan, engine);
  let damping = 1;
  let before = Number.POSITIVE_INFINITY;
  for (let sweep = 0; sweep < sweeps; sweep++) {
    let gap = 0;
    for (const separator of [...plan.separators, ...plan.separators.toReversed()]) {
      gap = Math.max(gap, settle(plan, engine, separator, damping));
      yield;
    }
    if (!(gap > tolerance)) break;
    if (gap > before) damping = Math.max(damping / 2, 1 / 8);
    before = gap;
  }
  const logZ = boundOf(plan, engine);
  unit[0] = 1;
  plan.regions.forEach((index, region) => {
    const { address, cells } = plan.factors[index].table;
    engine.kernels.expShift(address, numbersOf(engine, plan.totals[region].sums!)[0], -708, address, cells);
  });
  spreadFactors(plan, engine.kernels);
  return logZ;
}

const numbersOf = ({ memory }: Engine, { address, cells }: Table): Float64Array =>
  new Float64Array(memory.buffer, address, cells);

/** A region's log belief is (potential + messages) / weight, up to a constant. */
const startBeliefs = (plan: ApproximatePlan, engine: Engine): void => {
  const { factors, regions, weights, separators } = plan;
  const { kernels } = engine;
  gatherFactors(plan, kernels);
  regions.forEach((index, region) => {
    const { table, potential, gather } = factors[index];
    const log = numbersOf(engine, table);
    if (gather.length === 0) log.set(numbersOf(engine, potential));
    for (let i = 0; i < log.length; i++) if (log[i] < impossible) log[i] = impossible;
    kernels.scale(table.address, 1 / weights[region], table.cells);
  });
  for (const { ends } of separators)
    for (const { region, message, change, spread } of ends) {
      numbersOf(engine, change).set(numbersOf(engine, message));
      kernels.scale(change.address, 1 / weights[region], change.cells);
      kernels.addTables(spread.shape, spread.a.address, change.address, spread.a.address);
    }
};

/** Turns logarithms into those of probabilities. */
const normalise = (logs: Float64Array): void => {
  const peak = logs.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  const shift = peak + Math.log(logs.reduce((sum, value) => sum + Math.exp(value - peak), 0));
  for (let i = 0; i < logs.length; i++) logs[i] -= shift;
};

/** Makes the regions of a separator agree, all the way or part of it; by how much their probabilities differed. */
const settle = (
  { weights, peaks }: ApproximatePlan,
  engine: Engine,
  { ends, joint, count }: SeparatorPlan,
  damping: number,
): number => {
  const { kernels } = engine;
  const sum = numbersOf(engine, joint).fill(0);
  let power = count;
  for (const { region, message, change, project } of ends) {
    logSum(engine, project, peaks.address);
    const [log, multiplier] = [numbersOf(engine, change), numbersOf(engine, message)];
    normalise(log);
    for (let s = 0; s < sum.length; s++) sum[s] += weights[region] * log[s] - multiplier[s];
    power += weights[region];
  }
  kernels.scale(joint.address, 1 / power, joint.cells);
  normalise(sum);
  let gap = 0;
  for (const { region, message, change, spread } of ends) {
    const [log, multiplier] = [numbersOf(engine, change), numbersOf(engine, message)];
    for (let s = 0; s < sum.length; s++) {
      gap = Math.max(gap, Math.abs(Math.exp(log[s]) - Math.exp(sum[s])));
      log[s] = damping * (sum[s] - log[s]);
      multiplier[s] += weights[region] * log[s];
    }
    kernels.addTables(spread.shape, spread.a.address, change.address, spread.a.address);
  }
  return gap;
};

/** log Z = sum of weight A over regions - sum of <messages, b> + count <b, log b> over separators, with A a region's log-sum. */
const boundOf = ({ free, totals, weights, separators, peaks }: ApproximatePlan, engine: Engine): number => {
  let logZ = free;
  totals.forEach((step, region) => {
    logSum(engine, step, peaks.address);
    logZ += weights[region] * numbersOf(engine, step.sums!)[0];
  });
  for (const { ends, joint, count } of separators) {
    const log = numbersOf(engine, joint);
    for (let s = 0; s < log.length; s++) {
      const probability = Math.exp(log[s]);
      if (probability === 0) continue;
      const messages = ends.reduce((sum, { message }) => sum + numbersOf(engine, message)[s], 0);
      logZ -= probability * (messages + count * log[s]);
    }
  }
  return logZ;
};
