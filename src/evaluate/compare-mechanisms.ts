import { cellsOf } from '../domain/domain.js';
import { InputError } from '../domain/input-error.js';
import { resampled } from '../domain/resample.js';
import type { Running } from '../domain/running.js';
import type { Table } from '../domain/table.js';
import { eachInTurn, inTurns, type Turns } from '../domain/turns.js';
import { preparingPrior } from '../model/support/prior-of.js';
import { type Support, supporting } from '../model/support/support.js';
import { supportModel } from '../model/support/support-model.js';
import type { Threads } from '../model/support/weighted-rows.js';
import { type BudgetRequest, budgetOf } from '../privacy/accounting/budget.js';
import { planningDoor } from '../privacy/session/planning-door.js';
import type { Session } from '../privacy/session/session.js';
import type { Relation } from '../query/relation.js';
import { combinations } from '../query/workload/combinations.js';
import type { Workload } from '../query/workload/workload.js';
import { seeded } from '../random/seeded.js';
import { countedRequest } from '../release/counted-request.js';
import type { Mechanism } from '../release/mechanism.js';
import { type Settings, settingsOf } from '../release/settings.js';
import { type AnswerErrors, type GivenMarginal, judging } from './answer-errors.js';
import { type Spread, spreadOf } from './spread.js';

/** A contest of mechanisms on a table that plays the private one. The table is public, or this is a laboratory. */
export interface Contest extends Running {
  /** The table that plays the private one. Errors against it are exact, and come back. */
  readonly standIn: Table;
  /** A public table over the same domain, for the mechanisms that use one. */
  readonly publicTable?: Table | undefined;
  readonly mechanisms: readonly Mechanism[];
  /** What is set of a mechanism; its defaults unless told. */
  readonly settings?: ((mechanism: Mechanism) => Settings) | undefined;
  /** What the mechanisms should answer well; their own defaults unless told. They are judged by pairs all the same. */
  readonly workload?: Workload | undefined;
  readonly budgets: readonly BudgetRequest[];
  /** Runs of each mechanism with each budget, each with noise of its own. */
  readonly runs: number;
  readonly relation?: Relation | undefined;
  /** Opens a session on the stand-in, with a ledger of its own and noise from this seed. */
  readonly open: (budget: BudgetRequest, seed: number) => Promise<Session>;
  readonly threads?: Threads | undefined;
  readonly seed?: number | undefined;
  /** Pairs of attributes with more cells are not judged; a million by default. */
  readonly maxCells?: number | undefined;
}

/** Errors over all judged pairs of attributes, as proportions of the records. */
export interface Judgement {
  /** Mean over the pairs of the total variation distance. */
  readonly error: Spread;
  /** Largest error of a single cell. */
  readonly largest: Spread;
}

/** One mechanism with one budget. */
export interface Contestant extends Judgement {
  readonly mechanism: string;
  readonly budget: BudgetRequest;
  /** Wall time of a run: measuring and estimating, without reading files or writing rows. */
  readonly seconds: Spread;
}

/** How every mechanism did at every budget. */
export interface ContestOutcome {
  /** Number of pairs of attributes judged. */
  readonly pairs: number;
  readonly contestants: readonly Contestant[];
  /** The public table, published as it is: what a release must beat to be worth while. */
  readonly asIs?: Judgement | undefined;
  /** Another sample of the stand-in's size from the same rows, drawn with replacement: what chance alone does. */
  readonly sample: Judgement;
  /** Mechanisms that could not run, with the reason. */
  readonly unable: readonly { readonly mechanism: string; readonly why: string }[];
}

/** One run of a mechanism, judged. */
interface Run extends AnswerErrors {
  readonly seconds: number;
}

const timeOf = (runs: readonly Run[]): { readonly seconds: Spread } => ({
  seconds: spreadOf(runs.map(({ seconds }) => seconds)),
});

const judgementOf = (errors: readonly AnswerErrors[]): Judgement => ({
  error: spreadOf(errors.map(({ variation }) => variation)),
  largest: spreadOf(errors.map(({ largest }) => largest)),
});

