import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { InputError } from '../../domain/input-error.js';
import { gaussian } from '../noise/gaussian.js';
import { rational, rationalNumber } from '../rational.js';
import { type Amount, amountToNumber, parseAmount, zeroAmount } from './amount.js';
import { budgetOf, gdpBudget } from './budget.js';
import { costOfAll } from './charge.js';
import { epsilonOf, rhoOf } from './conversion.js';
import { gdpEpsilonOf, gdpOf } from './gdp-conversion.js';
import { bits } from './logarithm.js';
import { millsRatio, pi } from './mills-ratio.js';

const one = 1n << BigInt(bits);

/** (1 - Phi(x)) / phi(x) as the integral of exp(-x t - t^2/2), by Simpson's rule: no series, no fraction. */
const ratioByIntegral = (x: number): number => {
  const [end, steps] = [12 / (1 + x / 4), 20_000];
  const at = (i: number) => Math.exp(-x * ((end * i) / steps) - ((end * i) / steps) ** 2 / 2);
  let sum = at(0) + at(steps);
  for (let i = 1; i < steps; i++) sum += (i % 2 === 0 ? 2 : 4) * at(i);
  return (sum * end) / steps / 3;
};

test('bounds of Mills ratio enclose its integral, are narrow, and meet where the methods change', () => {
  for (const x of [0, 1e-6, 0.3, 0.99, 1, 1.01, 2, 5, 11, 37]) {
    const { low, high } = millsRatio(BigInt(Math.round(x * 2 ** 52)) << BigInt(bits - 52));
    expect(high - low).toBeGreaterThan(0n);
    expect(high - low).toBeLessThan(1n << BigInt(bits - 60));
    expect(Number(low) / Number(one)).toBeCloseTo(ratioByIntegral(x), 11);
  }
  const [before, at] = [millsRatio(one - 1n), millsRatio(one)];
  expect(before.high).toBeGreaterThanOrEqual(at.low);
  expect(at.high).toBeGreaterThanOrEqual(before.low - 2n);
});

test('pi is enclosed: Machin, 16 atan(1/5) - 4 atan(1/239)', () => {
  const atan = (inverse: bigint): bigint => {
    let [sum, power] = [0n, one / inverse];
    for (let k = 0n; power > 0n; k++) {
      sum += (k % 2n === 0n ? power : -power) / (2n * k + 1n);
      power /= inverse * inverse;
    }
    return sum;
  };
  const machin = 16n * atan(5n) - 4n * atan(239n);
  expect(pi.low - 10_000n).toBeLessThan(machin);
  expect(pi.high + 10_000n).toBeGreaterThan(machin);
  expect(pi.high - pi.low).toBeLessThan(4n);
});

// delta of the Gaussian mechanism with mu = 1 at epsilon 1 is 0.126936737507 (Balle, Wang 2018, Theorem 8); the factor exp(1/512) stands for discreteness.
test('gdp 1/2 is epsilon 1 at the delta of the Gaussian mechanism, and not at less', () => {
  const delta = 0.126936737507 * Math.exp(1 / 512);
  expect(amountToNumber(gdpEpsilonOf(parseAmount('0.5'), delta))).toBeCloseTo(1, 9);
  expect(gdpEpsilonOf(parseAmount('0.5'), delta * (1 - 1e-9))).toBeGreaterThan(parseAmount(1));
});

test('what is granted is told as no more than was asked for, and one digit more would be', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -5, max: 2, noNaN: true }),
      fc.double({ min: -14, max: -1, noNaN: true }),
      (size, chance) => {
        const [epsilon, delta] = [parseAmount((10 ** size).toPrecision(12), 'down'), (10 ** chance).toPrecision(5)];
        const amount = gdpOf(epsilon, delta);
        if (amount === zeroAmount) return;
        expect(gdpEpsilonOf(amount, delta)).toBeLessThanOrEqual(epsilon);
        const more = (amount + amount / 10n ** 8n + 1n) as Amount;
        if (amount < epsilon - epsilon / 10n ** 8n)
          expect(gdpEpsilonOf(more, delta)).toBeGreaterThan(epsilon - epsilon / 10n ** 9n);
      },
    ),
    { numRuns: 25 },
  );
});

