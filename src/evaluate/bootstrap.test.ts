import { describe, expect, it } from 'vitest';
import { plainDomain, plainSource, type Row } from '../../test/support/plain-source.js';
import { cellsOf } from '../domain/domain.js';
import type { OpenFitters } from '../estimate/graphical/apart.js';
import { carryOut } from '../estimate/graphical/carry-out.js';
import type { GraphicalModel } from '../model/graphical/graphical-model.js';
import type { Replicates } from '../model/replicates.js';
import { type Support, supportOf } from '../model/support/support.js';
import { supportModel } from '../model/support/support-model.js';
import { budgetOf } from '../privacy/accounting/budget.js';
import { seededEntropy } from '../privacy/entropy.js';
import { memoryLedger } from '../privacy/ledger/memory-ledger.js';
import type { Measurement } from '../privacy/measurement.js';
import { openSession } from '../privacy/session/open-session.js';
import { marginal } from '../query/marginal.js';
import { pairsOrOneWays } from '../query/workload/pairs-or-one-ways.js';
import { normal } from '../random/normal.js';
import { seeded } from '../random/seeded.js';
import { uniform, uniformInteger } from '../random/uniform.js';
import { aim } from '../release/aim/aim.js';
import { fittedGraphically } from '../release/fitted-graphically.js';
import { ide } from '../release/ide/ide.js';
import { mwem } from '../release/mwem/mwem.js';
import { pmwPub } from '../release/pmw-pub/pmw-pub.js';
import type { Released } from '../release/released.js';
import { reweight } from '../release/reweight/reweight.js';
import { bootstrap } from './bootstrap.js';
import { boundsOf } from './bounds.js';

const domain = plainDomain([3, 4, 2, 5]);
const random = seeded(12);
/** Each attribute leans on the one before it. */
const draw = (count: number, lean: number): Row[] =>
  Array.from({ length: count }, () => {
    const row: number[] = [];
    for (const { size } of domain.attributes)
      row.push(row.length > 0 && uniform(random) < lean ? row[row.length - 1] % size : uniformInteger(random, size));
    return row;
  });
const supportFrom = (rows: readonly Row[]): Support =>
  supportOf({
    domain,
    length: rows.length,
    columns: domain.attributes.map((_, i) => Uint8Array.from(rows, (row) => row[i])),
  });
const privateRows = draw(3000, 0.5);
const prior = supportFrom(draw(2000, 0.3));
const truth = supportModel(supportFrom(privateRows), privateRows.length);
const sessionOf = async (seed: number, rho = 0.05) => {
  const budget = { rho, delta: 1e-9 };
  const source = plainSource(domain, privateRows);
  return openSession({
    source,
    budget,
    ledger: await memoryLedger(budgetOf(budget), 'plain'),
    entropy: seededEntropy(seed),
  });
};

const mechanisms: Record<string, (seed: number) => Promise<Released>> = {
  // Without triples, which bounds of unmeasured answers are looked at.
  reweight: async (seed) => reweight(await sessionOf(seed), prior, { random: seeded(seed), degree: 2 }),
  ide: async (seed) => ide(await sessionOf(seed), prior, { random: seeded(seed), epochs: 5 }),
  'pmw-pub': async (seed) =>
    pmwPub(await sessionOf(seed), prior, pairsOrOneWays(domain, 1000), { random: seeded(seed), rounds: 20 }),
  mwem: async (seed) => mwem(await sessionOf(seed), pairsOrOneWays(domain, 1000), { random: seeded(seed), rounds: 20 }),
};

