import { describe, expect, it } from 'vitest';
import { plainDomain } from '../../../test/support/plain-source.js';
import type { Measurement } from '../../privacy/measurement.js';
import { marginal } from '../../query/marginal.js';
import { seeded } from '../../random/seeded.js';
import { estimateNetwork } from './estimate-network.js';

const domain = plainDomain([2, 3, 2]);
const network = [
  { of: 'b', on: [] },
  { of: 'a', on: ['b'] },
  { of: 'c', on: ['b', 'a'] },
];
const noise = { kind: 'laplace', scale: 1 } as const;
const measured = (attributes: string[], values: number[]): Measurement => ({
  query: marginal(...attributes),
  values: Float64Array.from(values),
  noise,
});
const measurements = [
  measured(['b'], [300, 100, -4]),
  measured(['b', 'a'], [100, 300, 50, 50, 7, -1]),
  // No row has b = 2, and none b = 1 with a = 0 by what was measured.
  measured(['b', 'a', 'c'], [0, 100, 60, 20, -3, 0, 10, 30, 1, 1, 1, 1]),
];

describe('estimateNetwork', () => {
  it('draws rows from the product of the conditionals: nothing below 0, uniform where parents were never seen', () => {
    const rows = 40_000;
    const model = estimateNetwork(domain, network, measurements, { random: seeded(1), rows, total: 400 });
    const chance = (b: number, a: number, c: number): number => {
      const ofB = [0.75, 0.25, 0][b];
      const ofA = [0.25, 0.75, 0.5, 0.5, 1, 0][2 * b + a];
      const ofC = [0, 1, 0.75, 0.25, 0.5, 0.5, 0.25, 0.75, 0.5, 0.5, 0.5, 0.5][4 * b + 2 * a + c];
      return ofB * ofA * ofC;
    };
    const counts = model.marginal(['b', 'a', 'c']);
    counts.forEach((count, cell) => {
      const expected = chance(Math.floor(cell / 4), Math.floor(cell / 2) % 2, cell % 2);
      if (expected === 0) expect(count).toBe(0);
      // Six standard errors of a share, a chance of 2e-9 each; the seed is fixed.
      const error = 6 * Math.sqrt((expected * (1 - expected)) / rows);
      expect(Math.abs(count / 400 - expected)).toBeLessThanOrEqual(error);
    });
  });

  it('draws as many rows as there are records, and models as many', () => {
    const model = estimateNetwork(domain, network, measurements, { random: seeded(1) });
    expect(model.sample(10, seeded(2)).length).toBe(10);
    expect(Array.from(model.support.weights).every((weight) => weight * Math.round(model.total) > 0.99)).toBe(true);
    // Weighted by what each of three marginals says: 396, 506 and 220.
    expect(model.total).toBeGreaterThan(220);
    expect(model.total).toBeLessThan(506);
  });

  it('refuses what is no network of the domain, and measurements without a marginal of it', () => {
    const of =
      (nodes: typeof network, all = measurements) =>
      () =>
        estimateNetwork(domain, nodes, all, { random: seeded(1) });
    expect(of([network[1], network[0], network[2]])).toThrow(/parents must come before "a", got "b"/);
    expect(of(network.slice(0, 2))).toThrow(/must have every attribute of the domain once/);
    expect(of([...network, { of: 'c', on: [] }])).toThrow(/must have every attribute of the domain once/);
    expect(of(network, measurements.slice(0, 2))).toThrow(/must have the marginal of b x a x c/);
    expect(() => estimateNetwork(domain, network, measurements, { random: seeded(1), rows: 0.5 })).toThrow(
      /rows: must/,
    );
  });
});
