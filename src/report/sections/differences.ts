import type { BarShare, OneWay } from '../plots/one-way.js';

/** Whether noise can explain that a released share differs from the public one. */
export type Verdict = 'beyond' | 'perhaps' | 'explained' | 'unknown';

export interface Difference {
  readonly attribute: string;
  readonly bar: BarShare;
  /** Released less public share. */
  readonly difference: number;
  readonly verdict: Verdict;
}

/** The normal law stays within so many standard deviations with probability 95%: what bounds are made with. */
const reach = 1.959963984540054;

/** z with P(|Z| > z) = p for a standard normal Z, by halving: the tail is erfc, from its continued fraction or series. */
const quantile = (p: number): number => {
  let [low, high] = [0, 40];
  for (let step = 0; step < 60; step++) {
    const z = (low + high) / 2;
    if (tail(z) > p) low = z;
    else high = z;
  }
  return (low + high) / 2;
};

/** P(|Z| > z), by a fraction that is good to 1e-7 (Abramowitz and Stegun 7.1.26), and beyond 3 by its bound from above. */
const tail = (z: number): number => {
  if (z > 3) return (Math.sqrt(2 / Math.PI) * Math.exp((-z * z) / 2)) / z;
  const t = 1 / (1 + 0.3275911 * (z / Math.SQRT2));
  const sum = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
  return sum * Math.exp((-z * z) / 2);
};

/**
 * The largest differences between released and public shares. A difference is *beyond* noise when the public share lies outside
 * bounds so wide that, by Bonferroni, all of those looked at hold together with 95%; *perhaps* when only outside its own 95%
 * bounds; else noise alone can explain it. The bounds are those of the private share; the public table's own error is another matter.
 */
export const notableDifferences = (ways: readonly OneWay[], most: number): readonly Difference[] => {
  const pairs = ways.flatMap(({ attribute, bars }) =>
    bars.flatMap((bar) => (bar.prior === undefined ? [] : [{ attribute: attribute.name, bar, prior: bar.prior }])),
  );
  const looked = pairs.filter(({ bar }) => bar.bounds !== undefined).length;
  const factor = looked === 0 ? 1 : quantile(0.05 / looked) / reach;
  return pairs
    .map(({ attribute, bar, prior }) => ({
      attribute,
      bar,
      difference: bar.released - prior,
      verdict: verdictOf(bar, prior, factor),
    }))
    .sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference))
    .slice(0, most);
};

const verdictOf = ({ released, bounds }: BarShare, prior: number, factor: number): Verdict => {
  if (bounds === undefined) return 'unknown';
  const [low, high] = bounds;
  if (prior >= low && prior <= high) return 'explained';
  const far = prior < released ? (released - prior) / (released - low) : (prior - released) / (high - released);
  return far > factor ? 'beyond' : 'perhaps';
};
