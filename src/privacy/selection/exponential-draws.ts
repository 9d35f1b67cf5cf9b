import { uniformInteger } from '../../random/uniform.js';
import type { Entropy } from '../entropy.js';
import { lazyChoice } from '../noise/lazy-choice.js';
import { accepted, encloseLayers, layersThatMatter } from './exponential-mechanism.js';
import { type Layers, scoreLayers } from './layers.js';
import { gapAt, type SelectionOptions } from './score-grid.js';

/** Candidates by layer: those of layer k stand in `positions` from `starts[k]` to `starts[k + 1]`. */
interface LayerIndex {
  readonly starts: Float64Array;
  readonly positions: Uint32Array;
}

/** Lists the members of the first layers, whose numbers are known. One pass over the scores. */
const indexLayers = ({ gaps, layer, floors }: Layers, members: Float64Array): LayerIndex => {
  const count = members.length - 1;
  const starts = new Float64Array(count + 1);
  for (let k = 0; k < count; k++) starts[k + 1] = starts[k] + members[k];
  const next = starts.slice();
  const positions = new Uint32Array(starts[count]);
  const edges = floors(count);
  for (let i = 0; i < gaps.values.length; i++) {
    const own = layer(gapAt(gaps, i), edges);
    if (own < count) positions[next[own]++] = i;
  }
  return { starts, positions };
};

/**
 * Independent draws of the exponential mechanism on one list of scores: each has the law of `exponentialMechanism`, and is as private
 * alone; together they cost as many times as much. The layers are counted and their members listed once, after which a draw takes
 * a few trials, however many candidates there are.
 */
export const exponentialDraws = (
  scores: Float64Array,
  options: SelectionOptions,
  draws: number,
  entropy: Entropy,
): Float64Array => {
  const layers = scoreLayers(scores, options);
  let members!: Float64Array;
  let index: LayerIndex | undefined;
  const choice = lazyChoice((bits) => {
    // Later calls ask for more bits and so count more layers: what was listed of fewer is listed anew when needed.
    members = layers.members(layersThatMatter(bits, scores.length));
    index = undefined;
    return encloseLayers(members, bits);
  });
  const drawOne = (): number => {
    for (;;) {
      const layer = choice.choose(entropy.uint32() >>> 1, entropy);
      index ??= indexLayers(layers, members);
      const position = index.positions[index.starts[layer] + uniformInteger(entropy, members[layer])];
      if (accepted(layers, gapAt(layers.gaps, position), layer, entropy)) return position;
    }
  };
  return Float64Array.from({ length: draws }, drawOne);
};
