import { contrastsOf } from '../../src/privacy/noise/contrasts.js';
import type { Primitives } from '../../src/privacy/primitives.js';

import { membersOf } from './expand-scores.js';

/** Runs the primitives and remembers what they returned, in order. */
export const recording = (primitives: Primitives): { primitives: Primitives; outputs: (Float64Array | number)[] } => {
  const outputs: (Float64Array | number)[] = [];
  const keep = <T extends Float64Array | number>(output: T): T => {
    outputs.push(typeof output === 'number' ? output : output.slice());
    return output;
  };
  return {
    outputs,
    primitives: {
      addNoise: (kind, counts, parameter) => keep(primitives.addNoise(kind, counts, parameter)),
      contrasts: (counts, sizes, sigmaSquared) => keep(primitives.contrasts(counts, sizes, sigmaSquared)),
      choose: (mechanism, scores, sensitivity, epsilon) =>
        keep(primitives.choose(mechanism, scores, sensitivity, epsilon)),
      draw: (scores, sensitivity, epsilon, draws) => keep(primitives.draw(scores, sensitivity, epsilon, draws)),
    },
  };
};

/** Primitives that give back what was remembered, whatever they are asked. */
export const replaying = (outputs: readonly (Float64Array | number)[]): Primitives => {
  let next = 0;
  const array = (): Float64Array => (outputs[next++] as Float64Array).slice();
  return { addNoise: array, contrasts: array, choose: () => outputs[next++] as number, draw: array };
};

/** Primitives without noise that choose the best: for comparing with brute force. Never private. */
export const noiseless: Primitives = {
  addNoise: (_kind, counts) => counts.slice(),
  contrasts: (counts, sizes) => contrastsOf(counts, sizes, () => 0),
  choose: (_mechanism, { single, unscored, numberAt }) => {
    const all = [...single, ...unscored.flatMap(membersOf)];
    return numberAt(all.indexOf(all.reduce((most, score) => Math.max(most, score))));
  },
  draw: (scores, _sensitivity, _epsilon, draws) =>
    new Float64Array(draws).fill(scores.indexOf(scores.reduce((most, score) => Math.max(most, score)))),
};
