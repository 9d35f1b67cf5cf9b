import type { Measurement } from '../../privacy/measurement.js';
import { normal } from '../../random/normal.js';
import type { Random } from '../../random/random.js';
import { varianceOf } from '../total/estimate-total.js';
import type { PartialWorkload } from './workloads.js';

/** Answers moved a little at random: a run on them tells how closely the estimate follows its data. */
export interface Probe {
  /** Standard normal, for each workload and answer. */
  readonly noise: readonly Float64Array[];
  /** The measured proportions, moved by `nudge` standard deviations of their noise times `noise`. */
  readonly noisy: readonly Float64Array[];
}

/** A probe's perturbation, in standard deviations of the noise. */
const nudge = 0.1;

/** Standard deviation of the noise of each workload's answers, as a proportion of the total. */
export const deviationsOf = (
  workloads: readonly PartialWorkload[],
  measurements: readonly Measurement[],
  total: number,
): number[] => workloads.map(({ measurement }) => Math.sqrt(varianceOf(measurements[measurement])) / total);

export const probeOf = (noisy: readonly Float64Array[], deviations: readonly number[], random: Random): Probe => {
  const noise = noisy.map((values) => values.map(() => normal(random)));
  return {
    noise,
    noisy: noisy.map((values, s) => values.map((value, i) => value + nudge * deviations[s] * noise[s][i])),
  };
};

/**
 * Stein's unbiased estimate of the mean squared error of expected answers, in variances of the noise: misfit - 1 + twice the
 * degrees of freedom, which the probes' runs estimate (Hutchinson). Unbiased for Gaussian noise; for Laplace noise a guide.
 * Answers without noise do not enter.
 */
export const estimatedRisk = (
  expected: readonly Float64Array[],
  noisy: readonly Float64Array[],
  deviations: readonly number[],
  probes: readonly { readonly noise: readonly Float64Array[]; readonly expected: readonly Float64Array[] }[],
): number => {
  let answers = 0;
  let misfit = 0;
  let freedom = 0;
  expected.forEach((mine, s) => {
    const deviation = deviations[s];
    if (deviation === 0) return;
    answers += mine.length;
    for (let i = 0; i < mine.length; i++) misfit += ((mine[i] - noisy[s][i]) / deviation) ** 2;
    for (const probe of probes)
      for (let i = 0; i < mine.length; i++)
        freedom += (probe.noise[s][i] * (probe.expected[s][i] - mine[i])) / deviation / nudge / probes.length;
  });
  return answers === 0 ? 0 : (misfit + 2 * freedom) / answers - 1;
};
