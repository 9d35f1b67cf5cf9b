import { describe, expect, it, test } from 'vitest';
import { rational } from '../../rational.js';
import { type Amount, amountToNumber, parseAmount, zeroAmount } from '../amount.js';
import { type Charge, costOfAll } from '../charge.js';
import { gdpEpsilonOf } from '../gdp-conversion.js';
import { exactEpsilonOf } from './exact-epsilon.js';
import { exponential, fallen } from './exponential.js';
import { continuousLosses, latticeLosses } from './lattice-losses.js';
import { beyondLeadingShift } from './leading-shift.js';
import { addLosses, cutEnds, deltaAt, onSteps, timesLosses, withAtMost } from './losses.js';

test('exponentials are those of the engine to 14 digits, and 1 - e^-x is so where x is small', () => {
  for (let x = -699; x < 699; x += 0.37) expect(exponential(x) / Math.exp(x) - 1).toBeLessThan(1e-14);
  for (let x = -699; x < 699; x += 0.37) expect(exponential(x) / Math.exp(x) - 1).toBeGreaterThan(-1e-14);
  for (let x = 1e-18; x < 100; x *= 1.3) expect(Math.abs(fallen(x) / -Math.expm1(-x) - 1)).toBeLessThan(1e-14);
  expect(exponential(-800)).toBe(0);
});

/** Whole numbers that counts change by, each with its sigma squared. */
type Plan = readonly (readonly [shift: number, sigmaSquared: number])[];

/** delta of a plan at epsilon, by adding up all outcomes that matter: losses that are alike to 12 digits are kept together. */
const deltaOf = (plan: Plan) => {
  let losses = new Map<number, number>([[0, 1]]);
  for (const [shift, sigmaSquared] of plan) {
    const reach = Math.ceil(10 * Math.sqrt(sigmaSquared)) + Math.abs(shift) + 1;
    const cells = Array.from({ length: 2 * reach + 1 }, (_, i) => i - reach);
    const mass = cells.reduce((sum, z) => sum + Math.exp((-z * z) / (2 * sigmaSquared)), 0);
    const next = new Map<number, number>();
    for (const [loss, chance] of losses)
      for (const z of cells) {
        const sum = Math.round((loss + (2 * z * shift - shift * shift) / (2 * sigmaSquared)) * 1e12) / 1e12;
        next.set(sum, (next.get(sum) ?? 0) + (chance * Math.exp((-z * z) / (2 * sigmaSquared))) / mass);
      }
    losses = next;
  }
  return (epsilon: number): number =>
    [...losses].reduce((sum, [loss, chance]) => sum + chance * Math.max(0, Math.exp(loss) - Math.exp(epsilon)), 0);
};

const epsilonOf = (plan: Plan, delta: number): number => {
  const deltaAtEpsilon = deltaOf(plan);
  let [low, high] = [0, 200];
  for (let step = 0; step < 50; step++) {
    const middle = (low + high) / 2;
    if (deltaAtEpsilon(middle) > delta) low = middle;
    else high = middle;
  }
  return high;
};

const charge = (square: number, sigmaSquared: number, records?: number): Charge => ({
  kind: 'gaussian',
  sensitivitySquared: rational(square),
  sigmaSquared: rational(Math.round(sigmaSquared * 100), 100),
  ...(records === undefined ? {} : { records: rational(records) }),
});

