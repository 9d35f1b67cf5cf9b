import type { Region } from '../../../kernel/arena.js';
import type { MarginalOracle } from '../../../model/graphical/oracle/oracle.js';
import { adjoint } from '../../../query/adjoint.js';
import { answerFrom } from '../../../query/answer.js';
import type { Target } from '../targets.js';
import type { MarginalLoss } from './loss.js';

/** chi/2 with chi = sum over answers of (total * expected proportion - measured)^2 / variance (Private-PGM, C.1 and C.2). */
export interface SquaredLoss extends MarginalLoss {
  /** Euclidean distance of the expected answers at two lists of marginals, in standard deviations of the noise. */
  distance(a: Float64Array, b: Float64Array): number;
  /** Sum over all answers of values[t][i] * expected[t][i], at these marginals. */
  along(values: AnswerVector, marginals: Region<Float64Array>): number;
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

/** The squared loss of answers for `total` records; `constant` is added to chi. */
export const squaredLoss = (
  oracle: MarginalOracle,
  targets: readonly Target[],
  total: number,
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
  let chi = constant;

  const expect = (marginals: Region<Float64Array>): void => {
    otherParts.forEach(({ offset, cells, query }, part) => {
      shares[part] = answerFrom(query!, domain, marginals.view.subarray(offset, offset + cells));
    });
  };

  return {
    answers,
    total,
    unit: 1 / targets.reduce((sum, { variance, reach }) => sum + (total ** 2 * reach) / variance, 0),
    evaluate(marginals, gradient) {
      expect(marginals);
      chi = constant;
      for (const { offset, cells, weight } of marginalParts) {
        const at = 8 * offset;
        const measured = values.cells.address + at;
        const weighted = kernels.fitSquares(
          marginals.address + at,
          total,
          measured,
          total * weight,
          gradient.address + at,
          cells,
        );
        chi += weighted / total;
      }
      for (const { offset, cells } of unwritten) kernels.clear(gradient.address + 8 * offset, 8 * cells);
      otherParts.forEach(({ offset, query, weight, values: own }, part) => {
        const residual = shares[part].map((share, i) => {
          const difference = total * share - own![i];
          chi += weight * difference ** 2;
          return total * weight * difference;
        });
        const { view } = gradient;
        adjoint(query!, domain, residual).forEach((value, cell) => {
          view[offset + cell] += value;
        });
      });
      return chi / 2;
    },
    along(vector, marginals) {
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
      return total * sum;
    },
    distance(a, b) {
      let sum = 0;
      for (const { offset, cells, weight, query } of parts) {
        const [mine, theirs] = [a, b].map((marginals) => {
          const own = marginals.subarray(offset, offset + cells);
          return query === undefined ? own : answerFrom(query, domain, own);
        });
        let squares = 0;
        for (let i = 0; i < mine.length; i++) squares += (mine[i] - theirs[i]) ** 2;
        sum += weight * squares;
      }
      return total * Math.sqrt(sum);
    },
    get value() {
      return chi / 2;
    },
    get chi() {
      return chi;
    },
    sharpen: () => false,
  };
};
