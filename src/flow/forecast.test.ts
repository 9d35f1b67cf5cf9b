import { describe, expect, it } from 'vitest';
import { plainDomain } from '../../test/support/plain-source.js';
import { codeColumn, type Table } from '../domain/table.js';
import { atOnce } from '../domain/turns.js';
import type { Rates } from '../kernel/calibrate.js';
import { supportOf } from '../model/support/support.js';
import { budgetOf } from '../privacy/accounting/budget.js';
import { planningDoor } from '../privacy/session/planning-door.js';
import { holding } from '../query/holding.js';
import { seeded } from '../random/seeded.js';
import { uniformInteger } from '../random/uniform.js';
import type { Plan, PublicFacts } from '../release/plan.js';
import { mechanisms } from '../release/registry.js';
import { settingsOf } from '../release/settings.js';
import { drownedIn } from './drowned.js';
import { forecastOf } from './forecast.js';
import { forecastFor, withinLimits } from './within-limits.js';

/** One nanosecond for everything, so that seconds are counted work. */
const even: Rates = { visits: 1, cells: 1, products: 1, counts: 1, steps: 1 };
const sizes = [4, 6, 8, 3, 5, 12, 7, 9];
const domain = plainDomain(sizes);
const random = seeded(1);
const publicTable: Table = {
  domain,
  length: 2000,
  columns: sizes.map((size) => codeColumn(size, 2000).map(() => uniformInteger(random, size))),
};
const factsOf = (expectedRows: number, epsilon = 1): PublicFacts => ({
  ...planningDoor({ domain, budget: budgetOf({ epsilon, delta: 1e-9 }) }),
  prior: supportOf(publicTable),
  publicTable,
  publicRows: 2000,
  expectedRows,
});
const named = (name: string) => mechanisms.find((mechanism) => mechanism.name === name)!;
const requestOf = (name: string, facts = factsOf(50_000)) => {
  const mechanism = named(name);
  const settings = settingsOf(mechanism, name === 'grouped' ? { keys: 'a' } : {});
  return { facts, mechanism, settings, replicates: mechanism.replicates ?? 0, threads: 1 };
};

describe('a forecast', () => {
  it.each(mechanisms.map(({ name }) => name))('of %s grows with the rows and shrinks with threads', (name) => {
    const request = requestOf(name);
    const fit = request.mechanism.fits(request.facts, request.settings);
    if (!fit.able) return;
    const [one, more, two] = [
      forecastFor(request, even),
      forecastFor({ ...request, facts: factsOf(5_000_000) }, even),
      forecastFor({ ...request, threads: 2 }, even),
    ];
    expect(more.seconds).toBeGreaterThan(one.seconds);
    expect(more.memory).toBeGreaterThan(one.memory);
    expect(two.seconds).toBeLessThan(one.seconds);
    expect(two.processor).toBe(one.processor);
    expect(one.range[0]).toBeLessThanOrEqual(one.seconds);
    expect(one.range[1]).toBeGreaterThanOrEqual(one.seconds);
    expect(one.stages.reduce((sum, { seconds }) => sum + seconds, 0)).toBeCloseTo(one.seconds, 9);
  });

  it('waits for the disk at every act, by the clock alone', () => {
    const waits = (name: string, rounds?: number): number => {
      const request = requestOf(name);
      const settings = rounds === undefined ? request.settings : { ...request.settings, rounds };
      const of = (syncSeconds: number) => forecastFor({ ...request, settings, syncSeconds }, even);
      expect(of(1).processor).toBe(of(0).processor);
      return of(1).seconds - of(0).seconds;
    };
    // A round selects and measures, and each act is reserved, journalled and committed.
    expect(waits('pmw-pub', 50) - waits('pmw-pub', 40)).toBeCloseTo(10 * 2 * 4, 6);
    expect(waits('reweight')).toBeLessThan(waits('pmw-pub', 10));
  });

  it('has the work of each replicate in it', () => {
    const request = requestOf('reweight');
    const plan = request.mechanism.plan(request.facts, request.settings);
    const of = (replicates: number) => forecastOf({ ...request, plan, replicates, drawsRows: true }, even).seconds;
    expect(of(8) - of(4)).toBeCloseTo(of(4) - of(0), 9);
    expect(of(8)).toBeGreaterThan(of(0));
  });
});

describe('limits of a run', () => {
  const fitted = (name: string, seconds?: number, bytes?: number) =>
    atOnce(withinLimits(requestOf(name), { seconds, bytes }, even));

  it('change nothing where the forecast is within them', () => {
    const { settings, replicates } = requestOf('aim');
    expect(fitted('aim', 1e9, 1e15)).toEqual({ settings, replicates, gaveUp: [] });
  });

  it.each(['reweight', 'aim', 'gem', 'mst'])(
    'make %s smaller until its forecast is within, and say what it gave up',
    (name) => {
      const request = requestOf(name);
      const whole = forecastFor(request, even).seconds;
      const least = forecastFor({ ...request, settings: leastOf(request), replicates: 0 }, even).seconds;
      const seconds = least + (whole - least) / 3;
      const { settings, replicates, gaveUp } = fitted(name, seconds);
      expect(forecastFor({ ...request, settings, replicates }, even).seconds).toBeLessThanOrEqual(seconds);
      expect(gaveUp.length).toBeGreaterThan(0);
      if (replicates < request.replicates) expect(gaveUp[0]).toContain(`in place of ${request.replicates}`);
      for (const [key, value] of Object.entries(settings))
        expect(gaveUp.some((what) => what.startsWith(`${key} `))).toBe(value !== request.settings[key]);
    },
  );

  const leastOf = ({ mechanism, settings }: ReturnType<typeof requestOf>) => ({
    ...settings,
    ...Object.fromEntries(
      (mechanism.lighter ?? []).map(({ setting, least }) => [setting, Math.min(least, settings[setting] as number)]),
    ),
  });

  it('are refused where nothing is left to give up, with what is needed', () => {
    expect(() => fitted('reweight', 1e-9)).toThrow(
      /^time: must allow what reweight takes .* by its forecast, got 1 s; allow more/,
    );
    expect(() => fitted('reweight', undefined, 1000)).toThrow(
      /^memory: must allow what reweight takes .* MiB by its forecast, got 1000 bytes/,
    );
  });
});

describe('what noise drowns', () => {
  const told = (rows: number, epsilon: number): string | undefined => {
    const { facts, mechanism, settings } = requestOf('reweight', factsOf(rows, epsilon));
    return drownedIn({ plan: mechanism.plan(facts, settings), facts });
  };

  it('is said, with what to do, where most marginals would be nothing but noise', () => {
    expect(told(100, 0.01)).toMatch(
      /^The noise drowns what is measured: in all 8 measured marginals .* half of 100 records into wrong cells, so that the release would say what the public table says\. To change that: release fewer columns, use coarser bins, or allow a larger epsilon\.$/,
    );
  });

  it('is said of queries that count households, too', () => {
    const step = { act: 'measure', what: 'households', query: holding('a', 'b'), answers: 24, times: 1 } as const;
    const noise = { kind: 'gaussian', scale: 1e6 } as const;
    const plan = { steps: [{ ...step, noise }], memory: 0, work: [], remarks: [] } as unknown as Plan;
    expect(drownedIn({ plan, facts: factsOf(100) })).toMatch(
      /in all 1 measured marginals .* measure attributes one by one/,
    );
  });

  it('is not said where it does not', () => {
    expect(told(1_000_000, 1)).toBeUndefined();
  });
});
