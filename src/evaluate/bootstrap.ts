import { InputError } from '../domain/input-error.js';
import type { Running } from '../domain/running.js';
import { eachInTurn, inTurns } from '../domain/turns.js';
import { varianceOf } from '../estimate/total/estimate-total.js';
import { type Answering, type AnyModel, modelsHouseholds } from '../model/model.js';
import { redrawing } from '../model/redraw.js';
import type { Replicates } from '../model/replicates.js';
import type { Measurement } from '../privacy/measurement.js';
import { type NoiseName, noiseKinds } from '../privacy/noise/noise-kinds.js';
import { answerFrom, attributesIn } from '../query/answer.js';
import { residualPart, residualSizes } from '../query/residual.js';
import type { Random } from '../random/random.js';
import { seeded } from '../random/seeded.js';
import type { Released } from '../release/released.js';

/** How many replicates are drawn, and from what. */
export interface BootstrapOptions extends Running {
  /** For noise that protects nobody: it is added to the model's own answers. */
  readonly random: Random;
  /** Number of replicates, 20 by default; 0 means none. */
  readonly replicates?: number | undefined;
}

/** Part of the replicates' squared error, on the answers where it is largest, by which the model's own is judged. */
const judgedPart = 0.8;
/** Standard deviations of the estimated error that are added to it: what noise hides is not shown to be absent. */
const caution = 0.5;

/**
 * Parametric bootstrap (Efron and Tibshirani 1993, section 6.5): draws tables from the model, measures each with the same noise, and estimates
 * anew, from public rows that are drawn anew too. How far the new models lie from the drawn tables is how far noise, chance in
 * either table, and the estimator's own pull move an estimate from its truth.
 *
 * Where no public rows say how attributes go together, records are drawn in clumps (`clumpOf`), so that the tables hold what the model cannot know.
 *
 * That understates the pull: the model has been pulled to the prior once, and from there less is left to pull. So the error of the model
 * on its measurements is estimated too, and where it exceeds the error of the replicates on theirs, `inflation` says by what
 * factor. Post-processing. Undefined where the release cannot be estimated anew, or nothing in it is noisy.
 */
export const bootstrap = async (
  {
    model,
    measurements,
    refit,
    unmeasured,
  }: Pick<Released<AnyModel>, 'model' | 'measurements' | 'refit' | 'unmeasured'>,
  { random, replicates = 20, signal, onProgress }: BootstrapOptions,
): Promise<Replicates | undefined> => {
  if (!Number.isSafeInteger(replicates) || replicates < 0 || replicates === 1)
    throw new InputError(`replicates: must be 0 or a whole number from 2, got ${replicates}`);
  const noisy = measurements.filter(isNoisy);
  if (refit === undefined || replicates === 0 || noisy.length === 0) return undefined;
  const errors = noisy.map(({ values }) => ({
    square: new Float64Array(values.length),
    product: new Float64Array(values.length),
  }));
  const models: Answering[] = [];
  const truths: Answering[] = [];
  const seed = random.uint32();
  const clump = unmeasured === 'public rows' ? 1 : clumpOf(noisy, model);
  for (let k = 0; k < replicates; k++) {
    onProgress?.({ stage: 'bootstrap', done: k, total: replicates });
    signal?.throwIfAborted();
    const truth = await inTurns(redrawing(model, seeded(seed + k), clump), { signal });
    const again = await inTurns(
      eachInTurn(measurements, (measurement) => renoised(measurement, truth, random)),
      { signal },
    );
    const replicate = await refit(
      again.map(({ measurement }) => measurement),
      random,
    );
    models.push(replicate);
    truths.push(truth);
    const judged = again.filter(({ measurement }) => isNoisy(measurement)).entries();
    await inTurns(
      eachInTurn(judged, ([i, { measurement, right }]) => {
        replicate.answer(measurement.query).forEach((answer, j) => {
          const error = answer - right[j];
          errors[i].square[j] += error ** 2 / replicates;
          errors[i].product[j] += (error * (measurement.values[j] - right[j])) / replicates;
        });
      }),
      { signal },
    );
    onProgress?.({ stage: 'bootstrap', done: k + 1, total: replicates });
  }
  return { models, truths, seed, clump, inflation: inflationOf(model, noisy, errors) };
};

