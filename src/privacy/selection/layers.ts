import type { Random } from '../../random/random.js';
import { bernoulliExp, bernoulliExpBig, LARGEST_DENOMINATOR } from '../noise/bernoulli.js';
import { type Enclosure, encloseExp, multiplyEnclosures } from '../noise/exp-enclosure.js';
import { divideRational, multiplyRational, type Rational, rational, rationalNumber } from '../rational.js';
import { type Gaps, type SelectionOptions, scoreGaps, selectionGrid, type Unscored } from './score-grid.js';

/**
 * Candidates by how far they lie below the best. Candidate i has weight exp(-x) with x = gap * rate and is in layer floor(x): its
 * weight is exp(-layer), one number for the whole layer, times exp(-(x - layer)), which is between 1/e and 1.
 */
export interface Layers {
  /** Grid steps below the best score. */
  readonly gaps: Gaps;
  /** The smallest gaps of layers 0 to `count`; Infinity where no gap reaches. */
  floors(count: number): Float64Array;
  /** The layer of a gap among these floors, the last one standing for itself and all beyond. */
  layer(gap: number, floors: Float64Array): number;
  /** How many candidates are in each of the first `count` layers, and last in all beyond; unscored ones are in the layer of their bound. A pass. */
  members(count: number): Float64Array;
  /** The layer of a gap, whatever it is. */
  exactLayer(gap: number): bigint;
  /** True with chance exp(-(x - layer)). */
  accept(gap: number, random: Random): boolean;
}

export const scoreLayers = (
  scores: Float64Array,
  options: SelectionOptions,
  unscored: readonly Unscored[] = [],
): Layers => {
  const { grid, sensitivity } = selectionGrid(options.sensitivity, options.grid);
  const { epsilon } = options;
  const rate = divideRational(multiplyRational(epsilon, grid), multiplyRational(rational(2), sensitivity));
  return gapLayers(scoreGaps(scores, grid, unscored), rate);
};

const gapLayers = (gaps: Gaps, rate: Rational): Layers => {
  const { numerator: n, denominator: d } = rate;
  const roughRate = Math.min(rationalNumber(rate), Number.MAX_VALUE);
  const small = n <= BigInt(LARGEST_DENOMINATOR) && d <= BigInt(LARGEST_DENOMINATOR);
  const [a, b] = [Number(n), Number(d)];
  const floors = (count: number): Float64Array =>
    Float64Array.from({ length: count + 1 }, (_, layer) => {
      const floor = (BigInt(layer) * d + n - 1n) / n;
      return floor <= 2n ** 53n ? Number(floor) : Infinity;
    });
  const layerOf = (gap: number, edges: Float64Array): number => {
    const last = edges.length - 1;
    // A guess in floating point, put right by comparing integers.
    let layer = Math.min(last, Math.floor(gap * roughRate));
    while (layer < last && gap >= edges[layer + 1]) layer++;
    while (gap < edges[layer]) layer--;
    return layer;
  };
  return {
    gaps,
    floors,
    layer: layerOf,
    members: (count) => {
      const { values, inverse, best, smallest, unscored } = gaps;
      const edges = floors(count);
      const members = new Float64Array(count + 1);
      // Most candidates score low, within two layers: comparing with their edges is enough. A step is at least s, an integer,
      // just when the score times `inverse` is.
      const lowest = layerOf(best - smallest, edges);
      const edge = (layer: number): number => (layer < 0 ? Infinity : best - edges[layer]) + 1;
      const [middle, high] = [edge(lowest), edge(lowest - 1)];
      let [last, next] = [0, 0];
      for (let i = 0; i < values.length; i++) {
        const score = values[i] * inverse;
        if (score < middle) last++;
        else if (score < high) next++;
        else members[layerOf(best - Math.floor(score), edges)]++;
      }
      members[lowest] += last;
      if (lowest > 0) members[lowest - 1] += next;
      for (const { gap, times } of unscored) members[layerOf(gap, edges)] += times;
      return members;
    },
    exactLayer: (gap) => (BigInt(gap) * n) / d,
    accept: (gap, random) => {
      // A double product below 2^53 is the exact one: had the exact one been 2^53 or more, so would the rounded one.
      const product = gap * a;
      return small && product < 2 ** 53
        ? bernoulliExp(product % b, b, random)
        : bernoulliExpBig((BigInt(gap) * n) % d, d, random);
    },
  };
};

const powers = new Map<number, Enclosure[]>();

/** Encloses exp(-0), ..., exp(-count) at that many bits. Constants of nature, kept per precision; do not write to them. */
export const inversePowersOfE = (count: number, bits: number): readonly Enclosure[] => {
  const one = 1n << BigInt(bits);
  const known = powers.get(bits) ?? [{ low: one, high: one }, encloseExp(1n, 1n, bits)];
  powers.set(bits, known);
  while (known.length <= count) known.push(multiplyEnclosures(known[known.length - 1], known[1], BigInt(bits)));
  return known;
};
