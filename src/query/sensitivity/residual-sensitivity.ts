import type { Relation } from '../relation.js';

/** A fraction: squared L2 distances of residuals are no integers. */
interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/**
 * Largest squared L2 change of a residual over attributes of these sizes between neighbours, in records: exactly, as a fraction. One record
 * in cell x adds v_x, the Kronecker product of (e - 1/n). |v_x|^2 = prod (1 - 1/n) =: p; <v_x, v_y> is the product of 1 - 1/n where x and
 * y agree and of -1/n where they differ, which is least, -p/(m - 1), where they differ in one attribute of the least size m:
 * - add-remove: D^2 p;
 * - replace-one: 2 D^2 p m/(m - 1).
 * docs/queries.md has the proof, and why noise may be charged for it. 0 where an attribute has one cell: the residual is 0.
 */
export const residualSensitivity = (
  sizes: readonly number[],
  relation: Relation,
  maxRecords: number,
): Fraction | undefined => {
  const least = BigInt(Math.min(...sizes));
  if (least === 1n) return undefined;
  const records = BigInt(maxRecords) ** 2n;
  const numerator = sizes.reduce((product, size) => product * BigInt(size - 1), records);
  const denominator = sizes.reduce((product, size) => product * BigInt(size), 1n);
  return relation === 'add-remove'
    ? { numerator, denominator }
    : { numerator: 2n * numerator * least, denominator: denominator * (least - 1n) };
};
