import { InputError } from '../../domain/input-error.js';
import { bytesText } from '../../domain/limits.js';
import { inTurns } from '../../domain/turns.js';
import type { GraphicalOptions } from '../../estimate/graphical/estimate.js';
import type { Measurement } from '../../privacy/measurement.js';
import type { Session, Share } from '../../privacy/session/session.js';
import { attributesOf } from '../../query/answer.js';
import { type Marginal, marginal } from '../../query/marginal.js';
import type { Workload } from '../../query/workload/workload.js';
import type { Random } from '../../random/random.js';
import type { Released } from '../released.js';
import { defaultTotalShare } from '../rounds/private-multiplicative-weights.js';
import { type Holder, holders, largestCells } from './hold-marginals.js';

/** How MWEM by marginals keeps its distribution, and for how many rounds. */
export interface MwemByMarginalsOptions extends Omit<GraphicalOptions, 'total' | 'prior' | 'start'> {
  readonly random: Random;
  /** A graphical model (default), or multiplicative weights in factored form. */
  readonly estimator?: 'pgm' | 'factored' | undefined;
  /** Number of rounds T; by default as many as there are attributes, and no more than there are marginals to measure. */
  readonly rounds?: number | undefined;
  /** Bytes that the model's tables may take; 80 MB by default. Marginals that would need more are not chosen. */
  readonly modelBytes?: number | undefined;
  /** Updates by each measurement in every round, in factored form; 100 by default. */
  readonly passes?: number | undefined;
  /** Share of the session's budget for the number of records, where that is private; 0.02 by default. */
  readonly totalShare?: Share | undefined;
}

export const marginalRoundsDefaults = { modelBytes: 80e6, passes: 100 };

/** The marginals that the rounds choose from, one for each set of attributes that the workload asks about, with the largest weight of those that ask. */
export const marginalsAsked = ({ queries }: Workload): { query: Marginal; weight: number }[] => {
  const found = new Map<string, { query: Marginal; weight: number }>();
  for (const { query, weight } of queries) {
    const attributes = attributesOf(query);
    const key = JSON.stringify([...attributes].sort());
    const known = found.get(key);
    if (attributes.length > 0)
      found.set(key, {
        query: known?.query ?? marginal(...attributes),
        weight: Math.max(weight, known?.weight ?? 0),
      });
  }
  if (found.size === 0) throw new InputError('workload: must name an attribute for mwem, got the total alone');
  return [...found.values()];
};

/** Rounds where nobody says: as many as attributes, and no more than marginals. */
export const defaultMarginalRounds = (attributes: number, marginals: number): number => Math.min(attributes, marginals);

/**
 * MWEM by marginals (Private-PGM, section 4): each round selects, by the exponential mechanism, the marginal of the workload that the model
 * answers worst, measures it, and takes it in: by multiplicative weights in factored form, or by a graphical model fitted to all that was
 * measured so far. Private because all it does to the table are 2 T + 1 acts of the session.
 *
 * @example
 * ```ts
 * const { model } = await mwemByMarginals(session, workload, { random: seeded(1) });
 * ```
 */
export const mwemByMarginals = async (
  session: Session,
  workload: Workload,
  options: MwemByMarginalsOptions,
): Promise<Released> => {
  const { domain } = session;
  const { estimator = 'pgm', totalShare = defaultTotalShare, onProgress, signal, ...fitting } = options;
  const { modelBytes = marginalRoundsDefaults.modelBytes, passes = marginalRoundsDefaults.passes } = options;
  const candidates = marginalsAsked(workload);
  const rounds = options.rounds ?? defaultMarginalRounds(domain.attributes.length, candidates.length);
  if (!(Number.isSafeInteger(rounds) && rounds >= 1))
    throw new InputError(`rounds: must be a positive whole number, got ${rounds}`);
  const hold = (total: number, how: Pick<GraphicalOptions, 'until' | 'sharing'> = {}): Holder =>
    holders[estimator](domain, { ...fitting, ...how, signal, total, modelBytes, passes });
  const within = (holder: Holder) => holder.open(candidates, ({ query }) => query.attributes);
  // What one marginal needs is the same whatever the number of records.
  if (within(hold(1)).length === 0)
    throw new InputError(
      `workload: a marginal must fit in ${bytesText(modelBytes)}, got none that does, the largest of ${largestCells(
        domain,
        candidates.map(({ query }) => query.attributes),
      )} cells; ask for smaller ones, or allow a larger model`,
    );

  const counted = await session.total(totalShare);
  const total = Math.max(1, counted.values[0]);
  const holder = hold(total);
  const share = session.remaining / (2 * rounds);
  const measurements: Measurement[] = [];
  let model = await holder.include([]);
  for (let round = 0; round < rounds; round++) {
    signal?.throwIfAborted();
    const open = within(holder);
    const answers = await inTurns(model.answering(open.map(({ query }) => query.attributes)), { signal });
    const index = await session.select(
      open.map(({ query, weight }, i) => ({ query, weight, reference: answers[i] })),
      share,
    );
    measurements.push(...(await session.measure([open[index].query], share)));
    model = await holder.include(measurements);
    onProgress?.({ stage: 'rounds', done: round + 1, total: rounds });
  }
  const { model: last, notes, again } = await holder.finish(measurements);
  return {
    model: last,
    measurements: [counted, ...measurements],
    notes: {
      estimator,
      rounds,
      selected: measurements.map(({ query }) => attributesOf(query)),
      leftOut: candidates.length - within(holder).length,
      total,
      ...notes,
    },
    refit: async ([records, ...others]) => (await hold(Math.max(1, records.values[0]), again).finish(others)).model,
  };
};