describe('fitting anew', () => {
  it.each(['reweight', 'pmw-pub'])('to the same answers gives the model again: %s', async (name) => {
    const { model, measurements, refit } = await mechanisms[name](1);
    const again = await refit!(measurements);
    const pairs = [marginal('a', 'b'), marginal('c', 'd')];
    const tolerance = name === 'reweight' ? 1e-9 : 0.05;
    for (const query of pairs)
      again.answer(query).forEach((answer, i) => {
        const before = model.answer(query)[i];
        // Rounds are replayed in another random order.
        expect(Math.abs(answer - before)).toBeLessThan(tolerance * 3000);
      });
    if (name === 'reweight') expect(again.total).toBeCloseTo(model.total, 6);
  });

  it.each(Object.keys(mechanisms))('to other noise gives other models around it: %s', async (name) => {
    const released = await mechanisms[name](2);
    const replicates = (await bootstrap(released, { random: seeded(5), replicates: 4 }))!;
    expect(replicates.models).toHaveLength(4);
    expect(replicates.inflation).toBeGreaterThanOrEqual(1);
    const { values, low, high } = boundsOf({ ...released, replicates }, marginal('a', 'b', 'c'));
    values.forEach((value, i) => {
      if (value === 0) return;
      expect(low[i]).toBeLessThan(value);
      expect(high[i]).toBeGreaterThan(value);
      expect(high[i]).toBeLessThan(3000);
    });
  });
});

