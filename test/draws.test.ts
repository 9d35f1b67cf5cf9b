import { describe, expect, it } from 'vitest';
import { goodnessOfFit } from '../experiments/statistics/chi-square.js';
import type { Domain } from '../src/domain/domain.js';
import { amountToNumber } from '../src/privacy/accounting/amount.js';
import { budgetOf } from '../src/privacy/accounting/budget.js';
import { costOf } from '../src/privacy/accounting/charge.js';
import { exactAnswers } from '../src/privacy/answers/exact-answers.js';
import { signedScores } from '../src/privacy/answers/signed-scores.js';
import { seededEntropy } from '../src/privacy/entropy.js';
import { memoryLedger } from '../src/privacy/ledger/memory-ledger.js';
import { type Rational, rational, rationalNumber } from '../src/privacy/rational.js';
import { exponentialDraws } from '../src/privacy/selection/exponential-draws.js';
import { openSession, type SessionOptions, sessionOn } from '../src/privacy/session/open-session.js';
import { ownDrawn } from '../src/privacy/session/own-input.js';
import { planningDoor } from '../src/privacy/session/planning-door.js';
import type { CellDraws, Drawn } from '../src/privacy/session/session.js';
import { answerFrom, attributesOf } from '../src/query/answer.js';
import { marginal } from '../src/query/marginal.js';
import { prefix, type Query } from '../src/query/query.js';
import type { Relation } from '../src/query/relation.js';
import { sensitivity } from '../src/query/sensitivity/sensitivity.js';
import { plainDomain, plainSource, type Row } from './support/plain-source.js';
import { noiseless } from './support/replay.js';

const domain = plainDomain([2, 3]);
const cells = [0, 1].flatMap((a) => [0, 1, 2].map((b): Row => [a, b]));
const rows: readonly Row[] = [
  [0, 0],
  [1, 2],
  [1, 1],
];
const queries: readonly Query[] = [marginal('a', 'b'), prefix('b'), marginal('a')];
const candidates: readonly Drawn[] = [
  { query: queries[0], reference: [0.5, 0, 1.25, 0, 2, 0] },
  { query: queries[1], reference: [0.25, 0.5, 0.75], scale: 4 },
  { query: queries[2], reference: [3, 0] },
];
const references = candidates.flatMap(({ reference, scale = 1 }) => Array.from(reference, (value) => value * scale));

const options = async (over: Partial<SessionOptions> = {}): Promise<SessionOptions> => ({
  source: plainSource(domain, rows),
  budget: { rho: 0.5, delta: 1e-6 },
  ledger: await memoryLedger(budgetOf(over.budget ?? { rho: 0.5, delta: 1e-6 }), 'plain', {
    relation: over.relation,
    unit: over.source?.unit,
  }),
  entropy: seededEntropy(1),
  ...over,
});

/** The answers of all queries on a table, row by row. */
const answersOn = async (table: readonly Row[], of: readonly Query[], inDomain: Domain): Promise<number[]> => {
  const counts = await plainSource(inDomain, table).counts(of.map((query) => marginal(...attributesOf(query))));
  return of.flatMap((query, i) => Array.from(answerFrom(query, inDomain, counts[i])));
};

/** Chances of (answer, sign) by the definition of the law: sign 1 of every answer, then its sign -1. */
const chancesOf = (answers: readonly number[], perRecord: number): number[] => {
  const weights = answers.flatMap((answer, i) =>
    [1, -1].map((sign) => Math.exp(perRecord * sign * (answer - references[i]))),
  );
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
};

const starts = [0, 6, 9];
const outcomeOf = ({ candidate, cell, sign }: CellDraws['drawn'][number]): number =>
  2 * (starts[candidate] + cell) + (sign === 1 ? 0 : 1);

const neighboursOf = (table: readonly Row[], relation: Relation): Row[][] => {
  const without = table.map((_, i) => table.filter((_row, j) => j !== i));
  if (relation === 'add-remove') return [...without, ...cells.map((cell) => [...table, cell])];
  return without.flatMap((rest) => cells.map((cell) => [...rest, cell]));
};

