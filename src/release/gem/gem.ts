import { cellsOf } from '../../domain/domain.js';
import type { Running } from '../../domain/running.js';
import { movingAverage, movingAverageOf } from '../../estimate/generator/moving-average.js';
import { initialParameters, type NetworkShape, noiseVectors } from '../../estimate/generator/network-shape.js';
import { openGenerator } from '../../estimate/generator/open-generator.js';
import { train } from '../../estimate/generator/train.js';
import { productMixture } from '../../model/mixture/product-mixture.js';
import type { Support } from '../../model/support/support.js';
import type { Threads } from '../../model/support/weighted-rows.js';
import { expectedError } from '../../privacy/expected-error.js';
import type { Measurement } from '../../privacy/measurement.js';
import type { Session, Share } from '../../privacy/session/session.js';
import type { Workload } from '../../query/workload/workload.js';
import type { Random } from '../../random/random.js';
import type { Released } from '../released.js';
import { settingsOf } from '../settings.js';
import { gemWork, selectingPart } from './gem-work.js';
import { type GemSettings, gemChoices, gemDefaults } from './settings.js';
import { targetsOf } from './targets-of.js';
import { trainOnPublic } from './train-on-public.js';

/** What GEM can be told; `gemDefaults` has what it does otherwise. */
export interface GemOptions extends Partial<GemSettings>, Threads, Running {
  /** Draws the noise vectors and the first parameters: post-processing, so any generator will do. */
  readonly random: Random;
  /** Numbers of a noise vector and widths of the hidden layers; 128, and 256 and 512 as the paper has it, by default. */
  readonly network?: Omit<NetworkShape, 'heads'> | undefined;
  /** Public rows to train the generator on first. */
  readonly prior?: Support | undefined;
}

/** Share of the budget for the number of records, where that is private. */
export const totalShare: Share = 0.02;

/**
 * GEM (Liu, Vietri, Wu 2021; as H-GEM's Algorithms 3 and 4 have it, for tables of one level): a network maps noise to product distributions;
 * each round selects, by the exponential mechanism, a marginal that their mixture answers badly, measures all of it, and trains the network
 * on everything measured so far. What leaves is the mixture of an average of the second half's networks. Private because all it does to
 * the table are 2 T + 1 acts of the session; training is post-processing.
 *
 * @example
 * ```ts
 * const { model } = await gem(session, workload, { random: seeded(1), rounds: 4, batch: 100, steps: 10 });
 * ```
 */
export const gem = async (session: Session, workload: Workload, options: GemOptions): Promise<Released> => {
  const { domain } = session;
  const settings = given(options);
  const work = gemWork(domain, workload, settings, options.network);
  const { marginals, weights, rounds, needs } = work;
  const { random, signal, onProgress } = options;
  const start = {
    parameters: initialParameters(needs.shape, random),
    noise: noiseVectors(needs.shape, needs.batch, random),
  };
  const generator = await openGenerator(needs, start, options);
  try {
    if (options.prior) await trainOnPublic(generator, options.prior, work, { ...settings, random, signal, onProgress });
    const counted = await session.total(totalShare);
    const total = Math.max(1, counted.values[0]);
    const round = session.remaining / rounds;
    const selecting = round * selectingPart(settings.alpha, session.budget.currency);
    const [noise] = session.preview([marginals[0]], round - selecting);
    const measured: { readonly index: number; readonly measurement: Measurement }[] = [];
    const gammaOf = movingAverage(settings.gammaKeep);
    const average = movingAverageOf(settings.averageKeep);
    let [steps, gamma] = [0, 0];
    for (let t = 1; t <= rounds; t++) {
      signal?.throwIfAborted();
      const answers = await generator.answers();
      const candidates = marginals.map((query, i) => ({
        query,
        weight: weights[i],
        reference: answers[i],
        scale: total,
        offset: settings.score === 'sum' ? expectedError(noise) * cellsOf(domain, query.attributes) : 0,
      }));
      const distance = settings.score === 'sum' ? 'l1' : 'largest';
      const index = await session.select(candidates, selecting, { distance });
      const [measurement] = await session.measure([marginals[index]], round - selecting);
      measured.push({ index, measurement });
      gamma = settings.gammaPart * gammaOf(largestError(answers[index], measurement.values, total));
      const done = (step: number): void =>
        onProgress?.({ stage: 'training', done: (t - 1) * settings.steps + step, total: rounds * settings.steps });
      steps += (await train(generator, targetsOf(measured, total), { ...settings, gamma, signal, onStep: done })).steps;
      done(settings.steps);
      if (2 * t >= rounds) average.add(generator.parameters());
    }
    generator.load(average.value()!);
    return {
      model: productMixture(domain, await generator.probabilities(), total),
      measurements: [counted, ...measured.map(({ measurement }) => measurement)],
      notes: {
        rounds,
        selected: measured.map(({ index }) => [...marginals[index].attributes]),
        steps,
        gamma,
        total,
        public: options.prior !== undefined,
      },
    };
  } finally {
    generator.close();
  }
};

/** The defaults with the options that have a value in their place. */
const given = (options: GemOptions): GemSettings => {
  const set = Object.entries(options).filter(
    ([name, value]) => Object.hasOwn(gemDefaults, name) && value !== undefined,
  );
  const settable = { name: 'gem', defaults: gemDefaults, choices: gemChoices };
  return settingsOf(settable, Object.fromEntries(set)) as GemSettings;
};

/** The largest difference between the answers and what was measured, as a proportion. */
const largestError = (answers: Float32Array, values: Float64Array, total: number): number =>
  values.reduce((most, value, cell) => Math.max(most, Math.abs(value / total - answers[cell])), 0);
