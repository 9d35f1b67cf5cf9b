import type { NoisyCounts } from '../../privacy/discovery/discovery-door.js';

/** A run of public cells that hold nearly all values of a column: edges that bound them, and their noisy counts. */
export interface FoundRange {
  readonly edges: readonly number[];
  readonly counts: readonly number[];
}

/** In standard deviations: what a cell must hold to be worth its place, and what the best ones must hold beyond that in all. */
const worth = 2;
const certain = 2;

/**
 * The cells in a row of which the noisy counts, less two standard deviations each, have the largest sum: noise next to them adds a cell at most, and
 * noise far away would have to make up for all cells between. Undefined where nothing stands out.
 */
export const rangeOf = (edges: Float64Array, { counts, deviation }: NoisyCounts): FoundRange | undefined => {
  let best = { sum: certain * deviation, from: 0, to: 0 };
  let [sum, from] = [0, 1];
  // Cell i lies between edges i - 1 and i; those beyond the outermost edges have no end.
  for (let cell = 1; cell < edges.length; cell++) {
    if (sum <= 0) [sum, from] = [0, cell];
    sum += counts[cell] - worth * deviation;
    if (sum > best.sum) best = { sum, from, to: cell };
  }
  if (best.to === 0) return undefined;
  return {
    edges: Array.from(edges.subarray(best.from - 1, best.to + 1)),
    counts: Array.from(counts.subarray(best.from, best.to + 1)),
  };
};

/** Edges of about so many bins: cells are cut into equal parts, the fuller into more, each edge at the nearest of some public places. */
export const cutRange = ({ edges, counts }: FoundRange, bins: number, ladder: Float64Array): number[] => {
  const all = counts.reduce((sum, count) => sum + Math.max(0, count), 0);
  const cuts = new Set<number>([edges[edges.length - 1]]);
  for (const [cell, count] of counts.entries()) {
    const [from, to] = [edges[cell], edges[cell + 1]];
    const parts = Math.max(1, all === 0 ? 1 : Math.round((bins * Math.max(0, count)) / all));
    cuts.add(from);
    for (let part = 1; part < parts; part++) cuts.add(nearestOf(ladder, from + ((to - from) * part) / parts));
  }
  return [...cuts].sort((a, b) => a - b);
};

/** The place that is nearest to a value. */
export const nearestOf = (ladder: Float64Array, value: number): number => {
  let best = 0;
  let [low, high] = [0, ladder.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (Math.abs(ladder[middle] - value) < Math.abs(ladder[best] - value)) best = middle;
    if (ladder[middle] < value) low = middle + 1;
    else high = middle - 1;
  }
  return ladder[best];
};
