import { lowerBound, normalQuantile, upperBound } from './bounds.js';

/** How often each outcome was seen on one side. */
export type Outcomes = Map<number, number>;

/** What an audit bounds: epsilon of pure differential privacy, the mu of Gaussian differential privacy, or the delta that is left at an epsilon of 1/2. */
export type Measure = 'epsilon' | 'mu' | 'delta';

const deltaAt = 0.5;

const totalOf = (outcomes: Outcomes): number => [...outcomes.values()].reduce((sum, count) => sum + count, 0);
const countOf = (outcomes: Outcomes, event: ReadonlySet<number>): number => {
  let count = 0;
  for (const [outcome, times] of outcomes) if (event.has(outcome)) count += times;
  return count;
};

/** The privacy loss that an event with chance at least `power` on one side and at most `level` on the other proves. */
const lossOf = (power: number, level: number, measure: Measure): number => {
  if (power <= 0) return 0;
  if (measure === 'delta') return power - Math.exp(deltaAt) * level;
  if (measure === 'epsilon') return Math.log(power / level);
  return normalQuantile(power) - normalQuantile(level);
};

const boundOf = (
  event: ReadonlySet<number>,
  here: Outcomes,
  there: Outcomes,
  measure: Measure,
  error: number,
): number => {
  const power = lowerBound(countOf(here, event), totalOf(here), error / 2);
  const level = upperBound(countOf(there, event), totalOf(there), error / 2);
  return lossOf(power, level, measure);
};

/**
 * The event that tells the two sides apart best on the training runs: outcomes in order of their likelihood ratio, cut where
 * the bound is highest (Neyman-Pearson: the best event is such a set).
 */
const bestEvent = (here: Outcomes, there: Outcomes, measure: Measure, error: number): ReadonlySet<number> => {
  const ratio = (outcome: number) => ((here.get(outcome) ?? 0) + 0.5) / ((there.get(outcome) ?? 0) + 0.5);
  const ordered = [...new Set([...here.keys(), ...there.keys()])].sort((a, b) => ratio(b) - ratio(a));
  let best = { bound: -Infinity, size: 1 };
  for (let size = 1; size <= ordered.length; size++) {
    const bound = boundOf(new Set(ordered.slice(0, size)), here, there, measure, error);
    if (bound > best.bound) best = { bound, size };
  }
  return new Set(ordered.slice(0, best.size));
};

/**
 * A lower bound on the privacy loss between two sides, wrong with probability at most `error`: the event is picked on training
 * runs and judged on held-out ones, in both directions, each at half the error.
 */
export const attack = (
  training: readonly [Outcomes, Outcomes],
  heldOut: readonly [Outcomes, Outcomes],
  measure: Measure,
  error: number,
): number => {
  const oneWay = (i: 0 | 1, j: 0 | 1): number => {
    const event = bestEvent(training[i], training[j], measure, error / 2);
    return boundOf(event, heldOut[i], heldOut[j], measure, error / 2);
  };
  return Math.max(0, oneWay(0, 1), oneWay(1, 0));
};
