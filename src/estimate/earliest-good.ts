/** A point on the way of a fit, as far as choosing one needs it. */
export interface Judged {
  /** Estimated sum over all answers of squared error / variance: Stein's unbiased risk estimate. */
  readonly risk: number;
  /** Estimated effective number of parameters. */
  readonly freedom: number;
}

/** A risk counts as no worse when it exceeds the least by at most this part of the variance taken on. */
const slack = 0.05;
/** Snapshots held at most; beyond, every second one is dropped. */
const most = 24;

/**
 * Keeps the earliest point whose risk is as good as the best one's, as far as noise lets us tell. The estimate of the risk looks
 * at the measured answers only; what was not measured is harmed by over-fitting first, so among equals the earlier is better.
 */
export const earliestGood = <Point extends Judged, Snapshot>() => {
  let held: { point: Point; snapshot: Snapshot }[] = [];
  let best: Point | undefined;
  const limit = (): number => best!.risk + slack * Math.max(0, best!.freedom);
  return {
    /** Looks at the next point; takes a snapshot if it may be the one. */
    async consider(point: Point, snapshot: () => Promise<Snapshot>): Promise<void> {
      if (best === undefined || point.risk < best.risk) {
        best = point;
        held = held.filter(({ point: { risk } }) => risk <= limit());
      }
      if (point.risk <= limit()) held.push({ point, snapshot: await snapshot() });
      if (held.length > most) held = held.filter((_, i) => i % 2 === 0);
    },
    /** The least risk seen so far. */
    best: (): Point => best!,
    chosen: (): { readonly point: Point; readonly snapshot: Snapshot } => held[0],
  };
};
