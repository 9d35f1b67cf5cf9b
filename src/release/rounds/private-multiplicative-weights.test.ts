import { describe, expect, it } from 'vitest';
import { plainDomain, plainSource, type Row } from '../../../test/support/plain-source.js';
import { noiseless, recording, replaying } from '../../../test/support/replay.js';
import { cellsOf } from '../../domain/domain.js';
import { codeColumn, type Table } from '../../domain/table.js';
import { bestMixture } from '../../estimate/multiplicative-weights/best-mixture.js';
import { supportOf } from '../../model/support/support.js';
import { type SupportModel, supportModel } from '../../model/support/support-model.js';
import { budgetOf } from '../../privacy/accounting/budget.js';
import { seededEntropy } from '../../privacy/entropy.js';
import { memoryLedger } from '../../privacy/ledger/memory-ledger.js';
import { exactPrimitives, type Primitives } from '../../privacy/primitives.js';
import { type SessionOptions, sessionOn } from '../../privacy/session/open-session.js';
import type { Session } from '../../privacy/session/session.js';
import { marginal } from '../../query/marginal.js';
import { prefix } from '../../query/query.js';
import type { Relation } from '../../query/relation.js';
import { allMarginals } from '../../query/workload/all-marginals.js';
import { workloadOf } from '../../query/workload/workload.js';
import { seeded } from '../../random/seeded.js';
import { shuffle } from '../../random/shuffle.js';
import { uniform, uniformInteger } from '../../random/uniform.js';
import { marginalsOf } from '../marginals-of.js';
import { mwem } from '../mwem/mwem.js';
import { pmwPub } from '../pmw-pub/pmw-pub.js';
import { defaultRounds } from './private-multiplicative-weights.js';

const sizes = [3, 4, 2, 3];
const domain = plainDomain(sizes);
const workload = allMarginals(domain, 2);
const budget = { rho: 0.5, delta: 1e-6 };

const randomRows = (count: number, seed: number, tilt: number): Row[] => {
  const random = seeded(seed);
  return Array.from({ length: count }, () => {
    const first = uniform(random) < tilt ? 0 : uniformInteger(random, 3);
    return [first, (first + uniformInteger(random, 3)) % 4, uniformInteger(random, 2), uniformInteger(random, 3)];
  });
};

const tableOf = (rows: readonly Row[]): Table => ({
  domain,
  length: rows.length,
  columns: sizes.map((size, a) => {
    const column = codeColumn(size, rows.length);
    rows.forEach((row, i) => {
      column[i] = row[a];
    });
    return column;
  }),
});

const sessionWith = async (
  rows: readonly Row[],
  primitives: Primitives,
  relation: Relation = 'add-remove',
  over: Partial<SessionOptions> = {},
): Promise<Session> =>
  sessionOn(
    {
      source: plainSource(domain, rows),
      budget,
      ledger: await memoryLedger(budgetOf(budget), 'plain', { relation }),
      relation,
      ...over,
    },
    primitives,
    true,
  );

const weightsOf = ({ model }: { model: unknown }): Float64Array => (model as SupportModel).support.weights;

/** Largest error in proportion over all cells of the workload. */
const largestError = (model: SupportModel, rows: readonly Row[]): number => {
  const truth = tableOf(rows);
  let largest = 0;
  for (const { attributes } of marginalsOf(workload)) {
    const exact = new Float64Array(cellsOf(domain, attributes));
    const columns = attributes.map((name) => 'abcd'.indexOf(name));
    for (let row = 0; row < truth.length; row++)
      exact[columns.reduce((cell, a) => cell * sizes[a] + truth.columns[a][row], 0)] += 1 / truth.length;
    model.marginal(attributes).forEach((count, cell) => {
      largest = Math.max(largest, Math.abs(count / model.total - exact[cell]));
    });
  }
  return largest;
};

/**
 * Algorithm 1 and C.3 written out on a dense array of all rows: no plan, no kernels, no incremental sums. It draws nothing: the
 * selected cells and the noisy counts are those recorded.
 */
