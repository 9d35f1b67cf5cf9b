import type { Weighted } from '../../model/support/weighted.js';
import type { Random } from '../../random/random.js';
import { type Probe, perturb } from '../stopping/risk-probes.js';
import { type Descent, startDescent } from './descent.js';
import { inOneArray, type Target } from './targets.js';

/** A fit of the weights to measurements that are moved a little at random. */
export const reweightProbe = async (
  weighted: Weighted,
  targets: readonly Target[],
  total: number | undefined,
  random: Random,
): Promise<Probe<Descent, Descent>> => {
  const lists = perturb(
    targets.map(({ measurement }) => measurement.values),
    targets.map(({ deviation }) => deviation),
    random,
  );
  const noise = inOneArray(lists.noise);
  const fit = await startDescent(weighted, targets, total, inOneArray(lists.moved));
  return { fit, along: ({ answers }) => alongNoise(targets, noise, fit.answers, answers) };
};

/** Sum over all answers of noise * (a - b) / standard deviation; answers without noise do not enter. */
const alongNoise = (targets: readonly Target[], noise: Float64Array, a: Float64Array, b: Float64Array): number => {
  let sum = 0;
  for (const { deviation, from, measurement } of targets) {
    if (deviation === 0) continue;
    let product = 0;
    for (let i = from, end = from + measurement.values.length; i < end; i++) product += noise[i] * (a[i] - b[i]);
    sum += product / deviation;
  }
  return sum;
};
