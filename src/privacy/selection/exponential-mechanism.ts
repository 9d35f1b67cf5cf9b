import { uniformInteger } from '../../random/uniform.js';
import type { Entropy } from '../entropy.js';
import { bernoulliExp } from '../noise/bernoulli.js';
import { lazyChoice, type Masses } from '../noise/lazy-choice.js';
import { inversePowersOfE, type Layers, scoreLayers } from './layers.js';
import type { Gaps, SelectionOptions, Unscored } from './score-grid.js';

const GUARD_BITS = 48;

/** Encloses the number of candidates in each layer times exp(-layer), leaving to the tail what is too far down to matter. */
export const encloseLayers = (members: Float64Array, bits: number): Masses => {
  const count = members.length - 1;
  const used = members.findLastIndex((number, layer) => number > 0 && layer < count) + 1;
  const weights = inversePowersOfE(count, bits + GUARD_BITS);
  const mass = (side: 'low' | 'high') => (_: unknown, layer: number) => BigInt(members[layer]) * weights[layer][side];
  return {
    low: Array.from({ length: used }, mass('low')),
    high: Array.from({ length: used }, mass('high')),
    tail: BigInt(members[count]) * weights[count].high,
  };
};

/** So many layers down, all candidates together weigh less than 2^-(bits + 6), and the best one weighs 1. */
export const layersThatMatter = (bits: number, candidates: number): number =>
  Math.ceil((bits + 6 + Math.log2(candidates)) * Math.LN2) + 1;

/** Position and gap of the n-th candidate, from 0, with a gap in [from, to); all of an unscored group count by their least gap. */
const nthWithin = (
  { values, inverse, best, unscored }: Gaps,
  [from, to]: Float64Array,
  n: number,
): { position: number; gap: number } => {
  let seen = 0;
  // The gap is at least `from` just when the score is below `high`, and so on: all edges are integers.
  const [low, high] = [best - to + 1, best - from + 1];
  for (let i = 0; i < values.length; i++) {
    const score = values[i] * inverse;
    if (score >= low && score < high && seen++ === n) return { position: i, gap: best - Math.floor(score) };
  }
  let position = values.length;
  for (const { gap, times, gapOf } of unscored) {
    if (gap >= from && gap < to) {
      const member = n - seen;
      if (member < times) return { position: position + member, gap: gapOf(member) };
      seen += times;
    }
    position += times;
  }
  throw new Error('selection: a member of the layer must be found');
};

/**
 * Selects candidate i with chance proportional to exp(epsilon s_i / (2 D)), exactly, where s is the scores rounded down to the grid
 * and D the sensitivity plus one step of the grid (`selectionGrid`). This is epsilon-differentially private, and epsilon^2/8-zCDP by
 * its bounded range. Members of unscored groups are candidates too, one after the other behind the single ones.
 *
 * Drawing a candidate uniformly and accepting it with its weight would take as many trials as there are candidates when few
 * are good. Here a layer is drawn with chance proportional to members times exp(-layer) (exactly, by `lazyChoice`), a member
 * uniformly, and accepted with the rest of its weight, at least 1/e: each candidate still comes out in proportion to its
 * weight, after fewer than 3 trials on average. A few passes over the scores. An unscored group is in the layer of the most that a
 * member may score, and only the score of a member that is drawn is looked at: it is accepted with all the rest of its weight.
 */
export const exponentialMechanism = (
  scores: Float64Array,
  options: SelectionOptions,
  entropy: Entropy,
  unscored: readonly Unscored[] = [],
): number => {
  const layers = scoreLayers(scores, options, unscored);
  const candidates = unscored.reduce((sum, { times }) => sum + times, scores.length);
  let members!: Float64Array;
  const choice = lazyChoice((bits) => {
    // Later calls ask for more bits and so count more layers: the last count knows every layer that can be drawn.
    members = layers.members(layersThatMatter(bits, candidates));
    return encloseLayers(members, bits);
  });
  for (;;) {
    const layer = choice.choose(entropy.uint32() >>> 1, entropy);
    const edges = layers.floors(layer + 1).subarray(layer);
    const { position, gap } = nthWithin(layers.gaps, edges, uniformInteger(entropy, members[layer]));
    if (accepted(layers, gap, layer, entropy)) return position;
  }
};

/** True with chance exp(-(x - layer)), for the gap's own layer or one before it: a coin of chance 1/e for each, then the rest. */
export const accepted = (layers: Layers, gap: number, layer: number, entropy: Entropy): boolean => {
  for (let down = layers.exactLayer(gap) - BigInt(layer); down > 0n; down--)
    if (!bernoulliExp(1, 1, entropy)) return false;
  return layers.accept(gap, entropy);
};
