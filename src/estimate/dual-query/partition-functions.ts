/**
 * For rounds t = 1, 2, ... with z_tq = eta (t y_q - h_tq), where h_tq is how many of the first t lists of hits have answer q:
 * log Z_t = log sum_q (exp z_tq + exp -z_tq), and their derivatives by y.
 */
export interface PartitionFunctions {
  /** log Z_t for every round. */
  logs(y: Float64Array): Float64Array;
  /** sum_t draws_t d log Z_t / d y_q for every answer, given the logs at y. */
  slopes(y: Float64Array, logs: Float64Array, draws: Float64Array): Float64Array;
}

/** Answers that are taken through all rounds before the next: their weights stay in the fastest memory. */
const blockSize = 512;
/** Exponents that doubles can hold, with room for a sum. */
const largestExponent = 650;

/** Where each list of hits enters each block. */
const blockStarts = (hits: readonly Uint32Array[], blocks: number): Uint32Array[] =>
  hits.map((list) => {
    const starts = new Uint32Array(blocks + 1);
    for (const answer of list) starts[Math.floor(answer / blockSize) + 1]++;
    for (let block = 0; block < blocks; block++) starts[block + 1] += starts[block];
    return starts;
  });

/** Sums over some answers that a round adds to Z_t, and what they add to the slopes. */
interface Part {
  /** Adds, for every round, sum_q (exp z_tq + exp -z_tq). */
  addSums(y: Float64Array, sums: Float64Array): void;
  /** Adds sum_t factors_t (exp z_tq - exp -z_tq) for every answer. */
  addSlopes(y: Float64Array, factors: Float64Array, slopes: Float64Array): void;
}

/**
 * Goes through all rounds: the weight of an answer is multiplied by exp(eta y), and divided by exp(eta) where the record counted, as the
 * algorithm itself has it: no exponential but at the beginning.
 */
const roundByRound = (answers: number, hits: readonly Uint32Array[], eta: number): Part => {
  const blocks = Math.ceil(answers / blockSize);
  const starts = blockStarts(hits, blocks);
  const less = Math.exp(-eta);
  const [weights, growth] = [new Float64Array(blockSize), new Float64Array(blockSize)];

  /** Calls `visit` with each round, once what the records did to the weights of a block is done: those of the sign 1; for -1 they are the inverse. */
  const walk = (y: Float64Array, visit: (round: number, from: number, size: number) => void): void => {
    for (let block = 0; block < blocks; block++) {
      const from = block * blockSize;
      const size = Math.min(blockSize, answers - from);
      for (let i = 0; i < size; i++) growth[i] = Math.exp(eta * y[from + i]);
      weights.fill(1);
      for (const [round, list] of hits.entries()) {
        const end = starts[round][block + 1];
        for (let k = starts[round][block]; k < end; k++) weights[list[k] - from] *= less;
        visit(round, from, size);
      }
    }
  };

  return {
    addSums: (y, sums) =>
      walk(y, (round, _from, size) => {
        sums[round] += advance(weights, growth, size);
      }),
    addSlopes: (y, factors, slopes) =>
      walk(y, (round, from, size) => {
        advanceInto(weights, growth, size, factors[round], slopes, from);
      }),
  };
};

/** Powers up to twice this many, of exponents up to 1: the next is below 2e-16. */
const terms = 9;

/**
 * Answers that no record counted, whose exponents are eta t y: where these stay below 1, by the series of cosh and sinh, in which rounds and answers
 * come apart. So they are gone through once, and not once a round.
 */
