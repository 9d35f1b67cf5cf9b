import { InputError } from '../domain/input-error.js';
import type { Running } from '../domain/running.js';
import { eachInTurn, inTurns } from '../domain/turns.js';
import type { OpenFitters } from '../estimate/graphical/apart.js';
import { varianceOf } from '../estimate/total/estimate-total.js';
import { type GraphicalModel, withoutBeliefs } from '../model/graphical/graphical-model.js';
import { type Answering, type AnyModel, modelsHouseholds } from '../model/model.js';
import { fewestDraws, redrawing } from '../model/redraw.js';
import type { Replicates } from '../model/replicates.js';
import type { Measurement } from '../privacy/measurement.js';
import { type NoiseName, noiseKinds } from '../privacy/noise/noise-kinds.js';
import { answerFrom, attributesIn } from '../query/answer.js';
import { residualPart, residualSizes } from '../query/residual.js';
import type { Random } from '../random/random.js';
import { seeded } from '../random/seeded.js';
import { fittedAtOnce } from '../release/fitted-at-once.js';
import type { RefitWhere, Released } from '../release/released.js';

/** How many replicates are drawn, from what, and how many of them are fitted at a time. */
export interface BootstrapOptions extends Running {
  /** For noise that protects nobody: it is added to the model's own answers. */
  readonly random: Random;
  /** Number of replicates, 20 by default; 0 means none. */
  readonly replicates?: number | undefined;
  /** Threads, which replicates of large graphical models have to themselves, one each; where there are no fitters one is fitted after the other, as the release was. */
  readonly threads?: number | undefined;
  readonly fitters?: OpenFitters | undefined;
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
  released: Pick<Released<AnyModel>, 'model' | 'measurements' | 'refit' | 'refitsAnywhere' | 'unmeasured'>,
  { random, replicates = 20, threads = 2, fitters: openFitters, signal, onProgress }: BootstrapOptions,
): Promise<Replicates | undefined> => {
  const { model, measurements, refit, refitsAnywhere = false, unmeasured } = released;
  if (!Number.isSafeInteger(replicates) || replicates < 0 || replicates === 1)
    throw new InputError(`replicates: must be 0 or a whole number from 2, got ${replicates}`);
  const noisy = measurements.filter(isNoisy);
  if (refit === undefined || replicates === 0 || noisy.length === 0) return undefined;
  const errors = noisy.map(({ values }) => ({
    square: new Float64Array(values.length),
    product: new Float64Array(values.length),
  }));
  // Each replicate has generators of its own: which of them are made at a time changes nothing.
  const [seed, noiseSeed] = [random.uint32(), 2 ** 33 + random.uint32()];
  const clump = unmeasured === 'public rows' ? 1 : clumpOf(noisy, model);
  const models: Answering[] = [];
  const truths: Answering[] = [];
  /** Errors of replicates that wait for those before them, so that they are added up in their order. */
  const waiting: (readonly ReplicateErrors[] | undefined)[] = [];
  let [done, added] = [0, 0];
  const replicate = async (k: number, where: RefitWhere | undefined): Promise<void> => {
    const own = seeded(noiseSeed + k);
    const truth = await inTurns(redrawing(model, seeded(seed + k), clump), { signal });
    const again = await inTurns(
      eachInTurn(measurements, (measurement) => renoised(measurement, truth, own)),
      { signal },
    );
    const fitted = await refit(
      again.map(({ measurement }) => measurement),
      own,
      where,
    );
    waiting[k] = await inTurns(
      eachInTurn(
        again.filter(({ measurement }) => isNoisy(measurement)),
        ({ measurement, right }) => errorsOf(fitted.answer(measurement.query), measurement.values, right),
      ),
      { signal },
    );
    [models[k], truths[k]] = [withoutTables(fitted), truth];
    for (let next = waiting[added]; next !== undefined; next = waiting[added]) {
      next.forEach(({ square, product }, i) => {
        addPart(errors[i].square, square, replicates);
        addPart(errors[i].product, product, replicates);
      });
      waiting[added++] = undefined;
    }
    onProgress?.({ stage: 'bootstrap', done: ++done, total: replicates });
  };
  onProgress?.({ stage: 'bootstrap', done: 0, total: replicates });
  const atOnce = refitsAnywhere && openFitters ? fittedAtOnce(model.cost?.bytes ?? 0, threads) : 1;
  const fitters = atOnce > 1 ? openFitters!(atOnce) : undefined;
  try {
    // This thread draws tables and judges models meanwhile: the next table is there when a fitter is free.
    const lanes = fitters ? Array.from({ length: atOnce + 1 }, () => ({ apart: fitters.fit })) : [undefined];
    await takingTurns(replicates, lanes, replicate, signal);
  } finally {
    fitters?.close();
  }
  return { models, truths, seed, clump, inflation: inflationOf(model, noisy, errors) };
};

/** Does numbered work, each piece by whoever is free; all have ended when it returns or throws. */
const takingTurns = async <Worker>(
  count: number,
  workers: readonly Worker[],
  work: (k: number, worker: Worker) => Promise<void>,
  signal: AbortSignal | undefined,
): Promise<void> => {
  let [next, broken] = [0, false];
  const lane = async (worker: Worker): Promise<void> => {
    try {
      for (let k = next++; k < count && !broken; k = next++) {
        signal?.throwIfAborted();
        await work(k, worker);
      }
    } catch (error) {
      broken = true;
      throw error;
    }
  };
  const ends = await Promise.allSettled(workers.map(lane));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
};

/** A model that works its tables out when it is asked: replicates are many, and most are written and not asked. */
const withoutTables = (model: AnyModel): Answering =>
  'kind' in model && model.kind === 'graphical' ? withoutBeliefs(model as GraphicalModel) : model;

/** Errors of a replicate's answers: their squares, and their products with the noise. */
const errorsOf = (answers: Float64Array, measured: Float64Array, right: Float64Array): ReplicateErrors => ({
  square: answers.map((answer, j) => (answer - right[j]) ** 2),
  product: answers.map((answer, j) => (answer - right[j]) * (measured[j] - right[j])),
});

const addPart = (sums: Float64Array, values: Float64Array, parts: number): void => {
  for (let i = 0; i < sums.length; i++) sums[i] += values[i] / parts;
};

type NoisyMeasurement = Measurement & { readonly noise: { readonly kind: NoiseName } };

const isNoisy = (measurement: Measurement): measurement is NoisyMeasurement => measurement.noise.kind !== 'none';

/** Mean squared errors of the replicates' answers, and their mean products with the noise. */
interface ReplicateErrors {
  readonly square: Float64Array;
  readonly product: Float64Array;
}

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
