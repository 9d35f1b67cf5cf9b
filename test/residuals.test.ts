import { describe, expect, it } from 'vitest';
import { matchCharges } from '../src/bundle/match-charges.js';
import { residualFaults } from '../src/bundle/residual-faults.js';
import { estimateGraphical } from '../src/estimate/graphical/estimate.js';
import { estimateReweighted } from '../src/estimate/reweight/reweight.js';
import { bootstrap } from '../src/evaluate/bootstrap.js';
import { supportOf } from '../src/model/support/support.js';
import { supportModel } from '../src/model/support/support-model.js';
import { amountToNumber } from '../src/privacy/accounting/amount.js';
import { type BudgetRequest, budgetOf } from '../src/privacy/accounting/budget.js';
import { seededEntropy } from '../src/privacy/entropy.js';
import { memoryLedger } from '../src/privacy/ledger/memory-ledger.js';
import type { Measurement } from '../src/privacy/measurement.js';
import { exactPrimitives } from '../src/privacy/primitives.js';
import { openSession, sessionOn } from '../src/privacy/session/open-session.js';
import { planningDoor } from '../src/privacy/session/planning-door.js';
import { answerFrom, attributesOf } from '../src/query/answer.js';
import { kindOf } from '../src/query/block/block-kinds.js';
import { marginal, total } from '../src/query/marginal.js';
import { factored, type Query } from '../src/query/query.js';
import type { Relation } from '../src/query/relation.js';
import { residual } from '../src/query/residual.js';
import type { Unit } from '../src/query/unit.js';
import { seeded } from '../src/random/seeded.js';
import { uniformInteger } from '../src/random/uniform.js';
import { plainDomain, plainSource, plainTable, type Row } from './support/plain-source.js';
import { noiseless } from './support/replay.js';
import { blockMatrix } from './support/row-answers.js';

const domain = plainDomain([2, 3, 4]);
const rows: Row[] = [
  [0, 0, 0],
  [0, 1, 3],
  [1, 2, 2],
  [1, 2, 1],
  [1, 0, 3],
];
const rho: BudgetRequest = { rho: 0.5, delta: 1e-6 };

const opened = async ({
  table = rows,
  budget = rho,
  relation,
  unit,
  of = domain,
}: {
  table?: readonly Row[];
  budget?: BudgetRequest;
  relation?: Relation;
  unit?: Unit;
  of?: typeof domain;
} = {}) => {
  const source = plainSource(of, table, unit && { unit });
  const ledger = await memoryLedger(budgetOf(budget), 'plain', { relation, unit });
  return { source, ledger, options: { source, budget, ledger, relation, entropy: seededEntropy(3) } };
};

