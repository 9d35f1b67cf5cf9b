import { addFrom, type CellWalk, cellWalk, maxInto } from '../../cell-walk.js';
import { gatherLogs } from './gather-logs.js';
import type { Workbench } from './workbench.js';

/** What is added to a factor's logarithms for each cell of one of its attributes. */
export interface Shift {
  readonly walk: CellWalk;
  readonly values: Float64Array;
}

/** Shifts of the maximal factors, by index, that cancel: they change factors but not their sum, and so not the density. */
export type Gauge = ReadonlyMap<number, readonly Shift[]>;

const sweeps = 10;

/**
 * Shifts that bring the peaks of factors together: where one factor has +500 for a value of an attribute and another has -500, each is
 * to have 0. Max-sum diffusion (Werner 2007): attribute by attribute, all factors that have it get the same maxima
 * over its values, the mean of what they had; each step lessens the sum of the factors' maxima, which the maximum of the density's
 * logarithm stays below. Works in the marginals' vector, which is overwritten. A few passes over the factors for each attribute.
 */
export const balance = (bench: Workbench): Gauge => {
  const { sizes } = bench.plan;
  const logs = gatherLogs(bench);
  const holders = new Map<
    number,
    { readonly log: Float64Array; readonly shift: Shift; readonly peaks: Float64Array }[]
  >();
  const gauge = new Map<number, Shift[]>();
  for (const [index, log] of logs) {
    const { attributes } = bench.plan.factors[index].table;
    const own = attributes.map((attribute): Shift => {
      const strides = attributes.map((each) => (each === attribute ? 1 : 0));
      const walk = cellWalk(
        attributes.map((each) => sizes[each]),
        strides,
      );
      return { walk, values: new Float64Array(sizes[attribute]) };
    });
    gauge.set(index, own);
    for (const [i, attribute] of attributes.entries()) {
      const list = holders.get(attribute) ?? [];
      list.push({ log, shift: own[i], peaks: new Float64Array(sizes[attribute]) });
      holders.set(attribute, list);
    }
  }
  for (let sweep = 0; sweep < sweeps; sweep++)
    for (const [attribute, list] of holders) {
      if (list.length < 2) continue;
      for (const { log, shift, peaks } of list) maxInto(shift.walk, log, peaks.fill(Number.NEGATIVE_INFINITY));
      const steps = list.map(() => new Float64Array(sizes[attribute]));
      for (let cell = 0; cell < sizes[attribute]; cell++) {
        const mean = list.reduce((sum, { peaks }) => sum + peaks[cell], 0) / list.length;
        // A value that is impossible in one factor is so in the density: nothing to balance.
        if (!Number.isFinite(mean)) continue;
        for (const [i, { peaks, shift }] of list.entries()) {
          steps[i][cell] = mean - peaks[cell];
          shift.values[cell] += steps[i][cell];
        }
      }
      for (const [i, { log, shift }] of list.entries()) addFrom(shift.walk, log, steps[i]);
    }
  for (const [index, shifts] of gauge)
    gauge.set(
      index,
      shifts.filter(({ values }) => values.some((value) => value !== 0)),
    );
  return gauge;
};
