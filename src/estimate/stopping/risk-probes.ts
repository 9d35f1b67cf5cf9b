import { normal } from '../../random/normal.js';
import type { Random } from '../../random/random.js';

/** The size of a probe's perturbation, in standard deviations of the noise. */
const nudge = 0.1;

/** Answers moved a little at random: a fit to them tells how closely fits follow their data. */
export interface Perturbed {
  /** Standard normal, for each list of answers. */
  readonly noise: readonly Float64Array[];
  /** The answers, moved by `nudge` standard deviations of their noise times `noise`. */
  readonly moved: readonly Float64Array[];
}

/** Perturbs lists of answers, each with the standard deviation of its noise. */
export const perturb = (values: readonly Float64Array[], deviations: readonly number[], random: Random): Perturbed => {
  const noise = values.map((own) => own.map(() => normal(random)));
  return { noise, moved: values.map((own, t) => own.map((value, i) => value + nudge * deviations[t] * noise[t][i])) };
};

/** Sum over all answers of noise * (a - b) / standard deviation; answers without noise do not enter. */
export const alongNoise = (
  noise: readonly Float64Array[],
  a: readonly Float64Array[],
  b: readonly Float64Array[],
  deviations: readonly number[],
): number => {
  let sum = 0;
  deviations.forEach((deviation, t) => {
    if (deviation === 0) return;
    const [own, mine, theirs] = [noise[t], a[t], b[t]];
    let product = 0;
    for (let i = 0; i < mine.length; i++) product += own[i] * (mine[i] - theirs[i]);
    sum += product / deviation;
  });
  return sum;
};

/** A fit to perturbed answers. */
export interface Probe<Fit, Seen> {
  readonly fit: Fit;
  /** `alongNoise` of what this fit expects and what is seen of another. */
  along(other: Seen): number | Promise<number>;
}

/** Fits to slightly perturbed answers that take the same steps as the fit they watch, which they see as a `Seen`. */
export interface RiskProbes<Fit, Seen> {
  follow(step: (fit: Fit) => Promise<unknown>): Promise<void>;
  /**
   * The effective number of parameters that the watched fit has used up: sum over answers of d expected / d measured, which is
   * estimated by moving all measurements at random and looking how far the expected answers follow (Hutchinson).
   */
  freedom(watched: Seen): Promise<number>;
}

export const openProbes = async <Fit, Seen>(
  count: number,
  open: () => Probe<Fit, Seen> | Promise<Probe<Fit, Seen>>,
): Promise<RiskProbes<Fit, Seen>> => {
  const probes: Probe<Fit, Seen>[] = [];
  for (let probe = 0; probe < count; probe++) probes.push(await open());
  return {
    async follow(step) {
      for (const { fit } of probes) await step(fit);
    },
    async freedom(watched) {
      let sum = 0;
      for (const probe of probes) sum += await probe.along(watched);
      return count === 0 ? 0 : sum / nudge / count;
    },
  };
};

/** Probes at most, unless told. */
export const defaultProbes = 12;

/** How many probes estimate the freedom well enough: fewer answers are less to average over. At most `most`. */
export const probesFor = (answers: number, most = defaultProbes): number =>
  Math.min(most, Math.max(2, Math.min(defaultProbes, Math.ceil(1500 / answers))));
