import type { WeightedRows } from '../model/weighted-rows.js';
import { normal } from '../random/normal.js';
import type { Random } from '../random/random.js';
import { type Descent, startDescent, type Target } from './descent.js';
import type { Stride } from './stepper.js';

/** The size of a probe's perturbation, in standard deviations of the noise. */
const nudge = 0.1;

/** Fits to slightly perturbed measurements that take the same steps as the fit they watch. */
export interface RiskProbes {
  follow(stride: Stride): Promise<void>;
  /**
   * The effective number of parameters that the fit has used up: sum over answers of d expected / d measured, which is
   * estimated by moving all measurements at random and looking how far the expected answers follow (Hutchinson).
   */
  freedom(answers: readonly Float64Array[]): number;
}

export const openProbes = async (
  rows: WeightedRows,
  targets: readonly Target[],
  total: number | undefined,
  count: number,
  random: Random,
): Promise<RiskProbes> => {
  const probes: { noise: Float64Array[]; fit: Descent }[] = [];
  for (let probe = 0; probe < count; probe++) {
    const noise = targets.map(({ measurement: { values } }) => values.map(() => normal(random)));
    const moved = targets.map(({ measurement: { values }, variance }, t) =>
      values.map((value, i) => value + nudge * Math.sqrt(variance) * noise[t][i]),
    );
    probes.push({ noise, fit: await startDescent(rows, targets, total, moved) });
  }
  return {
    async follow({ step, momentum }) {
      for (const { fit } of probes) {
        await fit.aim();
        await fit.attempt(step, momentum);
        await fit.accept();
      }
    },
    freedom(answers) {
      let sum = 0;
      for (const { fit, noise } of probes)
        targets.forEach(({ variance }, t) => {
          const moved = fit.answers[t];
          let product = 0;
          for (let i = 0; i < moved.length; i++) product += noise[t][i] * (moved[i] - answers[t][i]);
          sum += product / Math.sqrt(variance);
        });
      return count === 0 ? 0 : sum / nudge / count;
    },
  };
};
