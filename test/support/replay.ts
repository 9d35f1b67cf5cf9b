import { passedFrom, passedNumbers } from '../../src/privacy/discovery/replies.js';
import { contrastsOf } from '../../src/privacy/noise/contrasts.js';
import type { Passed, Primitives } from '../../src/privacy/primitives.js';

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
      passer: (sigmaSquared, threshold) => {
        const { offer, finish } = primitives.passer(sigmaSquared, threshold);
        const kept = () => {
          const passed = finish();
          for (const numbers of [Float64Array.of(passed.length), ...passedNumbers(passed)]) keep(numbers);
          return passed;
        };
        return { offer, finish: kept };
      },
    },
  };
};

/** Primitives that give back what was remembered, whatever they are asked. */
export const replaying = (outputs: readonly (Float64Array | number)[]): Primitives => {
  let next = 0;
  const array = (): Float64Array => (outputs[next++] as Float64Array).slice();
  const passed = () => passedFrom(Array.from({ length: array()[0] }, array));
  const passer = () => ({ offer: () => undefined, finish: passed });
  return { addNoise: array, contrasts: array, choose: () => outputs[next++] as number, draw: array, passer };
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
  passer: (_sigmaSquared, threshold) => {
    const passed: Passed[] = [];
    return {
      offer: (column, text, count) => {
        if (count >= threshold) passed.push({ column, text, count });
      },
      finish: () => passed,
    };
  },
};
