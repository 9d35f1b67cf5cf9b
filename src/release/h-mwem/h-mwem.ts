import { codesAt } from '../../domain/cell-index.js';
import { cellsOf, type Domain, sizesOf } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import type { Running } from '../../domain/running.js';
import { type HouseholdWeights, householdWeights, unitOf } from '../../estimate/household-weights/household-weights.js';
import { type MeasuredAnswer, updateHouseholds } from '../../estimate/household-weights/update-households.js';
import type { HouseholdSupport } from '../../model/households/household-support.js';
import { householdSupportModel } from '../../model/households/household-support-model.js';
import {
  checkWeightedHouseholds,
  openWeightedHouseholds,
  type WeightedHouseholds,
} from '../../model/households/weighted-households.js';
import type { HouseholdModel } from '../../model/model.js';
import type { Threads } from '../../model/support/weighted-rows.js';
import type { Measurement, Noise } from '../../privacy/measurement.js';
import type { Session, Share } from '../../privacy/session/session.js';
import { type Counted, holding, holdingCell } from '../../query/holding.js';
import type { Query } from '../../query/query.js';
import type { Workload } from '../../query/workload/workload.js';
import type { Random } from '../../random/random.js';
import { countedQueries } from '../counted-queries.js';
import type { Released } from '../released.js';
import { allHouseholds, checkListed, householdNumbers } from './all-households.js';
import { hMwemDefaults } from './settings.js';

/** How many rounds hierarchical MWEM takes, and what each does. */
export interface HMwemOptions extends Threads, Running {
  /** Orders the updates: post-processing, so any generator will do. */
  readonly random: Random;
  /** Number of rounds T; by default from the noisy number of households, the budget and the workload (`defaultRounds`). */
  readonly rounds?: number | undefined;
  /** T_max, the most updates in a round; 100 by default. */
  readonly maxUpdates?: number | undefined;
  /** How often a round goes over what was measured (Algorithm 2); 1 in the paper. */
  readonly passes?: number | undefined;
  /** The average of the histograms before each update (Algorithm 1, the default), or the last one. */
  readonly output?: 'average' | 'last' | undefined;
  /** Share of the session's budget for the number of households, where that is private; 0.02 by default. */
  readonly totalShare?: Share | undefined;
  /** The most possible households that are listed, persons in no order; 2^20 by default. */
  readonly maxHouseholds?: number | undefined;
}

/**
 * Hierarchical MWEM ("Towards Differentially Private Query Release for Hierarchical Data", A.2.1, Algorithms 1 and 2): multiplicative weights on the
 * histogram of all possible households, started at the uniform distribution. Each round selects, by the exponential mechanism, the answer of the
 * workload that the histogram gets worst (persons counting 1/M), measures it, and updates by all that was measured so far. Private
 * because all it does to the table are 2 T + 1 acts of the session. Domains with too many households are refused before anything is spent.
 */
export const hMwem = async (
  session: Session,
  workload: Workload,
  options: HMwemOptions,
): Promise<Released<HouseholdModel>> => {
  const { domain } = session;
  const { totalShare = hMwemDefaults.totalShare, signal, onProgress } = options;
  const queries = hMwemQueries(workload, domain, options);
  checkOptions(options);
  const support = allHouseholds(domain, options.maxHouseholds);
  const opened = await openWeightedHouseholds(support.table, queries, options);
  try {
    const [counted] = await session.measure([holding()], totalShare);
    const households = totalFrom(counted);
    const rounds = options.rounds ?? defaultRounds(session, queries, { households, share: session.remaining });
    const { listed, ordered } = householdNumbers(domain);
    const measurements: Measurement[] = [counted];
    const selectAndMeasure = async (round: number): Promise<MeasuredAnswer> => {
      const acts = 2 * (rounds - round);
      const { candidate, cell } = await session.selectCell(
        queries.map((query, q) => ({
          query,
          reference: opened.sums(q),
          scale: households,
          weight: workload.queries[q].weight / unitOf(opened, q),
        })),
        session.remaining / acts,
      );
      // What a selection or a public answer left goes to the acts to come.
      const [measurement] = await session.measure(
        [singleAnswer(queries[candidate], domain, cell)],
        session.remaining / (acts - 1),
      );
      measurements.push(measurement);
      onProgress?.({ stage: 'rounds', done: round + 1, total: rounds });
      return measuredAnswer(opened, { query: candidate, cell }, measurement, households);
    };
    const played = await playRounds(opened, support, rounds, selectAndMeasure, { ...options, signal });
    return {
      model: householdSupportModel({ table: support.table, weights: played.weights }, households),
      measurements,
      notes: { rounds, updates: played.updates, output: played.output, households, listed, ordered },
      refit: (others) => replay(support, played.measured, others, queries, options),
    };
  } finally {
    opened.close();
  }
};

