import { describe, expect, it } from 'vitest';
import { nodeWorkers } from '../../../adapters/node-workers.js';
import { leastDivergenceByNewton } from '../../../test/support/least-divergence.js';
import { denseMatrix, plainUpdate } from '../../../test/support/plain-ide.js';
import { domainOf } from '../../domain/domain-of.js';
import { InputError } from '../../domain/input-error.js';
import { codeColumn } from '../../domain/table.js';
import { reweighted, type Support, supportOf } from '../../model/support/support.js';
import { supportModel } from '../../model/support/support-model.js';
import type { Measurement } from '../../privacy/measurement.js';
import { marginal } from '../../query/marginal.js';
import { factored, prefix, type Query, range } from '../../query/query.js';
import { normal } from '../../random/normal.js';
import type { Random } from '../../random/random.js';
import { seeded } from '../../random/seeded.js';
import { shuffle } from '../../random/shuffle.js';
import { uniform, uniformInteger } from '../../random/uniform.js';
import { estimateTwoStage } from '../two-stage/two-stage.js';
import { startIde } from './fit.js';
import { estimateIde } from './ide.js';
import { openIdeRows } from './rows.js';
import { partialWorkloads } from './workloads.js';

const names = 'abcdefgh';

/** Distinct random rows over attributes of the given sizes, with random positive weights. */
const randomSupport = (random: Random, sizes: readonly number[], rows: number): Support => {
  const domain = domainOf(sizes.map((size, i) => ({ name: names[i], type: 'integer', min: 0, max: size - 1 })));
  const columns = sizes.map((size) => codeColumn(size, rows).map(() => uniformInteger(random, size)));
  const support = supportOf({ domain, length: rows, columns });
  return reweighted(
    support,
    support.weights.map(() => 0.05 + uniform(random)),
  );
};

const someWeights = (random: Random, support: Support): Support =>
  reweighted(
    support,
    support.weights.map(() => 0.05 + uniform(random)),
  );

const pairs = (sizes: readonly number[]): Query[] =>
  sizes.flatMap((_, i) => sizes.slice(i + 1).map((_, j) => marginal(names[i], names[i + j + 1])));

const total = 1000;

/** Exact answers of a distribution on the support, plus noise of standard deviation `scale`. */
const measure = (truth: Support, queries: readonly Query[], scale = 0, random?: Random): Measurement[] => {
  const model = supportModel(truth, total);
  return queries.map((query) => ({
    query,
    values: model.answer(query).map((value) => (random && scale > 0 ? value + scale * normal(random) : value)),
    noise: { kind: 'gaussian', scale },
  }));
};

const expectClose = (a: ArrayLike<number>, b: ArrayLike<number>, tolerance: number): void => {
  expect(a.length).toBe(b.length);
  let worst = 0;
  for (let i = 0; i < a.length; i++) worst = Math.max(worst, Math.abs(a[i] - b[i]));
  expect(worst).toBeLessThanOrEqual(tolerance);
};

/** One update with one query. */
const once = async (support: Support, query: Query, values: number[]) => {
  const measurement: Measurement = { query, values: Float64Array.from(values), noise: { kind: 'none', scale: 0 } };
  const options = { random: seeded(1), total, epochs: 1, offer: 'last' } as const;
  const result = await estimateIde(support, [measurement], options);
  const [workload] = partialWorkloads([measurement], support.domain);
  const noisy = Float64Array.from(workload.answers, (answer) => values[answer] / total);
  return { weights: result.support.weights, workload, noisy };
};

/** Two attributes of 3 and 2 values, all six rows. */
const six = (weights: number[]): Support => {
  const domain = domainOf([
    { name: 'a', type: 'integer', min: 0, max: 2 },
    { name: 'b', type: 'integer', min: 0, max: 1 },
  ]);
  return {
    domain,
    length: 6,
    columns: [Uint8Array.of(0, 0, 1, 1, 2, 2), Uint8Array.of(0, 1, 0, 1, 0, 1)],
    weights: Float64Array.from(weights),
  };
};

