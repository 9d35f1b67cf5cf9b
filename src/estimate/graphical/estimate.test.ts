import { describe, expect, it } from 'vitest';
import { denseLoss, leastSquares, proportionalFitting } from '../../../test/support/dense-fit.js';
import { denseMarginal, denseTable } from '../../../test/support/dense-oracle.js';
import { plainDomain } from '../../../test/support/plain-source.js';
import { codeColumn, type Table } from '../../domain/table.js';
import { attributeOrder } from '../../model/graphical/tree/junction-tree.js';
import { supportOf } from '../../model/support/support.js';
import type { Measurement } from '../../privacy/measurement.js';
import { marginal } from '../../query/marginal.js';
import type { Query } from '../../query/query.js';
import { normal } from '../../random/normal.js';
import { seeded } from '../../random/seeded.js';
import { uniform, uniformInteger } from '../../random/uniform.js';
import { estimateTotal } from '../total/estimate-total.js';
import { estimateGraphical } from './estimate.js';
import { graphicalPrior } from './prior/prior.js';

const domain = plainDomain([3, 4, 2, 3, 2]);
const names = domain.attributes.map(({ name }) => name);
const pairs: Query[] = names.flatMap((a, i) => names.slice(i + 1).map((b) => marginal(a, b)));

/** Random rows whose attributes depend on a hidden type. */
const randomTable = (rows: number, seed: number, over = domain): Table => {
  const random = seeded(seed);
  const columns = over.attributes.map(({ size }) => codeColumn(size, rows));
  for (let row = 0; row < rows; row++) {
    const type = uniformInteger(random, 4);
    over.attributes.forEach(({ size }, a) => {
      columns[a][row] = uniform(random) < 0.6 ? (type * (a + 1)) % size : uniformInteger(random, size);
    });
  }
  return { domain: over, length: rows, columns };
};

const countsOf = (table: Table, attributes: readonly string[]): Float64Array => {
  const parts = attributes.map((name) => table.domain.attributes.findIndex((attribute) => attribute.name === name));
  const sizes = parts.map((part) => table.domain.attributes[part].size);
  const counts = new Float64Array(sizes.reduce((product, size) => product * size, 1));
  for (let row = 0; row < table.length; row++)
    counts[parts.reduce((cell, part, i) => cell * sizes[i] + table.columns[part][row], 0)]++;
  return counts;
};

const measure = (table: Table, queries: readonly Query[], scale: number, seed: number): Measurement[] => {
  const random = seeded(seed);
  return queries.map((query) => ({
    query,
    values: countsOf(table, query.kind === 'marginal' ? query.attributes : []).map(
      (count) => count + scale * normal(random),
    ),
    noise: { kind: 'gaussian', scale: Math.max(scale, 1) },
  }));
};

const furthest = (a: Float64Array, b: Float64Array): number =>
  a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0);

const distance = (a: Float64Array, b: Float64Array): number =>
  a.reduce((sum, value, i) => sum + Math.abs(value - b[i]), 0) / 2;

