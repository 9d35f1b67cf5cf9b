import { cellsOf } from '../../domain/domain.js';
import type { Running } from '../../domain/running.js';
import type { Generator } from '../../estimate/generator/generator.js';
import type { GeneratorNeeds } from '../../estimate/generator/layout.js';
import { movingAverage, movingAverageOf } from '../../estimate/generator/moving-average.js';
import { train } from '../../estimate/generator/train.js';
import { expectedError } from '../../privacy/expected-error.js';
import type { Session } from '../../privacy/session/session.js';
import type { Counted } from '../../query/holding.js';
import type { GeneratorSettings } from './generator-settings.js';
import { type MeasuredTask, measuredTargets } from './measured-targets.js';
import { roundShares } from './selecting-part.js';

/** What the rounds choose from, how many there are, and what the generator has to hold. */
export interface RoundsWork {
  /** One for each task of the generator, in their order. */
  readonly queries: readonly Counted[];
  /** What an error of each counts for in the choice; those of 0 are not chosen. */
  readonly weights: readonly number[];
  /** What an error of each is divided by in training. */
  readonly units: readonly number[];
  readonly rounds: number;
  readonly needs: GeneratorNeeds;
}

/** What is known before the first round. */
export interface RoundsStart {
  /** Records that the generator's answers are for one of. */
  readonly total: number;
  /** Answers that are trained on from the first round; those that are exact are not chosen. */
  readonly known: readonly MeasuredTask[];
}

/**
 * The rounds of H-GEM's Algorithm 3 on all that is left of the budget: select by the exponential mechanism a query that the generator answers badly,
 * measure all of it, train on everything measured so far (Algorithm 4). Leaves the generator with the moving average of its
 * parameters over the second half.
 */
export const trainByRounds = async (
  session: Session,
  generator: Generator,
  { queries, weights, units, rounds: wanted }: RoundsWork,
  { total, known }: RoundsStart,
  { signal, onProgress, ...settings }: GeneratorSettings & Running,
) => {
  const { domain } = session;
  const exact = known.filter(({ measurement }) => measurement.noise.kind === 'none').map(({ index }) => index);
  const open = queries.map((_, i) => i).filter((i) => weights[i] > 0 && !exact.includes(i));
  // Where everything is known there is nothing to choose.
  const rounds = open.length === 0 ? 0 : wanted;
  const { selecting, measuring } = roundShares(session.remaining, rounds, settings.alpha, session.budget.currency);
  const noises = open.map((i) => session.preview([queries[i]], measuring)[0]);
  const measured: MeasuredTask[] = [];
  const gammaOf = movingAverage(settings.gammaKeep);
  const average = movingAverageOf(settings.averageKeep);
  let [steps, gamma] = [0, 0];
  for (let t = 1; t <= rounds; t++) {
    signal?.throwIfAborted();
    const answers = await generator.answers();
    const candidates = open.map((i, o) => ({
      query: queries[i],
      weight: weights[i],
      reference: answers[i],
      scale: total,
      offset: settings.score === 'sum' ? expectedError(noises[o]) * cellsOf(domain, queries[i].attributes) : 0,
    }));
    const distance = settings.score === 'sum' ? 'l1' : 'largest';
    const index = open[await session.select(candidates, selecting, { distance })];
    const [measurement] = await session.measure([queries[index]], measuring);
    measured.push({ index, measurement });
    gamma = settings.gammaPart * gammaOf(largestError(answers[index], measurement.values, total) / units[index]);
    const done = (step: number): void =>
      onProgress?.({ stage: 'training', done: (t - 1) * settings.steps + step, total: rounds * settings.steps });
    const targets = measuredTargets([...known, ...measured], total, units);
    steps += (await train(generator, targets, { ...settings, gamma, signal, onStep: done })).steps;
    done(settings.steps);
    if (2 * t >= rounds) average.add(generator.parameters());
  }
  const averaged = average.value();
  if (averaged !== undefined) generator.load(averaged);
  return { measured, steps, gamma };
};

/** The largest difference between the answers and what was measured, for one record. */
const largestError = (answers: Float32Array, values: Float64Array, total: number): number =>
  values.reduce((most, value, cell) => Math.max(most, Math.abs(value / total - answers[cell])), 0);
