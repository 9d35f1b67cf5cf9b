import { mended } from '../../domain/constraints/mended.js';
import type { Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import type { CodeColumn, Table } from '../../domain/table.js';
import { atOnce, type Turns } from '../../domain/turns.js';
import { findingDistinct } from './distinct-rows.js';

/**
 * Distinct rows with a probability each: the public table as a prior, or what became of it. Plain data; `openWeights` gives
 * it kernels to work with.
 */
export interface Support {
  readonly domain: Domain;
  /** Number of distinct rows. */
  readonly length: number;
  readonly columns: readonly CodeColumn[];
  /** One for each row, non-negative, with sum 1. */
  readonly weights: Float64Array;
  /** Where rows that nobody saw stand behind the public ones: how many public ones there are, and what one public record weighs. */
  readonly seen?: { readonly rows: number; readonly record: number } | undefined;
}

/** The empirical distribution of a public table; rows that break a constraint of its domain are mended as private ones are (`mended`). */
export const supportOf = (table: Table): Support => atOnce(supporting(table));

/** The same in turns. */
export function* supporting(given: Table): Turns<Support> {
  const table = mended(given);
  if (table.length === 0)
    throw new InputError('public table: must have at least one row, got none; without public rows there is no support');
  const { columns, length, counts } = yield* findingDistinct(table);
  return { domain: table.domain, length, columns, weights: counts.map((count) => count / table.length) };
}

/** The same rows with other weights, which are normalised into a new array. */
export const reweighted = (support: Support, weights: ArrayLike<number>): Support => {
  let sum = 0;
  for (let row = 0; row < support.length; row++) sum += weights[row];
  if (!(sum > 0 && sum < Infinity)) throw new InputError(`weights: must have a positive finite sum, got ${sum}`);
  return { ...support, weights: Float64Array.from(support.weights, (_, row) => weights[row] / sum) };
};
