import type { BlockOf } from '../block.js';
import type { BlockKind } from '../block-kind.js';
import { pair } from '../block-profile.js';

/** (I - J/n) along the middle axis of outer x size x inner: every entry less the mean of its line. A new array. */
export const centred = (size: number, values: Float64Array, outer: number, inner: number): Float64Array => {
  const out = new Float64Array(values.length);
  for (let o = 0; o < outer; o++)
    for (let i = 0; i < inner; i++) {
      const first = o * size * inner + i;
      let sum = 0;
      for (let cell = 0; cell < size; cell++) sum += values[first + cell * inner];
      const mean = sum / size;
      for (let cell = 0; cell < size; cell++) out[first + cell * inner] = values[first + cell * inner] - mean;
    }
  return out;
};

/** I - J/n: a factor of a residual. Its entries are no integers: `residual-sensitivity` and docs/queries.md say what that asks for. */
export const centre: BlockKind<BlockOf<'centre'>> = {
  fields: {},
  check: () => {},
  rows: (_, size) => size,
  apply: (_, size, values, outer, inner) => centred(size, values, outer, inner),
  transpose: (_, size, values, outer, inner) => centred(size, values, outer, inner),
  // Integers above what the entries are, for steps of a fit; what is charged never comes from here.
  profile: () => {
    const [norms, squares] = [[pair(2n, 2n, 0n)], [pair(1n, 1n, -1n)]];
    const spans = [{ low: -1n, high: 1n }];
    return { l1: 2n, l2Squared: 1n, spans, pairsL1: norms, pairsL2: squares, exact: false, multiplies: false };
  },
  // As if none were negative: these answers are real numbers, which big integers would not make more exact.
  entries: () => [0, 1],
  squares: (_, size) => new Array<number>(size).fill(1 - 1 / size),
  classes: () => undefined,
  // Every row is orthogonal to the all-ones vector.
  totalWeights: () => undefined,
  words: (attribute) => `centred ${attribute}`,
  key: () => 'centre',
};
