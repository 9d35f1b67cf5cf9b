import type { MarginalOracle } from '../../../model/graphical/oracle/oracle.js';
import type { Target } from '../targets.js';
import type { Vector } from './vectors.js';

/** Cells of more records than so many standard deviations of their noise are moved alike, whatever their share. */
const clear = 300;

/**
 * Where steps of mirror descent are made longer in cells of small shares: for each cell of the oracle's vectors the share k below which they are not, Infinity where
 * nothing is measured cell by cell.
 *
 * A step moves the potential of a cell by its gradient, and its share m by m times that, so that a cell of a thousandth comes to its place a thousand times later
 * than a large one; on nearly deterministic tables that is what steps are spent on. Divided by (m + k)/(1 + k), cells of all shares well above k come at one pace. No step
 * gets too long by it: the shares of a clique have the covariance diag(m) - m m', which is at most diag(m), and m (1 + k)/(m + k) <= 1, so the curvature in the new
 * units is within the bound that `unit` of a loss has from the old ones.
 */
export const evenShares = (oracle: MarginalOracle, targets: readonly Target[], total: number): Float64Array => {
  const shares = new Float64Array(oracle.length).fill(Number.POSITIVE_INFINITY);
  for (const { clique, query, variance } of targets) {
    if (query !== undefined) continue;
    const { offset, cells } = oracle.factors[clique];
    shares.fill((clear * Math.sqrt(variance)) / total, offset, offset + cells);
  }
  return shares;
};

/** Overwrites `potentials` with a step against the gradient from there, longer in cells of small shares. */
export const stepEvenly = (
  step: number,
  { gradient, marginals }: { readonly gradient: Vector; readonly marginals: Vector },
  even: Float64Array,
  potentials: Vector,
): void => {
  const [slopes, shares, moved] = [gradient.view, marginals.view, potentials.view];
  for (let cell = 0; cell < even.length; cell++) {
    const k = even[cell];
    const longer = k === Number.POSITIVE_INFINITY ? 1 : (1 + k) / (shares[cell] + k);
    moved[cell] -= step * longer * slopes[cell];
  }
};
