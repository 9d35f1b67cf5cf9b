import { describe, expect, it } from 'vitest';
import { plainDomain, plainSource, plainTable, type Row } from '../../../test/support/plain-source.js';
import { noiseless, recording, replaying } from '../../../test/support/replay.js';
import type { Progress } from '../../domain/running.js';
import { junctionTree, treeSize } from '../../model/graphical/tree/junction-tree.js';
import { supportOf } from '../../model/support/support.js';
import { supportModel } from '../../model/support/support-model.js';
import { type BudgetRequest, budgetOf } from '../../privacy/accounting/budget.js';
import { seededEntropy } from '../../privacy/entropy.js';
import { memoryLedger } from '../../privacy/ledger/memory-ledger.js';
import { exactPrimitives, type Primitives } from '../../privacy/primitives.js';
import { sessionOn } from '../../privacy/session/open-session.js';
import type { Relation } from '../../query/relation.js';
import { seeded } from '../../random/seeded.js';
import { uniform, uniformInteger } from '../../random/uniform.js';
import { measureNetwork } from './measure-network.js';
import { privbayes } from './privbayes.js';

/** A chain a -> b -> c -> d of which each copies the one before nine times in ten, and e, of 60 cells, on its own. */
const domain = plainDomain([2, 3, 3, 2, 60]);
const rowsOf = (count: number, seed: number): Row[] => {
  const random = seeded(seed);
  return Array.from({ length: count }, () => {
    const row = [uniformInteger(random, 2)];
    for (const size of [3, 3, 2])
      row.push(uniform(random) < 0.9 ? row[row.length - 1] % size : uniformInteger(random, size));
    return [...row, uniformInteger(random, 60)];
  });
};
const rows = rowsOf(2000, 1);

const open = async (
  primitives: Primitives,
  { budget = { epsilon: 4 }, relation = 'add-remove' }: { budget?: BudgetRequest; relation?: Relation } = {},
  table = rows,
) => {
  const ledger = await memoryLedger(budgetOf(budget), 'plain', { relation });
  return sessionOn({ source: plainSource(domain, table), budget, relation, ledger }, primitives, true);
};

const exact = (seed: number): Primitives => exactPrimitives(seededEntropy(seed));

/** Mean total variation of all pairs of attributes from the truth. */
const errorOf = (marginal: (attributes: readonly string[]) => Float64Array): number => {
  const truth = supportModel(supportOf(plainTable(domain, rows)), rows.length);
  let [sum, pairs] = [0, 0];
  for (const a of 'abcde')
    for (const b of 'abcde') {
      if (a >= b) continue;
      const told = marginal([a, b]);
      sum += truth.marginal([a, b]).reduce((d, value, i) => d + Math.abs(value - told[i]), 0) / 2 / rows.length;
      pairs++;
    }
  return sum / pairs;
};

const cases = [
  { budget: { epsilon: 4 }, relation: 'add-remove' },
  { budget: { epsilon: 4 }, relation: 'replace-one' },
  { budget: { epsilon: 2, delta: 1e-6 }, relation: 'add-remove' },
  { budget: { epsilon: 2, delta: 1e-6 }, relation: 'replace-one' },
] as const;