describe("IDE's update", () => {
  it('is Definition 3.1 in each of its four cases', async () => {
    const value = factored({ a: { kind: 'value', cell: 1 } });
    const cases: [Support, Query, number[], number[]][] = [
      // 1: in proportion to the present weights.
      [six([0.1, 0.1, 0.2, 0.2, 0.3, 0.1]), marginal('a'), [500, 300, 200], [0.25, 0.25, 0.15, 0.15, 0.15, 0.05]],
      // 2: an answer whose rows have no weight, spread evenly.
      [six([0.3, 0.3, 0, 0, 0.3, 0.1]), marginal('a'), [500, 300, 200], [0.25, 0.25, 0.15, 0.15, 0.15, 0.05]],
      // 3: rows that no answer counts, in proportion.
      [six([0.1, 0.3, 0.2, 0.2, 0.1, 0.1]), value, [700], [0.05, 0.15, 0.35, 0.35, 0.05, 0.05]],
      // 4: the same without weight, evenly.
      [six([0, 0, 0.75, 0.25, 0, 0]), value, [600], [0.1, 0.1, 0.45, 0.15, 0.1, 0.1]],
    ];
    for (const [support, query, values, expected] of cases) {
      const { weights, workload, noisy } = await once(support, query, values);
      expectClose(weights, expected, 1e-15);
      expectClose(weights, plainUpdate([...support.weights], support, workload, noisy), 1e-15);
    }
  });

  it('gives nothing to cells that no row of the support falls in', async () => {
    const domain = domainOf([{ name: 'a', type: 'integer', min: 0, max: 3 }]);
    const support: Support = {
      domain,
      length: 2,
      columns: [Uint8Array.of(1, 3)],
      weights: Float64Array.of(0.5, 0.5),
    };
    const { weights } = await once(support, marginal('a'), [400, 300, 200, 100]);
    // The measured 0.3 and 0.1 fall short of 1: raised to max(y, c m) = 0.5 each.
    expectClose(weights, [0.5, 0.5], 1e-15);
    const uneven = await once(support, marginal('a'), [100, 700, 100, 100]);
    expectClose(uneven.weights, [0.7, 0.3], 1e-15);
  });

  it('is the least divergent distribution with those answers, says a generic convex solver', async () => {
    const random = seeded(21);
    for (let round = 0; round < 25; round++) {
      const support = randomSupport(random, [3, 2, 2], 11);
      const query = [
        marginal('a', 'b'),
        marginal('c'),
        factored({ a: { kind: 'set', cells: [0, 2] } }),
        factored({ a: { kind: 'ranges', ranges: [[0, 0], [2, 2]] }, b: { kind: 'keep' } }), // biome-ignore format: short
      ][round % 4];
      const truth = supportModel(someWeights(random, support), total).answer(query);
      const { weights, workload, noisy } = await once(support, query, [...truth]);
      const w = denseMatrix(support, workload);
      const used = w.map((_, i) => i).filter((i) => w[i].some((entry) => entry > 0));
      const covered = w.reduce((sum, row) => sum + row.reduce((a, b) => a + b, 0), 0) === support.length;
      const a = used.map((i) => w[i]);
      const b = used.map((i) => noisy[i]);
      if (!covered) {
        a.push(new Array<number>(support.length).fill(1));
        b.push(1);
      }
      expectClose(weights, leastDivergenceByNewton([...support.weights], a, b), 1e-10);
    }
  });

  it('on joints of several workloads equals the plain update of the rows, one workload after another, with its average', async () => {
    const random = seeded(22);
    const shapes: [number[], number, Query[]][] = [
      [[3, 4, 2, 3], 40, pairs([3, 4, 2, 3])],
      [[6, 5, 4, 7, 5, 3], 9000, pairs([6, 5, 4, 7, 5, 3])],
      [[3, 4, 5], 30, [prefix('b'), marginal('a', 'c'), range('c', 1, 3), factored({ a: { kind: 'value', cell: 2 } })]],
    ];
    let revived = 0;
    for (const [sizes, rows, queries] of shapes)
      for (const threads of [1, 2]) {
        const support = randomSupport(random, sizes, rows);
        // Much noise: answers below 0 empty cells, which others then fill again.
        const measurements = measure(someWeights(random, support), queries, 200, random);
        const workloads = partialWorkloads(measurements, support.domain);
        const noisy = workloads.map(({ measurement, answers }) =>
          Float64Array.from(answers, (answer) => measurements[measurement].values[answer] / total),
        );
        const opened = await openIdeRows(support, workloads, { threads, workers: nodeWorkers });
        const fit = startIde(opened, noisy);
        let q = [...support.weights];
        for (let epoch = 0; epoch < 3; epoch++) {
          const order = shuffle(opened.members.keys(), random).map((joint) => ({
            joint,
            workloads: shuffle(opened.members[joint], random),
          }));
          const moved = await fit.averagedEpoch(order);
          expect(moved).toBeGreaterThan(0);
          const average = new Array<number>(support.length).fill(0);
          for (const s of order.flatMap((each) => each.workloads)) {
            const before = q;
            q = plainUpdate(before, support, workloads[s], noisy[s]);
            revived += q.filter((weight, row) => weight > 0 && before[row] === 0).length;
            q.forEach((weight, row) => {
              average[row] += weight / workloads.length;
            });
          }
          expectClose(fit.distribution('last'), q, 1e-12);
          expectClose(fit.distribution('average'), average, 1e-12);
          (await fit.answers('last')).forEach((answers, s) => {
            const expected = denseMatrix(support, workloads[s]).map((row) =>
              row.reduce((sum, entry, j) => sum + entry * q[j], 0),
            );
            expectClose(answers, expected, 1e-12);
          });
        }
        opened.rows.close();
      }
    expect(revived).toBeGreaterThan(100);
  });
});

