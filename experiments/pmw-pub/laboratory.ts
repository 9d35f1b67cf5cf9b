import type { Table } from '../../src/domain/table.js';
import { dualQueryRecords } from '../../src/estimate/dual-query/records.js';
import { estimateLls } from '../../src/estimate/local/estimate-lls.js';
import { bestMixture, type MixtureError } from '../../src/estimate/multiplicative-weights/best-mixture.js';
import {
  type WeightedAnswers,
  weightedAnswers,
} from '../../src/estimate/multiplicative-weights/multiplicative-weights.js';
import { type MarginalPlan, planMarginals } from '../../src/estimate/multiplicative-weights/plan.js';
import { type AnswerErrors, answerErrors, type GivenMarginal } from '../../src/evaluate/answer-errors.js';
import type { Model } from '../../src/model/model.js';
import { type Support, supportOf } from '../../src/model/support/support.js';
import { type SupportModel, supportModel } from '../../src/model/support/support-model.js';
import { budgetOf } from '../../src/privacy/accounting/budget.js';
import { seededEntropy } from '../../src/privacy/entropy.js';
import { memoryLedger } from '../../src/privacy/ledger/memory-ledger.js';
import type { SelectionMechanism } from '../../src/privacy/selection/selection-kinds.js';
import { openSession } from '../../src/privacy/session/open-session.js';
import type { Session } from '../../src/privacy/session/session.js';
import { attributesOf } from '../../src/query/answer.js';
import { pairsOrOneWays } from '../../src/query/workload/pairs-or-one-ways.js';
import type { Workload } from '../../src/query/workload/workload.js';
import { seeded } from '../../src/random/seeded.js';
import { playDualQuery } from '../../src/release/dual-query/play.js';
import { measureHdmm } from '../../src/release/hdmm/hdmm.js';
import { marginalsOf } from '../../src/release/marginals-of.js';
import { pmwPub } from '../../src/release/pmw-pub/pmw-pub.js';
import { reweight } from '../../src/release/reweight/reweight.js';
import { memorySource } from '../../src/source/memory-source.js';

/** The paper's budgets and numbers of rounds (figure 1 and Table 3). */
const epsilons = [0.1, 0.15, 0.2, 0.25, 0.5, 1];
const roundsTried = [300, 250, 200, 150, 125, 100, 75, 50, 25, 10, 5];

/** Which budgets are run and which numbers of rounds are tried. */
export interface Extent {
  readonly epsilons: readonly number[];
  readonly roundsTried: readonly number[];
}

export const fullExtent: Extent = { epsilons, roundsTried };
export const quickExtent: Extent = { epsilons: [0.25, 1], roundsTried: [75, 25, 5] };

export interface Trial {
  readonly epsilon: number;
  readonly rounds: number;
  readonly seed: number;
  readonly selection?: SelectionMechanism;
}

/** A private table with public supports to run on: everything that many trials share. It looks at the private truth. */
export interface Laboratory {
  readonly records: number;
  /** Errors of some weights of a plan's rows. */
  errorsOf(plan: MarginalPlan, weights: Float64Array): Promise<AnswerErrors>;
  /** Runs PMW-Pub with delta 1/n^2 under replace-one, as the paper does. */
  run(plan: MarginalPlan, trial: Trial): Promise<AnswerErrors>;
  /** Largest error when every marginal of the workload is measured at once with Gaussian noise: no public table, no model. */
  direct(trial: Omit<Trial, 'rounds'>): Promise<number>;
  /** Largest error of HDMM with least squares of its measurements, which are marginals. */
  hdmm(trial: Omit<Trial, 'rounds'>): Promise<number>;
  /** Largest error of DualQuery's records, with this eta and as many draws a round as rounds. */
  dualQuery(trial: Omit<Trial, 'rounds'> & { readonly eta: number }): Promise<number>;
  /** Largest error of validated reweighting of public rows. */
  reweight(support: Support, trial: Omit<Trial, 'rounds'>): Promise<number>;
  bestMixture(plan: MarginalPlan): Promise<MixtureError>;
  close(): void;
}

export const planFor = (publicTable: Table | Support, workload: Workload): MarginalPlan =>
  planMarginals(
    'weights' in publicTable ? publicTable : supportOf(publicTable),
    marginalsOf(workload).map(({ attributes }) => attributes),
  );