const reference = (
  rows: readonly Row[],
  start: readonly number[],
  outputs: readonly (Float64Array | number)[],
  seed: number,
  average: boolean,
): number[] => {
  const random = seeded(seed);
  const cells = marginalsOf(workload).flatMap(({ attributes }) => {
    const columns = attributes.map((name) => 'abcd'.indexOf(name));
    return Array.from({ length: cellsOf(domain, attributes) }, (_, cell) => ({ columns, cell }));
  });
  const matches = ({ columns, cell }: (typeof cells)[number], row: Row): boolean =>
    columns.reduce((at, a) => at * sizes[a] + row[a], 0) === cell;
  const total = Math.max(1, (outputs[0] as Float64Array)[0]);
  let weights = [...start];
  const sum = start.map(() => 0);
  const past: { query: (typeof cells)[number]; value: number }[] = [];
  const answer = (query: (typeof cells)[number]): number =>
    rows.reduce((mass, row, i) => (matches(query, row) ? mass + weights[i] : mass), 0);
  for (let i = 1; i < outputs.length; i += 2) {
    const value = Math.min(1, Math.max(0, (outputs[i + 1] as Float64Array)[0] / total));
    past.push({ query: cells[outputs[i] as number], value });
    weights.forEach((weight, row) => {
      sum[row] += weight;
    });
    const errors = past.map((one) => Math.abs(answer(one.query) - one.value));
    const due = [...past.keys()].filter((one) => errors[one] >= errors[past.length - 1] / 2);
    for (const one of shuffle(due, random)) {
      const { query, value: goal } = past[one];
      const factor = Math.exp((goal - answer(query)) / 2);
      weights = weights.map((weight, row) => (matches(query, rows[row]) ? weight * factor : weight));
      const mass = weights.reduce((a, b) => a + b);
      weights = weights.map((weight) => weight / mass);
    }
  }
  const chosen = average ? sum : weights;
  const mass = chosen.reduce((a, b) => a + b);
  return chosen.map((weight) => weight / mass);
};

