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
/** How near 1 a sum of parts is brought; it stays below, whatever the rounding. */
const slack = 1e-9;
/** Newton's steps at most: a handful lead there, and hundreds where the starts of members are many orders of magnitude apart. */
const mostSteps = 1000;

/**
 * Parts of a budget, with sum 1, that make the sum over sets of the root of their members' summed squared errors least. A member that is measured with part
 * x, and drawn towards what was known before as far as that is better, has a squared error of gap noise/(gap x + noise). The root is majorised by a line at the
 * present point, and under lines the best part is max(least, sqrt(c noise/price) - noise/gap), with the price at which parts add up to 1: no turn is worse than the
 * one before. Members whose gap is small beside their noise get no more than their least.
 */
export const splitBudget = (members: readonly Splittable[], sets: readonly (readonly number[])[]): Float64Array => {
  let parts: Float64Array = new Float64Array(members.length).fill(1 / members.length);
  let u: number | undefined;
  for (let turn = 0; turn < turns; turn++) ({ parts, u } = partsAt(members, countsAt(members, sets, parts), u));
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
 * straight pieces: Newton's steps from anywhere on its slope come, from above, to where it is 1. They begin at the last turn's u, or where every member has more than its least.
 */
const partsAt = (
  members: readonly Splittable[],
  counts: Float64Array,
  from: number | undefined,
): { readonly parts: Float64Array; readonly u: number } => {
  const [rise, start, least] = [0, 0, 0].map(() => new Float64Array(members.length));
  let [rises, starts] = [0, 0];
  for (const [i, { noise, gap, least: own }] of members.entries()) {
    rise[i] = gap === 0 ? 0 : Math.sqrt(counts[i] * noise);
    start[i] = gap === 0 ? 0 : noise / gap;
    least[i] = own;
    rises += rise[i];
    starts += start[i];
  }
  /** By how much parts at u are above 1 together, and how that grows with u. */
  const sumAt = (u: number): { above: number; slope: number } => {
    let [above, slope] = [-1, 0];
    for (let i = 0; i < rise.length; i++) {
      const part = u * rise[i] - start[i];
      const more = rise[i] > 0 && part > least[i];
      above += more ? part : least[i];
      if (more) slope += rise[i];
    }
    return { above, slope };
  };
  const far = rises === 0 ? 0 : (1 + starts) / rises;
  let u = from !== undefined && sumAt(from).slope > 0 ? from : far;
  for (let steps = 0; steps < mostSteps; steps++) {
    const { above, slope } = sumAt(u);
    // From below, one step leads above; from there on they come down.
    if (slope === 0 || Math.abs(above) < slack / 2) break;
    u -= above / slope;
  }
  u *= 1 - slack;
  const parts = least.slice();
  for (let i = 0; i < parts.length; i++) if (rise[i] > 0) parts[i] = Math.max(least[i], u * rise[i] - start[i]);
  return { parts, u };
};
