import { InputError } from '../../domain/input-error.js';
import {
  type BestMixtureOptions,
  bestMixture,
  type MixtureError,
} from '../../estimate/multiplicative-weights/best-mixture.js';
import type { Support } from '../../model/support/support.js';
import { supportModel } from '../../model/support/support-model.js';
import type { Session, Share } from '../../privacy/session/session.js';
import type { Workload } from '../../query/workload/workload.js';
import { marginalsOf } from '../marginals-of.js';
import { type CheckPublicOptions, checkPublic, type PublicCheck } from './check-public.js';

/** The public table to take, and what was found out about each. */
export interface ChosenPublic<Found> {
  /** Position in the list of tables. */
  readonly choice: number;
  readonly found: readonly Found[];
}

const leastOf = (errors: readonly number[]): number => errors.indexOf(Math.min(...errors));

const some = (tables: readonly Support[]): void => {
  if (tables.length === 0) throw new InputError('public tables: need at least one to choose from, got none');
};

/**
 * Chooses among public tables by a public validation table that resembles the private one, such as an earlier year of it
 * (PMW-Pub, B.1.5): the one whose rows can be weighted to answer the validation table's workload best. Costs no privacy.
 */
export const chooseByValidation = async (
  tables: readonly Support[],
  validation: Support,
  workload: Workload,
  options: Omit<BestMixtureOptions, 'plan'>,
): Promise<ChosenPublic<MixtureError>> => {
  some(tables);
  const marginals = marginalsOf(workload);
  const truth = supportModel(validation, 1);
  const answers = marginals.map((query) => truth.answer(query));
  const found: MixtureError[] = [];
  for (const table of tables) found.push(await bestMixture(table, marginals, answers, options));
  return { choice: leastOf(found.map(({ error }) => error)), found };
};

/** Chooses among public tables by paying for a check of each, `share` of the session's budget for all of them together. */
export const chooseByBudget = async (
  session: Session,
  tables: readonly Support[],
  workload: Workload,
  options: Omit<CheckPublicOptions, 'plan'>,
): Promise<ChosenPublic<PublicCheck>> => {
  some(tables);
  const share: Share = options.share / tables.length;
  const releaseShare = options.releaseShare ?? session.remaining - options.share;
  const found: PublicCheck[] = [];
  for (const table of tables)
    found.push(await checkPublic(session, table, workload, { ...options, share, releaseShare }));
  return { choice: leastOf(found.map(({ mixture }) => mixture.value)), found };
};
