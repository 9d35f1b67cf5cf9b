import { limits } from '../../domain/limits.js';
import type { Running } from '../../domain/running.js';
import { rowBytes } from '../../domain/table.js';
import { initialParameters, type NetworkShape, noiseVectors } from '../../estimate/generator/network-shape.js';
import { openGenerator } from '../../estimate/generator/open-generator.js';
import type { Target } from '../../estimate/generator/train.js';
import { estimateReweighted } from '../../estimate/reweight/reweight.js';
import { productMixture } from '../../model/mixture/product-mixture.js';
import type { Model } from '../../model/model.js';
import { type Support, supportOf } from '../../model/support/support.js';
import { supportModel } from '../../model/support/support-model.js';
import type { Threads } from '../../model/support/weighted-rows.js';
import type { Measurement } from '../../privacy/measurement.js';
import type { Session, Share } from '../../privacy/session/session.js';
import type { Marginal } from '../../query/marginal.js';
import type { Workload } from '../../query/workload/workload.js';
import type { Random } from '../../random/random.js';
import { generatorChoices } from '../generator/generator-settings.js';
import { trainByRounds } from '../generator/train-by-rounds.js';
import { trainOnPublic } from '../generator/train-on-public.js';
import type { Released } from '../released.js';
import { settingsOf } from '../settings.js';
import { gemWork } from './gem-work.js';
import { type GemSettings, gemDefaults } from './settings.js';
import { startAtOneWays } from './start-at-one-ways.js';

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
 * GEM (Liu, Vietri, Wu 2021; as H-GEM's Algorithms 3 and 4 have it, for tables of one level): a network maps noise to product distributions.
 * All single attributes are measured first, and the network starts from them. Each round then selects, by the exponential mechanism, a marginal that their
 * mixture answers badly, measures all of it, and trains the network on everything measured so far. What leaves is the mixture of an average of the
 * second half's networks. Private because all it does to the table are 2 T + 2 acts of the session; training is post-processing.
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
  const { queries, rounds, needs } = work;
  const { random, signal, onProgress } = options;
  const start = {
    parameters: initialParameters(needs.shape, random),
    noise: noiseVectors(needs.shape, needs.batch, random),
  };
  const running = { ...settings, random, signal, onProgress };
  const generator = await openGenerator(needs, start, options);
  try {
    if (options.prior) await trainOnPublic(generator, publicTargets(options.prior, queries), running);
    const counted = await session.total(totalShare);
    const total = Math.max(1, counted.values[0]);
    const known = await startAtOneWays(session, generator, work, total, { ...running, prior: options.prior });
    const { measured, steps, gamma } = await trainByRounds(session, generator, work, { total, known }, running);
    const mixture = productMixture(domain, await generator.probabilities(), total);
    const answered = [...known, ...measured].map(({ measurement }) => measurement);
    return {
      model: domain.constraints === undefined ? mixture : await keptRows(mixture, answered, options),
      measurements: [counted, ...answered],
      notes: {
        rounds,
        oneWays: known.length,
        selected: measured.map(({ index }) => [...queries[index].attributes]),
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

/** Rows that are drawn where the domain has constraints, fewer where there are hundreds of columns. */
const mostKept = 100_000;

/**
 * A mixture of product distributions gives what constraints forbid some mass, wherever their columns are not constant. So its rows leave in its place,
 * mended as the private ones were, and weighted to what was measured.
 */
const keptRows = async (mixture: Model, measurements: readonly Measurement[], options: GemOptions): Promise<Model> => {
  const { random, threads, workers, signal } = options;
  const rows = Math.min(mostKept, Math.floor(limits.redrawnBytes / rowBytes(mixture.domain)));
  const drawn = supportOf(mixture.sample(rows, random));
  const { support } = await estimateReweighted(drawn, measurements, {
    random,
    threads,
    workers,
    signal,
    total: mixture.total,
  });
  return supportModel(support, mixture.total);
};

/** What a public table answers. */
const publicTargets = (prior: Support, queries: readonly Marginal[]): Target[] => {
  const model = supportModel(prior, 1);
  return queries.map(({ attributes }, task) => ({ task, proportions: model.marginal(attributes) }));
};

/** The defaults with the options that have a value in their place. */
const given = (options: GemOptions): GemSettings => {
  const set = Object.entries(options).filter(
    ([name, value]) => Object.hasOwn(gemDefaults, name) && value !== undefined,
  );
  const settable = { name: 'gem', defaults: gemDefaults, choices: generatorChoices };
  return settingsOf(settable, Object.fromEntries(set)) as GemSettings;
};
