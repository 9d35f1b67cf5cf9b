import type { Domain } from '../../domain/domain.js';
import type { HouseholdTable } from '../../domain/households/household-table.js';
import { InputError } from '../../domain/input-error.js';
import { listed } from '../../domain/listed.js';
import type { Running } from '../../domain/running.js';
import { fitMemory } from '../../estimate/graphical/fit-memory.js';
import { defaultEpochs } from '../../estimate/ide/ide.js';
import { defaultIterations } from '../../estimate/reweight/fit-weights.js';
import { defaultDraws, lambdaOf } from '../../estimate/widen/widening.js';
import { householdPriorOf } from '../../model/households/household-prior.js';
import type { AnyModel } from '../../model/model.js';
import type { Support } from '../../model/support/support.js';
import type { Threads } from '../../model/support/weighted-rows.js';
import type { Measurement } from '../../privacy/measurement.js';
import type { Random } from '../../random/random.js';
import { graphicallyTo } from '../fitted-graphically.js';
import { reweightedHouseholdsTo } from '../h-reweight/h-reweight.js';
import { updatedTo } from '../ide/ide.js';
import type { Released } from '../released.js';
import { reweightedTo } from '../reweighted.js';
import type { Settings } from '../settings.js';

/** How an estimator is run: threads, progress, a generator for its probes, and what is public. */
export interface EstimatorRun extends Running, Threads {
  readonly random: Random;
  /** The distribution over the rows of a public table, where there is one. */
  readonly prior?: Support | undefined;
  /** Records that it was counted from. */
  readonly publicRows?: number | undefined;
  /** Public households with their persons, where there are some. */
  readonly publicHouseholds?: HouseholdTable | undefined;
}

/** One way from kept measurements to a model. */
export interface Estimator<S extends Settings = Settings> {
  readonly name: string;
  /** One line, without a full stop. */
  readonly summary: string;
  readonly needs: 'public-table' | 'nothing';
  readonly level: 'rows' | 'households';
  /** Everything that can be set, with its default. */
  readonly defaults: S;
  readonly choices?: { readonly [Name in keyof S]?: readonly string[] } | undefined;
  readonly fit: (
    domain: Domain,
    measurements: readonly Measurement[],
    run: EstimatorRun,
    settings: S,
  ) => Promise<Pick<Released<AnyModel>, 'model' | 'notes' | 'refit' | 'refitsAnywhere' | 'unmeasured'>>;
}

/** An estimator as the list has it: its own type of settings is known to itself alone. */
const entry = <S extends Settings>(estimator: Estimator<S>): Estimator => estimator as unknown as Estimator;

const pgm = entry({
  name: 'pgm',
  summary: 'a graphical model of all measurements (Private-PGM)',
  needs: 'nothing',
  level: 'rows',
  defaults: { until: 'validated' as 'validated' | 'converged', iterations: 3000, approximate: false },
  choices: { until: ['validated', 'converged'] },
  fit: (domain, measurements, { prior: _, publicHouseholds: __, ...run }, settings) =>
    graphicallyTo(domain, measurements, {
      ...run,
      ...settings,
      memory: fitMemory(domain, measurements, settings),
    }),
});

const reweight = entry({
  name: 'reweight',
  summary: 'the rows of a public table and rows like them, reweighted as far as signal can be told from noise',
  needs: 'public-table',
  level: 'rows',
  defaults: { iterations: defaultIterations, lambda: 'auto', draws: defaultDraws },
  fit: (_domain, measurements, { prior, publicRows, publicHouseholds: _, ...run }, { iterations, lambda, draws }) =>
    reweightedTo(prior!, measurements, {
      ...run,
      iterations,
      widening: { lambda: lambdaOf(lambda), draws, records: publicRows },
    }),
});

const ide = entry({
  name: 'ide',
  summary: 'the rows of a public table, fitted to one measurement after the other by least divergence',
  needs: 'public-table',
  level: 'rows',
  defaults: { until: 'converged' as 'converged' | 'validated', epochs: defaultEpochs },
  choices: { until: ['converged', 'validated'] },
  fit: (_domain, measurements, { prior, publicHouseholds: _, ...run }, settings) =>
    updatedTo(prior!, measurements, { ...run, ...settings }),
});

const hReweight = entry({
  name: 'h-reweight',
  summary: 'public households with their persons, reweighted as far as signal can be told from noise',
  needs: 'public-table',
  level: 'households',
  defaults: { iterations: defaultIterations },
  fit: (_domain, measurements, { publicHouseholds, prior: _, ...run }, { iterations }) =>
    reweightedHouseholdsTo(householdPriorOf(publicHouseholds!), measurements, { ...run, iterations }),
});

/** Every estimator that a release can be fitted anew by. One joins by one entry. */
export const estimators: readonly Estimator[] = [pgm, reweight, ide, hReweight];

/** The estimator of this name; an unknown name is an `InputError` that lists the known ones. */
export const estimatorNamed = (name: string): Estimator => {
  const found = estimators.find((one) => one.name === name);
  if (found === undefined)
    throw new InputError(
      `estimator: must be one of ${listed(estimators.map((one) => one.name))}, got ${JSON.stringify(name)}`,
    );
  return found;
};
