import { describe, expect, it } from 'vitest';
import { residual } from '../../src/advanced.js';
import { marginal, total } from '../../src/index.js';
import { seeded } from '../../src/random/seeded.js';
import { cellError } from './plan.js';

/** Mean absolute error of a Gaussian of standard deviation one. */
const half = Math.sqrt(2 / Math.PI);

const gaussian = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

describe('how far a cell of an attribute is forecast to be off', () => {
  it('is what residuals with noise, put together with a noisy number of records, are off by in simulation, within 3%', () => {
    const source = seeded(5);
    const random = (): number => source.uint32() / 2 ** 32;
    const [size, ofCell, ofTotal, runs] = [4, 10, 30, 40_000];
    let sum = 0;
    for (let run = 0; run < runs; run++) {
      const noise = Array.from({ length: size }, () => ofCell * gaussian(random));
      const mean = noise.reduce((all, one) => all + one, 0) / size;
      sum += Math.abs(noise[0] - mean + (ofTotal * gaussian(random)) / size);
    }
    const told = cellError('a', size, [
      { query: total(), answers: 1, error: half * ofTotal },
      { query: residual('a'), answers: size, error: half * ofCell },
      // What a pair has beyond its attributes says nothing of them.
      { query: residual('a', 'b'), answers: 3 * size, error: 0.1 },
    ]);
    expect(told! / (sum / runs)).toBeGreaterThan(0.97);
    expect(told! / (sum / runs)).toBeLessThan(1.03);
  });

  it('sums what a marginal has over the other attributes, and averages several by precision', () => {
    const pair = { query: marginal('a', 'b'), answers: 12, error: 1 };
    expect(cellError('a', 4, [pair])).toBeCloseTo(Math.sqrt(3), 12);
    expect(cellError('a', 4, [pair, pair, pair])).toBeCloseTo(1, 12);
    expect(cellError('c', 4, [pair])).toBeUndefined();
  });
});