/** Algorithm 1 with the answer that each round brings; gives the histogram to release. */
const playRounds = async (
  opened: WeightedHouseholds,
  support: HouseholdSupport,
  rounds: number,
  bring: (round: number) => Promise<MeasuredAnswer> | MeasuredAnswer,
  options: Pick<HMwemOptions, 'random' | 'maxUpdates' | 'passes' | 'output' | 'signal'>,
) => {
  const { random, signal } = options;
  const { maxUpdates = hMwemDefaults.maxUpdates, passes = hMwemDefaults.passes } = options;
  const { output = hMwemDefaults.output } = options;
  const current: HouseholdWeights = householdWeights(opened, support.weights);
  const sum = new Float64Array(support.weights.length);
  const measured: MeasuredAnswer[] = [];
  let updates = 0;
  for (let round = 0; round < rounds; round++) {
    signal?.throwIfAborted();
    await current.refresh();
    if (output === 'average') for (const [h, weight] of current.distribution().entries()) sum[h] += weight / rounds;
    measured.push(await bring(round));
    for (let pass = 0; pass < passes; pass++) updates += updateHouseholds(current, measured, maxUpdates, random);
  }
  return { weights: output === 'average' ? sum : current.distribution(), measured, updates, output };
};

/** The updates of all rounds with other answers of what was chosen: the choice itself is not made anew. */
const replay = async (
  support: HouseholdSupport,
  chosen: readonly MeasuredAnswer[],
  [counted, ...others]: readonly Measurement[],
  queries: readonly Counted[],
  options: HMwemOptions,
): Promise<HouseholdModel> => {
  const households = totalFrom(counted);
  const opened = await openWeightedHouseholds(support.table, queries, options);
  try {
    const again = (round: number) => measuredAnswer(opened, chosen[round], others[round], households);
    const { weights } = await playRounds(opened, support, chosen.length, again, options);
    return householdSupportModel({ table: support.table, weights }, households);
  } finally {
    opened.close();
  }
};

const totalFrom = ({ values }: Measurement): number => Math.max(1, values[0]);

/** The noisy answer for each household, persons divided by M. */
const measuredAnswer = (
  opened: WeightedHouseholds,
  { query, cell }: { readonly query: number; readonly cell: number },
  { values }: Measurement,
  households: number,
): MeasuredAnswer => ({
  query,
  cell,
  target: Math.min(1, Math.max(0, values[0] / (households * unitOf(opened, query)))),
});

/** The query of one cell of another. */
const singleAnswer = ({ kind, attributes }: Counted, domain: Domain, cell: number): Query => {
  if (kind === 'holding') return holdingCell(attributes, cell);
  const codes = codesAt(cell, sizesOf(domain, attributes));
  const factors = attributes.map((attribute, i) => ({ attribute, block: { kind: 'value', cell: codes[i] } as const }));
  return { kind: 'factored', factors };
};

/** What a workload asks, once it is known that all possible households can be listed and seen through its queries: nothing may be spent before that. */
export const hMwemQueries = (
  workload: Workload,
  domain: Domain,
  { maxHouseholds }: Pick<HMwemOptions, 'maxHouseholds'>,
): Counted[] => {
  const counted = countedQueries(workload, domain, 'h-mwem');
  checkListed(domain, maxHouseholds);
  checkWeightedHouseholds({ domain, length: householdNumbers(domain).persons }, counted);
  return counted;
};

const checkOptions = ({ rounds, maxUpdates, passes }: HMwemOptions): void => {
  for (const [name, value] of Object.entries({ rounds, maxUpdates, passes }))
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 1))
      throw new InputError(`${name}: must be a positive whole number, got ${value}`);
};

/** The noise on one answer of each query for so much of the budget. */
export const answerNoises = (door: Previewing, queries: readonly Counted[], share: number): Noise[] =>
  queries.map((query) => door.preview([singleAnswer(query, door.domain, 0)], share)[0]);

type Previewing = Pick<Session, 'domain' | 'preview'>;

/**
 * Rounds where nobody says: T = Theta(n epsilon sqrt(log m) / log |Q|) as in PMW-Pub's Theorem A.10, from 10 to 300, where n epsilon is the number of households
 * over the noise on one answer (persons divided by M) that half of the `share` that remains buys. The constant is fitted on made-up tables (docs/households.md).
 */
export const defaultRounds = (
  door: Previewing,
  queries: readonly Counted[],
  { households, share }: { readonly households: number; readonly share: number },
): number => {
  const { listed } = householdNumbers(door.domain);
  const answers = queries.reduce((sum, { attributes }) => sum + cellsOf(door.domain, attributes), 0);
  const noises = answerNoises(door, queries, share / 2);
  const scaled = noises.map(({ scale }, q) => scale / unitOf({ table: door, queries }, q));
  const signal = households / Math.max(...scaled);
  const bound = (signal * Math.sqrt(2 * Math.log(Math.max(2, listed)))) / Math.log(Math.max(2, answers));
  return Math.round(Math.min(300, Math.max(10, 0.8 * bound)));
};
