import type { GaussianTerms } from '../../noise/gaussian.js';
import { multiplyRational, type Rational, rationalNumber } from '../../rational.js';
import { type Amount, addAmounts, amountScale, amountToNumber, zeroAmount } from '../amount.js';
import { type Charge, costOfAll } from '../charge.js';
import { gdpEpsilonOf } from '../gdp-conversion.js';
import { continuousLosses, latticeLosses } from './lattice-losses.js';
import { beyondLeadingShift } from './leading-shift.js';
import { addLosses, cutEnds, deltaAt, type Losses, onSteps, timesLosses } from './losses.js';

/** Counts that are changed by the same number under the same noise: so many of them, and what the charges for them come to in gdp. */
interface Alike {
  readonly shift: number;
  readonly sigmaSquared: number;
  count: number;
  gdp: Amount;
  readonly records: number;
  readonly square: number;
}

/** Counting in gdp may cost so much of epsilon at most, where it stands for what is not looked at outcome by outcome. */
const leniency = 1e-4;

/** Kinds of noise that are looked at outcome by outcome: a sum of losses takes so many convolutions. */
const mostKinds = 24;

/** Entries of the losses of one kind of noise, and of all together: the spread to neighbours then adds below 1e-4 of the variance. */
const entriesEach = 2048;
const entriesOfAll = 4096;

/** Beyond this sigma^2, gdp is exact to a 20,000th of epsilon. */
const largest = 2 ** 14;

/** What doubles reach: beyond, gdp is told. */
const leastDelta = 1e-60;
const mostEpsilon = 200;

/** The largest number of rows of a unit for which all ways to fall into cells are tried. */
const mostRecords = 4;

/** As it is charged for on the lattice that its noise is drawn on: what moves are whole numbers there, and the grain of the lattice is a step of it. */
const onLattice = (charge: Charge): Charge => {
  if (charge.kind !== 'gaussian' || charge.grid === undefined) return charge;
  const { grid, sensitivitySquared, sigmaSquared, ...rest } = charge;
  const square = multiplyRational(grid, grid);
  return {
    ...rest,
    sensitivitySquared: multiplyRational(sensitivitySquared, square),
    sigmaSquared: multiplyRational(sigmaSquared, square),
  };
};

const whole = ({ numerator, denominator }: Rational): number | undefined =>
  denominator === 1n && numerator <= 1_000_000n ? Number(numerator) : undefined;

/** What a charge for Gaussian noise says of the counts that change, as far as that is known. */
const countsOf = (terms: GaussianTerms): Pick<Alike, 'shift' | 'sigmaSquared' | 'records' | 'square'> | undefined => {
  const records = terms.records === undefined ? 1 : whole(terms.records);
  const size = whole(terms.sensitivitySquared);
  const sigmaSquared = rationalNumber(terms.sigmaSquared);
  if (records === undefined || size === undefined || records > mostRecords || sigmaSquared > largest) return undefined;
  const square = size / records ** 2;
  if (square !== 1 && square !== 2 && square !== 3) return undefined;
  return { shift: records, sigmaSquared, records, square };
};

/** Kinds of noise whose losses are worth a look, dearest first, and the gdp of all else. */
const kindsOf = (charges: readonly Charge[]): { readonly kinds: readonly Alike[]; readonly rest: Amount } => {
  const known = new Map<string, Alike>();
  const other: Charge[] = [];
  for (const charge of charges.map(onLattice)) {
    const counts = charge.kind === 'gaussian' ? countsOf(charge) : undefined;
    if (counts === undefined) {
      other.push(charge);
      continue;
    }
    const key = `${counts.records} ${counts.square} ${counts.sigmaSquared}`;
    const alike = known.get(key) ?? { ...counts, count: 0, gdp: zeroAmount };
    known.set(key, alike);
    alike.count += counts.square;
    alike.gdp = addAmounts(alike.gdp, costOfAll([charge], 'gdp'));
  }
  const sum = (kinds: readonly Alike[]) => kinds.reduce((total, { gdp }) => addAmounts(total, gdp), zeroAmount);
  const excess = ({ gdp, count, shift, sigmaSquared }: Alike) =>
    amountToNumber(gdp) - (count * shift ** 2) / (2 * sigmaSquared);
  const kinds = [...known.values()].sort((a, b) => excess(b) - excess(a));
  const all = amountToNumber(addAmounts(costOfAll(other, 'gdp'), sum(kinds)));
  // Epsilon goes with the root of gdp, so that half of what is too much there is too much of epsilon.
  let kept = kinds.length;
  let left = 0;
  while (kept > 0 && (kept > mostKinds || left + excess(kinds[kept - 1]) / 2 < leniency * all))
    left += excess(kinds[--kept]) / 2;
  return {
    kinds: kinds.slice(0, kept),
    rest: addAmounts(costOfAll(other, 'gdp'), sum(kinds.slice(kept))),
  };
};

