import { addFrom } from '../../cell-walk.js';
import type { TableStep } from '../table-step.js';
import type { Gauge } from './gauge.js';
import { type Batch, type Run, sharedCells, type Workbench } from './workbench.js';

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
 * One run in linear space: log Z, or NaN where a loss by underflow cannot be excluded (see docs/graphical.md): the marginals are
 * then unfinished. Hugin's scheme (Jensen, Lauritzen and Olesen 1990): inward, each clique is the product of its factors and of its
 * children's messages; outward, it is multiplied by what its separator has changed by.
 */
export function* runLinear(
  { plan, engine, threads, splits }: Workbench,
  { gauge, lost = losses.coarse }: LinearOptions = {},
): Run {
  const { kernels, memory } = engine;
  const least = Math.log(lost);
  const cell = (address: number): Float64Array => new Float64Array(memory.buffer, address, 1);

  const walk = ({ a, b, target, sums, shape }: TableStep): void => {
    if (sums) kernels.clear(sums.address, 8 * sums.cells);
    if (!target) kernels.sumTables(shape, a.address, b.address, sums!.address);
    else if (!sums) kernels.multiplyTables(shape, a.address, b.address, target.address);
    else kernels.multiplySumTables(shape, a.address, b.address, target.address, sums.address);
  };

  function* share({ a, b, target, sums }: TableStep, split: NonNullable<ReturnType<typeof splits.get>>) {
    const { parts, apart } = split;
    if (sums) kernels.clear(sums.address, 8 * sums.cells);
    if (sums && apart) kernels.clear(apart, 8 * sums.cells * (parts.length - 1));
    yield parts.map((part, k): Batch[number] => {
      const [x, y] = [a.address + part.a, b.address + part.b];
      const t = (target?.address ?? 0) + part.target;
      const s = !sums ? 0 : apart && k > 0 ? apart + 8 * sums.cells * (k - 1) : sums.address + part.sums;
      if (!target) return [['sumTables', part.shape, x, y, s]];
      return [sums ? ['multiplySumTables', part.shape, x, y, t, s] : ['multiplyTables', part.shape, x, y, t]];
    });
    if (sums && apart)
      for (let k = 1; k < parts.length; k++)
        kernels.axpy(1, apart + 8 * sums.cells * (k - 1), sums.address, sums.cells);
  }

  function* all(steps: readonly TableStep[]) {
    for (const step of steps) {
      const split = splits.get(step);
      if (split) yield* share(step, split);
      else walk(step);
    }
  }

  /** Runs a kernel over equal parts of a long vector. */
  function* inParts(cells: number, call: (from: number, length: number) => Batch[number][number]) {
    const bounds = Array.from({ length: threads + 1 }, (_, k) => Math.floor((cells * k) / threads));
    const results: number[][] = yield bounds.slice(1).map((end, k) => [call(bounds[k], end - bounds[k])]);
    return results.map(([result]) => result);
  }

  cell(plan.unit.address)[0] = 1;
  let logZ = plan.free;
  for (const index of plan.inward)
    for (const { a, b, target, shape } of plan.factors[index].gather)
      kernels.addTables(shape, a.address, b.address, target!.address);

  /** Exponentiates a factor over its largest element, which joins log Z; the sum. */
  function* exponentiate(index: number) {
    const { table, potential, gather } = plan.factors[index];
    const { address, cells } = table;
    const shifts = gauge?.get(index) ?? [];
    const source = gather.length > 0 || shifts.length > 0 ? address : potential.address;
    if (shifts.length > 0) {
      const own = new Float64Array(memory.buffer, address, cells);
      if (gather.length === 0) own.set(new Float64Array(memory.buffer, potential.address, cells));
      for (const { walk: through, values } of shifts) addFrom(through, own, values);
    }
    if (threads === 1 || cells < sharedCells) {
      const peak = kernels.max(source, cells);
      logZ += peak;
      return kernels.expShift(source, peak, least, address, cells);
    }
    const peak = Math.max(...(yield* inParts(cells, (from, length) => ['max', source + 8 * from, length])));
    logZ += peak;
    const sums = yield* inParts(cells, (from, length) => {
      const at = 8 * from;
      return ['expShift', source + at, peak, least, address + at, length];
    });
    return sums.reduce((total, sum) => total + sum, 0);
  }

  const { cliques } = plan;
  const scales = new Float64Array(cliques.length);
  const bounds = new Float64Array(cliques.length);
  for (let c = cliques.length - 1; c >= 0; c--) {
    const { own, factors, parent, collect, message } = cliques[c];
    let total = 0;
    for (const index of factors) total = yield* exponentiate(index);
    // A root that is one factor and nothing else: its sum is known.
    if (parent < 0 && own >= 0 && collect.length === 1 && !collect[0].target) cell(message.address)[0] = total;
    else yield* all(collect);
    const peak = kernels.max(message.address, message.cells);
    if (!(peak > lost && peak < Number.POSITIVE_INFINITY)) return Number.NaN;
    logZ += Math.log(peak);
    scales[c] = 1 / peak;
    if (parent < 0) continue;
    kernels.scale(message.address, scales[c], message.cells);
    const sent = new Float64Array(memory.buffer, message.address, message.cells);
    for (let i = 0; i < sent.length; i++) if (sent[i] < lost) sent[i] = 0;
  }

  let loss = 0;
  for (let c = 0; c < cliques.length; c++) {
    const { table, parent, message, update, wide, narrow } = cliques[c];
    if (parent < 0) {
      bounds[c] = scales[c];
      cell(update.address)[0] = scales[c];
    } else {
      bounds[c] = scales[c] * kernels.divide(update.address, message.address, update.address, update.cells);
      kernels.scale(update.address, scales[c], update.cells);
      // Where the message is 0 the quotient says nothing about what lies outside: the crude bound.
      if (kernels.min(message.address, message.cells) === 0)
        bounds[c] = Math.max(bounds[c], (scales[c] * bounds[parent] * cliques[parent].table.cells) / message.cells);
    }
    loss += table.cells * lost * bounds[c];
    if (!(loss <= tolerable)) return Number.NaN;
    yield* all(wide);
    yield* all(narrow);
  }
  for (let i = plan.inward.length - 1; i >= 0; i--) {
    const { spread } = plan.factors[plan.inward[i]];
    if (spread) walk(spread);
  }
  return logZ;
}