test.each([
  ['0.1', '1e-6', 0.0801],
  ['1', '1e-6', 0.0676],
  ['1', '1e-9', 0.049],
  ['10', '1e-9', 0.0395],
])('epsilon %s at delta %s takes %d less noise than by rho', (epsilon, delta, less) => {
  const [rho, exact] = [rhoOf, gdpOf].map((of) => amountToNumber(of(parseAmount(epsilon), delta)));
  expect(1 - Math.sqrt(rho / exact)).toBeCloseTo(less, 3);
  expect(amountToNumber(epsilonOf(parseAmount(String(exact), 'down'), delta))).toBeGreaterThan(Number(epsilon));
});

/** A plan: counts that a unit changes by whole numbers, each with its sigma squared. */
type Plan = readonly { readonly shift: number; readonly sigmaSquared: number }[];

/** delta of a plan at epsilon, by adding up the chances of all outcomes of discrete Gaussian noise that matter. */
const bruteDelta = (plan: Plan, epsilon: number): number => {
  let losses: { loss: number; chance: number }[] = [{ loss: 0, chance: 1 }];
  for (const { shift, sigmaSquared } of plan) {
    const reach = Math.ceil(9.5 * Math.sqrt(sigmaSquared)) + Math.abs(shift) + 1;
    const cells = Array.from({ length: 2 * reach + 1 }, (_, i) => i - reach);
    const mass = cells.reduce((sum, z) => sum + Math.exp((-z * z) / (2 * sigmaSquared)), 0);
    losses = losses.flatMap(({ loss, chance }) =>
      cells.map((z) => ({
        loss: loss + (2 * z * shift - shift * shift) / (2 * sigmaSquared),
        chance: (chance * Math.exp((-z * z) / (2 * sigmaSquared))) / mass,
      })),
    );
  }
  return losses.reduce((sum, { loss, chance }) => sum + chance * Math.max(0, Math.exp(loss) - Math.exp(epsilon)), 0);
};

describe('discrete Gaussian noise', () => {
  const plans: readonly Plan[] = [
    [{ shift: 1, sigmaSquared: 0.6 }],
    [{ shift: 1, sigmaSquared: 2.25 }],
    [{ shift: 3, sigmaSquared: 9 }],
    [{ shift: 1, sigmaSquared: 400 }],
    [{ shift: 25, sigmaSquared: 90_000 }],
    [
      { shift: 1, sigmaSquared: 4 },
      { shift: -1, sigmaSquared: 4 },
    ],
    [
      { shift: 2, sigmaSquared: 30 },
      { shift: 1, sigmaSquared: 7 },
    ],
    [
      { shift: 1, sigmaSquared: 3 },
      { shift: 1, sigmaSquared: 5 },
      { shift: -1, sigmaSquared: 5 },
    ],
  ];

  it.each(plans.map((plan) => [JSON.stringify(plan), plan] as const))('loses no more than gdp says, %s', (_, plan) => {
    const charges = plan.map(({ shift, sigmaSquared }) => ({
      kind: 'gaussian' as const,
      sensitivitySquared: rational(shift * shift),
      sigmaSquared: rational(Math.round(sigmaSquared * 100), 100),
    }));
    const amount = costOfAll(charges, 'gdp');
    const rho = amountToNumber(costOfAll(charges, 'zcdp'));
    for (const delta of ['1e-12', '1e-9', '1e-6', '1e-3', '0.05']) {
      const epsilon = amountToNumber(gdpEpsilonOf(amount, delta));
      // Brute force leaves out chances of 1e-19 and rounds: a millionth of delta stands for both.
      expect(bruteDelta(plan, epsilon)).toBeLessThanOrEqual(Number(delta) * (1 + 1e-6));
      // Not far above: the epsilon at which half of delta is lost is near where sigma is more than a few records.
      if (plan.every(({ sigmaSquared }) => sigmaSquared >= 400) && delta !== '0.05')
        expect(bruteDelta(plan, epsilon * (1 - 0.0015))).toBeGreaterThan(Number(delta));
      expect(amountToNumber(amount)).toBeGreaterThan(rho);
    }
  });

  it('loses more than a careless count says that forgets the grain of counts', () => {
    // As continuous noise of the same variance, without c: too little for a single count with small noise.
    const plan = [{ shift: 1, sigmaSquared: 0.6 }];
    const careless = parseAmount(1 / 1.2, 'up');
    const deltas = ['1e-6', '1e-3', '0.05', '0.2'];
    expect(
      deltas.some((delta) => bruteDelta(plan, amountToNumber(gdpEpsilonOf(careless, delta))) > Number(delta)),
    ).toBe(true);
  });

  it('gets the least noise that a share of gdp buys, and its cost is within the share', () => {
    fc.assert(
      fc.property(fc.bigInt(10n ** 6n, 10n ** 19n), fc.integer({ min: 1, max: 50 }), (share, square) => {
        const terms = gaussian.termsFor(share as Amount, rational(square), 'gdp');
        expect(gaussian.cost(terms, 'gdp')).toBeLessThanOrEqual(share);
        const { sigmaSquared } = gaussian.termsFor(share as Amount, rational(square), 'zcdp');
        const grain = rationalNumber(terms.sigmaSquared) - rationalNumber(sigmaSquared);
        const most = Math.max(0.4, (Math.log2(rationalNumber(terms.sigmaSquared)) + 12) / 28);
        expect(grain).toBeGreaterThan(-1e-6 * rationalNumber(sigmaSquared));
        expect(grain).toBeLessThan(most + 3e-6 * rationalNumber(sigmaSquared));
      }),
    );
    expect(() => gaussian.cost({ sensitivitySquared: rational(1), sigmaSquared: rational(1, 3) }, 'gdp')).toThrow(
      InputError,
    );
  });
});