describe('privbayes', () => {
  it.each(cases)('spends its budget and no more, and answers pairs, under $relation with $budget', async (setting) => {
    for (const estimator of ['network', 'pgm'] as const) {
      const session = await open(exact(1), setting);
      const { model, measurements, refit, notes } = await privbayes(session, { estimator, random: seeded(1) });
      expect(session.remaining).toBeLessThan(1e-6);
      expect(measurements.length).toBe(6);
      expect(Math.abs(model.total - 2000)).toBeLessThan(setting.relation === 'replace-one' ? 1e-9 : 300);
      // Independent attributes would be 0.17 off on average, and e alone cannot be known better than its noise.
      expect(errorOf((attributes) => model.marginal(attributes))).toBeLessThan(0.15);
      expect(notes.estimator).toBe(estimator);
      const again = await refit!(measurements, seeded(2));
      expect(errorOf((attributes) => again.marginal(attributes))).toBeLessThan(0.15);
    }
  });

  it('finds the chain when nothing is noisy, and measures large attributes alone', async () => {
    const session = await open(noiseless, { budget: { epsilon: 1 } });
    const { network, usefulCells } = await measureNetwork(session, { random: seeded(3), parents: 1 });
    const edges = network.filter(({ on }) => on.length > 0).map(({ of, on }) => [of, ...on].sort().join(''));
    expect(edges.sort()).toEqual(['ab', 'bc', 'cd']);
    expect(usefulCells).toBeLessThan(120);
    expect(network[4]).toEqual({ of: 'e', on: [] });
  });

  it('bounds a marginal so that a cell holds theta times its noise', async () => {
    for (const theta of [1, 4, 16]) {
      const session = await open(noiseless, { budget: { epsilon: 4 }, relation: 'replace-one' });
      const { usefulCells, network } = await measureNetwork(session, { random: seeded(1), theta });
      // Five marginals of L1 sensitivity 2 share half of epsilon 4: Laplace noise of scale 5, a little less as whole numbers.
      expect((usefulCells * theta * 5) / 2000).toBeGreaterThan(1);
      expect((usefulCells * theta * 5) / 2000).toBeLessThan(1.01);
      const size = new Map(domain.attributes.map((attribute) => [attribute.name, attribute.size]));
      for (const { of, on } of network)
        if (on.length > 0)
          expect([of, ...on].reduce((cells, name) => cells * size.get(name)!, 1)).toBeLessThanOrEqual(usefulCells);
    }
  });

  it('spends all on measuring where no two attributes can be measured together', async () => {
    const session = await open(noiseless, { budget: { epsilon: 0.01 }, relation: 'replace-one' });
    const { network, measurements } = await measureNetwork(session, { random: seeded(1) });
    expect(network.every(({ on }) => on.length === 0)).toBe(true);
    expect(measurements[1].noise.scale).toBeCloseTo(10 / 0.01, 3);
  });

  it('leaves out parents whose junction tree would not fit, and keeps the best of the others', async () => {
    const limited = async (modelBytes: number | undefined) => {
      const session = await open(noiseless, { budget: { epsilon: 400 } });
      const { network } = await measureNetwork(session, { random: seeded(1), modelBytes });
      return treeSize(
        junctionTree(
          domain,
          network.map(({ of, on }) => [...on, of]),
        ),
      ).bytes;
    };
    expect(await limited(undefined)).toBeGreaterThan(2000);
    expect(await limited(2000)).toBeLessThanOrEqual(2000);
  });

  it('leaves a share unspent when told, and says how far it is', async () => {
    const session = await open(exact(2));
    const heard: Progress[] = [];
    await privbayes(session, { random: seeded(1), share: 0.5, onProgress: (event) => heard.push(event) });
    expect(session.remaining).toBeCloseTo(0.5, 6);
    expect(heard).toContainEqual({ stage: 'rounds', done: 3, total: 3 });
  });

  it('refuses, before anything is spent, options that could not work', async () => {
    const session = await open(noiseless);
    for (const [bad, message] of [
      [{ theta: 0 }, /theta: must be above 0, got 0/],
      [{ structure: 1 }, /structure: must be above 0 and below 1, got 1/],
      [{ parents: 1.5 }, /parents: must be a positive whole number, got 1.5/],
      [{ candidates: 0 }, /candidates: must be/],
      [{ modelBytes: -1 }, /modelBytes: must be above 0/],
    ] as const)
      await expect(privbayes(session, { random: seeded(1), ...bad })).rejects.toThrow(message);
    expect(session.remaining).toBe(1);
  });

  it('leaves nothing that depends on the table except through the primitives', async () => {
    for (const estimator of ['network', 'pgm'] as const) {
      const { primitives, outputs } = recording(exact(5));
      const run = async (own: Primitives, table: Row[]): Promise<string> => {
        const released = await privbayes(await open(own, {}, table), { estimator, random: seeded(1) });
        return JSON.stringify([released.notes, released.measurements, Array.from(released.model.marginal(['a', 'b']))]);
      };
      const first = await run(primitives, rows);
      expect(await run(replaying(outputs), rows.slice(1))).toBe(first);
      expect(await run(replaying(outputs), [...rows, [1, 1, 1, 1, 1]])).toBe(first);
    }
  });
});
