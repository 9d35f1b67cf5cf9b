import { describe, expect, it } from 'vitest';
import { domainOf } from '../src/domain/domain-of.js';
import type { Table } from '../src/domain/table.js';
import { estimateGraphical, type GraphicalOptions } from '../src/estimate/graphical/estimate.js';
import { graphicalPrior } from '../src/estimate/graphical/prior/prior.js';
import { supportOf } from '../src/model/support/support.js';
import { supportModel } from '../src/model/support/support-model.js';
import type { Measurement } from '../src/privacy/measurement.js';
import { marginal } from '../src/query/marginal.js';
import { residual } from '../src/query/residual.js';
import { normal } from '../src/random/normal.js';
import { seeded } from '../src/random/seeded.js';
import { uniform } from '../src/random/uniform.js';

const domain = domainOf([
  { type: 'integer', name: 'age', min: 0, max: 49 },
  { type: 'integer', name: 'income', min: 0, max: 39 },
  { type: 'category', name: 'kind', values: ['a', 'b', 'c'] },
]);
const total = 5000;
const random = seeded(1);
const clamped = (value: number, most: number): number => Math.min(most, Math.max(0, Math.round(value)));

/** Incomes rise with age, both smoothly. */
const people: Table = {
  domain,
  length: total,
  columns: domain.attributes.map(() => new Uint8Array(total)),
};
for (let row = 0; row < total; row++) {
  const age = clamped(25 + 9 * normal(random), 49);
  [age, clamped(8 + age / 3 + 4 * normal(random), 39), Math.floor(3 * uniform(random) ** 2)].forEach((code, column) => {
    people.columns[column][row] = code;
  });
}
const truth = supportModel(supportOf(people), total);

const scale = 10;
const noisy = (queries: readonly Measurement['query'][], seed: number): Measurement[] => {
  const noise = seeded(seed);
  return queries.map((query) => ({
    query,
    values: truth.answer(query).map((count) => count + scale * normal(noise)),
    noise: { kind: 'gaussian', scale },
  }));
};
const marginals = [
  marginal('age'),
  marginal('income'),
  marginal('kind'),
  marginal('age', 'income'),
  marginal('age', 'kind'),
];

const errorOf = async (measurements: readonly Measurement[], options: GraphicalOptions): Promise<number> => {
  const { model } = await estimateGraphical(domain, measurements, { total, threads: 1, ...options });
  const [mine, exact] = [model, truth].map((each) => each.marginal(['age', 'income']));
  return mine.reduce((sum, count, cell) => sum + Math.abs(count - exact[cell]), 0) / 2 / total;
};

describe('steps that neighbours share', () => {
  it('bring a validated fit nearer to a smooth table, from marginals and from residuals', async () => {
    const residuals = [residual('age'), residual('income'), residual('kind'), residual('age', 'income')];
    for (const queries of [marginals, residuals])
      for (const seed of [1, 2]) {
        const measurements = noisy(queries, seed);
        const [apart, shared] = [await errorOf(measurements, { sharing: new Map() }), await errorOf(measurements, {})];
        expect(shared).toBeLessThan(0.85 * apart);
      }
  });

  it('are told with the estimate, and lead a fit to the same residual as near', async () => {
    const measurements = noisy(marginals, 3);
    const fit = await estimateGraphical(domain, measurements, { total });
    expect([...fit.sharing!.keys()]).toEqual(['age', 'income']);
    const until = { chi: fit.chosen.chi };
    const again = await errorOf(measurements, { until, even: true, sharing: fit.sharing });
    const alone = await errorOf(measurements, { until, even: true });
    const first = await errorOf(measurements, {});
    expect(again).toBeLessThan(1.1 * first);
    expect(alone).toBeGreaterThan(1.2 * first);
  });

  it('are refused where they are told for what has no neighbours, or with a weight that is none', async () => {
    const measurements = noisy(marginals, 5);
    const refused = (name: string, own: number): Promise<unknown> =>
      expect(estimateGraphical(domain, measurements, { total, sharing: new Map([[name, own]]) })).rejects.toThrow(
        /^sharing/,
      );
    for (const own of [-1, Number.NaN, Number.POSITIVE_INFINITY]) await refused('age', own);
    await refused('kind', 1);
    await refused('nobody', 1);
  });

  it('are not shared by a fit that converges, that goes on from a model, or that starts at a prior, unless told', async () => {
    const measurements = noisy(marginals, 4);
    const { model } = await estimateGraphical(domain, measurements, { total, until: 'converged', iterations: 20 });
    const ways: GraphicalOptions[] = [
      { until: 'converged', iterations: 20 },
      { start: model },
      { prior: graphicalPrior(domain, supportOf(people)) },
      { loss: 'l1', iterations: 20 },
    ];
    for (const how of ways)
      expect((await estimateGraphical(domain, measurements, { total, ...how })).sharing).toBeUndefined();
  });
});
