import type { Region } from '../../../kernel/arena.js';
import type { MarginalOracle } from '../../../model/graphical/oracle/oracle.js';
import { type LinearMap, linearMap } from '../../../query/linear-map.js';
import { residualSizes } from '../../../query/residual.js';
import { longerBy, type SharedAxis, type Sharing, shareAlong, sharedAxes } from '../../sharing/sharing.js';
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

/** A target's place in the vectors of the oracle. */
interface Part {
  readonly offset: number;
  readonly cells: number;
  /** Undefined where the answers are the factor's marginal itself. */
  readonly map: LinearMap | undefined;
  readonly weight: number;
  /** The answers to a query. */
  readonly values: Float64Array | undefined;
  /** Along which residuals are shared. */
  readonly axes: readonly SharedAxis[];
}

/** How residuals are shared, by default not at all. */
const kept: Sharing = new Map();

/** Axes of a target whose answers are cells of a table, one for each of its attributes, along which they are shared. */
const axesOf = (oracle: MarginalOracle, { clique, query }: Target, sharing: Sharing): SharedAxis[] => {
  const { domain } = oracle.tree;
  const isTable = query === undefined || residualSizes(query, domain) !== undefined;
  return isTable ? sharedAxes(domain, oracle.factors[clique].attributes, sharing) : [];
};

/**
 * The squared loss of answers for `total` records; `constant` is added to chi. Where residuals r are shared, by a positive definite matrix K, a fit goes down r' K r
 * instead of r' r; chi is that without sharing.
 */
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
  sharing: Sharing = kept,
): SquaredLoss => {
  const { kernels } = oracle.engine;
  const { domain } = oracle.tree;
  const axes = targets.map((target) => axesOf(oracle, target, sharing));
  const parts = targets.map(({ clique, query, variance }, t): Part => {
    const { offset, cells } = oracle.factors[clique];
    return {
      offset,
      cells,
      map: query && linearMap(query, domain),
      weight: 1 / variance,
      values: values.others[t],
      axes: axes[t],
    };
  });
  const marginalParts = parts.filter(({ map }) => map === undefined);
  const queries = queryLoss(
    parts.filter(({ map }) => map !== undefined),
    total,
  );
  /** Where no marginal overwrites the gradient before the queries add theirs. Untouched factors keep their zeros. */
  const unwritten = queries.parts.filter(({ offset }) => !marginalParts.some((part) => part.offset === offset));
  let chi = constant;

  return {
    answers: targets.reduce((sum, target) => sum + target.dimensions, 0),
    total,
    unit:
      1 / targets.reduce((sum, { variance, reach }, t) => sum + (total ** 2 * reach * longerBy(axes[t])) / variance, 0),
    evaluate(marginals, gradient) {
      chi = constant;
      let more = 0;
      for (const { offset, cells, weight, axes } of marginalParts) {
        const at = 8 * offset;
        const [expected, measured] = [marginals.address + at, values.cells.address + at];
        chi += kernels.fitSquares(expected, total, measured, total * weight, gradient.address + at, cells) / total;
        if (axes.length > 0)
          more += shared(gradient.view.subarray(offset, offset + cells), axes) / (total ** 2 * weight);
      }
      for (const { offset, cells } of unwritten) kernels.clear(gradient.address + 8 * offset, 8 * cells);
      const sums = queries.addTo(marginals, gradient);
      chi += sums.chi;
      return (chi + more + sums.more) / 2;
    },
    along(vector, marginals) {
      let sum = 0;
      for (const { offset, cells } of marginalParts)
        sum += kernels.dot(marginals.address + 8 * offset, vector.cells.address + 8 * offset, cells);
      const own = vector.others.filter((each) => each !== undefined);
      for (const [part, shares] of queries.shares(marginals).entries())
        for (let i = 0; i < shares.length; i++) sum += shares[i] * own[part][i];
      return total * sum;
    },
    distance(a, b) {
      let sum = 0;
      for (const part of parts) {
        const [mine, theirs] = [sharesOf(part, a), sharesOf(part, b)];
        let squares = 0;
        for (let i = 0; i < mine.length; i++) squares += (mine[i] - theirs[i]) ** 2;
        sum += part.weight * squares;
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

/** Shares residuals r along axes, and tells r' K r - r' r. */
const shared = (residuals: Float64Array, axes: readonly SharedAxis[]): number => {
  const given = residuals.slice();
  for (const axis of axes) shareAlong(residuals, axis);
  let more = 0;
  for (let i = 0; i < given.length; i++) more += given[i] * (residuals[i] - given[i]);
  return more;
};

/** Expected answers for one record. */
const sharesOf = ({ offset, cells, map }: Part, marginals: Float64Array): Float64Array => {
  const own = marginals.subarray(offset, offset + cells);
  return map === undefined ? own : map.apply(own);
};

/** The part of the loss that comes from queries which are no marginals. */
const queryLoss = (parts: readonly Part[], total: number) => {
  const shares = (marginals: Region<Float64Array>): Float64Array[] =>
    parts.map((part) => sharesOf(part, marginals.view));
  return {
    parts,
    shares,
    /** Adds the derivatives to the gradient; tells the sum of squared residuals, and how much larger it is where they are shared. */
    addTo: (marginals: Region<Float64Array>, gradient: Region<Float64Array>): { chi: number; more: number } => {
      const expected = shares(marginals);
      const { view } = gradient;
      let [chi, more] = [0, 0];
      for (const [part, { offset, map, weight, values, axes }] of parts.entries()) {
        const own = expected[part];
        const residual = new Float64Array(own.length);
        for (let i = 0; i < own.length; i++) {
          const difference = total * own[i] - values![i];
          chi += weight * difference * difference;
          residual[i] = total * weight * difference;
        }
        if (axes.length > 0) more += shared(residual, axes) / (total ** 2 * weight);
        const slope = map!.transpose(residual);
        for (let cell = 0; cell < slope.length; cell++) view[offset + cell] += slope[cell];
      }
      return { chi, more };
    },
  };
};
