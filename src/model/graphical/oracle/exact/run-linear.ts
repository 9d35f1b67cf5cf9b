import type { Turns } from '../../../../domain/turns.js';
import type { WasmMemory } from '../../../../kernel/web-assembly.js';
import { addFrom } from '../../cell-walk.js';
import { gatherFactors, spreadFactors } from '../run-factors.js';
import type { Gauge } from './gauge.js';
import { inParts, walkAll } from './linear-steps.js';
import { longCells, sharedCells, type Workbench } from './workbench.js';

/**
 * What a cell of a product of tables with maximum 1 may lose. Coarse: entries below it are taken for 0, so that products hardly ever are
 * subnormal, which takes processors many times as long. Fine: nothing is lost but by underflow.
 */
export const losses = { coarse: 1e-140, fine: 1e-300 };

export interface LinearOptions {
  /** Added to the factors first. */
  readonly gauge?: Gauge | undefined;
  /** One of `losses`. */
  readonly lost?: number | undefined;
}

/** The largest loss of probability that linear space is trusted with. */
const tolerable = 1e-25;

/**
 * One run in linear space, in turns of a clique each: log Z, or NaN where a loss by underflow cannot be excluded (see docs/graphical.md): the marginals are
 * then unfinished. Hugin's scheme (Jensen, Lauritzen and Olesen 1990): inward, each clique is the product of its factors and of its
 * children's messages; outward, it is multiplied by what its separator has changed by.
 */
export function* runningLinear(bench: Workbench, { gauge, lost = losses.coarse }: LinearOptions = {}): Turns<number> {
  const { plan, engine } = bench;
  const { kernels, memory } = engine;
  cell(memory, plan.unit.address)[0] = 1;
  gatherFactors(plan, kernels);
  const scales = new Float64Array(plan.cliques.length);
  const logZ = yield* collect(bench, scales, gauge, lost);
  if (Number.isNaN(logZ) || !(yield* distribute(bench, scales, lost))) return Number.NaN;
  spreadFactors(plan, kernels);
  return logZ;
}

const cell = (memory: WasmMemory, address: number): Float64Array => new Float64Array(memory.buffer, address, 1);

/** Inward: cliques and messages, these over their largest element, whose inverses are the `scales`. Gives log Z, or NaN. */
function* collect(bench: Workbench, scales: Float64Array, gauge: Gauge | undefined, lost: number): Turns<number> {
  const { plan, engine } = bench;
  const { kernels, memory } = engine;
  const least = Math.log(lost);
  let logZ = plan.free;
  for (let c = plan.cliques.length - 1; c >= 0; c--) {
    const { table, own, factors, parent, collect: steps, message } = plan.cliques[c];
    if (table.cells >= longCells) yield;
    let total = 0;
    for (const index of factors) {
      const made = exponentiate(bench, index, gauge, least);
      logZ += made.peak;
      total = made.sum;
    }
    // A root that is one factor and nothing else: its sum is known.
    if (parent < 0 && own >= 0 && steps.length === 1 && !steps[0].target) cell(memory, message.address)[0] = total;
    else walkAll(bench, steps);
    const peak = kernels.max(message.address, message.cells);
    if (!(peak > lost && peak < Number.POSITIVE_INFINITY)) return Number.NaN;
    logZ += Math.log(peak);
    scales[c] = 1 / peak;
    if (parent < 0) continue;
    kernels.scaleAbove(message.address, scales[c], lost, message.cells);
  }
  return logZ;
}

/** Exponentiates a factor over its largest element; that and the sum. */
const exponentiate = (bench: Workbench, index: number, gauge: Gauge | undefined, least: number) => {
  const { plan, engine, team } = bench;
  const { kernels, memory } = engine;
  const { table, potential, gather } = plan.factors[index];
  const { address, cells } = table;
  const shifts = gauge?.get(index) ?? [];
  const source = gather.length > 0 || shifts.length > 0 ? address : potential.address;
  if (shifts.length > 0) {
    const own = new Float64Array(memory.buffer, address, cells);
    if (gather.length === 0) own.set(new Float64Array(memory.buffer, potential.address, cells));
    for (const { walk: through, values } of shifts) addFrom(through, own, values);
  }
  if (team.threads === 1 || cells < sharedCells) {
    const peak = kernels.max(source, cells);
    return { peak, sum: kernels.expShift(source, peak, least, address, cells) };
  }
  const peaks = inParts(bench, cells, (from, length) => ['max', source + 8 * from, length]);
  const peak = Math.max(...peaks);
  const sums = inParts(bench, cells, (from, length) => {
    const at = 8 * from;
    return ['expShift', source + at, peak, least, address + at, length];
  });
  return { peak, sum: sums.reduce((total, sum) => total + sum, 0) };
};

/** Outward: marginals; false when more than what is tolerable may have been lost. */
function* distribute(bench: Workbench, scales: Float64Array, lost: number): Turns<boolean> {
  const { cliques } = bench.plan;
  const { kernels, memory } = bench.engine;
  /** What the entries of each clique are multiplied by at most, and so what of them is lost. */
  const bounds = new Float64Array(cliques.length);
  let loss = 0;
  for (let c = 0; c < cliques.length; c++) {
    const { table, parent, message, update, wide, narrow } = cliques[c];
    if (parent < 0) {
      bounds[c] = scales[c];
      cell(memory, update.address)[0] = scales[c];
    } else {
      bounds[c] = scales[c] * kernels.divide(update.address, message.address, update.address, update.cells);
      kernels.scale(update.address, scales[c], update.cells);
      // Where the message is 0 the quotient says nothing about what lies outside: the crude bound.
      if (kernels.min(message.address, message.cells) === 0)
        bounds[c] = Math.max(bounds[c], (scales[c] * bounds[parent] * cliques[parent].table.cells) / message.cells);
    }
    loss += table.cells * lost * bounds[c];
    if (!(loss <= tolerable)) return false;
    if (table.cells >= longCells) yield;
    walkAll(bench, wide);
    walkAll(bench, narrow);
  }
  return true;
}
