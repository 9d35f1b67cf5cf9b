import type { Running } from '../domain/running.js';
import { reweighted, type Support } from '../model/support.js';
import { openWeightedRows, type Threads } from '../model/weighted-rows.js';
import type { Measurement } from '../privacy/measurement.js';
import { normal } from '../random/normal.js';
import type { Random } from '../random/random.js';
import { type Descent, startDescent, targetsOf } from './descent.js';
import { estimateTotal } from './estimate-total.js';

export interface ReweightOptions extends Threads, Running {
  /** For the probes of the stopping rule: post-processing, so any generator will do. */
  readonly random: Random;
  /** Number of records; by default estimated from the measurements. */
  readonly total?: number;
  /** Where to stop: where the estimated risk is least (default), or where the fit no longer improves. */
  readonly until?: 'validated' | 'converged';
  /** Steps at most, 2,000 by default. */
  readonly iterations?: number;
  /** Perturbed fits that estimate the degrees of freedom, 2 by default. */
  readonly probes?: number;
  /** Sees every step; for traces and experiments. */
  readonly onStep?: (step: ReweightStep, weights: () => Promise<Float64Array>) => Promise<void> | void;
}

/** One step of the fit. */
export interface ReweightStep {
  readonly iteration: number;
  /** Sum of step sizes so far, in units of the first: how far the fit has gone. */
  readonly time: number;
  /** Mean over all answers of (expected - measured)^2 / variance: 1 is what noise alone would leave. */
  readonly chi: number;
  /** Kullback-Leibler divergence from the prior. */
  readonly divergence: number;
  /** Estimated effective number of parameters that the fit has used up. */
  readonly freedom: number;
  /** Estimated mean squared error of the expected answers, in variances of the noise (Stein's estimate). */
  readonly risk: number;
}

export interface Reweighted {
  readonly support: Support;
  readonly total: number;
  readonly trace: readonly ReweightStep[];
  /** The step whose weights were taken. */
  readonly chosen: ReweightStep;
}

/** The size of a probe's perturbation, in standard deviations of the noise. */
const nudge = 0.1;
/** The sum of step sizes grows by at most this factor a step, so that the best stopping point is not jumped over. */
const pace = 1.15;

export const reweight = async (
  support: Support,
  measurements: readonly Measurement[],
  options: ReweightOptions,
): Promise<Reweighted> => {
  const { random, until = 'validated', iterations = 2000, signal, onProgress } = options;
  const { marginals, targets } = targetsOf(measurements);
  const total = options.total ?? estimateTotal(measurements);
  const rows = await openWeightedRows(support, marginals, options);
  try {
    const answersInAll = measurements.reduce((sum, { values }) => sum + values.length, 0);
    const fit = await startDescent(rows, targets, total);
    const probes: { fit: Descent; noise: Float64Array[] }[] = [];
    for (let i = 0; i < (until === 'validated' ? (options.probes ?? 2) : 0); i++) {
      const noise = measurements.map(({ values }) => values.map(() => normal(random)));
      const moved = measurements.map(({ values }, t) => {
        const deviation = Math.sqrt(targets[t].variance);
        return values.map((value, j) => value + nudge * deviation * noise[t][j]);
      });
      probes.push({ fit: await startDescent(rows, targets, total, moved), noise });
    }

    /** Hutchinson's estimate of the divergence of the fit: sum over answers of d expected / d measured. */
    const freedomOf = (): number => {
      let sum = 0;
      for (const probe of probes)
        targets.forEach(({ variance }, t) => {
          const deviation = Math.sqrt(variance);
          const [moved, still, noise] = [probe.fit.answers[t], fit.answers[t], probe.noise[t]];
          let product = 0;
          for (let j = 0; j < noise.length; j++) product += noise[j] * (moved[j] - still[j]);
          sum += product / deviation;
        });
      return probes.length === 0 ? 0 : sum / nudge / probes.length;
    };

    const describe = async (iteration: number, time: number): Promise<ReweightStep> => {
      const chi = fit.chi / answersInAll;
      const freedom = freedomOf();
      const divergence = await fit.divergence();
      return { iteration, time, chi, divergence, freedom, risk: chi - 1 + (2 * freedom) / answersInAll };
    };

    const trace = [await describe(0, 0)];
    let best = { step: trace[0], weights: support.weights };
    await options.onStep?.(trace[0], async () => support.weights);
    // The inverse of the largest curvature there can be: never too long a step.
    let step = 1 / targets.reduce((sum, { variance }) => sum + total ** 2 / variance, 0);
    const unit = step;
    let time = 0;
    for (let iteration = 1; iteration <= iterations; iteration++) {
      signal?.throwIfAborted();
      const before = fit.chi;
      await fit.aim();
      if (time > 0) step = Math.min(2 * step, (pace - 1) * time + unit);
      for (let tries = 0; ; tries++) {
        const { chi, slope } = await fit.attempt(step);
        if ((before - chi) / 2 >= -slope / 2 || tries === 60) break;
        step /= 2;
      }
      await fit.accept();
      for (const probe of probes) {
        await probe.fit.aim();
        await probe.fit.attempt(step);
        await probe.fit.accept();
      }
      time += step;
      const now = await describe(iteration, time / unit);
      trace.push(now);
      await options.onStep?.(now, () => fit.distribution());
      onProgress?.({ stage: 'reweight', done: iteration, total: iterations });
      if (until === 'converged' || now.risk < best.step.risk) best = { step: now, weights: await fit.distribution() };
      if (until === 'validated' && time / unit > 4 * best.step.time + 100 && now.risk > best.step.risk) break;
      if (Math.abs(before - fit.chi) <= 1e-9 * before && iteration > 20) break;
    }
    return { support: reweighted(support, best.weights), total, trace, chosen: best.step };
  } finally {
    rows.close();
  }
};
