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
 * sum is convex in the parts, and `counts` says what each set counts in it, 1 unless told; each is multiplied by the root of what the sum would fall by if it grew, relative to the others (the multiplicative rule of optimal designs: Silvey,
 * Titterington, Torsney 1978), so that in the end the parts that are left all bring the same. Members whose gap is small beside their noise end near 0.
 */
export const splitBudget = (
  members: readonly Splittable[],
  sets: readonly (readonly number[])[],
  tellings: readonly Telling[] = [],
  counts?: readonly number[],
): Float64Array => {
  const gainsAt = gaining(members, sets, tellings, counts);
  const parts = new Float64Array(members.length).fill(1 / members.length);
  for (let turn = 0; turn < turns; turn++) {
    const gains = gainsAt(parts);
    let sum = 0;
    for (let i = 0; i < parts.length; i++) sum += parts[i] * Math.sqrt(gains[i]);
    if (!(sum > 0)) break;
    for (let i = 0; i < parts.length; i++) parts[i] *= Math.sqrt(gains[i]) / sum;
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

/**
 * What the sum of roots would fall by, for each member, if its part grew: a function of the parts, which overwrites what it gave before. It is asked hundreds of times for
 * tens of thousands of pairs, so everything that it goes over is laid out once.
 */
const gaining = (
  members: readonly Splittable[],
  sets: readonly (readonly number[])[],
  tellings: readonly Telling[],
  counts: readonly number[] | undefined,
): ((parts: Float64Array) => Float64Array) => {
  const { length } = members;
  const [noises, gaps] = [new Float64Array(length), new Float64Array(length)];
  for (const [i, { noise, gap }] of members.entries()) [noises[i], gaps[i]] = [noise, gap];
  const [ends, held] = [new Int32Array(sets.length), Int32Array.from(sets.flat())];
  let end = 0;
  for (const [s, set] of sets.entries()) ends[s] = end += set.length;
  const [by, about] = [new Int32Array(tellings.length), new Int32Array(tellings.length)];
  const rates = new Float64Array(tellings.length);
  for (const [t, telling] of tellings.entries())
    [by[t], about[t], rates[t]] = [telling.by, telling.about, telling.rate];
  const [told, errors, slopes, gains] = [0, 0, 0, 0].map(() => new Float64Array(length));
  return (parts) => {
    told.set(parts);
    for (let t = 0; t < by.length; t++) told[about[t]] += rates[t] * parts[by[t]];
    for (let i = 0; i < length; i++)
      errors[i] = gaps[i] === 0 ? 0 : (gaps[i] * noises[i]) / (gaps[i] * told[i] + noises[i]);
    slopes.fill(0);
    for (let s = 0, at = 0; s < ends.length; s++) {
      const first = at;
      let sum = 0;
      for (; at < ends[s]; at++) sum += errors[held[at]];
      const slope = (counts?.[s] ?? 1) / Math.sqrt(Math.max(sum, Number.MIN_VALUE));
      for (let k = first; k < at; k++) slopes[held[k]] += slope;
    }
    for (let i = 0; i < length; i++) slopes[i] = noises[i] === 0 ? 0 : (slopes[i] * errors[i] ** 2) / noises[i];
    gains.set(slopes);
    for (let t = 0; t < by.length; t++) gains[by[t]] += rates[t] * slopes[about[t]];
    return gains;
  };
};