describe('measuring a residual', () => {
  it('is charged for what a record moves of it, under both relations and with many records a unit', async () => {
    for (const [relation, maxRecords, squared] of [
      ['add-remove', 1, (1 / 2) * (2 / 3)],
      ['replace-one', 1, 2 * (1 / 2) * (2 / 3) * 2],
      ['add-remove', 3, 9 * (1 / 2) * (2 / 3)],
      ['replace-one', 3, 9 * 2 * (1 / 2) * (2 / 3) * 2],
    ] as const) {
      const unit: Unit = maxRecords === 1 ? { kind: 'row', maxRecords } : { kind: 'id', column: 'id', maxRecords };
      const { options, ledger } = await opened({ relation, unit });
      const session = openSession(options);
      const queries = [residual('a', 'b'), residual('a', 'b')];
      const [one, two] = await session.measure(queries, 0.5);
      expect(one.noise.kind).toBe('gaussian');
      // rho/4 = S^2/(2 sigma^2).
      expect(one.noise.scale).toBeCloseTo(Math.sqrt(squared / (2 * 0.125)), 5);
      expect(one.values).toHaveLength(6);
      expect(session.preview(queries, 0.5)).toEqual([one.noise, two.noise]);
      expect(planningDoor({ domain, budget: budgetOf(rho), relation, unit }).preview(queries, 0.5)).toEqual([
        one.noise,
        two.noise,
      ]);
      const charges = session.acts().flatMap((act) => act.charges);
      expect(matchCharges([one, two], charges, { domain, relation, unit })).toEqual([]);
      expect(matchCharges([one], charges, { domain, relation, unit })).toHaveLength(1);
      expect(
        matchCharges([{ ...one, query: residual('a', 'c') }, two], charges, { domain, relation, unit }).length,
      ).toBeGreaterThan(0);
      expect(residualFaults([one, two], domain)).toEqual([]);
      await session.close();
      const spent = amountToNumber((await ledger.status()).spent);
      expect(spent).toBeLessThanOrEqual(0.25);
      expect(spent).toBeGreaterThan(0.2499);
    }
  });

  it('gives the residual and nothing more: tables that share it, and differ else, cannot be told apart', async () => {
    const measured = async (table: readonly Row[]) => {
      const { options } = await opened({ table });
      const session = sessionOn(options, exactPrimitives(seededEntropy(5)), true);
      const [one] = await session.measure([residual('a', 'b')], 1);
      return one.values;
    };
    // One more of each value of b for a = 1: the same contrasts, another marginal.
    const more: Row[] = [...rows, [1, 0, 0], [1, 1, 0], [1, 2, 0]];
    expect(await measured(more)).toEqual(await measured(rows));
    expect(await measured([...rows, [1, 0, 0]])).not.toEqual(await measured(rows));
  });

  it('without noise is the residual of the marginal, in groups too', async () => {
    const { options } = await opened();
    const session = sessionOn(options, noiseless, true);
    const [counts, own] = await session.measure([marginal('b', 'c'), residual('b', 'c')], 0.5);
    const expected = answerFrom(residual('b', 'c'), domain, counts.values);
    own.values.forEach((value, cell) => {
      expect(value).toBeCloseTo(expected[cell], 9);
    });
    const groups = await session.partition(['a'], 0.5, (doors) =>
      Promise.all(doors.map((door) => door.measure([residual('b', 'c')], 1))),
    );
    const sum = groups[0][0].values.map((value, cell) => value + groups[1][0].values[cell]);
    sum.forEach((value, cell) => {
      expect(value).toBeCloseTo(expected[cell], 9);
    });
  });

  it('is public, and 0, where an attribute has one cell', async () => {
    const { options } = await opened({ of: plainDomain([2, 1]), table: [[0, 0]] });
    const [one] = await openSession(options).measure([residual('a', 'b')], 0.5);
    expect(one).toMatchObject({ noise: { kind: 'none' }, values: Float64Array.of(0, 0) });
  });

  it('is refused where it cannot be: other noise, other blocks beside it, other acts; and nothing is spent', async () => {
    const pure = await opened({ budget: { epsilon: 1 } });
    await expect(openSession(pure.options).measure([residual('a', 'b')], 1)).rejects.toThrow(
      'residual of a, b: must be measured with Gaussian noise, got laplace; give a budget with a delta',
    );
    const { options, source } = await opened();
    const session = openSession(options);
    const mixed = factored({ a: { kind: 'centre' }, b: { kind: 'keep' } });
    await expect(session.measure([mixed], 1)).rejects.toThrow('a centre block goes with others of its kind only');
    await expect(session.measure([residual('a')], 1, { noise: 'laplace' })).rejects.toThrow('Gaussian noise');
    for (const query of [residual('a'), mixed])
      await expect(session.select([{ query, reference: new Float64Array(6) }], 0.1)).rejects.toThrow('residual');
    await expect(session.largestError([{ query: residual('a'), reference: [0, 0] }], 0.1)).rejects.toThrow('residual');
    expect(session.remaining).toBe(1);
    expect(pure.source.reads() + source.reads()).toBe(0);
  });
});

describe('the block', () => {
  it('is the matrix I - J/n, both ways, along any axis', () => {
    const kind = kindOf({ kind: 'centre' });
    const values = Float64Array.from({ length: 24 }, (_, i) => ((i * 37) % 11) - 3);
    const matrix = blockMatrix({ kind: 'centre' }, 4);
    for (const way of ['apply', 'transpose'] as const) {
      const out = kind[way]({ kind: 'centre' }, 4, values, 2, 3);
      for (let o = 0; o < 2; o++)
        for (let r = 0; r < 4; r++)
          for (let i = 0; i < 3; i++)
            expect(out[(o * 4 + r) * 3 + i]).toBeCloseTo(
              matrix[r].reduce((sum, entry, cell) => sum + entry * values[(o * 4 + cell) * 3 + i], 0),
              12,
            );
    }
    expect(kind.squares({ kind: 'centre' }, 4)).toEqual([0.75, 0.75, 0.75, 0.75]);
    expect(kind.totalWeights({ kind: 'centre' }, 4)).toBeUndefined();
  });
});

/**
 * A noisy marginal as its residuals: what it says of the residual of each subset, with the noise that leaves there. The likelihood of the
 * residuals is that of the marginal, so every estimate from either must be the same.
 */