describe('the estimated model', () => {
  const table = randomTable(2000, 1);

  it('answers what was measured, and what was not, from a distribution of least loss', async () => {
    const measurements = measure(table, pairs.slice(0, 6), 20, 2).slice(0, 5);
    const { model, total, chosen } = await estimateGraphical(domain, measurements, {
      until: 'converged',
      iterations: 3000,
      tolerance: 1e-12,
    });
    const least = leastSquares(domain, measurements, total);
    expect(chosen.loss).toBeLessThan(least.loss * (1 + 1e-6));
    expect(model.total).toBe(total);
    const dense = denseTable(domain, model.factors).table;
    expect(denseLoss(domain, dense, measurements, total)).toBeCloseTo(chosen.loss, 4);
    for (const attributes of [['a'], ['e', 'b'], ['d', 'a', 'c'], names])
      expect(
        furthest(
          model.marginal(attributes),
          denseMarginal(domain, dense, attributes).map((share) => share * total),
        ),
      ).toBeLessThan(1e-6);
  });

  it('has the number of records that the measurements agree on, or that it is told', async () => {
    const measurements = measure(table, pairs, 60, 100);
    const { total, model } = await estimateGraphical(domain, measurements);
    expect(total).toBe(estimateTotal(measurements, domain));
    expect(model.marginal([])[0]).toBeCloseTo(total, 8);
    expect((await estimateGraphical(domain, measurements, { total: 2000 })).model.total).toBe(2000);
  });

  it('is over the whole domain, measured or not', async () => {
    const { model } = await estimateGraphical(domain, measure(table, [marginal('a', 'c')], 5, 3));
    expect(furthest(model.marginal(['b']), new Float64Array(4).fill(model.total / 4))).toBeLessThan(1e-9);
    const { model: none } = await estimateGraphical(domain, [], { total: 10 });
    expect(furthest(none.marginal(['d', 'e']), new Float64Array(6).fill(10 / 6))).toBeLessThan(1e-9);
  });

  it('needs a total from somewhere', async () => {
    await expect(estimateGraphical(domain, [])).rejects.toThrow(/total/);
  });

  it('is refused when its junction tree does not fit, and approximated when that is allowed', async () => {
    const wide = plainDomain([10, 10, 10, 10, 10, 10, 10]);
    const rows = randomTable(3000, 5, wide);
    const all = wide.attributes.map(({ name }) => name);
    const queries = all.flatMap((a, i) => all.slice(i + 1).map((b) => marginal(a, b)));
    const measurements = measure(rows, queries, 3, 6);
    await expect(estimateGraphical(wide, measurements, { memory: 2e6 })).rejects.toThrow(/memory|fit in/);
    const { model } = await estimateGraphical(wide, measurements, { memory: 2e6, approximate: true, iterations: 100 });
    expect(model.approximate).toBe(true);
    for (const name of all) expect(distance(model.marginal([name]), countsOf(rows, [name]))).toBeLessThan(0.02 * 3000);
  });
});

describe('validated stopping', () => {
  const table = randomTable(2000, 7);
  const triples = [
    ['a', 'b', 'c'],
    ['b', 'c', 'd'],
    ['a', 'd', 'e'],
    ['b', 'd', 'e'],
  ];
  const error = (answers: readonly Float64Array[], total: number): number =>
    triples.reduce(
      (sum, triple, t) =>
        sum +
        distance(
          answers[t].map((value) => value / total),
          countsOf(table, triple).map((count) => count / 2000),
        ),
      0,
    );

  it.each([
    [200, 0.9],
    [60, 0.95],
    [3, 1.02],
    [0.3, 1.02],
  ])('with noise of %s records leaves at most %s of the error that convergence has', async (scale, part) => {
    const sums = { validated: 0, converged: 0 };
    for (let seed = 0; seed < 6; seed++) {
      const measurements = measure(table, pairs, scale, 200 + seed);
      for (const until of ['validated', 'converged'] as const) {
        const { model, total } = await estimateGraphical(domain, measurements, { until, random: seeded(seed) });
        sums[until] += error(model.marginals(triples), total);
      }
    }
    expect(sums.validated).toBeLessThan(part * sums.converged);
  });

  it('knows its own risk: the estimate at the chosen point is near the true squared error, averaged over noise', async () => {
    let estimated = 0;
    let actual = 0;
    for (let seed = 0; seed < 12; seed++) {
      const measurements = measure(table, pairs, 40, 300 + seed);
      const { model, chosen } = await estimateGraphical(domain, measurements, { total: 2000, random: seeded(seed) });
      estimated += chosen.risk;
      for (const { query } of measurements) {
        const truth = countsOf(table, query.kind === 'marginal' ? query.attributes : []);
        actual += model.answer(query).reduce((sum, answer, i) => sum + ((answer - truth[i]) / 40) ** 2, 0);
      }
    }
    // The chosen point minimises the estimate, so it is a little below the truth.
    expect(estimated / actual).toBeGreaterThan(0.5);
    expect(estimated / actual).toBeLessThan(1.3);
  });
});

