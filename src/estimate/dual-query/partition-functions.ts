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

/**
 * Round by round the weight of an answer is multiplied by exp(eta y), and divided by exp(eta) where the record counted, as the
 * algorithm itself has it: no exponential but at the beginning.
 */
export const partitionFunctions = (answers: number, hits: readonly Uint32Array[], eta: number): PartitionFunctions => {
  const rounds = hits.length;
  const blocks = Math.ceil(answers / blockSize);
  const starts = blockStarts(hits, blocks);
  if (eta * rounds > largestExponent) return inLogarithms(answers, hits, eta);
  const less = Math.exp(-eta);
  const [weights, growth] = [new Float64Array(blockSize), new Float64Array(blockSize)];

  /** Calls `visit` with each round, once what the records did to the weights of a block is done: those of the sign 1; for -1 they are the inverse. */
  const walk = (y: Float64Array, visit: (round: number, from: number, size: number) => void): void => {
    for (let block = 0; block < blocks; block++) {
      const from = block * blockSize;
      const size = Math.min(blockSize, answers - from);
      for (let i = 0; i < size; i++) growth[i] = Math.exp(eta * y[from + i]);
      weights.fill(1);
      for (let round = 0; round < rounds; round++) {
        const list = hits[round];
        const end = starts[round][block + 1];
        for (let k = starts[round][block]; k < end; k++) weights[list[k] - from] *= less;
        visit(round, from, size);
      }
    }
  };

  return {
    logs(y) {
      const sums = new Float64Array(rounds);
      walk(y, (round, _from, size) => {
        sums[round] += advance(weights, growth, size);
      });
      return sums.map(Math.log);
    },
    slopes(y, logs, draws) {
      const slopes = new Float64Array(answers);
      const factors = logs.map((log, round) => draws[round] * eta * (round + 1) * Math.exp(-log));
      walk(y, (round, from, size) => {
        advanceInto(weights, growth, size, factors[round], slopes, from);
      });
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
