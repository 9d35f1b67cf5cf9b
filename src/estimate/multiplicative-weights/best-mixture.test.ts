import { describe, expect, it } from 'vitest';
import { plainDomain } from '../../../test/support/plain-source.js';
import { codeColumn, type Table } from '../../domain/table.js';
import { reweighted, supportOf } from '../../model/support/support.js';
import { supportModel } from '../../model/support/support-model.js';
import { marginal } from '../../query/marginal.js';
import { seeded } from '../../random/seeded.js';
import { uniform, uniformInteger } from '../../random/uniform.js';
import { bestMixture } from './best-mixture.js';

const sizes = [3, 4, 2, 3];
const domain = plainDomain(sizes);
const marginals = ['ab', 'ac', 'ad', 'bc', 'bd', 'cd'].map((pair) => marginal(...pair));

const randomTable = (rows: number, seed: number, tilt: number): Table => {
  const random = seeded(seed);
  const columns = sizes.map((size) => codeColumn(size, rows));
  for (let row = 0; row < rows; row++)
    sizes.forEach((size, a) => {
      columns[a][row] = uniform(random) < tilt ? 0 : uniformInteger(random, size);
    });
  return { domain, length: rows, columns };
};

const answersOf = (table: Table): Float64Array[] => {
  const model = supportModel(supportOf(table), 1);
  return marginals.map((query) => model.answer(query));
};

describe('the best mixture error of given answers', () => {
  it('is the error of the weighting it returns, and nearly the bound below it, by linear programme', async () => {
    const support = supportOf(randomTable(15, 1, 0.2));
    const answers = answersOf(randomTable(400, 2, 0.5));
    const { error, bound, weights, method } = await bestMixture(support, marginals, answers, { random: seeded(1) });
    expect(method).toBe('linear programme');
    expect(error - bound).toBeLessThan(1e-8);
    const model = supportModel(reweighted(support, weights), 1);
    const largest = Math.max(
      ...marginals.flatMap((query, m) => [...model.answer(query)].map((p, cell) => Math.abs(p - answers[m][cell]))),
    );
    expect(largest).toBeCloseTo(error, 12);
    expect(error).toBeGreaterThan(0.01);
  });

  it('is approached by multiplicative weights from above, within a tenth, and its bound never exceeds it', async () => {
    for (const seed of [1, 2, 3, 4]) {
      const support = supportOf(randomTable(12, seed, 0.2));
      const answers = answersOf(randomTable(400, seed + 10, 0.5));
      const random = seeded(seed);
      const exact = await bestMixture(support, marginals, answers, { random });
      const rounds = await bestMixture(support, marginals, answers, { random, exactBelow: 0, patience: 200 });
      expect(rounds.method).toBe('multiplicative weights');
      expect(rounds.error).toBeGreaterThanOrEqual(exact.error - 1e-9);
      expect(rounds.error).toBeLessThan(1.1 * exact.error);
      expect(rounds.bound).toBeLessThanOrEqual(exact.error + 1e-9);
      expect(rounds.bound).toBeGreaterThan(0.5 * exact.error);
    }
  });

  it('is nothing when the answers are those of a weighting of the rows', async () => {
    const support = supportOf(randomTable(30, 5, 0.1));
    const random = seeded(6);
    const truth = supportModel(
      reweighted(
        support,
        support.weights.map(() => uniform(random)),
      ),
      1,
    );
    const answers = marginals.map((query) => truth.answer(query));
    expect((await bestMixture(support, marginals, answers, { random })).error).toBeLessThan(1e-8);
    const rounds = await bestMixture(support, marginals, answers, {
      random,
      exactBelow: 0,
      patience: 500,
    });
    expect(rounds.error).toBeLessThan(2e-3);
  });
});
