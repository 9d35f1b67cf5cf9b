import { describe, expect, it } from 'vitest';
import { plainDomain, plainSource, plainTable, type Row } from '../../../test/support/plain-source.js';
import { noiseless } from '../../../test/support/replay.js';
import { marginal } from '../../query/marginal.js';
import { type MixtureRows, rowCells } from '../../query/mixture.js';
import type { Relation } from '../../query/relation.js';
import { seeded } from '../../random/seeded.js';
import { uniformInteger } from '../../random/uniform.js';
import { budgetOf } from '../accounting/budget.js';
import { seededEntropy } from '../entropy.js';
import { memoryLedger } from '../ledger/memory-ledger.js';
import { openSession, sessionOn } from '../session/open-session.js';
import { bestMixtureStatistic, type ErrorStatistic, largestErrorStatistic } from './error-statistics.js';
import { exactAnswers } from './exact-answers.js';
import { solveMixture } from './solve-mixture.js';

const domain = plainDomain([2, 3]);
const everyRow: Row[] = [0, 1].flatMap((a) => [0, 1, 2].map((b) => [a, b]));
const marginals = [marginal('a'), marginal('b'), marginal('a', 'b')];

/** Every table with this many rows, as multisets. */
const tables = (rows: number, from = 0): Row[][] =>
  rows === 0
    ? [[]]
    : everyRow.slice(from).flatMap((row, i) => tables(rows - 1, from + i).map((rest) => [row, ...rest]));

const neighboursOf = (table: readonly Row[], relation: Relation): Row[][] => {
  const others = table.map((_, gone) => table.filter((__, i) => i !== gone));
  return relation === 'add-remove'
    ? everyRow.map((row) => [...table, row])
    : others.flatMap((rest) => everyRow.map((row) => [...rest, row]));
};

const mixtureRows = (rows: readonly Row[]): MixtureRows => plainTable(domain, rows);

/** The largest difference of a statistic between neighbours, over all small tables. */
const largestMove = async (statistic: ErrorStatistic, relation: Relation): Promise<number> => {
  const known = new Map<string, number>();
  const measured = async (table: readonly Row[]): Promise<number> => {
    const key = JSON.stringify([...table].sort());
    const value = known.get(key) ?? (await statistic.read(exactAnswers(plainSource(domain, table), 2 ** 20)));
    known.set(key, value);
    return value;
  };
  let largest = 0;
  for (const rows of [1, 2, 3])
    for (const table of tables(rows)) {
      const value = await measured(table);
      for (const neighbour of neighboursOf(table, relation))
        largest = Math.max(largest, Math.abs(value - (await measured(neighbour))));
    }
  return largest;
};

describe('sensitivity, against all neighbours of all tables of up to three rows', () => {
  const moves = marginals.map(() => 1);

  it.each(['add-remove', 'replace-one'] as const)('a largest error moves by one record under %s', async (relation) => {
    const references = [
      [Float64Array.of(1, 1), Float64Array.of(0, 2, 0), new Float64Array(6)],
      [Float64Array.of(0.3, 2.2), Float64Array.of(1, 1, 0.1), new Float64Array(6).fill(0.4)],
    ];
    for (const reference of references) {
      const candidates = marginals.map((query, i) => ({ query, reference: reference[i] }));
      const statistic = largestErrorStatistic(candidates, moves, domain);
      expect(await largestMove(statistic, relation)).toBe(statistic.sensitivity);
      expect(statistic.sensitivity).toBe(256);
    }
  });

  it.each(['add-remove', 'replace-one'] as const)(
    'a best mixture error moves by at most one record, and two units for solving and rounding, under %s',
    async (relation) => {
      let largest = 0;
      for (const [rows, total] of [
        [[everyRow[0]], 2],
        [[everyRow[0], everyRow[4]], 3],
        [[everyRow[1], everyRow[2], everyRow[3]], 2.5],
      ] as const) {
        const statistic = bestMixtureStatistic(mixtureRows(rows), marginals, total, moves);
        const move = await largestMove(statistic, relation);
        expect(move).toBeLessThanOrEqual(statistic.sensitivity);
        expect(statistic.sensitivity).toBe(258);
        largest = Math.max(largest, move);
      }
      // Attained: a smaller sensitivity would be wrong.
      expect(largest).toBeGreaterThanOrEqual(256);
    },
    60_000,
  );
});

