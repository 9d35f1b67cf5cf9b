import type { Descending, Stride } from './stepper.js';

/** The size of a probe's perturbation, in standard deviations of the noise. */
export const nudge = 0.1;

/** A fit to measurements that were moved by `nudge` standard deviations times standard normal noise. */
export interface Probe<Fit> {
  readonly fit: Fit;
  /** Sum over all answers of noise * (expected by this fit - expected by the other) / standard deviation. */
  along(other: Fit): number;
}

/** Fits to slightly perturbed measurements that take the same steps as the fit they watch. */
export interface RiskProbes<Fit> {
  follow(stride: Stride): Promise<void>;
  /**
   * The effective number of parameters that the watched fit has used up: sum over answers of d expected / d measured, which is
   * estimated by moving all measurements at random and looking how far the expected answers follow (Hutchinson).
   */
  freedom(fit: Fit): number;
}

export const openProbes = async <Fit extends Descending>(
  count: number,
  open: () => Promise<Probe<Fit>>,
): Promise<RiskProbes<Fit>> => {
  const probes: Probe<Fit>[] = [];
  for (let probe = 0; probe < count; probe++) probes.push(await open());
  return {
    async follow({ step, momentum }) {
      for (const { fit } of probes) {
        await fit.findDirection();
        await fit.attempt(step, momentum);
        await fit.accept();
      }
    },
    freedom(fit) {
      let sum = 0;
      for (const probe of probes) sum += probe.along(fit);
      return count === 0 ? 0 : sum / nudge / count;
    },
  };
};

/** How many probes estimate the freedom well enough: fewer answers are less to average over. */
export const probesFor = (answers: number): number => Math.max(2, Math.min(12, Math.ceil(1500 / answers)));
