import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainDomain, plainSource, plainTable, type Row } from '../../../test/support/plain-source.js';
import { noiseless, recording, replaying } from '../../../test/support/replay.js';
import { cellsOf } from '../../domain/domain.js';
import { atOnce } from '../../domain/turns.js';
import type { GraphicalModel } from '../../model/graphical/graphical-model.js';
import { junctionTree, treeSize } from '../../model/graphical/tree/junction-tree.js';
import { supportOf } from '../../model/support/support.js';
import { supportModel } from '../../model/support/support-model.js';
import { type BudgetRequest, budgetOf } from '../../privacy/accounting/budget.js';
import { seededEntropy } from '../../privacy/entropy.js';
import { memoryLedger } from '../../privacy/ledger/memory-ledger.js';
import type { Measurement } from '../../privacy/measurement.js';
import { exactPrimitives, type Primitives } from '../../privacy/primitives.js';
import { sessionOn } from '../../privacy/session/open-session.js';
import { planningDoor } from '../../privacy/session/planning-door.js';
import { attributesOf } from '../../query/answer.js';
import { marginal } from '../../query/marginal.js';
import { prefix } from '../../query/query.js';
import type { Relation } from '../../query/relation.js';
import { workloadOf } from '../../query/workload/workload.js';
import { seeded } from '../../random/seeded.js';
import { uniform, uniformInteger } from '../../random/uniform.js';
import { roundCandidates } from './candidates.js';
import { pairsEntry } from './entry.js';
import { explain } from './explain.js';
import { foreseenTree } from './foreseen-tree.js';
import { heldPairs } from './held-pairs.js';
import type { PairsOptions } from './options.js';
import { pairs } from './pairs.js';
import { signalsOf } from './signals.js';
import { together } from './together.js';
import { isPlain, isTelling, worthMeasuring } from './worth-measuring.js';

/** b copies a, c copies b, d copies c; e has one cell, f and g stand alone. */
const domain = plainDomain([3, 3, 4, 2, 1, 4, 5]);
const rowsOf = (count: number, seed: number): Row[] => {
  const random = seeded(seed);
  const copy = (value: number, size: number) => (uniform(random) < 0.9 ? value % size : uniformInteger(random, size));
  return Array.from({ length: count }, () => {
    const a = uniformInteger(random, 3);
    const b = copy(a, 3);
    const c = copy(b, 4);
    return [a, b, c, copy(c, 2), 0, uniformInteger(random, 4), uniformInteger(random, 5)];
  });
};
const rows = rowsOf(2000, 1);

interface Opening {
  readonly budget?: BudgetRequest;
  readonly relation?: Relation;
}

const open = async (
  primitives: Primitives,
  { budget = { epsilon: 1, delta: 1e-6 }, relation = 'add-remove' }: Opening = {},
  table = rows,
  of = domain,
) => {
  const ledger = await memoryLedger(budgetOf(budget), 'plain', { relation });
  return sessionOn({ source: plainSource(of, table), budget, relation, ledger }, primitives, true);
};
const exact = (seed: number): Primitives => exactPrimitives(seededEntropy(seed));
const run = (more: Partial<PairsOptions> = {}): PairsOptions => ({ random: seeded(1), threads: 1, ...more });

/** Mean total variation of all pairs of attributes from the truth. */
const errorOf = (answer: (attributes: readonly string[]) => Float64Array): number => {
  const truth = supportModel(supportOf(plainTable(domain, rows)), rows.length);
  const names = domain.attributes.map(({ name }) => name);
  const all = names.flatMap((a, i) => names.slice(i + 1).map((b) => [a, b]));
  const errors = all.map((pair) => {
    const told = answer(pair);
    return truth.marginal(pair).reduce((sum, value, i) => sum + Math.abs(value - told[i]), 0) / 2 / rows.length;
  });
  return errors.reduce((sum, error) => sum + error, 0) / all.length;
};

const cases = [
  { budget: { epsilon: 4 }, relation: 'add-remove' },
  { budget: { epsilon: 4 }, relation: 'replace-one' },
  { budget: { epsilon: 1, delta: 1e-6 }, relation: 'add-remove' },
  { budget: { epsilon: 1, delta: 1e-6 }, relation: 'replace-one' },
] as const;