const bySeries = (rounds: number, eta: number): Part => ({
  addSums: (y, sums) => {
    const powers = new Float64Array(terms);
    for (let i = 0; i < y.length; i++) {
      const square = (eta * y[i]) ** 2;
      for (let k = 0, power = 1; k < terms; k++, power *= square) powers[k] += power;
    }
    for (let t = 1; t <= rounds; t++)
      for (let k = 0, term = 2; k < terms; term *= t ** 2 / ((2 * k + 1) * (2 * k + 2)), k++)
        sums[t - 1] += term * powers[k];
  },
  addSlopes: (y, factors, slopes) => {
    const powers = new Float64Array(terms);
    for (let t = 1; t <= rounds; t++)
      for (let k = 0, term = 2 * t; k < terms; term *= t ** 2 / ((2 * k + 2) * (2 * k + 3)), k++)
        powers[k] += factors[t - 1] * term;
    for (let i = 0; i < y.length; i++) {
      const own = eta * y[i];
      let sum = 0;
      for (let k = terms - 1; k >= 0; k--) sum = sum * own ** 2 + powers[k];
      slopes[i] += own * sum;
    }
  },
});

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
export const partitionFunctions = (answers: number, hits: readonly Uint32Array[], eta: number): PartitionFunctions => {
  const rounds = hits.length;
  if (eta * rounds > largestExponent) return inLogarithms(answers, hits, eta);
  const { touched, others, lists } = renumbered(answers, hits);
  const counted = roundByRound(touched.length, lists, eta);
  const series = bySeries(rounds, eta);
  const none = hits.map(() => new Uint32Array());

  const partsAt = (y: Float64Array): readonly { readonly part: Part; readonly members: Uint32Array }[] => {
    const isSmall = (answer: number): boolean => eta * rounds * Math.abs(y[answer]) <= 1;
    const [small, large] = [others.filter(isSmall), others.filter((answer) => !isSmall(answer))];
    return [
      { part: counted, members: touched },
      { part: roundByRound(large.length, none, eta), members: large },
      { part: series, members: small },
    ];
  };
  const gathered = (y: Float64Array, members: Uint32Array): Float64Array => {
    const own = new Float64Array(members.length);
    for (let i = 0; i < own.length; i++) own[i] = y[members[i]];
    return own;
  };

  return {
    logs(y) {
      const sums = new Float64Array(rounds);
      for (const { part, members } of partsAt(y)) part.addSums(gathered(y, members), sums);
      return sums.map(Math.log);
    },
    slopes(y, logs, draws) {
      const factors = logs.map((log, round) => draws[round] * eta * (round + 1) * Math.exp(-log));
      const slopes = new Float64Array(answers);
      for (const { part, members } of partsAt(y)) {
        const own = new Float64Array(members.length);
        part.addSlopes(gathered(y, members), factors, own);
        for (let i = 0; i < own.length; i++) slopes[members[i]] = own[i];
      }
      return slopes;
    },
  };
};

/** One more round of the weights; gives their sum, with their inverses. */
const advance = (weights: Float64Array, growth: Float64Array, size: number): number => {
  let above = 0;
  let below = 0;
  for (let i = 0; i < size; i++) {
    const weight = weights[i] * growth[i];
    weights[i] = weight;
    above += weight;
    below += 1 / weight;
  }
  return above + below;
};

/** One more round of the weights; adds `factor` times their difference from their inverses from `from` on. */
const advanceInto = (
  weights: Float64Array,
  growth: Float64Array,
  size: number,
  factor: number,
  slopes: Float64Array,
  from: number,
): void => {
  for (let i = 0; i < size; i++) {
    const weight = weights[i] * growth[i];
    weights[i] = weight;
    slopes[from + i] += factor * (weight - 1 / weight);
  }
};

/** The same where weights may leave the range of doubles: slower, by logarithms. */
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
    logs(y) {
      const logs = new Float64Array(hits.length);
      walk(y, (round, exponents) => {
        const most = exponents.reduce((top, z) => Math.max(top, Math.abs(z)), 0);
        logs[round] = most + Math.log(exponents.reduce((sum, z) => sum + Math.exp(z - most) + Math.exp(-z - most), 0));
      });
      return logs;
    },
    slopes(y, logs, weights) {
      const slopes = new Float64Array(answers);
      walk(y, (round, exponents) => {
        const factor = weights[round] * eta * (round + 1);
        for (let i = 0; i < answers; i++)
          slopes[i] += factor * (Math.exp(exponents[i] - logs[round]) - Math.exp(-exponents[i] - logs[round]));
      });
      return slopes;
    },
  };
};