describe('IDE', () => {
  it('converges to the exact two-stage solution on consistent answers', async () => {
    const random = seeded(23);
    const workloads: ((sizes: number[]) => Query[])[] = [
      pairs,
      () => [marginal('a'), marginal('b', 'c'), prefix('d')],
      () => [marginal('a', 'b'), range('c', 0, 1), factored({ d: { kind: 'value', cell: 0 }, a: { kind: 'keep' } })],
    ];
    for (let round = 0; round < 12; round++) {
      const sizes = [2, 3, 3, 2];
      const support = randomSupport(random, sizes, 12 + 4 * round);
      const measurements = measure(someWeights(random, support), workloads[round % 3](sizes));
      const limit = await estimateIde(support, measurements, { random, total, epochs: 20_000, tolerance: 1e-13 });
      const exact = await estimateTwoStage(support, measurements, { total });
      expect(limit.converged).toBe(true);
      expect(limit.offered.residual).toBeLessThan(1e-9);
      expect(exact.gap).toBeLessThan(1e-9);
      expectClose(limit.support.weights, exact.support.weights, 1e-6);
      expect(limit.offered.divergence).toBeCloseTo(exact.divergence, 7);
    }
  });

  it('ends in a cycle on inconsistent answers, and its average is no farther from them than the last iterate', async () => {
    const random = seeded(24);
    const sizes = [3, 4, 3, 2, 3];
    for (let round = 0; round < 6; round++) {
      const support = randomSupport(random, sizes, 150);
      const measurements = measure(someWeights(random, support), pairs(sizes), 10, random);
      const run = (offer: 'average' | 'last') =>
        estimateIde(support, measurements, { random: seeded(round), total, epochs: 60, offer });
      const [average, last] = [await run('average'), await run('last')];
      expect(average.converged).toBe(false);
      expect(average.trace).toHaveLength(61);
      // It keeps moving, by much the same.
      const moves = average.trace.slice(31).map(({ moved }) => moved);
      expect(Math.min(...moves)).toBeGreaterThan(0.3 * Math.max(...moves));
      expect(average.offered.residual).toBeLessThanOrEqual(last.offered.residual);
      expect(last.offered.residual).toBeCloseTo(last.trace[60].residual, 12);
      // Nothing is nearer than the first stage's optimum.
      const exact = await estimateTwoStage(support, measurements, { total });
      expect(average.offered.residual).toBeGreaterThanOrEqual(exact.residual - 1e-9);
    }
  });

  it('traces residual and divergence from the prior on', async () => {
    const random = seeded(25);
    const support = randomSupport(random, [3, 3, 3], 20);
    const truth = someWeights(random, support);
    const { trace, offered } = await estimateIde(support, measure(truth, pairs([3, 3, 3])), {
      random,
      total,
      epochs: 200,
    });
    expect(trace[0]).toMatchObject({ epoch: 0, divergence: 0 });
    expect(trace[0].residual).toBeGreaterThan(0.1);
    const last = trace[trace.length - 1];
    expect(last.residual).toBeLessThan(1e-6);
    expect(offered).toEqual({ epoch: last.epoch, residual: offered.residual, divergence: offered.divergence });
  });

  it('validated, stays at a good prior under much noise and follows the answers under little', async () => {
    const random = seeded(26);
    const sizes = [4, 4, 3, 3];
    const truth = randomSupport(random, sizes, 120);
    // A prior that is nearly right.
    const prior = reweighted(
      truth,
      truth.weights.map((weight) => weight * Math.exp(0.1 * normal(random))),
    );
    const run = (scale: number, until: 'validated' | 'converged') =>
      estimateIde(prior, measure(truth, pairs(sizes), scale, seeded(scale)), {
        random: seeded(5),
        total,
        until,
        epochs: 30,
      });
    const error = (support: Support) =>
      support.weights.reduce((sum, weight, row) => sum + Math.abs(weight - truth.weights[row]), 0);
    const much = { validated: await run(100, 'validated'), converged: await run(100, 'converged') };
    expect(much.validated.offered.epoch).toBe(0);
    expect(error(much.validated.support)).toBeLessThan(0.2 * error(much.converged.support));
    expect(much.validated.trace.every(({ risk }) => risk !== undefined)).toBe(true);
    const little = { validated: await run(0.01, 'validated'), converged: await run(0.01, 'converged') };
    expect(little.validated.offered.epoch).toBeGreaterThan(0);
    expect(error(little.validated.support)).toBeLessThan(error(prior));
  });

  it('refuses what it cannot use', async () => {
    const support = six([0.1, 0.1, 0.2, 0.2, 0.3, 0.1]);
    const options = { random: seeded(1), total };
    const mean = measure(support, [factored({ a: { kind: 'mean' } })]);
    await expect(estimateIde(support, mean, options)).rejects.toThrow(InputError);
    await expect(estimateIde(support, [], options)).rejects.toThrow(InputError);
    const good = measure(support, [marginal('a')]);
    const short = [{ ...good[0], values: Float64Array.of(1, 2) }];
    await expect(estimateIde(support, short, options)).rejects.toThrow(/must have 3 answers, got 2/);
    await expect(estimateIde(support, good, { ...options, epochs: 0 })).rejects.toThrow(InputError);
    await expect(estimateIde(support, good, { ...options, total: Number.NaN })).rejects.toThrow(InputError);
  });

  it('stops when told to', async () => {
    const support = six([0.1, 0.1, 0.2, 0.2, 0.3, 0.1]);
    const stop = new AbortController();
    const onProgress = ({ done }: { done: number }) => done === 2 && stop.abort();
    const run = estimateIde(support, measure(six([0.2, 0.1, 0.1, 0.1, 0.4, 0.1]), [marginal('a'), marginal('b')]), {
      random: seeded(1),
      total,
      tolerance: -1,
      onProgress,
      signal: stop.signal,
    });
    await expect(run).rejects.toThrow('abort');
  });
});

