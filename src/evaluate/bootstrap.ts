import { InputError } from '../domain/input-error.js';
import type { Running } from '../domain/running.js';
import { varianceOf } from '../estimate/estimate-total.js';
import type { Model } from '../model/model.js';
import { redraw } from '../model/redraw.js';
import type { Replicates } from '../model/replicates.js';
import type { Measurement } from '../privacy/measurement.js';
import { normal } from '../random/normal.js';
import type { Random } from '../random/random.js';
import { seeded } from '../random/seeded.js';
import { uniform } from '../random/uniform.js';
import type { Released } from '../release/released.js';

export interface BootstrapOptions extends Running {
  /** For noise that protects nobody: it is added to the model's own answers. */
  readonly random: Random;
  /** Number of replicates, 20 by default; 0 means none. */
  readonly replicates?: number;
}

/**
 * Parametric bootstrap (Efron and Tibshirani 1993, section 6.5): draws tables from the model, measures each with the same noise, and estimates
 * anew. How far the new models lie from the drawn tables is how far noise, what was not measured, and the estimator's own pull move an
 * estimate from its truth.
 *
 * That understates the pull: the model has been pulled to the prior once, and from there less is left to pull. So the error of the model
 * on its measurements is estimated too, by the covariance penalty chi - answers + 2 cov (Efron 2004, with the replicates' own
 * covariance), and where it exceeds the error of the replicates on theirs, `inflation` says by what factor. Post-processing.
 * Undefined where the release cannot be estimated anew, or nothing in it is noisy.
 */
export const bootstrap = async (
  { model, measurements, refit }: Pick<Released, 'model' | 'measurements' | 'refit'>,
  { random, replicates = 20, signal, onProgress }: BootstrapOptions,
): Promise<Replicates | undefined> => {
  if (!Number.isSafeInteger(replicates) || replicates < 0 || replicates === 1)
    throw new InputError(`replicates: must be 0 or a whole number from 2, got ${replicates}`);
  const noisy = measurements.flatMap(({ noise }, i) => (noise.kind === 'none' ? [] : [i]));
  if (refit === undefined || replicates === 0 || noisy.length === 0) return undefined;
  const expected = measurements.map(({ query }) => model.answer(query));
  const models: Model[] = [];
  const truths: Model[] = [];
  const seed = random.uint32();
  let spread = 0;
  let covariance = 0;
  for (let k = 0; k < replicates; k++) {
    signal?.throwIfAborted();
    const truth = redraw(model, seeded(seed + k));
    const right = measurements.map(({ query }) => truth.answer(query));
    const again = measurements.map((measurement, i) => renoised(measurement, right[i], random));
    const replicate = await refit(again);
    models.push(replicate);
    truths.push(truth);
    for (const i of noisy) {
      const variance = varianceOf(measurements[i]);
      replicate.answer(measurements[i].query).forEach((answer, j) => {
        spread += (answer - right[i][j]) ** 2 / variance / replicates;
        covariance += ((answer - right[i][j]) * (again[i].values[j] - right[i][j])) / variance / replicates;
      });
    }
    onProgress?.({ stage: 'bootstrap', done: k + 1, total: replicates });
  }
  let chi = 0;
  let answers = 0;
  for (const i of noisy) {
    const variance = varianceOf(measurements[i]);
    measurements[i].values.forEach((value, j) => {
      chi += (value - expected[i][j]) ** 2 / variance;
    });
    answers += expected[i].length;
  }
  const risk = chi - answers + 2 * covariance;
  return { models, truths, seed, inflation: spread > 0 ? Math.sqrt(Math.max(1, risk / spread)) : 1 };
};

/** The same query and noise, with these answers as the truth. Numbers need not be whole: no privacy depends on them. */
const renoised = (measurement: Measurement, answers: Float64Array, random: Random): Measurement => {
  const { kind, scale } = measurement.noise;
  if (kind === 'none') return measurement;
  const draw = kind === 'gaussian' ? () => normal(random) : () => laplace(random);
  return { ...measurement, values: answers.map((answer) => answer + scale * draw()) };
};

/** Laplace's law of scale 1. */
const laplace = (random: Random): number => (random.uint32() & 1 ? 1 : -1) * -Math.log(1 - uniform(random));