export const openLaboratory = async (table: Table, workload: Workload): Promise<Laboratory> => {
  const marginals = marginalsOf(workload);
  const source = await memorySource({ table, dataset: 'experiment', threads: 1 });
  const truth = supportModel(supportOf(table), table.length);
  const given = marginals.map(({ attributes }): GivenMarginal => ({ attributes, counts: truth.marginal(attributes) }));
  const session = async ({ epsilon, seed }: { epsilon: number; seed: number }): Promise<Session> => {
    const budget = { epsilon, delta: 1 / table.length ** 2 };
    const ledger = await memoryLedger(budgetOf(budget), 'experiment', { relation: 'replace-one' });
    return openSession({ source, budget, ledger, relation: 'replace-one', entropy: seededEntropy(seed) });
  };
  /** Evaluates weights by the plan: a hundred times faster than one marginal at a time. */
  const evaluators = new Map<MarginalPlan, Promise<WeightedAnswers>>();
  const errorsOf = async (plan: MarginalPlan, weights: Float64Array): Promise<AnswerErrors> => {
    const known = evaluators.get(plan) ?? weightedAnswers(plan, { threads: 1 });
    evaluators.set(plan, known);
    const answers = await known;
    answers.restart(weights);
    await answers.refresh();
    const position = new Map(plan.marginals.map((attributes, m) => [attributes.join(), m]));
    const marginal = (attributes: readonly string[]) => answers.allSums(position.get(attributes.join())!);
    const model: Pick<Model, 'total' | 'answer'> = {
      total: answers.mass,
      answer: (query) => marginal(attributesOf(query)),
    };
    return answerErrors(model, given);
  };
  return {
    records: table.length,
    errorsOf,
    run: async (plan, { rounds, selection = 'permute-and-flip', ...trial }) => {
      const random = seeded(trial.seed);
      const options = { plan, rounds, selection, random, threads: 1 };
      const { model } = await pmwPub(await session(trial), plan.support, workload, options);
      return errorsOf(plan, (model as SupportModel).support.weights);
    },
    direct: async (trial) => {
      const measured = await (await session(trial)).measure(marginals, 1);
      let largest = 0;
      for (const [m, { values }] of measured.entries())
        for (let cell = 0; cell < values.length; cell++)
          largest = Math.max(largest, Math.abs(values[cell] - given[m].counts[cell]) / table.length);
      return largest;
    },
    hdmm: async (trial) => {
      const { plan, measurements } = await measureHdmm(await session(trial), { workload });
      const model = estimateLls(table.domain, measurements, { joint: plan.template === 'marginals' });
      return answerErrors({ total: table.length, answer: model.answer }, given).largest;
    },
    dualQuery: async ({ eta, ...trial }) => {
      const { game } = await playDualQuery(await session(trial), { workload, eta, random: seeded(trial.seed) });
      const model = supportModel(dualQueryRecords(table.domain, game), table.length);
      return answerErrors(model, given).largest;
    },
    reweight: async (support, trial) => {
      const { model } = await reweight(await session(trial), support, {
        random: seeded(trial.seed),
        threads: 1,
        workload: pairsOrOneWays(support.domain),
        widening: { lambda: 0 },
      });
      return answerErrors(model, given).largest;
    },
    bestMixture: (plan) =>
      bestMixture(
        plan.support,
        marginals,
        given.map(({ counts }) => counts.map((count) => count / table.length)),
        { random: seeded(1), plan, threads: 1 },
      ),
    close: () => {
      source.close();
    },
  };
};

/** The number of rounds with the least largest error over `runs` runs on another table, for each budget. */
export const tuneRounds = async (
  laboratory: Laboratory,
  plan: MarginalPlan,
  { epsilons: budgets, roundsTried: tried }: Extent,
  runs: number,
): Promise<number[]> => {
  const tuned: number[] = [];
  for (const epsilon of budgets) {
    let best = { rounds: tried[0], error: Number.POSITIVE_INFINITY };
    for (const rounds of tried) {
      let error = 0;
      for (let seed = 0; seed < runs; seed++)
        error += (await laboratory.run(plan, { epsilon, rounds, seed: 7919 * rounds + seed })).largest;
      if (error < best.error) best = { rounds, error };
    }
    tuned.push(best.rounds);
  }
  return tuned;
};

/** What one run of an experiment gives. */
export interface LaboratoryOutcome {
  readonly rounds: readonly number[];
  /** Largest errors for each budget. */
  readonly pmw: readonly number[];
  readonly exponential: readonly number[];
  readonly direct: readonly number[];
  readonly asIs: number;
  readonly mixture: number;
  readonly bound: number;
}
