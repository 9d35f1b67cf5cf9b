import type { Measurement } from '../../privacy/measurement.js';
import type { Random } from '../../random/random.js';
import { alongNoise, openProbes, perturb, type RiskProbes } from '../stopping/risk-probes.js';
import { varianceOf } from '../total/estimate-total.js';
import { type IdeFit, startIde } from './fit.js';
import type { IdeRows } from './rows.js';
import type { PartialWorkload } from './workloads.js';

/** Standard deviation of the noise of each workload's answers, as a proportion of the total. */
export const deviationsOf = (
  workloads: readonly PartialWorkload[],
  measurements: readonly Measurement[],
  total: number,
): number[] => workloads.map(({ measurement }) => Math.sqrt(varianceOf(measurements[measurement])) / total);

/** Runs on perturbed answers, beside one whose expected answers they are compared with, as each epoch offers them. */
export const ideProbes = (
  count: number,
  rows: IdeRows,
  noisy: readonly Float64Array[],
  deviations: readonly number[],
  offer: 'average' | 'last',
  random: Random,
): Promise<RiskProbes<IdeFit, readonly Float64Array[]>> =>
  openProbes(count, () => {
    const { noise, moved } = perturb(noisy, deviations, random);
    const fit = startIde(rows, moved);
    return { fit, along: async (other) => alongNoise(noise, await fit.answers(offer), other, deviations) };
  });

/**
 * Stein's unbiased estimate of the mean squared error of expected answers, in variances of the noise: misfit - 1 + twice the
 * degrees of freedom. Unbiased for Gaussian noise; for Laplace noise a guide. Answers without noise do not enter.
 */
export const estimatedRisk = (
  expected: readonly Float64Array[],
  noisy: readonly Float64Array[],
  deviations: readonly number[],
  freedom: number,
): number => {
  let answers = 0;
  let misfit = 0;
  expected.forEach((mine, s) => {
    const deviation = deviations[s];
    if (deviation === 0) return;
    answers += mine.length;
    for (let i = 0; i < mine.length; i++) misfit += ((mine[i] - noisy[s][i]) / deviation) ** 2;
  });
  return answers === 0 ? 0 : (misfit + 2 * freedom) / answers - 1;
};