describe('pairs', () => {
  it.each(cases)('spends its budget and no more, and answers pairs, under $relation with $budget', async (setting) => {
    const session = await open(exact(1), setting);
    const { model, measurements, refit, notes } = await pairs(session, run());
    expect(session.remaining).toBeLessThan(1e-5);
    expect(notes).toMatchObject({ looked: 15 });
    const found = new Set(
      [...(notes.measured as string[][]), ...(notes.selected as string[][])].map((set) => set.join('')),
    );
    // What depends is chosen or measured closer, unless the look told enough of it.
    const isFound = (pair: string): boolean => [...found].some((set) => [...pair].every((name) => set.includes(name)));
    expect(['ab', 'bc', 'cd'].filter(isFound).length).toBeGreaterThan(1);
    // Independent attributes would be 0.09 off on average.
    expect(errorOf((attributes) => model.marginal(attributes))).toBeLessThan(0.05);
    if (setting.relation === 'replace-one') expect(model.total).toBe(2000);
    const again = await refit!(measurements, seeded(2));
    expect(errorOf((attributes) => again.marginal(attributes))).toBeLessThan(0.05);
  });

  it('finds what depends and leaves what does not, and comes close without noise', async () => {
    const much = { budget: { epsilon: 0.5, delta: 1e-6 } };
    const { notes, model } = await pairs(await open(noiseless, much), run({ until: 'converged' }));
    const found = [...(notes.measured as string[][]), ...(notes.selected as string[][])];
    for (const pair of [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'd'],
    ])
      expect(found.some((set) => pair.every((name) => set.includes(name)))).toBe(true);
    expect((notes.measured as string[][]).flat()).not.toContain('g');
    expect(errorOf((attributes) => model.marginal(attributes))).toBeLessThan(0.02);
  });

  it('learns from rounds what no pair tells: of three attributes any two of which are independent', async () => {
    const three = plainDomain([2, 2, 2, 3]);
    const random = seeded(9);
    const parity = Array.from({ length: 4000 }, () => {
      const [a, b] = [uniformInteger(random, 2), uniformInteger(random, 2)];
      return [a, b, (a + b) % 2, uniformInteger(random, 3)];
    });
    const offBy = async (degree: number): Promise<number> => {
      const { model, notes } = await pairs(await open(exact(8), {}, parity, three), run({ degree }));
      expect((notes.selected as string[][]).some((set) => set.length === 3)).toBe(degree === 3);
      const told = model.marginal(['a', 'b', 'c']);
      return [0, 1, 1, 0, 1, 0, 0, 1].reduce((sum, odd, cell) => sum + odd * told[cell], 0) / model.total;
    };
    expect(await offBy(3)).toBeLessThan(0.02);
    expect(await offBy(2)).toBeGreaterThan(0.4);
  });

  it('measures hardly a pair closer where there is no signal, and makes a model of any answers', async () => {
    const random = seeded(3);
    const alone = Array.from({ length: 3000 }, () => domain.attributes.map(({ size }) => uniformInteger(random, size)));
    for (const epsilon of [0.3, 3]) {
      const { notes, model } = await pairs(await open(exact(2), { budget: { epsilon, delta: 1e-6 } }, alone), run());
      // Of 15 pairs what noise alone finds, and what is open between a third of false finds and none.
      expect((notes.measured as string[][]).length).toBeLessThan(6);
      expect(Math.abs(model.total / 3000 - 1)).toBeLessThan(0.05);
    }
    const session = await open(exact(3), { budget: { epsilon: 0.001, delta: 1e-9 } });
    const poor = await pairs(session, run());
    expect(session.remaining).toBeLessThan(1e-5);
    expect([...poor.model.marginal(['a'])].every((count) => Number.isFinite(count) && count >= 0)).toBe(true);
  });

  it('sees the private table through its acts only: on a neighbour with the same outputs everything is the same', async () => {
    for (const budget of [{ epsilon: 2 }, { epsilon: 1, delta: 1e-6 }]) {
      const { primitives, outputs } = recording(exact(4));
      const few = rows.slice(0, 300);
      const released = await pairs(await open(primitives, { budget }, few), run());
      for (const neighbour of [few.slice(1), [...few, [2, 2, 3, 1, 0, 3, 4]]]) {
        const again = await pairs(await open(replaying(outputs), { budget }, neighbour), run());
        expect(again.notes).toEqual(released.notes);
        expect(again.measurements).toEqual(released.measurements);
        expect((again.model as GraphicalModel).factors).toEqual((released.model as GraphicalModel).factors);
      }
    }
  });

  it('looks at the pairs within what was asked, more closely where it weighs more, and at attributes alone where no pair is small enough', async () => {
    const workload = {
      queries: [
        { query: marginal('a', 'b', 'c'), weight: 20 },
        { query: marginal('f', 'g'), weight: 1 },
      ],
    };
    const { measurements, notes } = await pairs(await open(exact(5)), run({ workload }));
    expect(notes.looked).toBe(4);
    const noiseOf = (...names: string[]): number =>
      measurements.find(({ query }) => attributesOf(query).join() === names.join())!.noise.scale;
    expect(noiseOf('a', 'b')).toBeLessThan(noiseOf('f', 'g'));
    const session = await open(exact(5));
    const single = await pairs(session, run({ maxCells: 1 }));
    expect(single.measurements.every(({ query }) => attributesOf(query).length < 2)).toBe(true);
    expect(session.remaining).toBeLessThan(1e-5);
  });

  it('takes a marginal of many attributes by its parts, and a table whose attributes have one cell each', async () => {
    const wide = plainDomain(Array.from({ length: 24 }, () => 2));
    const asked = workloadOf([marginal(...wide.attributes.map(({ name }) => name))]);
    expect(roundCandidates(wide, asked, { degree: 3, maxCells: 10_000 })).toHaveLength(276 + 2024);
    for (const budget of [{ epsilon: 1 }, { epsilon: 1, delta: 1e-6 }]) {
      const session = await open(exact(7), { budget }, [[0, 0]], plainDomain([1, 1]));
      const { model } = await pairs(session, run());
      expect(model.total).toBeGreaterThanOrEqual(1);
      expect(
        pairsEntry.plan(planningDoor({ domain: model.domain, budget: budgetOf(budget) }), pairsEntry.defaults).steps
          .length,
      ).toBeGreaterThan(0);
    }
  });

  it('plans the look as it is made, and says what follows it', async () => {
    for (const { budget, relation } of cases) {
      const facts = planningDoor({ domain, budget: budgetOf(budget), relation });
      const { steps, remarks, replicate } = pairsEntry.plan(facts, pairsEntry.defaults);
      const { measurements } = await pairs(await open(exact(1), { budget, relation }), run());
      const look = steps.findIndex(({ act, what }, i) => act === 'select' || (i > 0 && what === steps[0].what));
      expect(look).toBeGreaterThan(20);
      expect(steps.slice(0, look).map(({ query, noise }) => [query, noise])).toEqual(
        measurements.slice(0, look).map(({ query, noise }) => [query, noise]),
      );
      expect(remarks[0]).toMatch(/noise would misplace [\d.]+% of the records or more in half of them/);
      expect(remarks[1]).toContain('15% of the budget looks at all 15 pairs');
      expect(replicate).toBeDefined();
      expect(pairsEntry.fits(facts, pairsEntry.defaults).able).toBe(true);
    }
  });

  it('refuses before it spends what it cannot do', async () => {
    const session = await open(exact(6));
    const refused = (more: object) => pairs(session, run(more));
    await expect(refused({ workload: workloadOf([prefix('a')]) })).rejects.toThrow('must be marginals for pairs');
    await expect(refused({ maxCells: 0 })).rejects.toThrow('maxCells: must be a positive whole number, got 0');
    await expect(refused({ degree: 1.5 })).rejects.toThrow('degree: must be a positive whole number, got 1.5');
    await expect(refused({ modelMegabytes: -1 })).rejects.toThrow('modelMegabytes: must be above 0');
    await expect(refused({ modelMegabytes: 1e4 })).rejects.toThrow('must fit in 512 MiB');
    await expect(refused({ share: 0 })).rejects.toThrow('share: must be above 0');
    expect(session.remaining).toBe(1);
    const wide = planningDoor({
      domain: plainDomain(Array.from({ length: 120 }, () => 2)),
      budget: budgetOf({ epsilon: 1 }),
    });
    expect(pairsEntry.fits(wide, pairsEntry.defaults)).toMatchObject({
      able: false,
      why: expect.stringContaining('may look at 5000 pairs'),
    });
  });
});

