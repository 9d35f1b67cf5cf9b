import { cellsOf, type Domain, sizesOf } from '../domain/domain.js';
import { cellWalk, stridesIn, sumInto } from './graphical/cell-walk.js';

/** Counts of the attributes `to` from those of `from`, which holds them all: others are summed out, the order is that of `to`. */
export const sumTo = (
  counts: Float64Array,
  domain: Domain,
  from: readonly string[],
  to: readonly string[],
): Float64Array => {
  const sums = new Float64Array(cellsOf(domain, to));
  sumInto(cellWalk(sizesOf(domain, from), stridesIn(from, to, sizesOf(domain, to))), counts, sums);
  return sums;
};
