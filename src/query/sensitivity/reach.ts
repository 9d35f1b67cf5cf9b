import type { Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { kindOf } from '../block/block-kinds.js';
import type { BlockProfile } from '../block/block-profile.js';
import { type ColumnPair, coarsen, distance, product, unbeaten } from '../block/column-pair.js';
import { kronecker, matrixOf } from '../block/matrix-of.js';
import { matrixProfile } from '../block/matrix-profile.js';
import { type Span, spanHull, spanProduct, widestSpans } from '../block/span.js';
import { type Factor, factorsOf } from '../factors.js';
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

/** Products of general blocks are written out for the L1 distance of their columns up to this many entries times columns. */
const maxWritten = 2 ** 24;

/**
 * The largest distance of two columns of a product. It is linear in the triple (u, v, both) of one factor while the others stay, with
 * coefficients that are not negative for u and v. Where that of -both is not negative either, unbeaten pairs are enough; where it is
 * negative, which takes a factor whose columns have a negative inner product, one pair beats all: the largest column twice.
 */
const farthest = (
  lists: readonly (readonly ColumnPair[])[],
  norms: readonly bigint[],
): { distance: bigint; exact: boolean } => {
  const signed = lists.some((list) => list.some(({ both }) => both < 0n));
  const twice = (norm: bigint): ColumnPair[] => (signed ? [{ u: norm, v: norm, both: norm }] : []);
  let exact = true;
  let norm = 1n;
  let front: readonly ColumnPair[] = [{ u: 1n, v: 1n, both: 1n }];
  lists.forEach((list, index) => {
    let pairs: readonly ColumnPair[] = [...list, ...twice(norms[index])];
    if (front.length * pairs.length > maxProducts) {
      exact = false;
      if (front.length > coarse * coarse) front = [...coarsen(front, BigInt(coarse)), ...twice(norm)];
      if (pairs.length > coarse * coarse) pairs = [...coarsen(pairs, BigInt(coarse)), ...twice(norms[index])];
    }
    norm *= norms[index];
    front = [...unbeaten(front.flatMap((p) => pairs.map((q) => product(p, q)))), ...twice(norm)];
  });
  return { distance: front.reduce((most, p) => larger(most, distance(p)), 0n), exact };
};

/** The widest span of a row of a product. */
const widest = (lists: readonly (readonly Span[])[]): { span: bigint; most: bigint; exact: boolean } => {
  let exact = true;
  let front: readonly Span[] = [{ low: 1n, high: 1n }];
  for (const list of lists) {
    let spans = list;
    if (front.length * spans.length > maxProducts) {
      exact = false;
      [front, spans] = [[spanHull(front)], [spanHull(spans)]];
    }
    front = widestSpans(front.flatMap((p) => spans.map((q) => spanProduct(p, q))));
  }
  return {
    span: front.reduce((most, { low, high }) => larger(most, high - low), 0n),
    most: front.reduce((most, { low, high }) => larger(most, larger(high, -low)), 0n),
    exact,
  };
};

const timesAll = (profiles: readonly BlockProfile[], norm: (profile: BlockProfile) => bigint): bigint =>
  profiles.reduce((total, profile) => total * norm(profile), 1n);

/** The L1 side of the profiles: what general blocks share multiplies only to a bound, so several are made one where that is cheap. */
const inL1 = (
  factors: readonly Factor[],
  profiles: readonly BlockProfile[],
): Pick<Reach, 'exact'> & { distance: bigint } => {
  const lists = profiles.map(({ pairsL1 }) => pairsL1);
  const norms = profiles.map(({ l1 }) => l1);
  const general = profiles.flatMap(({ multiplies }, index) => (multiplies ? [] : [index]));
  if (general.length < 2) return farthest(lists, norms);
  const columns = general.reduce((product, index) => product * factors[index].size, 1);
  const rows = general.reduce((product, index) => product * factors[index].rows, 1);
  if (columns * columns * rows > maxWritten) return { ...farthest(lists, norms), exact: false };
  const whole = matrixProfile(
    general.map((index) => matrixOf(factors[index].block, factors[index].size)).reduce(kronecker),
    columns,
  );
  const others = <T>(list: readonly T[]): T[] => list.filter((_, index) => !general.includes(index));
  const found = farthest([whole.pairsL1, ...others(lists)], [whole.l1, ...others(norms)]);
  return { distance: found.distance, exact: found.exact && whole.exact };
};

/** Column and pair sizes of a query; the cost does not depend on its answers, only on its factors and their columns. */
export const reachOf = (query: Query, domain: Domain): Reach => {
  const factors = factorsOf(query, domain);
  if (factors.some(({ block }) => block.kind === 'centre'))
    throw new InputError(
      'query: a residual (centre blocks) can be measured with Gaussian noise and nothing else, got another act; ask for the marginal instead',
    );
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
  const l1 = inL1(factors, profiles);
  const l2Squared = farthest(
    profiles.map(({ pairsL2 }) => pairsL2),
    profiles.map((profile) => profile.l2Squared),
  );
  const entries = widest(profiles.map(({ spans }) => spans));
  return {
    column: {
      l1: timesAll(profiles, (profile) => profile.l1),
      l2Squared: timesAll(profiles, (profile) => profile.l2Squared),
      lInf: entries.most,
    },
    pair: { l1: l1.distance, l2Squared: l2Squared.distance, lInf: entries.span },
    exact: l1.exact && l2Squared.exact && entries.exact && profiles.every((profile) => profile.exact),
  };
};