describe('explain', () => {
  const look = async (budget: BudgetRequest): Promise<readonly Measurement[]> => {
    const { measurements } = await pairs(await open(noiseless, { budget }), run({ degree: 2 }));
    return measurements.filter(({ query }) => query.kind !== 'marginal' || attributesOf(query).length < 3);
  };
  const how = { chosen: [], bytes: 1e6, fitting: { random: seeded(1), threads: 1 } };

  it('finds what residuals and marginals say alike, and holds what others do not explain', async () => {
    for (const budget of [{ epsilon: 1, delta: 1e-6 }, { epsilon: 20 }]) {
      const measurements = await look(budget);
      const { held, model } = await explain(domain, measurements, { ...how, standsOut: isTelling });
      expect(held.map((pair) => [...pair].sort().join(''))).toEqual(expect.arrayContaining(['ab', 'bc', 'cd']));
      const left = atOnce(signalsOf(domain, together(measurements), model));
      const unheld = left.filter(({ attributes }) => !held.some((pair) => pair.join() === attributes.join()));
      expect(unheld.length).toBeGreaterThan(2);
      expect(unheld.every((signal) => !isTelling(signal))).toBe(true);
    }
  });

  it('holds no more than there is room for, and what was chosen in any case', async () => {
    const measurements = await look({ epsilon: 1, delta: 1e-6 });
    const small = await explain(domain, measurements, { ...how, bytes: 8 * 30, standsOut: () => true });
    expect(treeSize(junctionTree(domain, small.held)).bytes).toBeLessThanOrEqual(8 * 30);
    const { model } = await explain(domain, measurements, { ...how, chosen: [['f', 'g']], standsOut: () => false });
    expect(model.tree.cliques.some(({ attributes }) => attributes.length > 1)).toBe(true);
  });
});