describe('drawCells', () => {
  it('draws answers and signs with their exact chances (false alarms 1e-8), and not with those of a twentieth more', async () => {
    const session = openSession(await options());
    const { drawn, perRecord } = await session.drawCells(candidates, 1, { draws: 20_000 });
    expect(drawn.length).toBe(20_000);
    // So many draws of so small a budget are nearly uniform: a fit that tells nothing.
    expect(perRecord).toBeLessThan(0.01);
    const steep = openSession(await options({ budget: { rho: 50_000 } }));
    const { drawn: many, perRecord: rate } = await steep.drawCells(candidates, 1, { draws: 200_000 });
    expect(rate).toBeCloseTo(Math.sqrt((8 * 50_000) / 200_000) / 2, 4);
    const observed = new Float64Array(22);
    for (const draw of many) observed[outcomeOf(draw)]++;
    const answers = await answersOn(rows, queries, domain);
    expect(goodnessOfFit(observed, chancesOf(answers, rate)).fits).toBe(true);
    expect(goodnessOfFit(observed, chancesOf(answers, rate * 1.05)).fits).toBe(false);
  });

  it('charges what all neighbours of tiny tables show: log-ratios within epsilon, a range of epsilon, and no more rho', async () => {
    const tables = [rows, rows.slice(0, 1), [cells[4], cells[4], cells[0], cells[5]]];
    for (const relation of ['add-remove', 'replace-one'] as const)
      for (const draws of [1, 7]) {
        const given = await options({ relation, budget: { epsilon: 3 * draws } });
        const session = openSession(given);
        const { perRecord } = await session.drawCells(candidates, 1, { draws });
        const epsilon = Number(session.statement().epsilon) / draws;
        let widest = 0;
        for (const table of tables) {
          const chances = chancesOf(await answersOn(table, queries, domain), perRecord);
          for (const neighbour of neighboursOf(table, relation)) {
            const others = chancesOf(await answersOn(neighbour, queries, domain), perRecord);
            const ratios = chances.map((chance, i) => Math.log(chance / others[i]));
            const [low, high] = [Math.min(...ratios), Math.max(...ratios)];
            expect(Math.max(-low, high)).toBeLessThanOrEqual(epsilon);
            expect(high - low).toBeLessThanOrEqual(epsilon);
            widest = Math.max(widest, high - low);
            for (const alpha of [1.5, 2, 8, 50]) {
              const sum = chances.reduce((total, p, i) => total + p ** alpha * others[i] ** (1 - alpha), 0);
              expect(Math.log(sum) / (alpha - 1)).toBeLessThanOrEqual((alpha * epsilon * epsilon) / 8);
            }
          }
        }
        // All of it but the step of the grid: nothing is wasted.
        expect(widest).toBeGreaterThan(0.9999 * epsilon);
      }
  });

  it('is one act of the ledger, at the price of so many draws, in either currency', async () => {
    for (const [budget, each] of [
      [{ rho: 0.5, delta: 1e-6 }, (epsilon: number) => epsilon ** 2 / 8],
      [{ epsilon: 1 }, (epsilon: number) => epsilon],
    ] as const) {
      const given = await options({ budget });
      const session = openSession(given);
      const { perRecord } = await session.drawCells(candidates, 0.25, { draws: 40 });
      await session.close();
      expect(session.acts().map(({ charges }) => charges.map(({ kind }) => kind))).toEqual([['exponential-draws']]);
      const spent = amountToNumber((await given.ledger.status()).spent);
      expect(spent / (40 * each(2 * perRecord * (1 + 2 ** -16)))).toBeCloseTo(1, 9);
      expect(spent).toBeLessThanOrEqual(0.25 * ('rho' in budget ? budget.rho : budget.epsilon));
      expect(spent).toBeGreaterThan(0.2499 * ('rho' in budget ? budget.rho : budget.epsilon));
    }
  });

  it('says beforehand which law a share buys, with a table behind the door and without', async () => {
    for (const relation of ['add-remove', 'replace-one'] as const) {
      const unit = { kind: 'id', column: 'person', maxRecords: 3 } as const;
      const source = plainSource(domain, rows, { unit });
      const session = openSession(await options({ relation, source }));
      const preview = session.previewDraws(queries, 0.5, { draws: 25 });
      expect(session.remaining).toBe(1);
      const { perRecord } = await session.drawCells(candidates, 0.5, { draws: 25 });
      expect(perRecord).toBe(preview);
      const planned = planningDoor({ domain, budget: budgetOf({ rho: 0.5, delta: 1e-6 }), relation, unit });
      expect(planned.previewDraws(queries, 0.5, { draws: 25 })).toBe(preview);
      expect(preview).toBeCloseTo(Math.sqrt((8 * 0.25) / 25) / (2 * 3), 5);
    }
  });

  it('finds the answer that is furthest above, or furthest below', async () => {
    const session = sessionOn(await options(), noiseless, false);
    const far = (reference: readonly number[]) =>
      session.drawCells([{ query: queries[2], reference }], 0.1, { draws: 2 });
    expect((await far([0, -5])).drawn).toEqual(Array(2).fill({ candidate: 0, cell: 1, sign: 1 }));
    expect((await far([50, -5])).drawn).toEqual(Array(2).fill({ candidate: 0, cell: 0, sign: -1 }));
  });

  it('draws from what it was given, whatever becomes of it meanwhile', async () => {
    const session = sessionOn(await options(), noiseless, false);
    const reference = new Float64Array([0, 90]);
    const attributes = ['a'];
    const given = [{ query: { kind: 'marginal' as const, attributes }, reference }];
    const asked = session.drawCells(given, 0.1, { draws: 1 });
    reference.fill(-1e6);
    attributes[0] = 'b';
    given.length = 0;
    expect((await asked).drawn).toEqual([{ candidate: 0, cell: 1, sign: -1 }]);
  });

  it('refuses what cannot be drawn, before anything is spent or read', async () => {
    const source = plainSource(domain, rows);
    const session = openSession(await options({ source, memory: 32 * 10 }));
    const draw = (of: readonly Drawn[], draws = 1) => session.drawCells(of, 0.1, { draws });
    await expect(draw([])).rejects.toThrow(/at least one/);
    await expect(draw(candidates)).rejects.toThrow(/at most 10 answers together to be drawn from, got 11/);
    await expect(draw([{ query: marginal('a'), reference: [1] }])).rejects.toThrow(/2 answers, got 1/);
    await expect(draw([{ query: marginal('a'), reference: [1, Number.NaN] }])).rejects.toThrow(/finite/);
    await expect(draw([{ query: marginal('a'), reference: [1, 1], scale: Infinity }])).rejects.toThrow(/scale/);
    await expect(draw([{ query: marginal('z'), reference: [1] }])).rejects.toThrow(/z/);
    for (const draws of [0, 1.5, -1, Number.NaN, 1e9])
      await expect(draw(candidates.slice(2), draws)).rejects.toThrow(/^draws: must be a whole number/);
    expect([session.remaining, source.reads()]).toEqual([1, 0]);
  });

  it('draws in groups at the price of one', async () => {
    const given = await options();
    const session = openSession(given);
    await session.partition(['a'], 0.5, async (groups) => {
      for (const group of groups)
        expect(
          (await group.drawCells([{ query: marginal('b'), reference: [0, 0, 0] }], 1, { draws: 5 })).drawn.length,
        ).toBe(5);
    });
    await session.close();
    expect(amountToNumber((await given.ledger.status()).spent)).toBeCloseTo(0.25, 4);
  });
});

