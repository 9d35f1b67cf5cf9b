import { describe, expect, it } from 'vitest';
import { plainDomain } from '../../../test/support/plain-source.js';
import { createEngine } from '../../kernel/engine.js';
import { answerFrom } from '../../query/answer.js';
import { marginal } from '../../query/marginal.js';
import { factored, prefix, type Query } from '../../query/query.js';
import { seeded } from '../../random/seeded.js';
import { uniform, uniformInteger } from '../../random/uniform.js';
import type { DualQueryGame } from './game.js';
import { dualQueryLosses } from './likelihood.js';

const engine = await createEngine();
const domain = plainDomain([2, 3, 4]);
/** Two queries of one clique in different orders among them. */
const queries: readonly Query[] = [
  marginal('a', 'b'),
  prefix('c'),
  factored({ c: { kind: 'ranges', ranges: [[1, 2]] }, b: { kind: 'prefix' } }),
  marginal('b', 'c'),
];
const sizes = [6, 4, 3, 12];
const answers = 25;
const cliques = [['a', 'b'], ['c'], ['c', 'b']];

/** A game of random draws and records: the likelihood is defined for any. */
const gameOf = (rounds: number, eta: number, seed: number): DualQueryGame => {
  const random = seeded(seed);
  const total = 40;
  return {
    queries,
    total,
    rounds: Array.from({ length: rounds }, (_, past) => ({
      drawn: Array.from({ length: 6 }, () => ({
        answer: uniformInteger(random, answers),
        sign: uniformInteger(random, 2) === 0 ? 1 : -1,
      })),
      perRecord: (eta * past) / total,
      record: [2, 3, 4].map((size) => uniformInteger(random, size)),
    })),
  };
};

/** Positive tables with sum 1, which need not agree where they overlap: a loss is one of any tables. */
const marginalsOf = (seed: number): Float64Array[] => {
  const random = seeded(seed);
  return [6, 4, 12].map((size) => {
    const values = Float64Array.from({ length: size }, () => 0.1 + uniform(random));
    const sum = values.reduce((a, b) => a + b, 0);
    return values.map((value) => value / sum);
  });
};

/** b x c from c x b. */
const transposed = (table: Float64Array): Float64Array =>
  Float64Array.from({ length: 12 }, (_, i) => table[(i % 4) * 3 + Math.floor(i / 4)]);

const answersTo = ([ab, c, cb]: readonly Float64Array[]): number[] =>
  [ab, answerFrom(queries[1], domain, c), answerFrom(queries[2], domain, cb), transposed(cb)].flatMap((y) => [...y]);

/** The answers of all queries on one record, by a table with a 1 in its cell. */
const answersOn = ([a, b, c]: readonly number[]): number[] => {
  const one = (size: number, cell: number) => Float64Array.from({ length: size }, (_, i) => +(i === cell));
  return answersTo([one(6, a * 3 + b), one(4, c), one(12, c * 3 + b)]);
};

/** Algorithm 5, word for word: the weights of all signed queries are multiplied round by round. */
const byAlgorithm = (game: DualQueryGame, marginals: readonly Float64Array[], eta: number): number => {
  const y = answersTo(marginals);
  let weights = new Map([1, -1].map((sign) => [sign, y.map(() => 1)]));
  let loss = 0;
  for (const [t, { drawn, record }] of game.rounds.entries()) {
    const sum = [...weights.values()].flat().reduce((a, b) => a + b, 0);
    // The first round is uniform, whatever the table: it tells nothing.
    if (t > 0) for (const { answer, sign } of drawn) loss -= Math.log(weights.get(sign)![answer] / sum);
    const x = answersOn(record);
    weights = new Map(
      [...weights].map(([sign, own]) => [sign, own.map((w, q) => w * Math.exp(eta * sign * (y[q] - x[q])))]),
    );
  }
  return loss;
};