describe('a prior', () => {
  const table = randomTable(3000, 8);
  const prior = graphicalPrior(domain, table);

  it('has the public marginals of its cliques, but for a little smoothing, and makes nothing impossible', () => {
    for (const clique of prior.cliques) {
      const own = prior.model.marginal(clique);
      expect(own.every((share) => share > 0)).toBe(true);
      expect(
        distance(
          own,
          countsOf(table, clique).map((count) => count / 3000),
        ),
      ).toBeLessThan(0.05);
    }
    const exact = graphicalPrior(domain, table, {
      smoothing: 1e-9,
      cliques: [
        ['a', 'b'],
        ['b', 'c'],
        ['d', 'e'],
      ],
    });
    for (const clique of [['a', 'b'], ['c', 'b'], ['d', 'e'], ['a'], ['e']])
      expect(
        distance(
          exact.model.marginal(clique),
          countsOf(table, clique).map((count) => count / 3000),
        ),
      ).toBeLessThan(1e-9);
  });

  it('is the same from a table and from its support', () => {
    const other = graphicalPrior(domain, supportOf(table), { smoothing: 1, cliques: prior.cliques });
    const same = graphicalPrior(domain, table, { smoothing: 1, cliques: prior.cliques });
    // A support does not know how many rows it stood for, so smoothing weighs a little more.
    expect(distance(other.model.marginal(names), same.model.marginal(names))).toBeLessThan(0.01);
  });

  it('keeps within its limits of size', () => {
    const small = graphicalPrior(domain, table, { cliqueCells: 6, cells: 40 });
    for (const clique of small.cliques) expect(countsOf(table, clique).length).toBeLessThanOrEqual(6);
  });

  it('is what comes out when nothing was measured', async () => {
    const { model } = await estimateGraphical(domain, [], { total: 100, prior });
    expect(
      distance(
        model.marginal(names),
        prior.model.marginal(names).map((share) => share * 100),
      ),
    ).toBeLessThan(1e-9);
  });

  it('starts a fit whose cliques cannot hold it at the nearest model that they can express', async () => {
    const small = await estimateGraphical(domain, measure(table, pairs.slice(0, 3), 1, 1), {
      prior,
      iterations: 0,
      memory: 32 * 70,
    });
    expect(prior.cliques.some((clique) => clique.length > 3)).toBe(true);
    expect(small.model.factors.every(({ attributes }) => attributes.length <= 3)).toBe(true);
    for (const { attributes } of small.model.factors)
      expect(
        distance(
          small.model.marginal(attributes).map((value) => value / small.total),
          prior.model.marginal(attributes),
        ),
      ).toBeLessThan(1e-4);
  });

  it('gives way to exact measurements, and only as far as it must: the result is its I-projection (1e-8)', async () => {
    const truth = randomTable(500, 9);
    const queries = [marginal('a', 'b'), marginal('c', 'd'), marginal('e', 'd'), marginal('a', 'd')];
    const measurements = measure(truth, queries, 0, 1);
    const order = attributeOrder(domain);
    const marginals = measurements.map(({ query, values }) => ({
      attributes: query.kind === 'marginal' ? query.attributes : [],
      shares: values.map((value) => (value + 0.1) / (500 + 0.1 * values.length)),
    }));
    // Smoothed alike, so that they are of one distribution only where sizes agree: take them from one table instead.
    const dense = proportionalFitting(domain, new Float64Array(144).fill(1 / 144), marginals, 200);
    const consistent = queries.map(
      (query): Measurement => ({
        query,
        values: denseMarginal(domain, dense, query.kind === 'marginal' ? query.attributes : []).map(
          (share) => share * 500,
        ),
        noise: { kind: 'gaussian', scale: 1 },
      }),
    );
    const { model } = await estimateGraphical(domain, consistent, {
      total: 500,
      prior,
      until: 'converged',
      tolerance: 0,
      iterations: 1500,
    });
    const projected = proportionalFitting(
      domain,
      prior.model.marginal(order),
      consistent.map(({ query, values }) => ({
        attributes: query.kind === 'marginal' ? query.attributes : [],
        shares: values.map((value) => value / 500),
      })),
      600,
    );
    expect(
      furthest(
        model.marginal(order).map((count) => count / 500),
        projected,
      ),
    ).toBeLessThan(1e-8);
  });

  it('helps when the noise is large', async () => {
    const truth = randomTable(1000, 10);
    const measurements = measure(truth, pairs, 100, 11);
    const [alone, helped] = await Promise.all(
      [{}, { prior }].map((options) => estimateGraphical(domain, measurements, options)),
    );
    const [a, b] = [alone, helped].map(({ model, total }) =>
      distance(
        model.marginal(['a', 'b', 'd']).map((value) => value / total),
        countsOf(truth, ['a', 'b', 'd']).map((count) => count / 1000),
      ),
    );
    expect(b).toBeLessThan(a);
  });

  it('must be of the same attributes', () => {
    expect(() => graphicalPrior(plainDomain([2, 4, 2, 3, 2]), table)).toThrow(/attribute a: must have 2 cells/);
  });
});
