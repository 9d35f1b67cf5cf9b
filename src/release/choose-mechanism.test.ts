import { describe, expect, it } from 'vitest';
import { plainDomain } from '../../test/support/plain-source.js';
import type { Table } from '../domain/table.js';
import { supportOf } from '../model/support/support.js';
import { budgetOf } from '../privacy/accounting/budget.js';
import { planningDoor } from '../privacy/session/planning-door.js';
import { chooseMechanism, rankMechanisms } from './choose-mechanism.js';
import type { PublicFacts } from './plan.js';
import { mechanisms } from './registry.js';

const factsOf = (
  sizes: readonly number[],
  rows?: number,
  values = Number.POSITIVE_INFINITY,
  epsilon = 1,
): PublicFacts => {
  const domain = plainDomain(sizes);
  const door = planningDoor({ domain, budget: budgetOf({ epsilon, delta: 1e-9 }) });
  if (rows === undefined) return door;
  const columns = sizes.map((size, a) =>
    Uint8Array.from({ length: rows }, (_, i) => (i * (a + 1)) % Math.min(size, values)),
  );
  const table: Table = { domain, length: rows, columns };
  return { ...door, prior: supportOf(table), publicRows: rows };
};
const wide = Array.from({ length: 20 }, () => 9);

describe('chooseMechanism', () => {
  it('takes the public table when it has rows enough and uses the declared cells', () => {
    const { mechanism, why } = chooseMechanism(factsOf(wide, 500));
    expect(mechanism.name).toBe('reweight');
    expect(why).toMatch(/^reweight, because the public table has 500 rows, which use 77% of the cells/);
  });

  it('leaves a thin public table aside where the domain can be listed, unless the budget could measure nothing', () => {
    for (const facts of [factsOf([4, 5, 6], 20), factsOf([8, 9, 9], 60, 2)]) {
      const { mechanism, why } = chooseMechanism({ ...facts, expectedRows: 1e5 });
      expect(mechanism.needs).not.toBe('public-table');
      expect(why).toMatch(/the public table has (only 20 rows|values for only 19% of the cells)/);
    }
    expect(chooseMechanism(factsOf([4, 5, 6], 20, 2, 1e-4)).mechanism.name).toBe('reweight');
  });

  it('looks at all pairs where they are few or drown in noise, and takes private rounds elsewhere', () => {
    const chosen = (sizes: number[], expectedRows = 20_000, publicRows?: number) =>
      chooseMechanism({ ...factsOf(sizes, publicRows, undefined, 0.3), expectedRows });
    const { mechanism, why } = chosen(new Array<number>(16).fill(2));
    expect(mechanism.name).toBe('pairs');
    expect(why).toMatch(
      /^pairs, because there is no public table, and all 120 pairs can be looked at before anything is chosen/,
    );
    const wider = new Array<number>(30).fill(9);
    expect([200, 1e6].map((rows) => chosen(wider, rows).mechanism.name)).toEqual(['pairs', 'aim']);
    expect(chosen(wider, 200).why).toContain('most of 435 pairs drown in noise');
    expect(chosen(new Array<number>(33).fill(9), 200).mechanism.name).toBe('aim');
    // With a public table that is too thin to carry a release rounds that start from it come first.
    expect(chosen(wide, 1e5, 30).mechanism.name).toBe('aim');
  });

  it('needs no public table', () => {
    const { mechanism, why } = chooseMechanism(factsOf([4, 5, 6]));
    expect(mechanism.needs).not.toBe('public-table');
    expect(why).toMatch(/there is no public table/);
  });

  it('refuses with the reason of every mechanism when none can run', () => {
    const limited = mechanisms.filter(({ needs }) => needs !== 'nothing');
    expect(() => chooseMechanism(factsOf(wide), limited)).toThrow(
      /none can make this release: .*reweight: it needs a public table.*mwem: it lists the whole domain, at most 4,194,304 cells, and this one has 1\.2e\+19/,
    );
  });

  it('ranks all mechanisms, those that can run first, each with a clause that says why', () => {
    const ranked = rankMechanisms(factsOf([4, 5, 6]));
    expect(ranked.map(({ mechanism }) => mechanism.name).sort()).toEqual(mechanisms.map(({ name }) => name).sort());
    const able = ranked.map((one) => one.able);
    expect([...able].sort().reverse()).toEqual(able);
    for (const { why, score, able: can } of ranked) {
      expect(why).toMatch(/^[a-z][^\n]+[^.\n]$/);
      expect(score > 0).toBe(can);
    }
  });
});
