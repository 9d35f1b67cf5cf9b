import type { Region } from '../../kernel/arena.js';
import type { MarginalOracle } from '../../model/graphical/oracle.js';
import { adjoint } from '../../query/adjoint.js';
import { answerFrom } from '../../query/answer.js';
import type { MarginalLoss } from './loss.js';
import type { Target } from './targets.js';

/** chi/2 with chi = sum over answers of (total * expected proportion - measured)^2 / variance (Private-PGM, C.1 and C.2). */
export interface SquaredLoss extends MarginalLoss {
  /** Euclidean distance of the expected answers of two points, in standard deviations of the noise. */
  distance(a: Point, b: Point): number;
  /** Sum over all answers of values[t][i] * expected[t][i], at these marginals and number of records. */
  along(values: AnswerVector, marginals: Region<Float64Array>, total: number): number;
}

/** Marginals of all factors, as proportions, and the number of records that goes with them. */
export interface Point {
  readonly marginals: Float64Array;
  readonly total: number;
}

/** One number for each answer: answers that are marginals in a vector of kernel memory, all others in arrays. */
export interface AnswerVector {
  readonly cells: Region<Float64Array>;
  /** By target; undefined where the target is a marginal. */
  readonly others: readonly (Float64Array | undefined)[];
}

/** Brings numbers for the answers of each target to where a loss wants them. */
export const answerVector = (
  oracle: MarginalOracle,
  targets: readonly Target[],
  values: readonly Float64Array[],
): AnswerVector => {
  const cells = oracle.vector();
  targets.forEach(({ query, clique }, t) => {
    if (query === undefined) cells.view.set(values[t], oracle.factors[clique].offset);
  });
  return { cells, others: targets.map(({ query }, t) => (query === undefined ? undefined : values[t])) };
};

/**
 * The squared loss. Without a `total`, each point has the number of records that fits the answers best there: the loss is then
 * the least over all totals, and its gradient is that at the best one.
 */
export const squaredLoss = (
  oracle: MarginalOracle,
  targets: readonly Target[],
  total: number | undefined,
  estimate: number,
  constant = 0,
  values: AnswerVector = answerVector(
    oracle,
    targets,
    targets.map((target) => target.values),
  ),
): SquaredLoss => {
  const { kernels } = oracle.engine;
  const { domain } = oracle.tree;
  const parts = targets.map(({ clique, query, variance }, t) => {
    const { offset, cells } = oracle.factors[clique];
    return { offset, cells, query, weight: 1 / variance, values: values.others[t] };
  });
  const marginalParts = parts.filter(({ query }) => query === undefined);
  const otherParts = parts.filter(({ query }) => query !== undefined);
  /** Where no marginal overwrites the gradient before the other queries add theirs. Untouched factors keep their zeros. */
  const unwritten = otherParts.filter(({ offset }) => !marginalParts.some((part) => part.offset === offset));
  const answers = targets.reduce((sum, target) => sum + target.values.length, 0);
  /** Expected answers for one record of the queries that are no marginals. */
  const shares: Float64Array[] = [];
  let records = total ?? estimate;
  let chi = constant;

  const fittedTotal = (marginals: Region<Float64Array>): number => {
    let product = 0;
    let square = 0;
    for (const { offset, cells, weight } of marginalParts) {
      const at = marginals.address + 8 * offset;
      product += weight * kernels.dot(at, values.cells.address + 8 * offset, cells);
      square += weight * kernels.dot(at, at, cells);
    }
    otherParts.forEach(({ weight, values: own }, part) => {
      const mine = shares[part];
      for (let i = 0; i < mine.length; i++) {
        product += weight * mine[i] * own![i];
        square += weight * mine[i] ** 2;
      }
    });
    return square > 0 ? Math.max(1, product / square) : estimate;
  };

  const expect = (marginals: Region<Float64Array>): void => {
    otherParts.forEach(({ offset, cells, query }, part) => {
      shares[part] = answerFrom(query!, domain, marginals.view.subarray(offset, offset + cells));
    });
  };

  return {
    answers,
    unit: 1 / targets.reduce((sum, { variance, reach }) => sum + ((total ?? estimate) ** 2 * reach) / variance, 0),
    evaluate(marginals, gradient) {
      expect(marginals);
      records = total ?? fittedTotal(marginals);
      chi = constant;
      for (const { offset, cells, weight } of marginalParts) {
        const at = 8 * offset;
        const measured = values.cells.address + at;
        const weighted = kernels.fitSquares(
          marginals.address + at,
          records,
          measured,
          records * weight,
          gradient.address + at,
          cells,
        );
        chi += weighted / records;
      }
      for (const { offset, cells } of unwritten) kernels.clear(gradient.address + 8 * offset, 8 * cells);
      otherParts.forEach(({ offset, query, weight, values: own }, part) => {
        const residual = shares[part].map((share, i) => {
          const difference = records * share - own![i];
          chi += weight * difference ** 2;
          return records * weight * difference;
        });
        const { view } = gradient;
        adjoint(query!, domain, residual).forEach((value, cell) => {
          view[offset + cell] += value;
        });
      });
      return chi / 2;
    },
    along(vector, marginals, count) {
      expect(marginals);
      let sum = 0;
      for (const { offset, cells } of marginalParts)
        sum += kernels.dot(marginals.address + 8 * offset, vector.cells.address + 8 * offset, cells);
      let part = 0;
      for (const own of vector.others)
        if (own !== undefined) {
          const mine = shares[part++];
          for (let i = 0; i < mine.length; i++) sum += mine[i] * own[i];
        }
      return count * sum;
    },
    distance(a, b) {
      let sum = 0;
      for (const { offset, cells, weight, query } of parts) {
        const [mine, theirs] = [a, b].map(({ marginals }) => {
          const own = marginals.subarray(offset, offset + cells);
          return query === undefined ? own : answerFrom(query, domain, own);
        });
        let squares = 0;
        for (let i = 0; i < mine.length; i++) squares += (a.total * mine[i] - b.total * theirs[i]) ** 2;
        sum += weight * squares;
      }
      return Math.sqrt(sum);
    },
    get value() {
      return chi / 2;
    },
    get total() {
      return records;
    },
    get chi() {
      return chi;
    },
    sharpen: () => false,
  };
};