describe('private multiplicative weights', () => {
  it('gives every round equal noise and leaves no more than rounding does: less than three millionths of the budget', async () => {
    const rows = randomRows(400, 3, 0.5);
    const support = supportOf(tableOf(rows));
    for (const request of [
      { epsilon: 0.01 },
      { epsilon: 0.01, delta: 1e-9 },
      { epsilon: 3 },
      { epsilon: 3, delta: 1e-9 },
    ])
      for (const rounds of [1, 7, 60]) {
        const over = { budget: request, ledger: await memoryLedger(budgetOf(request), 'plain') };
        const session = await sessionWith(rows, exactPrimitives(seededEntropy(rounds)), 'add-remove', over);
        const { measurements } = await pmwPub(session, support, workload, { random: seeded(1), rounds, threads: 1 });
        expect(new Set(measurements.slice(1).map(({ noise }) => noise.scale)).size).toBe(1);
        // An epsilon or a scale is rounded by at most 2^-20 of itself, which is 2^-19 of a rho.
        expect(session.remaining).toBeLessThan(3e-6);
      }
  });

  it.each(['last', 'average'] as const)(
    'is Algorithm 1 with replay, given the same primitives, on the whole domain: output %s',
    async (output) => {
      const { primitives, outputs } = recording(exactPrimitives(seededEntropy(3)));
      const session = await sessionWith(randomRows(200, 1, 0.4), primitives);
      const released = await mwem(session, workload, { random: seeded(9), rounds: 40, output });
      const support = (released.model as SupportModel).support;
      const rows = Array.from({ length: support.length }, (_, i) => support.columns.map((column) => column[i]));
      expect(rows).toHaveLength(72);
      const uniformStart = rows.map(() => 1 / 72);
      const expected = reference(rows, uniformStart, outputs, 9, output === 'average');
      weightsOf(released).forEach((weight, i) => {
        expect(Math.abs(weight - expected[i])).toBeLessThan(1e-12);
      });
    },
  );

  it('is the same loop on the support of a public table, from its distribution on', async () => {
    const { primitives, outputs } = recording(exactPrimitives(seededEntropy(4)));
    const session = await sessionWith(randomRows(300, 2, 0.5), primitives);
    const released = await pmwPub(session, supportOf(tableOf(randomRows(60, 3, 0.2))), workload, {
      random: seeded(8),
      rounds: 30,
    });
    const { support } = released.model as SupportModel;
    const rows = Array.from({ length: support.length }, (_, i) => support.columns.map((column) => column[i]));
    const counts = rows.map(
      (row) => randomRows(60, 3, 0.2).filter((other) => other.every((code, a) => code === row[a])).length / 60,
    );
    const expected = reference(rows, counts, outputs, 8, false);
    weightsOf(released).forEach((weight, i) => {
      expect(Math.abs(weight - expected[i])).toBeLessThan(1e-12);
    });
  });

  it('spends the budget and not more: one total, then a selection and a cell of sensitivity 1 each round', async () => {
    for (const relation of ['add-remove', 'replace-one'] as const)
      for (const selection of ['exponential', 'permute-and-flip'] as const) {
        const session = await sessionWith(randomRows(50, 4, 0.3), exactPrimitives(seededEntropy(5)), relation);
        const { measurements, notes } = await mwem(session, workload, { random: seeded(1), rounds: 7, selection });
        expect(notes).toMatchObject({ rounds: 7, selection });
        expect(measurements).toHaveLength(8);
        expect(session.remaining).toBeLessThan(1e-5);
        expect(session.remaining).toBeGreaterThanOrEqual(0);
        expect(measurements[0].noise.kind).toBe(relation === 'add-remove' ? 'gaussian' : 'none');
        // rho = 1 / (2 sigma^2) for each cell, whatever the relation: a cell's count is a 0/1 query.
        const rho = (relation === 'add-remove' ? 0.98 : 1) * 0.5;
        for (const { noise } of measurements.slice(1)) expect(noise.scale).toBeCloseTo(Math.sqrt(14 / (2 * rho)), 3);
      }
  });

  it('leaves the same things for neighbours whose primitives return the same', async () => {
    const rows = randomRows(80, 5, 0.5);
    const publicTable = tableOf(randomRows(40, 6, 0.2));
    const { primitives, outputs } = recording(exactPrimitives(seededEntropy(6)));
    const run = async (private_: readonly Row[], using: Primitives) => {
      const progress: unknown[] = [];
      const session = await sessionWith(private_, using);
      const { model, measurements, notes } = await pmwPub(session, supportOf(publicTable), workload, {
        random: seeded(2),
        onProgress: (event) => progress.push(event),
      });
      return JSON.stringify({
        weights: [...weightsOf({ model })],
        total: model.total,
        measurements: measurements.map(({ query, values, noise }) => ({ query, values: [...values], noise })),
        notes,
        progress,
        statement: session.statement(),
      });
    };
    const first = await run(rows, primitives);
    for (const neighbour of [rows.slice(1), [...rows, [2, 3, 1, 2]], [[2, 3, 1, 2], ...rows.slice(1)]])
      expect(await run(neighbour, replaying(outputs))).toBe(first);
  });

  it('fits exact answers to within a thousandth where some mixture of the public rows has no error', async () => {
    const rows = randomRows(500, 7, 0.6);
    const session = await sessionWith(rows, noiseless, 'replace-one');
    // Every private row is in the public table, in other proportions: the best mixture error is 0.
    const publicTable = tableOf([...rows.slice(0, 250), ...randomRows(400, 8, 0)].concat(rows));
    const { model } = await pmwPub(session, supportOf(publicTable), workload, { random: seeded(3), rounds: 300 });
    expect(largestError(model as SupportModel, rows)).toBeLessThan(1e-3);
  });

  it('reaches the best mixture error within a tenth on exact answers, where no mixture fits, and never goes below', async () => {
    for (const seed of [11, 12]) {
      const rows = randomRows(500, seed, 0.6);
      const support = supportOf(tableOf(randomRows(12, seed + 100, 0.1)));
      const truth = supportModel(supportOf(tableOf(rows)), 1);
      const answers = marginalsOf(workload).map((query) => truth.answer(query));
      const best = await bestMixture(support, marginalsOf(workload), answers, { random: seeded(1) });
      expect(best.method).toBe('linear programme');
      const session = await sessionWith(rows, noiseless, 'replace-one');
      const { model } = await pmwPub(session, support, workload, { random: seeded(3), rounds: 150 });
      const error = largestError(model as SupportModel, rows);
      // Scores and measurements are in steps of 1/256 and 1 of 500 records.
      expect(error).toBeGreaterThan(best.error - 1e-3);
      expect(error).toBeLessThan(1.1 * best.error);
    }
  });

  it('replays only measurements whose error is at least half of the newest one', async () => {
    const session = await sessionWith(randomRows(200, 9, 0.5), noiseless, 'replace-one');
    const { notes } = await mwem(session, workload, { random: seeded(4), rounds: 25 });
    const alone = await sessionWith(randomRows(200, 9, 0.5), noiseless, 'replace-one');
    const without = await mwem(alone, workload, { random: seeded(4), rounds: 25, replay: false });
    expect(without.notes.updates).toBe(25);
    expect(notes.updates).toBeGreaterThan(25);
    expect(notes.updates).toBeLessThan((25 * 26) / 2);
  });

  it('refuses what it cannot do, before anything is spent', async () => {
    const session = await sessionWith(randomRows(10, 10, 0.5), noiseless);
    const options = { random: seeded(1) };
    await expect(mwem(session, workload, { ...options, maxCells: 71 })).rejects.toThrow(/at most 71 cells.*got 72/);
    await expect(mwem(session, workloadOf([prefix('a')]), options)).rejects.toThrow(/must be marginals/);
    await expect(mwem(session, workloadOf([marginal('nobody')]), options)).rejects.toThrow(/nobody/);
    expect(session.remaining).toBe(1);
  });

  it('chooses more rounds for more records, a larger budget and fewer cells, within 5 and 300', () => {
    expect(defaultRounds(10, 1000, 1000)).toBe(5);
    expect(defaultRounds(1e9, 1000, 1000)).toBe(300);
    expect(defaultRounds(5000, 1e5, 1e4)).toBeGreaterThan(defaultRounds(2500, 1e5, 1e4));
    expect(defaultRounds(5000, 1e5, 1e4)).toBeGreaterThan(defaultRounds(5000, 1e5, 1e7));
  });
});
