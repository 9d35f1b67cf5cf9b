import { InputError } from '../../domain/input-error.js';
import { heldRows } from '../../model/support/joint-rows.js';
import type { Support } from '../../model/support/support.js';
import { attributesOf } from '../../query/answer.js';
import type { Query } from '../../query/query.js';

/** How a public support is widened by rows that no public record is. */
export interface Widening {
  /** Part of the prior's weight that drawn rows have, from 0 to below 1: (1 - lambda) public rows + lambda rows of a model of them. */
  readonly lambda: number;
  /** Rows drawn, both before and after a first fit. */
  readonly rows: number;
  /** Cells that a clique of the model has at most; as many as the public table has records, if that is less. */
  readonly cliqueCells: number;
  /** Records that the public support was counted from. */
  readonly records: number;
}

/**
 * Rows drawn at most, unless told. However few the public records are: what rows a fit has to choose from bounds how closely it follows answers that say more than these records do.
 */
export const defaultDraws = 100_000;
/** As many as may be drawn beside any public rows; beyond it, as many as make `draws` with them: a large public table says most of it itself. */
const drawsBesideMany = 30_000;
/** The part of them that is drawn before a first fit; the others follow where that fit goes. */
export const drawnFirst = 2 / 3;

/** Drawn rows in marginals at most: what bounds the time of a fit with many marginals. */
const mostWork = 48e6;

/** As many of `draws` rows as time and kernel memory have room for beside a support that is fitted to these queries. */
export const drawsBeside = (prior: Support, queries: readonly Query[], draws: number): number => {
  const room = heldRows(prior.domain, queries.map(attributesOf)) - prior.length;
  const wanted = Math.min(draws, Math.max(drawsBesideMany, draws - prior.length));
  return Math.max(0, Math.floor(Math.min(wanted, mostWork / queries.length, room / 2)));
};

/** What `lambda` may be set to: `auto` leaves it to the public table, a number fixes it, and 0 keeps to the public rows. */
export const lambdaOf = (setting: string): number | undefined => {
  if (setting === 'auto') return undefined;
  const lambda = setting.trim() === '' ? Number.NaN : Number(setting);
  if (!(lambda >= 0 && lambda < 1))
    throw new InputError(`lambda: must be auto, or a number from 0 to below 1, got ${JSON.stringify(setting)}`);
  return lambda;
};

/** How many records a support was counted from, as far as it tells: the row of least weight counts as one unless it says otherwise. */
export const recordsBehind = ({ weights, length, seen }: Support): number => {
  if (seen !== undefined) return Math.round(1 / seen.record);
  const least = weights.reduce((min, weight) => (weight > 0 && weight < min ? weight : min), 1);
  return Math.max(length, Math.min(1_000_000, Math.round(1 / least)));
};
