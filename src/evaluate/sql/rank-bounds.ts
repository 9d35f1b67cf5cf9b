import type { AggregateOf } from '../../domain/sql/statement.js';
import type { Answering } from '../../model/model.js';
import { type Bounds, type BoundsSource, boundsOfStatistic } from '../bounds.js';
import { aggregateKinds } from './aggregates.js';
import { cumulated, endsOf, type Ranks, someone } from './ranks.js';

/**
 * Bounds of percentiles, least and largest values: those of the records at or below each value (for the largest, at or above), turned round
 * (Woodruff 1952). A percentile may itself jump from value to value or stay where it is in all replicates; the records below a
 * value do not. They reach to the ends of the cells in which they fall.
 */
export const rankBounds = (
  of: AggregateOf,
  source: BoundsSource,
  values: Float64Array,
  ranksIn: (model: Answering) => Ranks,
): Bounds => {
  const { rank } = aggregateKinds[of.aggregate];
  const own = ranksIn(source.model);
  const size = own.values.from.length;
  const groups = values.length;
  const curve = (ranks: Ranks): Float64Array => {
    const all = new Float64Array(groups * size);
    for (let group = 0; group < groups; group++) {
      const below = cumulated(ranks, group);
      const total = below[size - 1];
      const told =
        rank === 'share'
          ? below.map((count) => count / total)
          : rank === 'least'
            ? below
            : below.map((_, i) => total - (i + 1 < size ? below[size - 2 - i] : 0));
      all.set(told, group * size);
    }
    return all;
  };
  const curves = boundsOfStatistic(source, (model) => curve(model === source.model ? own : ranksIn(model)), 0);
  const low = new Float64Array(groups).fill(Number.NaN);
  const high = low.slice();
  for (let group = 0; group < groups; group++) {
    if (Number.isNaN(values[group])) continue;
    const part = (list: Float64Array) => list.subarray(group * size, (group + 1) * size);
    const [is, least, most] = [part(curves.values), part(curves.low), part(curves.high)];
    if (least.every(Number.isNaN)) continue;
    const total = cumulated(own, group)[size - 1];
    const target = rank === 'share' ? Math.min(Math.max(of.share ?? 0, someone / total), 1 - someone / total) : someone;
    // Where no replicate moves a number, it is taken as it is.
    const reaches = (bound: Float64Array): number => {
      const found = is.findIndex((value, i) => (Number.isNaN(bound[i]) ? value : bound[i]) >= target - 1e-12);
      const place = found < 0 ? size - 1 : found;
      return rank === 'largest' ? size - 1 - place : place;
    };
    const ends = [reaches(most), reaches(least)].sort((a, b) => a - b);
    low[group] = Math.min(values[group], endsOf(own.values, ends[0])[0]);
    high[group] = Math.max(values[group], endsOf(own.values, ends[1])[1]);
  }
  return { values, low, high };
};
