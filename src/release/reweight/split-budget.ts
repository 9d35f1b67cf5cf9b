/** Something that may be measured with a part of a budget. */
export interface Splittable {
  /** Square of the error that noise would cause with the whole budget; a part x of it divides by x. */
  readonly noise: number;
  /** Square of the error without a measurement. */
  readonly gap: number;
}

/** A measurement that tells something of another: a part x for `by` serves as `rate` x for `about` would. */
export interface Telling {
  readonly by: number;
  readonly about: number;
  readonly rate: number;
}

/** Turns of the search: errors are within a thousandth of the least by then. */
const turns = 200;

/**
 * Parts of a budget, with sum 1, that make the sum over sets of the root of their members' summed squared errors least. A member that is measured with part
 * x, and drawn towards what was known before as far as that is better, has a squared error of gap noise/(gap x + noise), where x holds what others tell as well. The
 * sum is convex in the parts; each is multiplied by the root of what the sum would fall by if it grew, relative to the others (the multiplicative rule of optimal designs: Silvey,
 * Titterington, Torsney 1978), so that in the end the parts that are left all bring the same. Members whose gap is small beside their noise end near 0.
 */
export const splitBudget = (
  members: readonly Splittable[],
  sets: readonly (readonly number[])[],
  tellings: readonly Telling[] = [],
): Float64Array => {
  let parts: Float64Array = new Float64Array(members.length).fill(1 / members.length);
  for (let turn = 0; turn < turns; turn++) {
    const gains = gainsAt(members, sets, tellings, parts);
    const pulled = parts.map((part, i) => part * Math.sqrt(gains[i]));
    const sum = pulled.reduce((all, part) => all + part, 0);
    if (!(sum > 0)) break;
    parts = pulled.map((part) => part / sum);
  }
  return parts;
};

export const squaredError = ({ gap, noise }: Splittable, part: number): number =>
  gap === 0 ? 0 : (gap * noise) / (gap * part + noise);

/** The parts that the members have, with what others tell of them. */
export const toldParts = (parts: ArrayLike<number>, tellings: readonly Telling[]): Float64Array => {
  const told = Float64Array.from(parts);
  for (const { by, about, rate } of tellings) told[about] += rate * parts[by];
  return told;
};

/** What the sum of roots would fall by, for each member, if its part grew. */
const gainsAt = (
  members: readonly Splittable[],
  sets: readonly (readonly number[])[],
  tellings: readonly Telling[],
  parts: Float64Array,
): Float64Array => {
  const told = toldParts(parts, tellings);
  const errors = members.map((member, i) => squaredError(member, told[i]));
  const slopes = new Float64Array(members.length);
  for (const set of sets) {
    const sum = set.reduce((all, i) => all + errors[i], 0);
    for (const i of set) slopes[i] += 1 / Math.sqrt(Math.max(sum, Number.MIN_VALUE));
  }
  const own = slopes.map((slope, i) => (members[i].noise === 0 ? 0 : (slope * errors[i] ** 2) / members[i].noise));
  const gains = own.slice();
  for (const { by, about, rate } of tellings) gains[by] += rate * own[about];
  return gains;
};
