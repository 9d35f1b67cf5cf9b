import { type Amount, amountShare } from '../../src/privacy/accounting/amount.js';
import { budgetOf } from '../../src/privacy/accounting/budget.js';
import { gaussian } from '../../src/privacy/noise/gaussian.js';
import type { NoiseCharge } from '../../src/privacy/noise/noise-kinds.js';
import { rational, rationalNumber } from '../../src/privacy/rational.js';
import type { Random } from '../../src/random/random.js';
import { uniform } from '../../src/random/uniform.js';
import type { Shifted } from './independent-delta.js';

/** A plan as a session would make it, and what its worst unit changes. */
export interface RandomPlan {
  readonly delta: string;
  readonly charges: readonly NoiseCharge<'gaussian'>[];
  readonly shifted: readonly Shifted[];
  readonly leastSigma: number;
}

const logUniform = (random: Random, low: number, high: number): number => low * (high / low) ** uniform(random);

const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(uniform(random) * from.length)];

/**
 * Epsilon 0.01 to 10, delta 1e-12 to 1e-5, 1 to 44,850 marginals with up to six different weights, under add-remove or replace-one, units of one to three rows: what
 * `measure` would charge, and the counts that change, all rows of a unit in one cell.
 */
export const randomPlan = (random: Random): RandomPlan => {
  const delta = pick(random, ['1e-12', '1e-9', '1e-6', '1e-5']);
  const { total } = budgetOf({ epsilon: logUniform(random, 0.01, 10).toPrecision(6), delta, accounting: 'gdp' });
  const marginals = Math.round(logUniform(random, 1, 44_850));
  const kinds = Math.min(marginals, 1 + Math.floor(uniform(random) * 6));
  const rows = pick(random, [1, 1, 1, 2, 3]);
  const cells = pick(random, [1, 2]);
  const weights = Array.from({ length: kinds }, () => 1 + Math.floor(logUniform(random, 1, 1000)));
  const counts = weights.map((_, k) => Math.floor(marginals / kinds) + (k < marginals % kinds ? 1 : 0));
  const whole = weights.reduce((sum, weight, k) => sum + weight * counts[k], 0);
  const charges: NoiseCharge<'gaussian'>[] = [];
  const shifted = weights.map((weight, k): Shifted => {
    const share = amountShare(total as Amount, BigInt(weight), BigInt(whole));
    const bought = gaussian.termsFor(share, rational(rows * rows * cells), 'gdp');
    const terms = rows === 1 ? bought : { ...bought, records: rational(rows) };
    for (let i = 0; i < counts[k]; i++) charges.push({ kind: 'gaussian', ...terms });
    return { count: counts[k] * cells, shift: rows, sigmaSquared: rationalNumber(terms.sigmaSquared) };
  });
  return {
    delta,
    charges,
    shifted,
    leastSigma: Math.sqrt(Math.min(...shifted.map(({ sigmaSquared }) => sigmaSquared))),
  };
};
