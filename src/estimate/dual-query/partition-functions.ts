import type { Engine } from '../../kernel/engine.js';
import type { Part } from './part.js';
import { roundByRound, roundByRoundBytes } from './round-by-round.js';

/**
 * For rounds t = 1, 2, ... with z_tq = eta (t y_q - h_tq), where h_tq is how many of the first t lists of hits have answer q:
 * log Z_t = log sum_q (exp z_tq + exp -z_tq), and their derivatives by y.
 */
export interface PartitionFunctions {
  at(y: Float64Array): PartitionPoint;
}

/** What is known at some answers, until the next are asked about. */
export interface PartitionPoint {
  /** log Z_t for every round. */
  readonly logs: Float64Array;
  /** sum_t draws_t d log Z_t / d y_q for every answer: the caller's until the next are asked for. */
  slopes(draws: Float64Array): Float64Array;
}

/** Exponents that doubles can hold, with room for a sum. */
const largestExponent = 650;

/** Powers up to twice this many, of exponents up to 1: the next is below 2e-16. */
const terms = 9;

/**
 * Answers that no record counted, whose exponents are eta t y: where these stay below 1, by the series of cosh and sinh, in which rounds and answers
 * come apart. So they are gone through once, and not once a round.
 */
const bySeries = (most: number, rounds: number, eta: number): Part => {
  let y: Float64Array = new Float64Array();
  const room = new Float64Array(most);
  return {
    set: (given) => {
      y = given;
    },
    addSums: (sums) => {
      const powers = new Float64Array(terms);
      for (let i = 0; i < y.length; i++) {
        const square = (eta * y[i]) ** 2;
        for (let k = 0, power = 1; k < terms; k++, power *= square) powers[k] += power;
      }
      for (let t = 1; t <= rounds; t++)
        for (let k = 0, term = 2; k < terms; term *= t ** 2 / ((2 * k + 1) * (2 * k + 2)), k++)
          sums[t - 1] += term * powers[k];
    },
    slopes: (factors) => {
      const powers = new Float64Array(terms);
      for (let t = 1; t <= rounds; t++)
        for (let k = 0, term = 2 * t; k < terms; term *= t ** 2 / ((2 * k + 2) * (2 * k + 3)), k++)
          powers[k] += factors[t - 1] * term;
      const slopes = room.subarray(0, y.length);
      for (let i = 0; i < y.length; i++) {
        const own = eta * y[i];
        let sum = 0;
        for (let k = terms - 1; k >= 0; k--) sum = sum * own * own + powers[k];
        slopes[i] = own * sum;
      }
      return slopes;
    },
  };
};

/** Numbers of the answers in a list, in order, and the lists by place among them. */
const renumbered = (answers: number, hits: readonly Uint32Array[]) => {
  const place = new Int32Array(answers).fill(-1);
  for (const list of hits) for (const answer of list) place[answer] = 0;
  const [touched, others]: [number[], number[]] = [[], []];
  place.forEach((own, answer) => {
    if (own === 0) place[answer] = touched.push(answer) - 1;
    else others.push(answer);
  });
  const lists = hits.map((list) => list.map((answer) => place[answer]));
  return { touched: Uint32Array.from(touched), others: Uint32Array.from(others), lists };
};

/**
 * Three kinds of answers: those that some record counted and those with large exponents, which go through the rounds, and all others, most of a
 * large workload, by their series.
 */
export const partitionFunctions = (
  engine: Engine,
  answers: number,
  hits: readonly Uint32Array[],
  eta: number,
): PartitionFunctions => {
  const rounds = hits.length;
  // What was drawn is paid for: lists that kernel memory cannot hold are gone through without it.
  const fits = roundByRoundBytes(answers, hits) <= engine.arena.available;
  if (eta * rounds > largestExponent || !fits) return inLogarithms(answers, hits, eta);
  const { touched, others, lists } = renumbered(answers, hits);
  const through = roundByRound(engine, rounds, eta);
  const counted = through.of(touched.length, lists);
  const [unhit, series] = [through.unhit(others.length), bySeries(others.length, rounds, eta)];

  // Held from one evaluation to the next: fresh arrays of this size, a dozen an iteration, would keep the collector busy.
  const [small, large] = [new Uint32Array(others.length), new Uint32Array(others.length)];
  const [own, all] = [new Float64Array(answers), new Float64Array(answers)];

  /** The other answers by the size of their exponents. */
  const divided = (y: Float64Array): { readonly small: Uint32Array; readonly large: Uint32Array } => {
    const bound = 1 / (eta * rounds);
    let [few, many] = [0, 0];
    for (let i = 0; i < others.length; i++)
      if (Math.abs(y[others[i]]) <= bound) small[many++] = others[i];
      else large[few++] = others[i];
    return { small: small.subarray(0, many), large: large.subarray(0, few) };
  };

  return {
    at(y) {
      const { small, large } = divided(y);
      const parts = [
        { part: counted, members: touched },
        { part: unhit, members: large },
        { part: series, members: small },
      ];
      let from = 0;
      for (const { part, members } of parts) {
        const answers = own.subarray(from, from + members.length);
        for (let i = 0; i < answers.length; i++) answers[i] = y[members[i]];
        part.set(answers);
        from += members.length;
      }
      const sums = new Float64Array(rounds);
      for (const { part } of parts) part.addSums(sums);
      const logs = sums.map(Math.log);
      return {
        logs,
        slopes(draws) {
          const factors = logs.map((log, round) => draws[round] * eta * (round + 1) * Math.exp(-log));
          for (const { part, members } of parts) {
            const slopes = part.slopes(factors);
            for (let i = 0; i < slopes.length; i++) all[members[i]] = slopes[i];
          }
          return all;
        },
      };
    },
  };
};

/** The same where weights may leave the range of doubles, or kernel memory is too small: slower, by logarithms. */
const inLogarithms = (answers: number, hits: readonly Uint32Array[], eta: number): PartitionFunctions => {
  const walk = (y: Float64Array, visit: (round: number, exponents: Float64Array) => void): void => {
    const exponents = new Float64Array(answers);
    for (const [round, list] of hits.entries()) {
      for (let i = 0; i < answers; i++) exponents[i] += eta * y[i];
      for (const answer of list) exponents[answer] -= eta;
      visit(round, exponents);
    }
  };
  return {
    at(y) {
      const logs = new Float64Array(hits.length);
      walk(y, (round, exponents) => {
        const most = exponents.reduce((top, z) => Math.max(top, Math.abs(z)), 0);
        logs[round] = most + Math.log(exponents.reduce((sum, z) => sum + Math.exp(z - most) + Math.exp(-z - most), 0));
      });
      return {
        logs,
        slopes(draws) {
          const slopes = new Float64Array(answers);
          walk(y, (round, exponents) => {
            const factor = draws[round] * eta * (round + 1);
            for (let i = 0; i < answers; i++)
              slopes[i] += factor * (Math.exp(exponents[i] - logs[round]) - Math.exp(-exponents[i] - logs[round]));
          });
          return slopes;
        },
      };
    },
  };
};
