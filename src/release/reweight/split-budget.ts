/** Something that may be measured with a part of a budget. */
export interface Splittable {
  /** Square of the error that noise would cause with the whole budget; a part x of it divides by x. */
  readonly noise: number;
  /** Square of the error without a measurement. */
  readonly gap: number;
  /** The part that it has at least. */
  readonly least: number;
}

/** Turns of weighing sets anew, and of halving the price of budget: either is far past the third digit then. */
const [turns, halvings] = [25, 60];

/**
 * Parts of a budget, with sum 1, that make the sum over sets of the root of their members' summed squared errors least. A member that is measured with part
 * x, and drawn towards what was known before as far as that is better, has a squared error of gap noise/(gap x + noise). The root is majorised by a line at the
 * present point, and under lines the best part is max(least, sqrt(c noise/price) - noise/gap), with the price at which parts add up to 1: no turn is worse than the
 * one before. Members whose gap is small beside their noise get no more than their least.
 */
export const splitBudget = (members: readonly Splittable[], sets: readonly (readonly number[])[]): Float64Array => {
  let parts: Float64Array = new Float64Array(members.length).fill(1 / members.length);
  for (let turn = 0; turn < turns; turn++) {
    const counts = countsAt(members, sets, parts);
    parts = partsAt(members, counts, priceOf(members, counts));
  }
  return parts;
};

export const squaredError = ({ gap, noise }: Pick<Splittable, 'gap' | 'noise'>, part: number): number =>
  gap === 0 ? 0 : (gap * noise) / (gap * part + noise);

/** The slope of every member's squared error in the sum of roots. */
const countsAt = (
  members: readonly Splittable[],
  sets: readonly (readonly number[])[],
  parts: Float64Array,
): Float64Array => {
  const errors = members.map((member, i) => squaredError(member, parts[i]));
  const counts = new Float64Array(members.length);
  for (const set of sets) {
    const sum = set.reduce((all, i) => all + errors[i], 0);
    for (const i of set) counts[i] += 1 / Math.sqrt(Math.max(sum, Number.MIN_VALUE));
  }
  return counts;
};

const partsAt = (members: readonly Splittable[], counts: Float64Array, price: number): Float64Array =>
  Float64Array.from(members, ({ noise, gap, least }, i) =>
    gap === 0 ? least : Math.max(least, Math.sqrt((counts[i] * noise) / price) - noise / gap),
  );

/** The price of budget at which the parts add up to 1, by halving on its logarithm. */
const priceOf = (members: readonly Splittable[], counts: Float64Array): number => {
  const spent = (price: number): number => partsAt(members, counts, price).reduce((sum, part) => sum + part, 0);
  let [low, high] = [1, 1];
  while (spent(low) < 1 && low > 1e-280) low /= 1e6;
  while (spent(high) > 1 && high < 1e280) high *= 1e6;
  for (let i = 0; i < halvings; i++) {
    const middle = Math.sqrt(low) * Math.sqrt(high);
    if (spent(middle) > 1) low = middle;
    else high = middle;
  }
  return high;
};