describe('the likelihood of DualQuery', () => {
  it('is that of Algorithm 5, to 1e-12 of itself', () => {
    for (const [rounds, eta] of [
      [2, 1.5],
      [9, 0.7],
      [30, 5],
    ]) {
      const game = gameOf(rounds, eta, rounds);
      const loss = dualQueryLosses(engine, domain, game).of();
      expect(loss.cliques).toEqual(cliques);
      const marginals = marginalsOf(3);
      const expected = byAlgorithm(game, marginals, eta);
      expect(Math.abs(loss.value(marginals) - expected)).toBeLessThan(1e-12 * expected);
    }
  });

  it('has the gradient that finite differences have, also of parts of the draws and where weights leave the range of doubles', () => {
    for (const [rounds, eta] of [
      [9, 1.2],
      [40, 25],
    ]) {
      const losses = dualQueryLosses(engine, domain, gameOf(rounds, eta, 5));
      for (const loss of [losses.of(), losses.of((index) => index % 3 === 1)]) {
        const marginals = marginalsOf(7);
        const gradient = loss.gradient(marginals);
        const scale = Math.max(...gradient.flatMap((table) => Array.from(table, Math.abs)));
        for (const [i, table] of marginals.entries())
          for (let cell = 0; cell < table.length; cell++) {
            const h = 1e-5 / eta;
            const at = (move: number): number =>
              loss.value(marginals.map((own, k) => (k === i ? own.map((v, j) => (j === cell ? v + move : v)) : own)));
            const slope = (at(h) - at(-h)) / (2 * h);
            expect(Math.abs(slope - gradient[i][cell])).toBeLessThan(1e-5 * scale);
          }
      }
    }
  });

  it('is the same by logarithms as by products', () => {
    // 26 rounds of eta 25 are just within the products, and one more is not: the last round has no say in the others.
    const game = gameOf(27, 25, 11);
    const last = { ...game.rounds[26], drawn: [], perRecord: (25 * 27) / game.total };
    const longer = { ...game, rounds: [...game.rounds, last] };
    const marginals = marginalsOf(13);
    const [short, long] = [game, longer].map((one) => dualQueryLosses(engine, domain, one).of());
    expect(long.value(marginals) / short.value(marginals)).toBeCloseTo(1, 12);
    short.gradient(marginals).forEach((table, i) => {
      table.forEach((slope, cell) => {
        expect(Math.abs(long.gradient(marginals)[i][cell] - slope)).toBeLessThan(1e-9 * (1 + Math.abs(slope)));
      });
    });
  });

  it('is convex: between two points never above the line, and parts of the draws add up', () => {
    const losses = dualQueryLosses(engine, domain, gameOf(12, 3, 17));
    const [one, two] = [marginalsOf(19), marginalsOf(23)];
    const [all, some, others] = [losses.of(), losses.of((i) => i < 2), losses.of((i) => i >= 2)];
    for (const part of [0.1, 0.5, 0.8]) {
      const between = one.map((table, i) => table.map((value, k) => (1 - part) * value + part * two[i][k]));
      expect(all.value(between)).toBeLessThan((1 - part) * all.value(one) + part * all.value(two));
    }
    expect(some.value(one) + others.value(one)).toBeCloseTo(all.value(one), 8);
  });

  it('sees that marginals have changed in place', () => {
    const loss = dualQueryLosses(engine, domain, gameOf(6, 2, 29)).of();
    const marginals = marginalsOf(31);
    const before = loss.value(marginals);
    marginals[1].reverse();
    expect(loss.value(marginals)).not.toBe(before);
    expect(loss.value(marginals)).toBeCloseTo(byAlgorithm(gameOf(6, 2, 29), marginals, 2), 8);
  });
});

it('of a game takes its answers in the order of its queries', () => {
  expect(sizes.reduce((a, b) => a + b, 0)).toBe(answers);
  expect(answersOn([1, 2, 3]).reduce((a, b) => a + b, 0)).toBe(1 + 1 + 0 + 1);
});
