import type { Domain } from '../../domain/domain.js';
import type { Running } from '../../domain/running.js';
import { climbToRecord, type Wish } from '../../estimate/dual-query/best-record.js';
import { type BinaryQueries, binaryQueries } from '../../estimate/dual-query/binary-queries.js';
import type { DualQueryGame, DualQueryRound } from '../../estimate/dual-query/game.js';
import { solveRecord } from '../../estimate/dual-query/record-programme.js';
import type { Measurement } from '../../privacy/measurement.js';
import type { Session, Share } from '../../privacy/session/session.js';
import type { Query } from '../../query/query.js';
import type { Workload } from '../../query/workload/workload.js';
import type { Random } from '../../random/random.js';
import { uniformInteger } from '../../random/uniform.js';
import {
  checkParameters,
  type DualQueryParameters,
  type GivenParameters,
  powerOf,
  resolveParameters,
  sumOfPowers,
} from './parameters.js';

/** How the record of a round is found: an integer programme under a time limit, or coordinate ascent from several starts. */
export type RecordSearch = 'coordinate' | 'programme';

/** DualQuery's rounds. Of `rounds`, `samples` and `eta` two may be given at most: the budget gives the third. */
export interface DualQueryPlayOptions extends Running, GivenParameters {
  /** What is drawn from: queries each of whose answers counts records. Weights do not enter. */
  readonly workload: Workload;
  /** For the first round and for the search of records: post-processing, so any generator will do. */
  readonly random: Random;
  /** `coordinate` by default. */
  readonly search?: RecordSearch | undefined;
  /** Starts of coordinate ascent, 10 by default. */
  readonly restarts?: number | undefined;
  /** Seconds for each integer programme, 1 by default. */
  readonly timeLimit?: number | undefined;
  /** The part of what it may spend that goes to the number of records, where that is private; 0.02 by default. */
  readonly totalShare?: Share | undefined;
  /** Share of the session's budget for all of it; all that remains by default. */
  readonly share?: Share | undefined;
}

/** The game that was played, with what was measured for it and how it went. */
export interface DualQueryPlay {
  readonly game: DualQueryGame;
  readonly parameters: DualQueryParameters;
  readonly measurements: readonly Measurement[];
  /** Records that the integer programme did not prove to be the best in time; none where there was no programme. */
  readonly unproved: number;
}

export const defaultTotalShare: Share = 0.02;
export const defaultRestarts = 10;
export const defaultTimeLimit = 1;

/** Signed queries that are drawn uniformly, as in the first round: nothing private is looked at. */
const drawUniformly = (answers: number, samples: number, random: Random): DualQueryRound['drawn'] =>
  Array.from({ length: samples }, () => {
    const outcome = uniformInteger(random, 2 * answers);
    return { answer: Math.floor(outcome / 2), sign: outcome % 2 === 0 ? 1 : -1 };
  });

/** Draws as wishes: equal ones once, opposite ones cancelled. */
const wishesOf = (drawn: DualQueryRound['drawn'], binary: BinaryQueries): Wish[] => {
  const weights = new Map<number, number>();
  for (const { answer, sign } of drawn) weights.set(answer, (weights.get(answer) ?? 0) + sign);
  return Array.from(weights, ([answer, weight]) => ({ weight, conditions: binary.conditionsOf(answer) })).filter(
    ({ weight }) => weight !== 0,
  );
};

/** The record that has most of what was drawn for being too rare and least of what was drawn for being too frequent. */
const recordFinder = (domain: Domain, binary: BinaryQueries, options: DualQueryPlayOptions) => {
  const { search = 'coordinate', restarts = defaultRestarts, timeLimit = defaultTimeLimit, random } = options;
  let unproved = 0;
  return {
    unproved: () => unproved,
    find: async (drawn: DualQueryRound['drawn']): Promise<number[]> => {
      const wishes = wishesOf(drawn, binary);
      const { record } = climbToRecord(domain, wishes, restarts, random);
      if (search === 'coordinate') return record;
      const solved = await solveRecord(domain, wishes, record, timeLimit, random);
      if (!solved.proved) unproved++;
      return solved.record;
    },
  };
};

/** n times the log-odds of a single draw that costs the whole share, to the power of its cost: what all draws divide among them. */
export const capacityOf = (
  door: Pick<Session, 'previewDraws' | 'budget'>,
  queries: readonly Query[],
  whole: Share,
  total: number,
): number => (total * door.previewDraws(queries, whole, { draws: 1 })) ** powerOf(door.budget.currency);

/**
 * DualQuery (Gaboardi et al. 2014; Private-PGM, Algorithm 4). Every round draws queries, with a sign, that the records so far answer
 * badly, with chances proportional to exp(eta sum over earlier records x of sign (y - q(x))), and finds one record for them. Round t
 * is s draws of the exponential mechanism on sign (answers - mean answers of t - 1 records, in n records), with epsilon
 * 2 eta (t - 1) D / n: shares of the budget in proportion to (t - 1)^2 in zCDP and to t - 1 for a pure budget make eta one for all rounds.
 */
export const playDualQuery = async (session: Session, options: DualQueryPlayOptions): Promise<DualQueryPlay> => {
  const { domain, budget } = session;
  const { totalShare = defaultTotalShare, random } = options;
  checkParameters(options);
  const binary = binaryQueries(
    domain,
    options.workload.queries.map(({ query }) => query),
  );
  const end = session.remaining - Math.min(options.share ?? session.remaining, session.remaining);
  const counted = await session.total(totalShare * (session.remaining - end));
  const total = Math.max(1, counted.values[0]);
  const whole = session.remaining - end;
  const power = powerOf(budget.currency);
  const parameters = resolveParameters(options, capacityOf(session, binary.queries, whole, total), power);
  const { rounds, samples } = parameters;
  const finder = recordFinder(domain, binary, options);
  const sums = new Float64Array(binary.answers);
  const played: DualQueryRound[] = [];
  for (let past = 0; past < rounds; past++) {
    options.signal?.throwIfAborted();
    let drawn = drawUniformly(binary.answers, past === 0 ? samples : 0, random);
    let perRecord = 0;
    if (past > 0) {
      const candidates = binary.queries.map((query, i) => ({
        query,
        reference: sums.subarray(binary.starts[i], binary.starts[i + 1]),
        scale: total / past,
      }));
      const share = (whole * past ** power) / sumOfPowers(rounds - 1, power);
      const draws = await session.drawCells(candidates, Math.min(share, session.remaining - end), { draws: samples });
      drawn = draws.drawn.map(({ candidate, cell, sign }) => ({ answer: binary.starts[candidate] + cell, sign }));
      perRecord = draws.perRecord;
    }
    const record = await finder.find(drawn);
    for (const answer of binary.answersOf(record)) sums[answer]++;
    played.push({ drawn, perRecord, record });
    options.onProgress?.({ stage: 'rounds', done: past + 1, total: rounds });
  }
  const game = { queries: binary.queries, total, rounds: played };
  return { game, parameters, measurements: [counted], unproved: finder.unproved() };
};