type NoisyMeasurement = Measurement & { readonly noise: { readonly kind: NoiseName } };

const isNoisy = (measurement: Measurement): measurement is NoisyMeasurement => measurement.noise.kind !== 'none';

/** Mean squared errors of the replicates' answers, and their mean products with the noise. */
interface ReplicateErrors {
  readonly square: Float64Array;
  readonly product: Float64Array;
}

/** Draws that a table of clumps has at least: with fewer, small cells are empty in all of them, and nothing is learned. */
const fewestDraws = 100;

/**
 * How many equal records come together in the drawn tables. A model takes attributes for independent where nobody measured that they are not, and
 * tables drawn from it record by record agree. The private table need not: what selection leaves aside, or a plan does not ask for, may be off by
 * anything that noise of that size would have hidden. A cell of m records is then off by about the geometric mean of m and the noise's standard deviation s, as
 * records in clumps of s are (docs/sql.md has the figures). What was measured is not affected: clumps are measured too.
 */
const clumpOf = (noisy: readonly NoisyMeasurement[], model: AnyModel): number => {
  const joint = noisy.filter(({ query }) => attributesIn(query).length > 1);
  const deviations = (joint.length === 0 ? noisy : joint).map((measurement) => Math.sqrt(varianceOf(measurement)));
  const units = modelsHouseholds(model) ? model.householdTotal : model.total;
  return Math.max(1, Math.min(1 + Math.min(...deviations), units / fewestDraws));
};

/**
 * How much larger the model's error is than that of its replicates, as a factor from 1. By the covariance penalty (Efron 2004) the squared
 * error of answers with noise of variance s^2 is (expected - measured)^2 - s^2 + 2 cov(expected, noise) on average; the
 * covariance is that of the replicates. It is summed where the replicates err most: elsewhere there is noise and little to learn.
 */
const inflationOf = (
  model: Answering,
  noisy: readonly NoisyMeasurement[],
  errors: readonly ReplicateErrors[],
): number => {
  const answers = noisy.flatMap((measurement, i) => {
    const variance = varianceOf(measurement);
    const expected = model.answer(measurement.query);
    const { scatter } = noiseKinds[measurement.noise.kind];
    const part = residualPart(measurement.query, model.domain);
    return Array.from(expected, (own, j) => ({
      theirs: errors[i].square[j] / variance,
      own: ((own - measurement.values[j]) ** 2 + 2 * errors[i].product[j]) / variance - part,
      scatter: scatter * part ** 2,
    }));
  });
  answers.sort((a, b) => b.theirs - a.theirs);
  const whole = answers.reduce((sum, { theirs }) => sum + theirs, 0);
  if (!(whole > 0)) return 1;
  let [theirs, own, scatter] = [0, 0, 0];
  for (const answer of answers) {
    if (theirs >= judgedPart * whole) break;
    theirs += answer.theirs;
    own += answer.own;
    scatter += answer.scatter;
  }
  return Math.sqrt(Math.max(1, (own + caution * Math.sqrt(scatter)) / theirs));
};

/** The answers of a drawn table, and the same with the measurement's noise. Numbers need not be whole: no privacy depends on them. */
const renoised = (
  measurement: Measurement,
  truth: Answering,
  random: Random,
): { readonly measurement: Measurement; readonly right: Float64Array } => {
  const { kind, scale } = measurement.noise;
  if (kind === 'none') return { measurement, right: measurement.values };
  const right = truth.answer(measurement.query);
  const { simulate } = noiseKinds[kind];
  const noise = right.map(() => scale * simulate(random));
  const { query } = measurement;
  // Of the noise in a residual's cells what leaves is its own residual.
  const kept = residualSizes(query, truth.domain) === undefined ? noise : answerFrom(query, truth.domain, noise);
  return { measurement: { ...measurement, values: right.map((answer, i) => answer + kept[i]) }, right };
};
