import type { Weighted } from '../../model/support/weighted.js';
import type { Random } from '../../random/random.js';
import { alongNoise, type Probe, perturb } from '../stopping/risk-probes.js';
import { type Descent, startDescent } from './descent.js';
import type { Target } from './targets.js';

/** A fit of the weights to measurements that are moved a little at random. */
export const reweightProbe = async (
  weighted: Weighted,
  targets: readonly Target[],
  total: number | undefined,
  random: Random,
): Promise<Probe<Descent, Descent>> => {
  const deviations = targets.map(({ deviation }) => deviation);
  const { noise, moved } = perturb(
    targets.map(({ measurement }) => measurement.values),
    deviations,
    random,
  );
  const fit = await startDescent(weighted, targets, total, moved);
  return { fit, along: ({ answers }) => alongNoise(noise, fit.answers, answers, deviations) };
};