describe('the best mixture', () => {
  it('is as good as the best of a fine grid of mixtures, and no better than its own lower bound', async () => {
    const random = seeded(1);
    for (let run = 0; run < 10; run++) {
      const chosen = everyRow.filter(() => uniformInteger(random, 2) === 0).slice(0, 3);
      if (chosen.length === 0) continue;
      const cells = rowCells(mixtureRows(chosen), marginals);
      const answers = Float64Array.from({ length: cells.count }, () => uniformInteger(random, 12));
      const total = 10;
      const { error, gap, weights } = await solveMixture(cells, answers, total);
      expect(weights.reduce((sum, weight) => sum + weight)).toBeCloseTo(total, 9);
      expect(gap).toBeLessThan(1e-6);
      const steps = 40;
      let best = Number.POSITIVE_INFINITY;
      for (let i = 0; i <= steps; i++)
        for (let j = 0; j <= steps - i; j++) {
          const parts = [i, j, steps - i - j].map((part) => (part / steps) * total);
          if (parts.slice(chosen.length).some((part) => part > 0)) continue;
          const sums = new Float64Array(cells.count);
          chosen.forEach((_, row) => {
            for (let m = 0; m < cells.marginals; m++) sums[cells.cells[row * cells.marginals + m]] += parts[row];
          });
          best = Math.min(
            best,
            sums.reduce((most, sum, cell) => Math.max(most, Math.abs(sum - answers[cell])), 0),
          );
        }
      expect(error).toBeLessThanOrEqual(best + 1e-9);
      // Neighbouring mixtures of the grid are within total/steps of one another in every cell, for each of three rows.
      expect(error).toBeGreaterThan(best - (3 * total) / steps);
    }
  });

  it('is 0 when the private table is a mixture of the rows, and all that no row can serve otherwise', async () => {
    const source = plainSource(domain, [everyRow[0], everyRow[0], everyRow[4]]);
    const exact = exactAnswers(source, 2 ** 20);
    const able = bestMixtureStatistic(mixtureRows([everyRow[0], everyRow[4]]), marginals, 3, [1, 1, 1]);
    expect(await able.read(exact)).toBe(0);
    const unable = bestMixtureStatistic(mixtureRows([everyRow[2]]), [marginal('a', 'b')], 3, [1]);
    expect(await unable.read(exact)).toBe(3 * 256);
  });

  it('refuses problems too large to solve exactly, naming their size', () => {
    const rows = mixtureRows(Array.from({ length: 200_000 }, () => everyRow[0]));
    expect(() => bestMixtureStatistic(rows, marginals, 3, [1, 1, 1])).toThrow(/200000 x 3/);
  });
});

describe('through a session', () => {
  const budget = { epsilon: 1 };
  const options = async () => ({
    source: plainSource(domain, [everyRow[0], everyRow[1], everyRow[5]]),
    budget,
    ledger: await memoryLedger(budgetOf(budget), 'plain'),
  });
  const candidates = marginals.map((query, i) => ({ query, reference: new Float64Array([2, 3, 6][i]) }));

  it('errors cost what Laplace noise costs, and come without noise when there is none', async () => {
    const session = sessionOn(await options(), noiseless, false);
    expect(await session.largestError(candidates, 0.5)).toEqual({ value: 2, noise: { kind: 'laplace', scale: 2 } });
    expect(session.remaining).toBe(0.5);
    const best = await session.bestMixtureError(mixtureRows(everyRow), marginals, 3, 0.5);
    expect(best.value).toBe(0);
    expect(best.noise.scale).toBeCloseTo((2 * 258) / 256, 5);
    expect(session.remaining).toBeLessThan(1e-5);
    expect(session.statement().currency).toBe('pure');
  });

  it('noise is whole units of 1/256 record around the exact error', async () => {
    const session = openSession({ ...(await options()), entropy: seededEntropy(2) });
    const values: number[] = [];
    for (let i = 0; i < 200; i++) values.push((await session.largestError(candidates, 0.005)).value);
    expect(values.every((value) => Number.isInteger(value * 256))).toBe(true);
    // The mean of 200 Laplace draws of scale 200 has deviation 20; 6 of them are beyond a false alarm in 10^6.
    expect(Math.abs(values.reduce((sum, value) => sum + value) / 200 - 2)).toBeLessThan(120);
    expect(new Set(values).size).toBeGreaterThan(150);
  });
});
