import type { Domain } from '../../domain/domain.js';
import { kindOf } from '../block/block-kinds.js';
import type { BlockProfile } from '../block/block-profile.js';
import { type ColumnPair, coarsen, distance, product, unbeaten } from '../block/column-pair.js';
import { factorsOf } from '../factors.js';
import type { Query } from '../query.js';
import { larger } from './larger.js';

/** Three sizes of a change of answers: L1, squared L2, and the largest single change. */
export interface Size {
  readonly l1: bigint;
  readonly l2Squared: bigint;
  readonly lInf: bigint;
}

/** How far one row reaches in the answers of a query. */
export interface Reach {
  /** Largest sizes of a column of the query's matrix: a row appears. */
  readonly column: Size;
  /** Largest sizes of a difference of two columns: a row becomes another. */
  readonly pair: Size;
  /** Whether two columns attain `pair`; otherwise it holds upper bounds. `column` is always attained. */
  readonly exact: boolean;
}

/** At most this many products of pairs are formed exactly; beyond, each side is reduced to `coarse`^2 pairs that bound it. */
const maxProducts = 200_000;
const coarse = 20;

const farthest = (lists: readonly (readonly ColumnPair[])[]): { distance: bigint; exact: boolean } => {
  let exact = true;
  let front: readonly ColumnPair[] = [{ u: 1n, v: 1n, both: 1n }];
  for (const list of lists) {
    let pairs = list;
    if (front.length * pairs.length > maxProducts) {
      exact = false;
      if (front.length > coarse * coarse) front = coarsen(front, BigInt(coarse));
      if (pairs.length > coarse * coarse) pairs = coarsen(pairs, BigInt(coarse));
    }
    front = unbeaten(front.flatMap((p) => pairs.map((q) => product(p, q))));
  }
  return { distance: front.reduce((most, p) => larger(most, distance(p)), 0n), exact };
};

const timesAll = (profiles: readonly BlockProfile[], norm: (profile: BlockProfile) => bigint): bigint =>
  profiles.reduce((total, profile) => total * norm(profile), 1n);

/** Column and pair sizes of a query; the cost does not depend on its answers, only on its factors and their ranges. */
export const reachOf = (query: Query, domain: Domain): Reach => {
  const factors = factorsOf(query, domain);
  if (query.kind === 'marginal') {
    // Every column is a unit vector; two differ in two places, unless there is only one cell.
    const apart = factors.some(({ size }) => size > 1);
    return {
      column: { l1: 1n, l2Squared: 1n, lInf: 1n },
      pair: apart ? { l1: 2n, l2Squared: 2n, lInf: 1n } : { l1: 0n, l2Squared: 0n, lInf: 0n },
      exact: true,
    };
  }
  const profiles = factors.map(({ block, size }) => kindOf(block).profile(block, size));
  const l1 = farthest(profiles.map(({ pairsL1 }) => pairsL1));
  const l2Squared = farthest(profiles.map(({ pairsL2 }) => pairsL2));
  const high = timesAll(profiles, (profile) => profile.high);
  return {
    column: {
      l1: timesAll(profiles, (profile) => profile.l1),
      l2Squared: timesAll(profiles, (profile) => profile.l2Squared),
      lInf: high,
    },
    pair: {
      l1: l1.distance,
      l2Squared: l2Squared.distance,
      lInf: high - timesAll(profiles, (profile) => profile.low),
    },
    exact: l1.exact && l2Squared.exact && profiles.every((profile) => profile.exact),
  };
};