describe('partial workloads', () => {
  it('count each row at most once, and hold every answer exactly once', () => {
    const random = seeded(27);
    const support = randomSupport(random, [4, 5, 3], 60);
    const queries: Query[] = [
      marginal('a', 'c'),
      prefix('b'),
      factored({ b: { kind: 'ranges', ranges: [[0, 2], [1, 3], [3, 4], [2, 2], [0, 2]] }, a: { kind: 'prefix' } }), // biome-ignore format: short
      factored({ a: { kind: 'regroup', groups: [1, 0, 1, 2], size: 3 }, c: { kind: 'sum' } }),
      factored({ a: { kind: 'set', cells: [1, 3] }, b: { kind: 'value', cell: 4 } }),
    ];
    const measurements = measure(support, queries);
    const workloads = partialWorkloads(measurements, support.domain);
    const seen = measurements.map(({ values }) => new Array<number>(values.length).fill(0));
    for (const workload of workloads) {
      const { values } = measurements[workload.measurement];
      denseMatrix(support, workload).forEach((row, i) => {
        const answer = workload.answers[i];
        seen[workload.measurement][answer]++;
        const counted = row.reduce((sum, entry, j) => sum + entry * support.weights[j], 0);
        expect(counted * total).toBeCloseTo(values[answer], 9);
      });
    }
    expect(seen.flat().every((times) => times === 1)).toBe(true);
    // Disjoint ranges share a workload: the five ranges above need four.
    expect(workloads.filter(({ measurement }) => measurement === 2)).toHaveLength(4 * 4);
  });
});