describe('bounds by bootstrap', () => {
  it('hold the truth of measured and of unmeasured marginals nearly as often as they say', async () => {
    const held = { measured: 0, unmeasured: 0 };
    const asked = { measured: 0, unmeasured: 0 };
    for (let run = 0; run < 12; run++) {
      const released = await mechanisms.reweight(100 + run);
      const replicates = (await bootstrap(released, { random: seeded(run), replicates: 8 }))!;
      for (const [kind, query] of [
        ['measured', marginal('a', 'b')],
        ['unmeasured', marginal('a', 'b', 'd')],
      ] as const) {
        // Without the measurements, so that the replicates alone are judged.
        const { low, high } = boundsOf({ model: released.model, measurements: [], replicates }, query);
        truth.answer(query).forEach((answer, i) => {
          asked[kind]++;
          if (low[i] <= answer && answer <= high[i]) held[kind]++;
        });
      }
    }
    // Seeded: the shares are what they are, 95% less what the prior hides.
    expect(held.measured / asked.measured).toBeGreaterThan(0.88);
    expect(held.unmeasured / asked.unmeasured).toBeGreaterThan(0.85);
  });

  it('of what was not measured reckon with dependences that the model does not know, and those of what was do not widen', async () => {
    const held = { clumps: 0, records: 0 };
    const width = { clumps: 0, records: 0 };
    const measuredWidth = { clumps: 0, records: 0 };
    let asked = 0;
    for (let run = 0; run < 10; run++) {
      // So little that most pairs are never chosen.
      const released = await aim(await sessionOf(200 + run, 0.003), {
        random: seeded(run),
        workload: pairsOrOneWays(domain, 1000),
      });
      expect(released.unmeasured).toBeUndefined();
      const chosen = released.measurements.map(({ query }) => JSON.stringify(query));
      const open = [marginal('a', 'b'), marginal('b', 'c'), marginal('c', 'd'), marginal('a', 'd')].filter(
        (query) => !chosen.includes(JSON.stringify(query)),
      );
      for (const [kind, of] of [
        ['clumps', released],
        ['records', { ...released, unmeasured: 'public rows' as const }],
      ] as const) {
        const replicates = (await bootstrap(of, { random: seeded(run), replicates: 8 }))!;
        expect(replicates.clump > 1).toBe(kind === 'clumps');
        const bounded = (query: ReturnType<typeof marginal>) =>
          boundsOf({ model: released.model, measurements: [], replicates }, query);
        for (const query of open) {
          const { low, high } = bounded(query);
          truth.answer(query).forEach((answer, i) => {
            if (kind === 'clumps') asked++;
            width[kind] += high[i] - low[i];
            if (low[i] <= answer && answer <= high[i]) held[kind]++;
          });
        }
        const { low, high } = bounded(marginal('d'));
        measuredWidth[kind] += high.reduce((sum, bound, i) => sum + bound - low[i], 0);
      }
    }
    expect(asked).toBeGreaterThan(120);
    // Seeded, so a failure is a change of the code. Of independent cells with 95% each, fewer than 0.8 of 120 have a chance below 1e-6.
    expect(held.clumps / asked).toBeGreaterThan(0.93);
    expect(held.clumps).toBeGreaterThan(held.records);
    expect(width.clumps).toBeGreaterThan(1.2 * width.records);
    // What is measured directly has the noise's width, whatever the table is like.
    expect(measuredWidth.clumps / measuredWidth.records).toBeLessThan(1.25);
  });

  it('are not made without a way to fit anew, without noise, or when none are wanted', async () => {
    const released = await mechanisms.reweight(3);
    const { refit: _, ...without } = released;
    expect(await bootstrap(without, { random: seeded(1) })).toBeUndefined();
    expect(await bootstrap(released, { random: seeded(1), replicates: 0 })).toBeUndefined();
    const exact = released.measurements.map((measurement) => ({
      ...measurement,
      noise: { kind: 'none', scale: 0 } as const,
    }));
    expect(await bootstrap({ ...released, measurements: exact }, { random: seeded(1) })).toBeUndefined();
    await expect(bootstrap(released, { random: seeded(1), replicates: 1 })).rejects.toThrow(
      /0 or a whole number from 2/,
    );
  });

  it('are fitted no further once the signal aborts', async () => {
    const { refit, ...released } = await mechanisms.reweight(3);
    const controller = new AbortController();
    let fits = 0;
    const counted = {
      ...released,
      refit: (...args: Parameters<NonNullable<typeof refit>>) => {
        fits++;
        return refit!(...args);
      },
    };
    const made = bootstrap(counted, {
      random: seeded(1),
      replicates: 5,
      signal: controller.signal,
      onProgress: ({ done }) => {
        if (done === 2) controller.abort(new Error('enough'));
      },
    });
    await expect(made).rejects.toThrow('enough');
    expect(fits).toBe(2);
  });

  it('are the same whoever fits them, and in whatever order they end', async () => {
    const large = plainDomain([130, 130, 130, 2]);
    const noise = seeded(3);
    const measured = (...names: string[]): Measurement => {
      const cells = cellsOf(large, names);
      const values = Float64Array.from({ length: cells }, () => 50_000 / cells + 30 * normal(noise));
      return { query: marginal(...names), values, noise: { kind: 'gaussian', scale: 30 } };
    };
    const measurements = [measured('a', 'b'), measured('b', 'c'), measured('a', 'c'), measured('c', 'd')];
    const fitted = await fittedGraphically(large, measurements, { threads: 1, until: 'converged', iterations: 5 });
    const released = { ...fitted, measurements };
    let asked = 0;
    const fitters: OpenFitters = () => ({
      fit: async (job, running) => {
        // The later it is asked, the sooner it is done.
        const wait = 60 - 10 * asked++;
        const found = await carryOut(structuredClone(job), running);
        await new Promise((resolve) => setTimeout(resolve, wait));
        return structuredClone(found);
      },
      close: () => {},
    });
    const options = { random: seeded(2), replicates: 5 };
    const here = (await bootstrap(released, { ...options, threads: 1, fitters }))!;
    expect(asked).toBe(0);
    const there = (await bootstrap(released, { ...options, random: seeded(2), threads: 2, fitters }))!;
    expect(asked).toBe(5);
    expect(there.inflation).toBe(here.inflation);
    const potentials = ({ models }: Replicates) => models.map((model) => (model as GraphicalModel).factors);
    expect(potentials(there)).toEqual(potentials(here));
    for (const k of [0, 4])
      expect(there.truths[k].answer(marginal('a', 'd'))).toEqual(here.truths[k].answer(marginal('a', 'd')));
  });

  it('are wider when the release saw less', async () => {
    const width = async (rho: number): Promise<number> => {
      const released = await reweight(await sessionOf(8, rho), prior, { random: seeded(8) });
      const replicates = (await bootstrap(released, { random: seeded(8), replicates: 6 }))!;
      const { low, high } = boundsOf({ model: released.model, measurements: [], replicates }, marginal('a', 'b'));
      return high.reduce((sum, bound, i) => sum + bound - low[i], 0);
    };
    expect(await width(0.001)).toBeGreaterThan(1.5 * (await width(1)));
  });
});