/** Losses of all that was charged for, that of the rest as continuous noise of its gdp; undefined where none is worth a look. */
const lossesOf = (charges: readonly Charge[], later: Amount, delta: number): Losses | undefined => {
  const { kinds, rest: other } = kindsOf(charges);
  if (kinds.length === 0) return undefined;
  const allowance = delta * 2 ** -40;
  const parts: Losses[] = [];
  for (const { shift, sigmaSquared, records, square, count } of kinds) {
    const beyond = beyondLeadingShift(records, square, sigmaSquared, allowance);
    if (beyond > 16 * allowance) return undefined;
    const single = latticeLosses(shift, sigmaSquared, allowance);
    // So much for each charge, on one of its counts.
    const own = { ...single, infinite: single.infinite + beyond / square };
    parts.push(timesLosses(own, count, allowance, entriesEach));
  }
  const rest = amountToNumber(addAmounts(other, later)) * (1 + 2 ** -50);
  const known = kinds.reduce((sum, { gdp }) => sum + amountToNumber(gdp), 0);
  if (rest > 0) {
    const own = timesLosses(continuousLosses(Math.max(rest, known * 1e-5), allowance), 1, allowance, entriesOfAll);
    // The factor e^(gdp/256) of discrete noise that is counted as continuous (docs/gdp.md).
    parts.push({ ...own, doubt: own.doubt + rest / 256 });
  }
  if (parts.length === 1) return parts[0];
  const deviation = Math.sqrt(2 * (rest + known));
  const reach = parts.reduce((most, part) => Math.max(most, part.masses.length * part.step), deviation * 20);
  let step = 2 ** -60;
  while (2 * step * entriesOfAll <= reach) step *= 2;
  return parts
    .map((part) => onSteps(part, step))
    .sort((a, b) => a.masses.length - b.masses.length)
    .reduce((sum, part) => cutEnds(addLosses(sum, part), allowance));
};

/** Digits of a stated epsilon. */
const digits = 10;

/** An epsilon rounded up to ten digits. */
const roundedUp = (epsilon: number): Amount => {
  const units = BigInt(Math.ceil(epsilon * 2 ** 40)) * amountScale;
  const amount = units / 2n ** 40n + 1n;
  const unit = 10n ** BigInt(Math.max(0, String(amount).length - digits));
  return (((amount + unit - 1n) / unit) * unit) as Amount;
};

const doublings = 60;

/**
 * The epsilon at delta of charges that were fixed before anything was seen, followed by others that together cost at most `later` in gdp: discrete Gaussian noise on
 * whole counts by its own losses, outcome by outcome, all else by what it costs in gdp. Never below the true one, never above that of all their gdp. Basic
 * arithmetic alone, so that it comes out the same everywhere (docs/gdp.md#a-plan-by-its-own-losses).
 */
export const exactEpsilonOf = (charges: readonly Charge[], later: Amount, delta: string): Amount => {
  const told = gdpEpsilonOf(addAmounts(costOfAll(charges, 'gdp'), later), delta);
  const goal = Number(delta) * (1 - 2 ** -50);
  if (told === zeroAmount || goal < leastDelta || amountToNumber(told) > mostEpsilon) return told;
  const losses = lossesOf(charges, later, goal);
  if (losses === undefined) return told;
  let [low, high] = [0, amountToNumber(told)];
  if (deltaAt(losses, high) > goal) return told;
  for (let step = 0; step < doublings && high - low > high * 2 ** -45; step++) {
    const middle = (low + high) / 2;
    if (deltaAt(losses, middle) > goal) low = middle;
    else high = middle;
  }
  const exact = roundedUp(high);
  return exact < told ? exact : told;
};
