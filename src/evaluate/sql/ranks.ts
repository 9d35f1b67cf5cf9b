import type { Answering } from '../../model/model.js';
import type { Tally } from './tally.js';
import type { Values } from './values.js';

/** The records of each group by value, the smallest first; row-major, groups outermost. */
export interface Ranks {
  readonly weights: Float64Array;
  readonly values: Values;
}

/** Places in the order of their values, those without a number left out. */
const ascending = ({ from }: Values): number[] =>
  [...from.keys()].filter((place) => !Number.isNaN(from[place])).sort((a, b) => from[a] - from[b]);

export const ranksOf = ({ values: [of], walk }: Tally, model: Answering, groups: number): Ranks => {
  const order = ascending(of);
  const rank = new Int32Array(of.from.length).fill(-1);
  order.forEach((place, i) => {
    rank[place] = i;
  });
  const weights = new Float64Array(groups * order.length);
  walk(model, (group, weight, place) => {
    if (rank[place] >= 0) weights[group * order.length + rank[place]] += weight;
  });
  const sorted = (list: Float64Array): Float64Array => Float64Array.from(order, (place) => list[place]);
  return { weights, values: { ...of, from: sorted(of.from), to: sorted(of.to), mean: sorted(of.mean) } };
};

/** The records at or below each value of a group. */
export const cumulated = ({ weights, values }: Ranks, group: number): Float64Array => {
  const size = values.from.length;
  let below = 0;
  return weights.slice(group * size, (group + 1) * size).map((weight) => {
    below += weight;
    return below;
  });
};

/** The least and the largest value of a place. */
export const endsOf = ({ from, to, whole }: Values, place: number): readonly [number, number] => [
  from[place],
  whole && to[place] > from[place] ? to[place] - 1 : to[place],
];

/** The value of the record up to which so many lie, where those of one place spread evenly over it. */
const valueAt = (mass: number, below: Float64Array, { from, to, whole }: Values): number => {
  const all = below[below.length - 1];
  const enough = mass - 1e-9 * all;
  let place = below.findIndex((count) => count >= enough);
  if (place < 0) place = below.length - 1;
  const before = place === 0 ? 0 : below[place - 1];
  const part = Math.min(1, Math.max(0, (mass - before) / (below[place] - before || 1)));
  const width = to[place] - from[place];
  if (!whole) return from[place] + part * width;
  return from[place] + Math.max(0, Math.min(width - 1, Math.ceil(part * width - 1e-9) - 1));
};

/** The last place up to which anything is added, so that what lies beyond is not taken for a value. */
const total = (below: Float64Array): number => below[below.length - 1] ?? 0;

/**
 * The value below which a share of the records lies, as PostgreSQL has it: record k of N, counted from 0, is the one up to which k + 1/2 records
 * lie, and where the share falls between two of them, so does the answer.
 */
export const percentileCont = (share: number, below: Float64Array, values: Values): number => {
  const all = total(below);
  if (!(all > 0)) return Number.NaN;
  const position = Math.max(0, share * (all - 1));
  const record = (k: number): number => valueAt(Math.min(k + 0.5, all), below, values);
  const [low, high] = [Math.floor(position + 1e-9), Math.ceil(position - 1e-9)];
  const lower = record(low);
  return low >= high ? lower : lower + (position - low) * (record(high) - lower);
};

/** The first value at or below which at least a share of the records lies. */
export const percentileDisc = (share: number, below: Float64Array, values: Values): number => {
  const all = total(below);
  return all > 0 ? valueAt(Math.max(share * all, Math.min(all, 0.5)), below, values) : Number.NaN;
};

/** Records that must be expected up to a value for it to be the least. */
export const someone = 0.5;

/** The place of the least value up to which somebody is expected, or -1. */
export const leastPlace = (below: Float64Array): number => below.findIndex((count) => count >= someone);

/** The place of the largest value from which on somebody is expected, or -1. */
export const largestPlace = (below: Float64Array): number => {
  const all = total(below);
  for (let place = below.length - 1; place >= 0; place--)
    if (all - (place === 0 ? 0 : below[place - 1]) >= someone) return place;
  return -1;
};