/** Every pair of attributes within the limit, with the table's counts; a single attribute on its own where there is but one. */
function* truthOf(table: Table, maxCells: number): Turns<GivenMarginal[]> {
  const names = table.domain.attributes.map(({ name }) => name);
  const model = supportModel(yield* supporting(table), table.length);
  const pairs = [...combinations(names.length, Math.min(2, names.length))]
    .map((pair) => pair.map((index) => names[index]))
    .filter((pair) => cellsOf(table.domain, pair) <= maxCells);
  return yield* eachInTurn(pairs, (attributes) => ({ attributes, counts: model.marginal(attributes) }));
}

/**
 * Runs mechanisms side by side on a table that plays the private one, over budgets, and judges each model by all pairs of
 * attributes. Two lines stand beside them: the public table as it is, and another sample of the same size.
 */
export const compareMechanisms = async (contest: Contest): Promise<ContestOutcome> => {
  const { standIn, publicTable, budgets, runs, seed = 1, signal, onProgress } = contest;
  const given = await inTurns(truthOf(standIn, contest.maxCells ?? 1e6), { signal });
  const prior = publicTable && (await inTurns(preparingPrior(publicTable), { signal }));
  const unable = new Map<string, string>();
  const contestants: Contestant[] = [];
  const total = budgets.length * contest.mechanisms.length * runs;
  let done = 0;
  for (const mechanism of contest.mechanisms) {
    for (const [b, budget] of budgets.entries()) {
      const found: Run[] = [];
      let why = unfit(mechanism, contest, budget, prior);
      for (let run = 0; run < runs && why === undefined; run++) {
        signal?.throwIfAborted();
        onProgress?.({ stage: `compare ${mechanism.name}`, done: done + run, total });
        const one = await attempt(mechanism, contest, budget, prior, given, 1000 * (1000 * seed + b) + run);
        if (typeof one === 'string') why = one;
        else found.push(one);
      }
      done += runs;
      if (why === undefined)
        contestants.push({ mechanism: mechanism.name, budget, ...judgementOf(found), ...timeOf(found) });
      else unable.set(mechanism.name, why);
    }
  }
  const samples: AnswerErrors[] = [];
  for (let run = 0; run < runs; run++) {
    const table = resampled(standIn, standIn.length, seeded(1000 * seed + run));
    const support = await inTurns(supporting(table), { signal });
    samples.push(await inTurns(judging(supportModel(support, table.length), given), { signal }));
  }
  return {
    pairs: given.length,
    contestants,
    asIs: prior && judgementOf([await inTurns(judging(supportModel(prior, 1), given), { signal })]),
    sample: judgementOf(samples),
    unable: [...unable].map(([mechanism, why]) => ({ mechanism, why })),
  };
};

const settingsIn = ({ settings }: Contest, mechanism: Mechanism): Settings =>
  settingsOf(mechanism, settings?.(mechanism) ?? {});

/** Why a mechanism cannot run here, if so. */
const unfit = (
  mechanism: Mechanism,
  contest: Contest,
  budget: BudgetRequest,
  prior: Support | undefined,
): string | undefined => {
  const { standIn, publicTable, relation, workload } = contest;
  const door = planningDoor({ domain: standIn.domain, budget: budgetOf(budget), relation });
  const facts = {
    ...door,
    expectedRows: standIn.length,
    workload,
    prior,
    publicTable,
    publicRows: publicTable?.length,
  };
  const { able, why } = mechanism.fits(facts, settingsIn(contest, mechanism));
  return able ? undefined : why;
};

/** One run: its errors and seconds, or the sentence with which the mechanism refused. */
const attempt = async (
  mechanism: Mechanism,
  contest: Contest,
  budget: BudgetRequest,
  prior: Support | undefined,
  given: readonly GivenMarginal[],
  seed: number,
): Promise<Run | string> => {
  const settings = settingsIn(contest, mechanism);
  const attributes = contest.standIn.domain.attributes.length;
  const session = await contest.open(countedRequest(budget, { mechanism, settings, attributes }, undefined), seed);
  const started = performance.now();
  try {
    const { workload, publicTable, signal } = contest;
    const run = { ...contest.threads, random: seeded(seed), workload, publicTable, signal };
    const { model } = await mechanism.release(session, prior, run, settings);
    const seconds = (performance.now() - started) / 1000;
    return { ...(await inTurns(judging(model, given), { signal })), seconds };
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
};
