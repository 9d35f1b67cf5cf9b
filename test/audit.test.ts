import { describe, expect, it } from 'vitest';
import { attack, type Outcomes } from '../experiments/audit/attack.js';
import { lowerBound, normalBelow, normalQuantile, upperBound } from '../experiments/audit/bounds.js';
import { cases } from '../experiments/audit/cases.js';
import { runCase } from '../experiments/audit/run-case.js';

describe('Clopper-Pearson bounds', () => {
  it('are the textbook ones: none and all of n successes have closed forms', () => {
    expect(upperBound(0, 100, 0.05)).toBeCloseTo(1 - 0.05 ** (1 / 100), 10);
    expect(lowerBound(100, 100, 0.05)).toBeCloseTo(0.05 ** (1 / 100), 10);
    expect(lowerBound(0, 100, 0.05)).toBe(0);
    expect(upperBound(100, 100, 0.05)).toBe(1);
  });

  it('lie on either side of the observed share and close in with more trials', () => {
    for (const n of [10, 1000, 100_000]) {
      expect(lowerBound(0.3 * n, n, 1e-4)).toBeLessThan(0.3);
      expect(upperBound(0.3 * n, n, 1e-4)).toBeGreaterThan(0.3);
    }
    expect(upperBound(30_000, 100_000, 1e-4) - lowerBound(30_000, 100_000, 1e-4)).toBeLessThan(0.012);
  });

  it('use the normal quantile: it inverts the distribution function, whose values at 0, 1 and -6 are tabulated', () => {
    expect(normalBelow(0)).toBe(0.5);
    expect(normalBelow(1)).toBeCloseTo(0.8413447460685429, 13);
    expect(normalBelow(-6) / 9.865876450376946e-10).toBeCloseTo(1, 9);
    for (const p of [1e-6, 0.2, 0.5, 0.999]) expect(normalBelow(normalQuantile(p))).toBeCloseTo(p, 12);
  });
});

describe('the attack', () => {
  const outcomes = (counts: readonly number[]): Outcomes => new Map(counts.map((count, outcome) => [outcome, count]));

  it('finds nothing where the two sides are alike', () => {
    const same = outcomes([500, 300, 200]);
    expect(attack([same, same], [same, same], 'epsilon', 1e-4)).toBeLessThan(0.05);
  });

  it('proves nearly the true loss where they differ', () => {
    const one = outcomes([731_059, 268_941]);
    const two = outcomes([268_941, 731_059]);
    const bound = attack([one, two], [one, two], 'epsilon', 1e-4);
    expect(bound).toBeGreaterThan(0.98);
    expect(bound).toBeLessThan(1);
  });
});

describe('the audit', () => {
  // The noise is real, so verdicts are random: at 4,000 runs a side each bug lies more than eight standard errors above what its
  // bound must exceed, a chance of a false alarm far below 1e-9. That sound mechanisms hold is for `npm run audit`.
  const few = 4000;

  it.each(cases.filter(({ planted }) => planted).map((audit) => [audit.name, audit] as const))(
    'catches %s',
    async (_, audit) => {
      const verdict = await runCase(audit, few);
      expect(verdict.bound).toBeGreaterThan(verdict.claim);
    },
  );

  it('claims what the session charged', async () => {
    const verdict = await runCase(cases[0], 50);
    expect(verdict.claim).toBeCloseTo(1, 5);
  });
});