const asResiduals = ({ query, values, noise }: Measurement): Measurement[] => {
  const attributes = attributesOf(query);
  const sizeOf = (name: string) => domain.attributes.find((own) => own.name === name)!.size;
  return Array.from({ length: 2 ** attributes.length }, (_, subset): Measurement => {
    const kept = attributes.filter((_, place) => (subset >> place) & 1);
    const blocks = Object.fromEntries(
      attributes.map((name) => [
        name,
        { kind: kept.includes(name) ? 'centre' : 'ranges', ranges: [[0, sizeOf(name) - 1]] },
      ]),
    );
    for (const name of kept) blocks[name] = { kind: 'centre' } as never;
    const own = answerFrom(factored(blocks as never), domain, values);
    const merged = attributes
      .filter((name) => !kept.includes(name))
      .reduce((product, name) => product * sizeOf(name), 1);
    const asked: Query = kept.length === 0 ? total() : residual(...kept);
    return { query: asked, values: own, noise: { kind: noise.kind, scale: noise.scale * Math.sqrt(merged) } };
  });
};

describe('estimates', () => {
  const random = seeded(4);
  const table: Row[] = Array.from({ length: 400 }, () => {
    const type = uniformInteger(random, 3);
    return [type % 2, type, (type + uniformInteger(random, 2)) % 4];
  });
  const source = plainSource(domain, table);
  const noisy = async (): Promise<Measurement[]> => {
    const { options } = await opened({ table, budget: { rho: 0.005, delta: 1e-6 } });
    return openSession({ ...options, source }).measure([marginal('a', 'c'), marginal('c', 'b')], 1);
  };

  it('by reweighting are those from the marginal, step for step', async () => {
    const measured = await noisy();
    const support = supportOf(
      plainTable(
        domain,
        Array.from({ length: 24 }, (_, i) => [i % 2, i % 3, i % 4]),
      ),
    );
    const one = await estimateReweighted(support, measured, { random: seeded(1), probes: 4 });
    const two = await estimateReweighted(support, measured.flatMap(asResiduals), { random: seeded(1), probes: 4 });
    one.trace.slice(0, 30).forEach(({ chi }, i) => {
      expect(two.trace[i].chi).toBeCloseTo(chi, 5);
    });
    const expected = ({ risk, freedom }: { risk: number; freedom: number }) => risk - 2 * freedom;
    expect(expected(two.trace[0])).toBeCloseTo(expected(one.trace[0]), 6);
    const full = { random: seeded(1), until: 'converged', iterations: 4000 } as const;
    const [left, right] = [
      await estimateReweighted(support, measured, full),
      await estimateReweighted(support, measured.flatMap(asResiduals), full),
    ];
    expect(right.chosen.chi).toBeCloseTo(left.chosen.chi, 2);
    expect(right.total).toBeCloseTo(left.total, 1);
  });

  it('by the graphical model are those from the marginal', async () => {
    const measured = await noisy();
    const options = { until: 'converged', iterations: 3000, tolerance: 1e-12, total: 400 } as const;
    const one = await estimateGraphical(domain, measured, options);
    const two = await estimateGraphical(domain, measured.flatMap(asResiduals), options);
    expect(two.chosen.loss).toBeCloseTo(one.chosen.loss, 3);
    const answers = two.model.marginal(['a', 'b', 'c']);
    one.model.marginal(['a', 'b', 'c']).forEach((count, cell) => {
      expect(answers[cell]).toBeCloseTo(count, 1);
    });
  });

  it('are replicated with noise that is projected too', async () => {
    const { options } = await opened({ table });
    const measurements = await openSession({ ...options, source }).measure([total(), residual('a', 'b')], 1);
    const seen: Measurement[] = [];
    const model = supportModel(supportOf(plainTable(domain, table)), 400);
    const result = await bootstrap(
      {
        model,
        measurements,
        refit: async (again) => {
          seen.push(...again);
          return model;
        },
      },
      { random: seeded(2), replicates: 3 },
    );
    expect(result?.models).toHaveLength(3);
    expect(seen).toHaveLength(6);
    for (const { query, values } of seen)
      if (query.kind === 'factored')
        answerFrom(query, domain, values).forEach((value, cell) => {
          expect(value).toBeCloseTo(values[cell], 9);
        });
  });
});

describe('verification', () => {
  it('tells a table that is no residual, and one that is off the grid', async () => {
    const { options } = await opened();
    const [own] = await openSession(options).measure([residual('a', 'b')], 1);
    const changed = (change: (value: number, cell: number) => number): Measurement => ({
      ...own,
      values: own.values.map(change),
    });
    expect(residualFaults([changed((value, cell) => value + Number(cell === 2))], domain)[0]).toMatch(
      'must be a residual',
    );
    expect(residualFaults([changed((value) => value * 1.001)], domain)[0]).toMatch('whole numbers');
    expect(residualFaults([own], domain)).toEqual([]);
  });
});