it('worthMeasuring: of pairs that noise alone makes hardly one is worth it, of pairs that tell something all are', () => {
  const random = seeded(5);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - uniform(random))) * Math.cos(2 * Math.PI * uniform(random));
  const signal = (deviations: number) => ({ attributes: ['a', 'b'], deviations, dimensions: 9 });
  const noise = Array.from({ length: 1000 }, () => signal(normal()));
  expect(noise.filter((each) => worthMeasuring(each, noise)).length).toBeLessThan(20);
  const mixed = [...noise, ...Array.from({ length: 1000 }, () => signal(2 + normal()))];
  const found = mixed.filter((each) => worthMeasuring(each, mixed));
  expect(found.length).toBeGreaterThan(700);
  // A third of what is found may be by noise, and of that about as much is.
  expect(found.filter((each) => noise.includes(each)).length / found.length).toBeLessThan(0.4);
  expect(worthMeasuring(signal(5), [signal(5)])).toBe(true);
  expect([signal(3.9), signal(4.1)].map(isPlain)).toEqual([false, true]);
  expect(isTelling({ ...signal(5), dimensions: 1000 })).toBe(false);
});

it('foreseenTree: holds as many as it is told to, within its bytes whatever the pairs', () => {
  const own = plainDomain([2, 3, 4, 5, 2, 3]);
  const names = own.attributes.map(({ name }) => name);
  const all = names.flatMap((a, i) => names.slice(i + 1).map((b) => [a, b]));
  fc.assert(
    fc.property(
      fc.shuffledSubarray(all),
      fc.nat({ max: 15 }),
      fc.integer({ min: 200, max: 8000 }),
      (sets, count, bytes) => {
        const held = foreseenTree(own, sets, count, bytes);
        expect(held.length).toBeLessThanOrEqual(count);
        expect(treeSize(junctionTree(own, held)).bytes).toBeLessThanOrEqual(bytes);
        if (treeSize(junctionTree(own, sets)).bytes <= bytes) expect(held.length).toBe(Math.min(count, sets.length));
      },
    ),
  );
});

it('heldPairs: stays within its bytes whatever the pairs, holds all where there is room, and a forest where it can', () => {
  const sizes = [2, 3, 4, 5, 2, 3];
  const own = plainDomain(sizes);
  const names = own.attributes.map(({ name }) => name);
  const all = names.flatMap((a, i) => names.slice(i + 1).map((b) => [a, b]));
  fc.assert(
    fc.property(fc.shuffledSubarray(all), fc.integer({ min: 200, max: 8000 }), (ranked, bytes) => {
      const held = atOnce(heldPairs(own, ranked, bytes));
      expect(treeSize(junctionTree(own, held)).bytes).toBeLessThanOrEqual(bytes);
      expect(held.every((pair) => ranked.includes(pair as string[]))).toBe(true);
      if (treeSize(junctionTree(own, ranked)).bytes <= bytes) expect(held.length).toBe(ranked.length);
    }),
  );
  const forest = atOnce(heldPairs(own, all, 8 * all.reduce((sum, pair) => sum + cellsOf(own, pair), 0)));
  expect(new Set(forest.flat()).size).toBe(6);
});

it('together: answers of one query become the average of least variance, others stay, and what is exact is left out', () => {
  const measured = (name: string, values: number[], scale: number): Measurement => ({
    query: marginal(name),
    values: Float64Array.from(values),
    noise: scale === 0 ? { kind: 'none', scale: 0 } : { kind: 'gaussian', scale },
  });
  const [a, b, ...others] = together([
    measured('a', [10, 20], 4),
    measured('b', [1], 5),
    measured('a', [20, 10], 2),
    measured('f', [3], 0),
  ]);
  expect(others).toEqual([]);
  expect(b).toEqual(measured('b', [1], 5));
  expect([...a.values]).toEqual([18, 12]);
  // 1/16 + 1/4 = 1/3.2
  expect(a.noise.scale).toBeCloseTo(Math.sqrt(3.2), 12);
});
