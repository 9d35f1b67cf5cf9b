/** A point on the way of a fit, as far as choosing one needs it. */
export interface Judged {
  /** Estimated sum over all answers of squared error / variance: Stein's unbiased risk estimate. */
  readonly risk: number;
  /** Estimated effective number of parameters. */
  readonly freedom: number;
}

export interface Leniency {
  /** A risk counts as no worse when it exceeds the least by at most this part of the variance taken on: 1/20 by default, ... */
  readonly partOfFreedom?: number | undefined;
  /** ... or by at most this many standard deviations of the difference of the two estimates: 1 by default. */
  readonly deviations?: number | undefined;
  /** Points held at most, 64 by default. */
  readonly most?: number | undefined;
}

/**
 * Chooses the earliest point whose risk is as good as the least, as far as noise lets us tell. The estimate of the risk looks at
 * measured answers only; what was not measured is harmed by over-fitting first, so among equals the earlier is better.
 *
 * `distance` is the Euclidean distance of the expected answers of two points in standard deviations of the noise. The difference
 * of their estimated risks is, but for constants, 2 <difference of answers, noise>, so its standard deviation is twice that.
 */
export const stoppingRule = <Point extends Judged, Snapshot>(
  distance: (a: Snapshot, b: Snapshot) => number,
  { partOfFreedom = 0.05, deviations = 1, most = 64 }: Leniency = {},
) => {
  type Held = { readonly point: Point; readonly snapshot: Snapshot };
  let held: Held[] = [];
  let best: Held | undefined;
  const good = ({ point, snapshot }: Held): boolean => {
    const excess = point.risk - best!.point.risk;
    return (
      excess <= partOfFreedom * Math.max(0, best!.point.freedom) ||
      excess <= deviations * 2 * distance(snapshot, best!.snapshot)
    );
  };
  return {
    consider(point: Point, snapshot: Snapshot): void {
      const next = { point, snapshot };
      if (best === undefined || point.risk < best.point.risk) best = next;
      held.push(next);
      if (held.length > most) held = held.filter(good);
      if (held.length > most) held = held.filter((_, i) => i % 2 === 0);
    },
    /** The point of least risk so far. */
    best: (): Point => best!.point,
    chosen: (): Held => held.find(good) ?? best!,
  };
};

/** A fit ends where its risk exceeds the least by this part of the freedom there, ... */
const riskPart = 0.02;
/** ... and it has made so many steps where `best` led to the least: a valley that noise alone makes is not so wide. */
const stepsBehind = (best: number): number => 1.25 * best + 20;

/** Whether a fit at this step has left the least risk behind for good. Where steps are short and many that is long before it has moved much farther. */
export const isBehind = (
  step: Judged & { readonly iteration: number },
  best: Judged & { readonly iteration: number },
): boolean => step.iteration > stepsBehind(best.iteration) && step.risk - best.risk > riskPart * best.freedom;

/** More steps never use up fewer parameters: a freedom that falls by more than this part and number swings, since steps are too long, and takes the risk along. */
const [fallPart, fallNumber] = [0.005, 0.5];

/** Whether a freedom has fallen by more than chance. */
export const isSwing = (before: number, freedom: number): boolean =>
  before - freedom > Math.max(fallNumber, fallPart * before);

/** Of all steps so far the last fifth, and risk and freedom that change in it by no more than this part of the freedom. */
const [lastPart, stillPart] = [0.8, 0.003];
const fewestSteps = 50;

/** Whether a fit has arrived: neither its risk nor its freedom has changed for a fifth of its steps. */
export const isStill = (trace: readonly Judged[]): boolean => {
  if (trace.length < fewestSteps) return false;
  const [now, then] = [trace[trace.length - 1], trace[Math.floor(lastPart * trace.length)]];
  const change = Math.max(Math.abs(now.risk - then.risk), Math.abs(now.freedom - then.freedom));
  return change <= stillPart * now.freedom;
};
