import { expect, it } from 'vitest';
import { domainOf } from '../domain/domain-of.js';
import { estimateGraphical } from '../estimate/graphical/estimate.js';
import type { Measurement } from '../privacy/measurement.js';
import { marginal } from '../query/marginal.js';
import { normal } from '../random/normal.js';
import { seeded } from '../random/seeded.js';
import { fittedGraphically } from './fitted-graphically.js';

const names = ['a', 'b', 'c'];
const domain = domainOf(names.map((name) => ({ type: 'integer', name, min: 0, max: 39 })));
const total = 4000;
const weights = Float64Array.from({ length: 40 }, (_, i) => Math.exp(-((i - 17) ** 2) / 120));
const sum = weights.reduce((all, weight) => all + weight, 0);
const hill = weights.map((weight) => weight / sum);

/** Smooth attributes and pairs of them, of records whose attributes are independent or, two by two, equal. */
const measured = (scales: readonly [alone: number, pairs: number], isEqual: boolean): Measurement[] => {
  const random = seeded(1);
  const noisy = (query: Measurement['query'], shares: Float64Array, scale: number): Measurement => ({
    query,
    values: shares.map((share) => total * share + scale * normal(random)),
    noise: { kind: 'gaussian', scale },
  });
  const pair = Float64Array.from({ length: 1600 }, (_, cell) => {
    const [i, j] = [Math.floor(cell / 40), cell % 40];
    return isEqual ? (i === j ? hill[i] : 0) : hill[i] * hill[j];
  });
  return [
    ...names.map((name) => noisy(marginal(name), hill, scales[0])),
    noisy(marginal('a', 'b'), pair, scales[1]),
    noisy(marginal('b', 'c'), pair, scales[1]),
  ];
};

it('takes the fit of less estimated risk of those with and without shared steps where it compares, and makes replicates of that one', async () => {
  const sizes: number[] = [];
  for (const measurements of [measured([40, 4], false), measured([40, 20], true)]) {
    const how = { total, threads: 1, random: seeded(2) } as const;
    const risks = await Promise.all(
      [undefined, new Map<string, number>()].map(
        async (sharing) =>
          (await estimateGraphical(domain, measurements, { ...how, random: seeded(2), sharing })).chosen.risk,
      ),
    );
    const fit = await fittedGraphically(domain, measurements, { ...how, random: seeded(2), compares: true });
    // The second of its fits has other probes.
    expect(fit.chosen.risk).toBeLessThan(Math.min(...risks) + 0.1 * Math.abs(risks[0] - risks[1]));
    sizes.push(fit.sharing!.size);
    const again = await fit.refit!(measurements);
    const [mine, other] = [fit.model, again].map((model) => model.marginal(['a', 'b']));
    expect(mine.reduce((all, count, i) => all + Math.abs(count - other[i]), 0) / 2 / total).toBeLessThan(0.1);
  }
  // What is independent and smooth shares; a diagonal is as rough as can be.
  expect(sizes[0]).toBeGreaterThan(0);
  expect(sizes[1]).toBe(0);
});
