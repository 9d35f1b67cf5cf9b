import { InputError } from '../../domain/input-error.js';
import {
  type BestMixtureOptions,
  bestMixture,
  type MixtureError,
} from '../../estimate/multiplicative-weights/best-mixture.js';
import type { Support } from '../../model/support/support.js';
import { supportModel } from '../../model/support/support-model.js';
import type { Measurement } from '../../privacy/measurement.js';
import type { Session } from '../../privacy/session/session.js';
import type { Workload } from '../../query/workload/workload.js';
import { marginalsOf } from '../marginals-of.js';
import { type MeasureMixtureOptions, measureMixture, mixtureKind, type PaidMixture } from './measure-mixture.js';

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

/** What was found out about one of several public tables, for a price. */
export interface PaidPublics extends ChosenPublic<PaidMixture> {
  /** Number of private records: noisy, or public. */
  readonly total: Measurement;
}

/** The part of what choosing may spend that goes to the number of records, where that is private. */
const totalPart = 0.1;

/**
 * Chooses among public tables by the best mixture error of each (PMW-Pub, section 3.1 and B.1.5), `share` of the session's budget for
 * all of them together. All errors are measured in the same way, so that they can be compared: where one table is too large for its
 * best mixture error itself, each gets the error of a weighting found in rounds.
 */
export const chooseByBudget = async (
  session: Session,
  tables: readonly Support[],
  workload: Workload,
  options: Omit<MeasureMixtureOptions, 'plan' | 'total' | 'kind'>,
): Promise<PaidPublics> => {
  some(tables);
  const { share } = options;
  if (!(share > 0 && share < session.remaining))
    throw new InputError(`share: choosing must leave something for the release, got ${share}`);
  const marginals = marginalsOf(workload);
  const kind = tables.every((table) => mixtureKind(table, marginals) === 'exact') ? 'exact' : 'upper bound';
  const total = await session.total(share * totalPart);
  const left = total.noise.kind === 'none' ? share : share * (1 - totalPart);
  const each = { ...options, kind, total: Math.max(1, total.values[0]), share: left / tables.length } as const;
  const found: PaidMixture[] = [];
  for (const table of tables) found.push(await measureMixture(session, table, workload, each));
  return { choice: leastOf(found.map(({ mixture }) => mixture.value)), found, total };
};
