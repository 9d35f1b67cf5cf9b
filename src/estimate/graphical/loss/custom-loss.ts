import { sizesOf } from '../../../domain/domain.js';
import type { MarginalOracle } from '../../../model/graphical/oracle/oracle.js';
import { reordered } from '../../../model/graphical/reordered.js';
import { cliqueKey } from '../targets.js';
import type { MarginalLoss } from './loss.js';

/**
 * A convex loss of marginals with its gradient, such as the negative log-likelihood of a mechanism whose output is no noisy count
 * (Private-PGM, section 4 and C.3).
 */
export interface CustomLoss {
  /** Attributes of each marginal that the loss looks at; a set once only. */
  readonly cliques: readonly (readonly string[])[];
  /**
   * A bound K on its curvature: the gradient changes by at most K times the change of records' probabilities (in L1). Where it is unknown, a
   * step of a thousandth is tried first, which may be far too long for a steep loss.
   */
  readonly curvature?: number | undefined;
  /** The loss of the marginals, given as proportions, each row-major in the order of its clique's attributes. */
  value(marginals: readonly Float64Array[]): number;
  /** Its derivative by each proportion, in the same shapes. */
  gradient(marginals: readonly Float64Array[]): readonly Float64Array[];
}

/** Lets a loss of the user's own see the marginals of an oracle. Copies them, in the order of attributes that the user has. */
export const customLoss = (oracle: MarginalOracle, loss: CustomLoss, total: number): MarginalLoss => {
  const { domain } = oracle.tree;
  const places = loss.cliques.map((clique) => {
    const factor = oracle.factors.find(({ attributes }) => cliqueKey(attributes) === cliqueKey(clique))!;
    return { ...factor, clique, sizes: sizesOf(domain, factor.attributes), own: sizesOf(domain, clique) };
  });
  let value = 0;
  return {
    answers: 0,
    total,
    chi: 0,
    // A first step, which grows or shrinks by trying.
    unit: loss.curvature === undefined ? 1e-3 : 1 / loss.curvature,
    varies: true,
    evaluate(marginals, gradient) {
      const own = places.map(({ offset, cells, attributes, sizes, clique }) =>
        reordered(marginals.view.subarray(offset, offset + cells), attributes, sizes, clique),
      );
      value = loss.value(own);
      const slopes = loss.gradient(own);
      const { view } = gradient;
      places.forEach(({ offset, attributes, clique, own: sizes }, i) => {
        view.set(reordered(slopes[i], clique, sizes, attributes), offset);
      });
      return value;
    },
    get value() {
      return value;
    },
    sharpen: () => false,
  };
};
