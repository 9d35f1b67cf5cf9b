import type { Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import type { Running } from '../../domain/running.js';
import { describeQuery } from '../../query/describe-query.js';
import { marginal } from '../../query/marginal.js';
import type { Query } from '../../query/query.js';
import type { Relation } from '../../query/relation.js';
import type { Sensitivity } from '../../query/sensitivity/sensitivity.js';
import type { Unit } from '../../source/source.js';
import type { Amount } from '../accounting/amount.js';
import type { Charge } from '../accounting/charge.js';
import { laplaceScaleFor, selectionEpsilonFor, sigmaSquaredFor } from '../accounting/noise-for.js';
import { answerLists } from '../answers/answer-lists.js';
import { candidateScores, type ScoreScratch, type Scoring, scoreScratch } from '../answers/candidate-scores.js';
import {
  bestMixtureStatistic,
  type ErrorStatistic,
  largestErrorStatistic,
  unitsPerRecord,
} from '../answers/error-statistics.js';
import type { ExactAnswers } from '../answers/exact-answers.js';
import type { Measurement, Noise, NoisyError } from '../measurement.js';
import type { Primitives } from '../primitives.js';
import { rational, rationalNumber } from '../rational.js';
import type { Account } from './account.js';
import { ownCandidates, ownMarginals, ownMeasureOptions, ownMechanism, ownQueries, ownRows } from './own-input.js';
import type { Candidate, Door, MeasureOptions, SelectionMechanism, Share } from './session.js';
import { amountOf, divide, shareOf } from './share.js';

/** What stands behind a door; none of it can be reached through the door. */
export interface DoorParts {
  readonly domain: Domain;
  readonly relation: Relation;
  readonly unit: Unit;
  readonly account: Account;
  readonly exact: ExactAnswers;
  readonly primitives: Primitives;
  readonly sensitivityOf: (query: Query) => Sensitivity;
  /** Bytes of exact counts held at once. */
  readonly memory: number;
  readonly running: Running;
  /** What selections leave for later ones; where undefined each starts anew. One takes what is there, so that none shares it. */
  readonly scratches?: ScoreScratch[] | undefined;
}

/** How one query will be measured: its charge, or none where neighbours cannot differ in its answers. */
interface Plan {
  readonly query: Query;
  readonly noise: Noise;
  readonly charge: (Charge & { kind: 'gaussian' | 'laplace' }) | undefined;
}

/** The acts of a session or a group: plan, pay, read, add noise. */
export const openDoor = (parts: DoorParts): Door => {
  const { domain, relation, unit, account, exact, primitives, sensitivityOf, running } = parts;
  const lists = answerLists(exact, parts.scratches === undefined ? 0 : parts.memory);

  const planOne = (query: Query, amount: Amount, kind: 'gaussian' | 'laplace'): Plan => {
    const { l1, l2Squared } = sensitivityOf(query);
    if (l1 === 0) return { query, noise: { kind: 'none', scale: 0 }, charge: undefined };
    if (kind === 'gaussian') {
      const sensitivitySquared = rational(l2Squared);
      const sigmaSquared = sigmaSquaredFor(amount, sensitivitySquared);
      const scale = Math.sqrt(rationalNumber(sigmaSquared));
      return { query, noise: { kind, scale }, charge: { kind, sensitivitySquared, sigmaSquared } };
    }
    const sensitivity = rational(l1);
    const scale = laplaceScaleFor(amount, sensitivity, account.currency);
    return { query, noise: { kind, scale: rationalNumber(scale) }, charge: { kind, sensitivity, scale } };
  };

  const plan = (queries: readonly Query[], share: Share, options: MeasureOptions = {}): Plan[] => {
    const own = ownMeasureOptions(options);
    const { noise = account.currency === 'pure' ? 'laplace' : 'gaussian', weights = queries.map(() => 1) } = own;
    if (queries.length === 0) throw new InputError('queries: must be at least one, got none');
    if (weights.length !== queries.length)
      throw new InputError(`weights: must be one for each of ${queries.length} queries, got ${weights.length}`);
    const amounts = divide(amountOf(account.total, share), weights);
    return queries.map((query, index) => planOne(query, amounts[index], noise));
  };

  const addNoise = (answers: Float64Array, { charge }: Plan): Float64Array => {
    if (charge === undefined) return answers.slice();
    return charge.kind === 'gaussian'
      ? primitives.gaussian(answers, charge.sigmaSquared)
      : primitives.laplace(answers, charge.scale);
  };

  const measure = async (given: readonly Query[], share: Share, options?: MeasureOptions): Promise<Measurement[]> => {
    const queries = ownQueries(given);
    const plans = plan(queries, share, options);
    const charges = plans.flatMap(({ charge }) => charge ?? []);
    exact.check(queries);
    const what = queries.length === 1 ? `measure ${describeQuery(queries[0])}` : `measure ${queries.length} queries`;
    return account.pay(what, charges, async () => {
      const measurements: Measurement[] = [];
      await exact.each(queries, (answers, index) => {
        const { query, noise } = plans[index];
        measurements.push({ query, values: addNoise(answers, plans[index]), noise });
        running.onProgress?.({ stage: 'measure', done: index + 1, total: queries.length });
      });
      return measurements;
    });
  };

  const choose = async (
    given: readonly Candidate[],
    share: Share,
    scoring: Scoring,
    by: SelectionMechanism,
  ): Promise<{ candidate: number; cell: number }> => {
    const candidates = ownCandidates(given);
    const mechanism = ownMechanism(by);
    const moves = candidates.map(({ query }) => sensitivityOf(query)[scoring === 'l1' ? 'l1' : 'lInf']);
    exact.check(candidates.map(({ query }) => query));
    const epsilon = selectionEpsilonFor(amountOf(account.total, share), mechanism, account.currency);
    // Taken now and not when it is this selection's turn: references are read before anything is paid for.
    const scratch = parts.scratches?.pop() ?? scoreScratch();
    try {
      const { sensitivity, starts, read } = candidateScores(candidates, moves, scoring, domain, {
        scratch,
        // Permute-and-flip needs every score.
        epsilon: mechanism === 'exponential' ? rationalNumber(epsilon) : undefined,
      });
      return await account.pay(
        `select among ${starts[candidates.length]}`,
        [{ kind: mechanism, epsilon }],
        async () => {
          const winner = primitives.choose(mechanism, await read(lists), sensitivity, epsilon);
          let candidate = 0;
          while (starts[candidate + 1] <= winner) candidate++;
          return { candidate, cell: winner - starts[candidate] };
        },
      );
    } finally {
      if (parts.scratches?.length === 0) parts.scratches.push(scratch);
    }
  };

  const measureError = async (
    what: string,
    share: Share,
    { sensitivity, read }: ErrorStatistic,
  ): Promise<NoisyError> => {
    const moved = rational(sensitivity);
    const scale = laplaceScaleFor(amountOf(account.total, share), moved, account.currency);
    return account.pay(what, [{ kind: 'laplace', sensitivity: moved, scale }], async () => {
      const [noisy] = primitives.laplace(Float64Array.of(await read(exact)), scale);
      const noise: Noise = { kind: 'laplace', scale: rationalNumber(scale) / unitsPerRecord };
      return { value: noisy / unitsPerRecord, noise };
    });
  };

  return {
    domain,
    relation,
    unit,
    get remaining() {
      return shareOf(account.total, account.remaining());
    },
    total: async (share) => (await measure([marginal()], share))[0],
    measure,
    preview: (queries, share, options) => plan(ownQueries(queries), share, options).map(({ noise }) => noise),
    select: async (candidates, share, { distance = 'l1', mechanism = 'exponential' } = {}) => {
      if (distance !== 'l1' && distance !== 'largest')
        throw new InputError(`distance: must be l1 or largest, got ${JSON.stringify(distance)}`);
      return (await choose(candidates, share, distance, mechanism)).candidate;
    },
    selectCell: (candidates, share, { mechanism = 'exponential' } = {}) =>
      choose(candidates, share, 'cells', mechanism),
    largestError: async (given, share) => {
      const candidates = ownCandidates(given);
      const queries = candidates.map(({ query }) => query);
      exact.check(queries);
      const moves = queries.map((query) => sensitivityOf(query).lInf);
      return measureError('measure a largest error', share, largestErrorStatistic(candidates, moves, domain));
    },
    bestMixtureError: async (rows, given, total, share) => {
      const marginals = ownMarginals(given);
      exact.check(marginals);
      const moves = marginals.map((query) => sensitivityOf(query).lInf);
      return measureError(
        'measure a best mixture error',
        share,
        bestMixtureStatistic(ownRows(rows), marginals, total, moves),
      );
    },
  };
};