/** Largest loss of a pair of outcomes, (p, q) and their complements, that gdp of this amount allows at some epsilon: negative where it is dominated. */
const worstExcess = (p: number, q: number, amount: Amount): number =>
  Math.max(
    ...Array.from({ length: 9 }, (_, i) => {
      const epsilon = 0.0005 + amountToNumber(amount) + i * 0.4 * Math.sqrt(amountToNumber(amount));
      const delta = Math.max(p - Math.exp(epsilon) * q, 1 - p - Math.exp(epsilon) * (1 - q));
      if (delta <= 1e-12) return -1;
      return amountToNumber(gdpEpsilonOf(amount, delta.toPrecision(15))) < epsilon * (1 - 1e-9) ? 1 : -1;
    }),
  );

test('a choice whose log-odds move by epsilon costs pi/16 epsilon^2 of gdp at most, and not much less at even odds', () => {
  const logistic = (x: number) => 1 / (1 + Math.exp(-x));
  for (const epsilon of [0.05, 0.5, 2]) {
    const terms = { kind: 'exponential', epsilon: rational(Math.round(epsilon * 100), 100) } as const;
    const amount = costOfAll([terms], 'gdp');
    expect(amountToNumber(amount) / epsilon ** 2).toBeCloseTo(Math.PI / 16, 3);
    for (const middle of [0, 0.7, -1.5, 3])
      expect(worstExcess(logistic(middle + epsilon / 2), logistic(middle - epsilon / 2), amount)).toBe(-1);
  }
});

test('gdp is for an epsilon with a delta, and not for thresholds', () => {
  expect(budgetOf({ epsilon: 1, delta: 1e-9, accounting: 'gdp' })).toMatchObject({ currency: 'gdp', delta: '1e-9' });
  expect(gdpBudget(budgetOf({ epsilon: 1, delta: 1e-9 }))).toEqual(
    expect.objectContaining({ total: budgetOf({ epsilon: 1, delta: 1e-9, accounting: 'gdp' }).total }),
  );
  expect(() => budgetOf({ epsilon: 1, accounting: 'gdp' })).toThrow('with a delta');
  expect(() => budgetOf({ rho: 1, accounting: 'gdp' })).toThrow('with a delta');
  expect(() =>
    budgetOf({ epsilon: 1, delta: 1e-9, accounting: 'gdp', thresholds: { numerator: 1, denominator: 2 } }),
  ).toThrow('rho is counted');
});
