import type { HouseholdTable } from '../../domain/households/household-table.js';
import type { Running } from '../../domain/running.js';
import { initialParameters, type NetworkShape, noiseVectors } from '../../estimate/generator/network-shape.js';
import { openGenerator } from '../../estimate/generator/open-generator.js';
import type { Target } from '../../estimate/generator/train.js';
import { householdCount, householdSupportOf } from '../../model/households/household-support.js';
import { householdSupportModel } from '../../model/households/household-support-model.js';
import { householdMixture } from '../../model/mixture/household-mixture.js';
import type { HouseholdModel } from '../../model/model.js';
import type { Threads } from '../../model/support/weighted-rows.js';
import type { Session } from '../../privacy/session/session.js';
import { holding } from '../../query/holding.js';
import type { Workload } from '../../query/workload/workload.js';
import type { Random } from '../../random/random.js';
import { generatorChoices } from '../generator/generator-settings.js';
import { type MeasuredTask, measuredTargets } from '../generator/measured-targets.js';
import { type RoundsWork, trainByRounds } from '../generator/train-by-rounds.js';
import { trainOnPublic } from '../generator/train-on-public.js';
import type { Released } from '../released.js';
import { settingsOf } from '../settings.js';
import { defaultRounds, hGemWork } from './h-gem-work.js';
import { type HGemSettings, hGemDefaults } from './settings.js';

/** What H-GEM can be told; docs/gem.md has what it does otherwise. */
export interface HGemOptions extends Partial<HGemSettings>, Threads, Running {
  /** Draws the noise vectors and the first parameters: post-processing, so any generator will do. */
  readonly random: Random;
  /** Numbers of a noise vector and widths of the hidden layers; 128, and 256 and 512 as the paper has it, by default. */
  readonly network?: Omit<NetworkShape, 'heads'> | undefined;
  /** Public households to train the generator on first. */
  readonly prior?: HouseholdTable | undefined;
}

/**
 * H-GEM ("Towards Differentially Private Query Release for Hierarchical Data", section 4.2 and A.2.2, Algorithms 3 and 4): a network maps noise to product
 * distributions of households with their persons; each round selects, by the exponential mechanism, a query that their mixture answers badly,
 * measures all of it, and trains the network on everything measured so far. What leaves is the mixture of an average of the second half's
 * networks. Private because all it does to the table are acts of the session: the number of households, whatever is public at its unit, and 2 T more.
 */
export const hGem = async (
  session: Session,
  workload: Workload,
  options: HGemOptions,
): Promise<Released<HouseholdModel>> => {
  const { domain } = session;
  const settings = given(options);
  const asked = hGemWork(session, workload, settings, options.network);
  const { queries, needs, units } = asked;
  const { random, signal, onProgress, prior } = options;
  const start = {
    parameters: initialParameters(needs.shape, random),
    noise: noiseVectors(needs.shape, needs.batch, random),
  };
  const running = { ...settings, random, signal, onProgress };
  const generator = await openGenerator(needs, start, options);
  try {
    if (prior) await trainOnPublic(generator, publicTargets(prior, asked), running);
    const [counted] = await session.measure([holding()], settings.totalShare);
    const total = Math.max(1, counted.values[0]);
    const known = await measureFree(session, asked, settings);
    if (known.length > 0) await trainOnPublic(generator, measuredTargets(known, total, units), running);
    const rounds = settings.rounds || defaultRounds(session, asked, { households: total, share: session.remaining });
    const work = { ...asked, rounds };
    const { measured, steps, gamma } = await trainByRounds(session, generator, work, { total, known }, running);
    const mixture = householdMixture(domain, await generator.probabilities(), total);
    return {
      model: domain.constraints === undefined ? mixture : keptHouseholds(mixture, random),
      measurements: [counted, ...[...known, ...measured].map(({ measurement }) => measurement)],
      notes: {
        rounds,
        selected: measured.map(({ index }) => ({ ...queries[index] })),
        free: known.length,
        steps,
        gamma,
        households: total,
        public: prior !== undefined,
      },
    };
  } finally {
    generator.close();
  }
};

/** Households that are drawn where the domain has constraints. */
const mostKept = 50_000;

/** Households of a mixture, mended as the private ones were: the mixture itself gives what constraints forbid some mass. */
const keptHouseholds = (mixture: HouseholdModel, random: Random): HouseholdModel =>
  householdSupportModel(householdSupportOf(mixture.households(mostKept, random)), mixture.householdTotal);

/** The answers that cost nothing: at the unit of a person, those that depend on households alone. */
const measureFree = async (
  session: Session,
  { queries }: RoundsWork,
  { totalShare }: HGemSettings,
): Promise<MeasuredTask[]> => {
  const free = [...queries.keys()].filter((q) => session.preview([queries[q]], totalShare)[0].kind === 'none');
  if (free.length === 0) return [];
  const measurements = await session.measure(
    free.map((q) => queries[q]),
    totalShare,
  );
  return measurements.map((measurement, i) => ({ index: free[i], measurement }));
};

/** What public households answer, for one household. */
const publicTargets = (table: HouseholdTable, { queries, units }: RoundsWork): Target[] => {
  const count = householdCount(table);
  const model = householdSupportModel({ table, weights: new Float64Array(count).fill(1 / count) }, 1);
  return queries.map((query, task) => ({ task, proportions: model.answer(query), unit: units[task] }));
};

/** The defaults with the options that have a value in their place. */
const given = (options: HGemOptions): HGemSettings => {
  const set = Object.entries(options).filter(
    ([name, value]) => Object.hasOwn(hGemDefaults, name) && value !== undefined,
  );
  const settable = { name: 'h-gem', defaults: hGemDefaults, choices: generatorChoices };
  return settingsOf(settable, Object.fromEntries(set)) as HGemSettings;
};
