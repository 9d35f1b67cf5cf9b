/** Something that may be measured with a part of a budget. */
export interface Splittable {
  /** Square of the error that noise would cause with the whole budget; a part x of it divides by x. */
  readonly noise: number;
  /** Square of the error without a measurement. */
  readonly gap: number;
  /** The part that it has at least. */
  readonly least: number;
}

/** Turns of weighing sets anew: far past the third digit then. */
const turns = 25;
/** What rounding may add to a sum of parts: it never exceeds the budget. */
const slack = 1e-12;

/**
 * Parts of a budget, with sum 1, that make the sum over sets of the root of their members' summed squared errors least. A member that is measured with part
 * x, and drawn towards what was known before as far as that is better, has a squared error of gap noise/(gap x + noise). The root is majorised by a line at the
 * present point, and under lines the best part is max(least, sqrt(c noise/price) - noise/gap), with the price at which parts add up to 1: no turn is worse than the
 * one before. Members whose gap is small beside their noise get no more than their least.
 */
export const splitBudget = (members: readonly Splittable[], sets: readonly (readonly number[])[]): Float64Array => {
  let parts: Float64Array = new Float64Array(members.length).fill(1 / members.length);
  for (let turn = 0; turn < turns; turn++) {
    parts = partsAt(members, countsAt(members, sets, parts));
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

/**
 * The best parts under lines of these slopes. In u = 1/sqrt(price) the part of a member is max(least, u sqrt(c noise) - noise/gap), so their sum is convex and made of
 * straight pieces: Newton's steps from where every member has more than its least come down to where it is 1, and end there, after a few passes over the members.
 */
const partsAt = (members: readonly Splittable[], counts: Float64Array): Float64Array => {
  const rise = Float64Array.from(members, ({ noise, gap }, i) => (gap === 0 ? 0 : Math.sqrt(counts[i] * noise)));
  const start = Float64Array.from(members, ({ noise, gap }) => (gap === 0 ? 0 : noise / gap));
  let [above, slope] = [-1, 0];
  for (let i = 0; i < rise.length; i++) {
    above -= start[i];
    slope += rise[i];
  }
  let u = slope === 0 ? 0 : -above / slope;
  for (let last = Infinity; u < last; ) {
    last = u;
    [above, slope] = [-1, 0];
    for (let i = 0; i < rise.length; i++) {
      const part = u * rise[i] - start[i];
      const more = rise[i] > 0 && part > members[i].least;
      above += more ? part : members[i].least;
      if (more) slope += rise[i];
    }
    if (slope > 0 && above > 0) u -= above / slope;
  }
  u *= 1 - slack;
  return Float64Array.from(members, ({ least }, i) =>
    rise[i] === 0 ? least : Math.max(least, u * rise[i] - start[i]),
  );
};