describe('the epsilon of a fixed plan', () => {
  const cases: readonly (readonly [string, readonly Charge[], Plan])[] = [
    ['one count, little noise', [charge(1, 0.6)], [[1, 0.6]]],
    ['one count', [charge(1, 9)], [[1, 9]]],
    [
      'replaced: two counts',
      [charge(2, 5)],
      [
        [1, 5],
        [1, 5],
      ],
    ],
    [
      'unequal noise',
      [charge(1, 3), charge(1, 7.25), charge(1, 20)],
      [
        [1, 3],
        [1, 7.25],
        [1, 20],
      ],
    ],
    [
      'units of two rows',
      [charge(4, 12, 2), charge(4, 12, 2)],
      [
        [2, 12],
        [2, 12],
      ],
    ],
    [
      'units of three rows, replaced',
      [charge(18, 30, 3)],
      [
        [3, 30],
        [3, 30],
      ],
    ],
    [
      'many counts alike',
      Array.from({ length: 6 }, () => charge(1, 16)),
      Array.from({ length: 6 }, () => [1, 16] as const),
    ],
  ];
  it.each(cases)(
    'is, for %s, never below that of all outcomes, and less than a thousandth above',
    (_, charges, plan) => {
      for (const delta of ['1e-12', '1e-9', '1e-6', '1e-3', '0.05']) {
        const told = amountToNumber(exactEpsilonOf(charges, zeroAmount, delta));
        const truth = epsilonOf(plan, Number(delta));
        // Brute force leaves out chances of 1e-22 and rounds losses to 1e-12.
        expect(told).toBeGreaterThanOrEqual(truth * (1 - 1e-7));
        expect(told).toBeLessThanOrEqual(truth * 1.001 + 1e-9);
        expect(told).toBeLessThanOrEqual(amountToNumber(gdpEpsilonOf(costOfAll(charges, 'gdp'), delta)));
      }
    },
  );

  it('covers every way in which the rows of a unit fall into cells', () => {
    for (const sigmaSquared of [0.7, 2, 12])
      for (const delta of ['1e-9', '1e-3']) {
        const told = amountToNumber(exactEpsilonOf([charge(9, sigmaSquared, 3)], zeroAmount, delta));
        for (const shifts of [[3], [2, 1], [1, 1, 1], [2], [1]])
          expect(deltaOf(shifts.map((shift) => [shift, sigmaSquared]))(told)).toBeLessThanOrEqual(
            Number(delta) * (1 + 1e-6),
          );
      }
    // A vector that no rows can make is beyond: of squared length 4, four counts lose more than one that moves by two, at some epsilon.
    const one = deltaOf([[2, 2]]);
    const four = deltaOf([1, 1, 1, 1].map((shift) => [shift, 2]));
    const some = Array.from({ length: 200 }, (_, i) => i / 20);
    expect(some.some((epsilon) => four(epsilon) > one(epsilon) * 1.01)).toBe(true);
    expect(beyondLeadingShift(2, 1, 2, 1e-20)).toBeLessThan(1e-18);
  });

  it('is that of gdp where nothing is known but how far answers move', () => {
    for (const unknown of [charge(4, 5), charge(7, 20), charge(36, 50, 6)])
      expect(exactEpsilonOf([unknown], zeroAmount, '1e-6')).toBe(gdpEpsilonOf(costOfAll([unknown], 'gdp'), '1e-6'));
  });

  it('takes residuals on their finer lattice: less than gdp says, more than noise without grain would', () => {
    // Of an attribute of two values, twice the residual moves by (1, -1): two counts of four times the variance.
    const residual: Charge = {
      kind: 'gaussian',
      sensitivitySquared: rational(1, 2),
      sigmaSquared: rational(4),
      grid: rational(2),
    };
    const truth = epsilonOf(
      [
        [1, 16],
        [1, 16],
      ],
      1e-6,
    );
    const told = amountToNumber(exactEpsilonOf([residual], zeroAmount, '1e-6'));
    expect(told / truth - 1).toBeGreaterThan(-1e-7);
    expect(told / truth - 1).toBeLessThan(1e-3);
    expect(amountToNumber(gdpEpsilonOf(costOfAll([residual], 'gdp'), '1e-6')) / truth - 1).toBeGreaterThan(0.02);
  });

  it('counts what comes later in gdp, whatever it is', () => {
    const charges = [charge(1, 3)];
    const later = parseAmount('0.3');
    for (const delta of ['1e-9', '1e-5']) {
      const told = exactEpsilonOf(charges, later, delta);
      expect(told).toBeGreaterThan(gdpEpsilonOf((later + parseAmount(1 / 6, 'down')) as Amount, delta));
      expect(told).toBeLessThan(gdpEpsilonOf((costOfAll(charges, 'gdp') + later) as Amount, delta));
    }
  });
});

describe('losses on steps', () => {
  const fine = timesLosses(latticeLosses(1, 50, 1e-25), 3, 1e-25, 10_000);
  const epsilons = [0, 0.1, 0.4, 0.9, 1.4];

  it('are never more favourable on other steps, with ends cut, or with fewer entries', () => {
    for (const other of [withAtMost(fine, 100), onSteps(fine, 2 ** -6), onSteps(fine, 2 ** -9), cutEnds(fine, 1e-12)])
      for (const epsilon of epsilons) {
        expect(deltaAt(other, epsilon)).toBeGreaterThanOrEqual(deltaAt(fine, epsilon) * (1 - 1e-11));
        expect(deltaAt(other, epsilon)).toBeLessThan(deltaAt(fine, epsilon) * 1.3 + 2e-12);
      }
  });

  it('add up in any order, and as often as they are said to', () => {
    const one = latticeLosses(1, 50, 1e-25);
    const sum = addLosses(one, addLosses(one, one));
    for (const epsilon of epsilons) expect(deltaAt(sum, epsilon) / deltaAt(fine, epsilon)).toBeCloseTo(1, 10);
  });

  it('of continuous noise are above its closed form, by next to nothing', () => {
    for (const amount of ['0.5', '0.02', '0.0003'])
      for (const delta of [1e-9, 1e-4]) {
        const losses = continuousLosses(Number(amount), delta * 2 ** -40);
        // The closed form that is told has a factor of e^(amount/256) besides.
        const epsilon = amountToNumber(gdpEpsilonOf(parseAmount(amount), delta));
        const bound = deltaAt(losses, epsilon) * Math.exp(Number(amount) / 256);
        expect(bound).toBeGreaterThan(delta * (1 - 1e-8));
        expect(bound).toBeLessThan(delta * 1.01);
      }
  });
});