describe('signed scores', () => {
  it('are integers that no neighbour moves by more than the stated sensitivity, and one moves as much', async () => {
    const own = ownDrawn(candidates);
    const read = async (table: readonly Row[], relation: Relation) => {
      const moves = queries.map((query) => sensitivity(query, domain, relation, 1).lInf);
      const scores = signedScores(own, moves, domain, 2 ** 20);
      return { ...scores, values: await scores.read(exactAnswers(plainSource(domain, table), 2 ** 20)) };
    };
    for (const relation of ['add-remove', 'replace-one'] as const) {
      const { values, sensitivity: stated } = await read(rows, relation);
      expect(values.every(Number.isSafeInteger)).toBe(true);
      let most = 0;
      for (const neighbour of neighboursOf(rows, relation)) {
        const { values: others } = await read(neighbour, relation);
        others.forEach((score, i) => {
          most = Math.max(most, Math.abs(score - values[i]));
        });
      }
      expect(most).toBe(stated);
    }
  });

  it('stay exact for references and counts beyond all bounds', async () => {
    const huge = {
      check: () => {},
      each: async (_: readonly Query[], visit: (answers: Float64Array, index: number) => void) =>
        visit(Float64Array.of(2 ** 52, 2 ** 35 - 1), 0),
    };
    const own = ownDrawn([{ query: marginal('a'), reference: [-1e300, 1e300] }]);
    const scores = await signedScores(own, [1], domain, 2 ** 20).read(huge);
    expect([...scores]).toEqual([2 ** 52, -(2 ** 52), -(2 ** 16), 2 ** 16]);
  });
});

