import type { Random } from '../../random/random.js';
import { uniformInteger } from '../../random/uniform.js';
import type { Entropy } from '../entropy.js';
import { encloseExp } from '../noise/exp-enclosure.js';
import { inversePowersOfE, scoreLayers } from './layers.js';
import { gapAt, type SelectionOptions, type Unscored } from './score-grid.js';

/** exp(-23) is below 2^-33: a 32-bit word other than 0 decides against every layer from here on. */
const LAST_LAYER = 23;
const WORD_BITS = 32;
const PRECISION = 80;

interface Thresholds {
  readonly low: readonly number[];
  readonly high: readonly number[];
}

let known: Thresholds | undefined;

/** Words below `low` are certainly below exp(-layer) 2^32, words from `high` on are not; the last layer stands for all beyond it. */
const thresholds = (): Thresholds => {
  if (known === undefined) {
    const drop = BigInt(PRECISION - WORD_BITS);
    const weights = inversePowersOfE(LAST_LAYER, PRECISION).slice(0, LAST_LAYER + 1);
    const low = weights.map((weight) => Number(weight.low >> drop));
    low[LAST_LAYER] = 0;
    known = { low, high: weights.map((weight) => Number(weight.high >> drop) + 1) };
  }
  return known;
};

/** True with chance exp(-layer), given that the uniform real compared with it starts with the word u. */
const refine = (u: number, layer: bigint, random: Random): boolean => {
  let value = BigInt(u);
  for (let bits = WORD_BITS * 2; ; bits += WORD_BITS) {
    value = (value << BigInt(WORD_BITS)) | BigInt(random.uint32());
    const { low, high } = encloseExp(layer, 1n, bits);
    if (value < low) return true;
    if (value >= high) return false;
  }
};

/**
 * Permute-and-flip (McKenna and Sheldon 2020): visits the candidates in random order, flips for each a coin of chance
 * exp(-epsilon (s_max - s_i) / (2 D)), and selects the first that comes up heads, exactly; s, D and unscored groups as in `exponentialMechanism`. It is
 * epsilon-differentially private and never worse than the exponential mechanism, but does not have its bounded range: charge
 * epsilon^2/2 in zCDP.
 *
 * The coins do not depend on the order and each is flipped at most once, so they may as well all be flipped beforehand: the
 * first head in random order is then a uniformly random head. That is what is done here, one pass over the scores and mostly
 * one word per candidate: a coin needs a head of chance exp(-layer), nearly always decided by its first 32 bits, and one for the rest.
 */
export const permuteAndFlip = (
  scores: Float64Array,
  options: SelectionOptions,
  entropy: Entropy,
  unscored: readonly Unscored[] = [],
): number => {
  // Coins are flipped against the best score, so all must be known.
  const layers = scoreLayers(unscored.length === 0 ? scores : withMembers(scores, unscored), options);
  const floors = layers.floors(LAST_LAYER);
  const { low, high } = thresholds();
  const heads: number[] = [];
  const { gaps } = layers;
  for (let i = 0; i < gaps.values.length; i++) {
    const gap = gapAt(gaps, i);
    const layer = layers.layer(gap, floors);
    if (layer > 0) {
      const u = entropy.uint32();
      if (u >= high[layer]) continue;
      if (u >= low[layer] && !refine(u, layers.exactLayer(gap), entropy)) continue;
    }
    if (layers.accept(gap, entropy)) heads.push(i);
  }
  return heads[uniformInteger(entropy, heads.length)];
};

/** The scores of single candidates, then those of all members of unscored groups. */
const withMembers = (scores: Float64Array, unscored: readonly Unscored[]): Float64Array => {
  const all = new Float64Array(unscored.reduce((sum, { times }) => sum + times, scores.length));
  all.set(scores);
  let next = scores.length;
  for (const { most, times, scoreOf } of unscored)
    for (let member = 0; member < times; member++) all[next++] = scoreOf === undefined ? most : scoreOf(member);
  return all;
};
