import { exponential } from './exponential.js';
import { latticeLosses } from './lattice-losses.js';
import { addLosses, type Losses } from './losses.js';

/** Numbers of at most `largest` that add up to `sum`, largest first. */
const partitions = (sum: number, largest: number): number[][] =>
  sum === 0
    ? [[]]
    : Array.from({ length: Math.min(sum, largest) }, (_, i) => Math.min(sum, largest) - i).flatMap((first) =>
        partitions(sum - first, first).map((rest) => [first, ...rest]),
      );

/** The losses of counts that are changed by these numbers, all on steps of 1/sigma^2. */
const lossesOf = (shifts: readonly number[], sigmaSquared: number, allowance: number): Losses =>
  shifts
    .map((shift): Losses => {
      const own = latticeLosses(shift, sigmaSquared, allowance);
      const masses = new Float64Array((own.masses.length - 1) * shift + 1);
      for (const [i, mass] of own.masses.entries()) masses[i * shift] = mass;
      return { ...own, step: 1 / sigmaSquared, first: own.first * shift, masses };
    })
    .reduce(addLosses);

/** delta at each of these epsilons, in growing order. */
const deltasAt = ({ offset, first, step, masses, infinite }: Losses, epsilons: readonly number[]): number[] => {
  const deltas = new Array<number>(epsilons.length);
  let [mass, inverse] = [0, 0];
  let i = masses.length - 1;
  for (let e = epsilons.length - 1; e >= 0; e--) {
    for (; i >= 0 && offset + (first + i) * step > epsilons[e]; i--) {
      mass += masses[i];
      inverse += masses[i] * exponential(-(offset + (first + i) * step));
    }
    deltas[e] = Math.max(0, mass - exponential(epsilons[e]) * inverse) + infinite;
  }
  return deltas;
};

/** Far more than rounding, and what two sums that nearly cancel lose. */
const tolerance = 2 ** -26;

/**
 * By how much, at most, any whole vector that is a sum of `records` ones of squared length at most `square` (1 to 3) loses more in delta under this noise, at any
 * epsilon, than the one with `square` entries of `records`: 0 or next to it where that leads. A curve of delta over e^epsilon is bent at the losses alone, so it
 * is enough to look there; and from epsilon 0 on, since the law is symmetric. A coordinate that is left out lowers delta, so only vectors are looked at to which
 * none can be added.
 */
export const beyondLeadingShift = (
  records: number,
  square: number,
  sigmaSquared: number,
  allowance: number,
): number => {
  if (records === 1) return 0;
  const most = lossesOf(new Array<number>(square).fill(records), sigmaSquared, allowance);
  const nodes = 2 * (most.first + most.masses.length + square * records ** 2);
  const epsilons = Array.from({ length: nodes }, (_, i) => i / (2 * sigmaSquared));
  const bounds = deltasAt(most, epsilons);
  let beyond = 0;
  for (const shifts of partitions(square * records, records)) {
    if (shifts.every((shift) => shift === records)) continue;
    const own = deltasAt(lossesOf(shifts, sigmaSquared, allowance), epsilons);
    for (const [e, delta] of own.entries()) beyond = Math.max(beyond, delta * (1 + tolerance) - bounds[e]);
  }
  return beyond;
};