describe('repeated draws of the exponential mechanism', () => {
  const chances = (scores: readonly number[], epsilon: Rational): number[] => {
    const weights = scores.map((score) => Math.exp((rationalNumber(epsilon) * score) / (2 * 2)));
    return weights.map((weight) => weight / weights.reduce((sum, other) => sum + other, 0));
  };

  it('have the law of a single one: ties, steep rates and terms too large for safe integers', () => {
    for (const [scores, epsilon] of [
      [[0, 1, 2, 2, 4], rational(1)],
      [[10, 9, 9, 8, -7], rational(7)],
      [[3, -3, 0, -0, 1], rational(10n ** 20n + 1n, 10n ** 20n)],
    ] as const) {
      const observed = new Float64Array(scores.length);
      const drawOptions = { epsilon, sensitivity: rational(1), grid: rational(1) };
      for (const position of exponentialDraws(Float64Array.from(scores), drawOptions, 25_000, seededEntropy(5)))
        observed[position]++;
      expect(goodnessOfFit(observed, chances(scores, epsilon)).fits).toBe(true);
      const wrong = rational(epsilon.numerator * 6n, epsilon.denominator * 5n);
      expect(goodnessOfFit(observed, chances(scores, wrong)).fits).toBe(false);
    }
  });

  it('weigh many against a few: 30,000 poor candidates beat the best as often as they should', () => {
    const scores = new Float64Array(30_000);
    scores[7] = 40;
    const epsilon = rational(1);
    const drawOptions = { epsilon, sensitivity: rational(1), grid: rational(1) };
    const observed = new Float64Array(3);
    for (const position of exponentialDraws(scores, drawOptions, 20_000, seededEntropy(6)))
      observed[position === 7 ? 0 : position < 15_000 ? 1 : 2]++;
    const [poor, best] = [Math.exp(-10), 1];
    const sum = best + 29_999 * poor;
    expect(goodnessOfFit(observed, [best / sum, (14_999 * poor) / sum, (15_000 * poor) / sum]).fits).toBe(true);
  });

  it('cost as many times one, rounded up once; no other number of draws is read from a ledger', () => {
    const charge = { kind: 'exponential-draws', epsilon: rational(1, 3), draws: rational(3) } as const;
    expect(costOf(charge, 'pure')).toBe(10n ** 18n);
    expect(costOf(charge, 'zcdp')).toBe(41_666_666_666_666_667n);
    expect(() => costOf({ ...charge, draws: rational(1, 2) }, 'pure')).toThrow(/^draws: /);
  });
});
