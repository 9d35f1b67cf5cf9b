import { exponential, fallen } from './exponential.js';

/**
 * How likely each privacy loss ln P/Q is under P, on equal steps. Never too favourable: for every K, the sum of masses times (1 - K e^-loss)+ and
 * `infinite`, times e^doubt, is at least delta at ln K of what this stands for. So it may have losses that are too high, masses that are too large, and masses
 * that are spread to both sides with the mean of e^-loss kept: that makes E_Q[(e^L - K)+] larger (Jensen).
 */
export interface Losses {
  readonly step: number;
  /** The loss of index 0; that of entry i is `offset + (first + i) step`. */
  readonly offset: number;
  readonly first: number;
  readonly masses: Float64Array;
  /** Chance of a loss beyond all of these. */
  readonly infinite: number;
  /** No mass is too small by more than e to this: rounding errors, which add up in it. */
  readonly doubt: number;
}

/** A bound on the relative error of a few roundings. */
const rounding = 2 ** -50;

/** Shares are raised by this much, so that rounding does not lower them. */
const raised = 1 + 2 ** -44;

/** Cuts off losses at both ends, at most `allowance` of mass each: the high ones count as infinite, the low ones as the least that is kept. */
export const cutEnds = (losses: Losses, allowance: number): Losses => {
  const { masses } = losses;
  let high = masses.length;
  let above = 0;
  while (high > 1 && above + masses[high - 1] <= allowance) above += masses[--high];
  let low = 0;
  let below = 0;
  while (low < high - 1 && below + masses[low] <= allowance) below += masses[low++];
  const kept = masses.slice(low, high);
  kept[0] += below;
  return {
    ...losses,
    first: losses.first + low,
    masses: kept,
    infinite: losses.infinite + above,
    doubt: losses.doubt + masses.length * 2 ** -53,
  };
};

/** The sum of independent losses on the same steps. */
export const addLosses = (a: Losses, b: Losses): Losses => {
  const [long, short] = a.masses.length < b.masses.length ? [b.masses, a.masses] : [a.masses, b.masses];
  const masses = new Float64Array(long.length + short.length - 1);
  for (let j = 0; j < short.length; j++) {
    const factor = short[j];
    if (factor === 0) continue;
    for (let i = 0, at = j; i < long.length; i++, at++) masses[at] += factor * long[i];
  }
  return {
    step: a.step,
    offset: a.offset + b.offset,
    first: a.first + b.first,
    masses,
    // Either is infinite; masses may add up to a little more than 1.
    infinite: (a.infinite + b.infinite) * (1 + 2 ** -20),
    doubt: a.doubt + b.doubt + (short.length + 2) * 2 ** -52,
  };
};

/** The same on steps of twice the size: what lies between is spread to both neighbours. */
const onDoubleSteps = ({ step, offset, first, masses, infinite, doubt }: Losses): Losses => {
  const start = Math.floor(first / 2);
  const spread = new Float64Array(Math.floor((first + masses.length) / 2) - start + 1);
  const up = Math.min(1, raised / (1 + exponential(-step)));
  for (let i = 0; i < masses.length; i++) {
    const at = Math.floor((first + i) / 2) - start;
    if ((first + i) % 2 === 0) spread[at] += masses[i];
    else {
      spread[at] += masses[i] * (1 - up);
      spread[at + 1] += masses[i] * up;
    }
  }
  return { step: 2 * step, offset, first: start, masses: spread, infinite, doubt: doubt + rounding };
};

/** The same with at most `most` entries. */
export const withAtMost = (losses: Losses, most: number): Losses => {
  let coarse = losses;
  while (coarse.masses.length > most) coarse = onDoubleSteps(coarse);
  return coarse;
};

/** The same on multiples of `step`, a power of two. */
export const onSteps = (losses: Losses, step: number): Losses => {
  const { masses } = losses;
  const places = Array.from(masses, (_, i) => lossAt(losses, i) / step);
  const first = Math.floor(places[0]);
  const spread = new Float64Array(Math.floor(places[places.length - 1]) - first + 2);
  const whole = fallen(step);
  for (let i = 0; i < masses.length; i++) {
    const below = Math.floor(places[i]);
    // Differences of neighbouring doubles are exact, and so are products with a power of two.
    const up = Math.min(1, (fallen((places[i] - below) * step) / whole) * raised);
    spread[below - first] += masses[i] * (1 - up);
    spread[below - first + 1] += masses[i] * up;
  }
  return { step, offset: 0, first, masses: spread, infinite: losses.infinite, doubt: losses.doubt + 2 * rounding };
};

/** The loss of an entry, raised by more than it may have been rounded. */
const lossAt = ({ offset, first, step }: Losses, i: number): number => {
  const along = (first + i) * step;
  return offset + along + (Math.abs(offset) + Math.abs(along)) * 2 ** -46;
};

/** An upper bound of delta at epsilon. */
export const deltaAt = (losses: Losses, epsilon: number): number => {
  const { masses } = losses;
  let delta = 0;
  for (let i = masses.length - 1; i >= 0; i--) {
    const over = lossAt(losses, i) - epsilon + epsilon * 2 ** -50;
    if (over <= 0) break;
    delta += masses[i] * fallen(over);
  }
  return (delta + losses.infinite) * exponential(losses.doubt + masses.length * 2 ** -52) * raised;
};

/** The sum of so many independent losses of the same law, on at most `most` entries. */
export const timesLosses = (losses: Losses, count: number, allowance: number, most: number): Losses => {
  const tidy = (sum: Losses) => withAtMost(cutEnds(sum, allowance), most);
  let power = tidy(losses);
  let sum: Losses | undefined;
  for (let left = count; ; left = Math.floor(left / 2)) {
    if (left % 2 === 1) sum = sum === undefined ? power : tidy(addLosses(...alike(sum, power)));
    if (left <= 1) return sum!;
    power = tidy(addLosses(power, power));
  }
};

/** Both on the longer steps: one's are the other's, doubled some times. */
const alike = (a: Losses, b: Losses): readonly [Losses, Losses] => {
  let [one, two] = [a, b];
  while (one.step < two.step) one = onDoubleSteps(one);
  while (two.step < one.step) two = onDoubleSteps(two);
  return [one, two];
};
