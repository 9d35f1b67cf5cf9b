import { uniformInteger } from '../../random/uniform.js';
import type { Entropy } from '../entropy.js';
import { lazyChoice, type Masses } from '../noise/lazy-choice.js';
import { inversePowersOfE, type Layers, scoreLayers } from './layers.js';
import { type Gaps, gapAt, type SelectionOptions } from './score-grid.js';

const GUARD_BITS = 48;

/** Encloses the number of candidates in each layer times exp(-layer), leaving to the tail what is too far down to matter. */
const encloseLayers = (layers: Layers, bits: number): Masses => {
  const { values, inverse, best } = layers.gaps;
  // So many layers down, all candidates together weigh less than 2^-(bits + 6), and the best one weighs 1.
  const count = Math.ceil((bits + 6 + Math.log2(values.length)) * Math.LN2) + 1;
  const floors = layers.floors(count);
  const members = new Float64Array(count + 1);
  let gap = Number.NaN;
  let layer = 0;
  for (let i = 0; i < values.length; i++) {
    const own = best - Math.floor(values[i] * inverse);
    // Long runs of candidates score alike, such as empty cells.
    if (own !== gap) {
      gap = own;
      layer = layers.layer(gap, floors);
    }
    members[layer]++;
  }
  const used = members.findLastIndex((number, layer) => number > 0 && layer < count) + 1;
  const weights = inversePowersOfE(count, bits + GUARD_BITS);
  const mass = (side: 'low' | 'high') => (_: unknown, layer: number) => BigInt(members[layer]) * weights[layer][side];
  return {
    low: Array.from({ length: used }, mass('low')),
    high: Array.from({ length: used }, mass('high')),
    tail: BigInt(members[count]) * weights[count].high,
  };
};

/** How many gaps lie in [from, to). */
const countWithin = ({ values, inverse, best }: Gaps, from: number, to: number): number => {
  let count = 0;
  for (let i = 0; i < values.length; i++) {
    const gap = best - Math.floor(values[i] * inverse);
    if (gap >= from && gap < to) count++;
  }
  return count;
};

/** Position of the n-th gap, from 0, that lies in [from, to). */
const nthWithin = ({ values, inverse, best }: Gaps, from: number, to: number, n: number): number => {
  let seen = 0;
  for (let i = 0; i < values.length; i++) {
    const gap = best - Math.floor(values[i] * inverse);
    if (gap >= from && gap < to && seen++ === n) return i;
  }
  throw new Error('selection: a member of the layer must be found');
};

/**
 * Selects candidate i with chance proportional to exp(epsilon s_i / (2 D)), exactly, where s is the scores rounded down to the grid
 * and D the sensitivity plus one step of the grid (`selectionGrid`). This is epsilon-differentially private, and epsilon^2/8-zCDP by
 * its bounded range.
 *
 * Drawing a candidate uniformly and accepting it with its weight would take as many trials as there are candidates when few
 * are good. Here a layer is drawn with chance proportional to members times exp(-layer) (exactly, by `lazyChoice`), a member
 * uniformly, and accepted with the rest of its weight, at least 1/e: each candidate still comes out in proportion to its
 * weight, after fewer than 3 trials on average. A few passes over the scores.
 */
export const exponentialMechanism = (scores: Float64Array, options: SelectionOptions, entropy: Entropy): number => {
  const layers = scoreLayers(scores, options);
  const { gaps } = layers;
  const choice = lazyChoice((bits) => encloseLayers(layers, bits));
  for (;;) {
    const layer = choice.choose(entropy.uint32() >>> 1, entropy);
    const [from, to] = layers.floors(layer + 1).subarray(layer);
    const members = countWithin(gaps, from, to);
    const candidate = nthWithin(gaps, from, to, uniformInteger(entropy, members));
    if (layers.accept(gapAt(gaps, candidate), entropy)) return candidate;
  }
};
