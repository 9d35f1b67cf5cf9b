import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainDomain, plainSource, plainTable, type Row } from '../../../test/support/plain-source.js';
import { noiseless, recording, replaying } from '../../../test/support/replay.js';
import type { Progress } from '../../domain/running.js';
import { supportOf } from '../../model/support/support.js';
import { supportModel } from '../../model/support/support-model.js';
import { type BudgetRequest, budgetOf } from '../../privacy/accounting/budget.js';
import { seededEntropy } from '../../privacy/entropy.js';
import { memoryLedger } from '../../privacy/ledger/memory-ledger.js';
import { exactPrimitives, type Primitives } from '../../privacy/primitives.js';
import { sessionOn } from '../../privacy/session/open-session.js';
import { planningDoor } from '../../privacy/session/planning-door.js';
import type { Relation } from '../../query/relation.js';
import { seeded } from '../../random/seeded.js';
import { uniform, uniformInteger } from '../../random/uniform.js';
import { type Edge, forestEdges, forestOf, lookedAt, possibleEdges } from './edges.js';
import { mstEntry } from './entry.js';
import { mst } from './mst.js';

/** A tree: b copies a nine times in ten, c and d copy b; e has one cell, f stands alone. */
const domain = plainDomain([3, 3, 3, 2, 1, 4]);
const rowsOf = (count: number, seed: number): Row[] => {
  const random = seeded(seed);
  const copy = (value: number, size: number) => (uniform(random) < 0.9 ? value % size : uniformInteger(random, size));
  return Array.from({ length: count }, () => {
    const a = uniformInteger(random, 3);
    const b = copy(a, 3);
    return [a, b, copy(b, 3), copy(b, 2), 0, uniformInteger(random, 4)];
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
  const pairs = [...'abcdef'].flatMap((a, i) => [...'abcdef'].slice(i + 1).map((b) => [a, b]));
  const errors = pairs.map((pair) => {
    const told = marginal(pair);
    return truth.marginal(pair).reduce((sum, value, i) => sum + Math.abs(value - told[i]), 0) / 2 / rows.length;
  });
  return errors.reduce((sum, error) => sum + error, 0) / pairs.length;
};

const cases = [
  { budget: { epsilon: 4 }, relation: 'add-remove' },
  { budget: { epsilon: 4 }, relation: 'replace-one' },
  { budget: { epsilon: 2, delta: 1e-6 }, relation: 'add-remove' },
  { budget: { epsilon: 2, delta: 1e-6 }, relation: 'replace-one' },
] as const;

describe('mst', () => {
  it.each(cases)('spends its budget and no more, and answers pairs, under $relation with $budget', async (setting) => {
    const session = await open(exact(1), setting);
    const { model, measurements, refit, notes } = await mst(session, { random: seeded(1) });
    expect(session.remaining).toBeLessThan(1e-6);
    expect(measurements.length).toBe(6 + 4);
    expect(notes.tree).toHaveLength(4);
    // Independent attributes would be 0.11 off on average.
    expect(errorOf((attributes) => model.marginal(attributes))).toBeLessThan(0.06);
    const again = await refit!(measurements, seeded(2));
    expect(errorOf((attributes) => again.marginal(attributes))).toBeLessThan(0.06);
  });

  it('finds the tree of the table when nothing is noisy: the worst answered pairs without a circle', async () => {
    const session = await open(noiseless);
    const { notes, model } = await mst(session, { random: seeded(1), until: 'converged' });
    const edges = (notes.tree as string[][]).map((edge) => edge.join(''));
    expect(edges.slice(0, 3).sort()).toEqual(['ab', 'bc', 'bd']);
    expect(edges[3]).toMatch(/f$/);
    expect(errorOf((attributes) => model.marginal(attributes))).toBeLessThan(0.01);
  });

  it('plans what it does: the same noise for the attributes and the pairs, as many choices', async () => {
    for (const { budget, relation } of cases) {
      const session = await open(exact(1), { budget, relation });
      const facts = planningDoor({ domain, budget: budgetOf(budget), relation });
      const { steps } = mstEntry.plan(facts, mstEntry.defaults);
      const { measurements } = await mst(session, { random: seeded(1) });
      const planned = steps.filter(({ act }) => act === 'measure');
      expect(planned.slice(0, 6).map(({ noise }) => noise)).toEqual(measurements.slice(0, 6).map(({ noise }) => noise));
      // What rounding left of the choices goes to the pairs.
      expect(planned[6].noise!.scale / measurements[6].noise.scale).toBeCloseTo(1, 4);
      expect(steps.find(({ act }) => act === 'select')).toMatchObject({ times: 4, answers: 10 });
      expect(mstEntry.fits(facts, mstEntry.defaults).able).toBe(true);
    }
  });

  it('measures the attributes alone, with everything, where every pair is too large', async () => {
    const session = await open(exact(1));
    const { measurements, notes } = await mst(session, { random: seeded(1), maxCells: 5 });
    expect([measurements.length, notes.tree]).toEqual([6, []]);
    expect(session.remaining).toBeLessThan(1e-6);
    const { steps, remarks } = mstEntry.plan(planningDoor({ domain, budget: budgetOf({ epsilon: 4 }) }), {
      ...mstEntry.defaults,
      maxCells: 5,
    });
    expect(steps.map(({ noise }) => noise)).toEqual(measurements.map(({ noise }) => noise));
    expect(remarks[0]).toMatch(/taken for independent/);
  });

  it('leaves a share unspent when told, says how far it is, and stops when told', async () => {
    const session = await open(exact(2));
    const heard: Progress[] = [];
    await mst(session, { random: seeded(1), share: 0.5, onProgress: (event) => heard.push(event) });
    expect(session.remaining).toBeCloseTo(0.5, 6);
    expect(heard).toContainEqual({ stage: 'rounds', done: 4, total: 4 });
    const stop = new AbortController();
    const stopped = mst(await open(exact(2)), {
      random: seeded(1),
      signal: stop.signal,
      onProgress: ({ done }) => done === 2 && stop.abort(),
    });
    await expect(stopped).rejects.toThrow();
  });

  it('refuses, before anything is spent, options that could not work', async () => {
    const session = await open(noiseless);
    for (const [bad, message] of [
      [{ maxCells: 0 }, /maxCells: must be a positive whole number, got 0/],
      [{ candidates: 1.5 }, /candidates: must be a positive whole number, got 1.5/],
      [{ iterations: -1 }, /iterations: must be/],
      [{ share: 0 }, /share: must be above 0, got 0/],
    ] as const)
      await expect(mst(session, { random: seeded(1), ...bad })).rejects.toThrow(message);
    expect(session.remaining).toBe(1);
  });

  it('leaves nothing that depends on the table except through the primitives', async () => {
    const { primitives, outputs } = recording(exact(5));
    const run = async (own: Primitives, table: Row[]): Promise<string> => {
      const released = await mst(await open(own, {}, table), { random: seeded(1) });
      return JSON.stringify([released.notes, released.measurements, Array.from(released.model.marginal(['a', 'b']))]);
    };
    const first = await run(primitives, rows);
    expect(await run(replaying(outputs), rows.slice(1))).toBe(first);
    expect(await run(replaying(outputs), [...rows, [1, 1, 1, 1, 0, 1]])).toBe(first);
  });
});

describe('the edges of mst', () => {
  const graphs = fc.record({
    nodes: fc.integer({ min: 1, max: 8 }),
    pairs: fc.array(fc.tuple(fc.nat(7), fc.nat(7)), { maxLength: 20 }),
  });

  it('a forest never closes a circle, and any order of edges makes it as large', () => {
    fc.assert(
      fc.property(graphs, fc.nat(), ({ nodes, pairs }, seed) => {
        const edges = pairs
          .filter(([a, b]) => a !== b && a < nodes && b < nodes)
          .map(([a, b]): Edge => [`${a}`, `${b}`]);
        // Brute force: nodes that paths of edges reach from each other.
        const group = Array.from({ length: nodes }, (_, i) => i);
        for (let pass = 0; pass < nodes; pass++)
          for (const [a, b] of edges) group[+a] = group[+b] = Math.min(group[+a], group[+b]);
        const trees = new Set(group).size;
        expect(forestEdges(edges)).toBe(nodes - trees);
        expect(forestEdges(lookedAt([...edges, ...edges], seed, edges.length * 2))).toBe(nodes - trees);
        const forest = forestOf();
        for (const edge of edges) {
          const before = forest.joins(edge);
          if (before) forest.add(edge);
          expect(forest.joins(edge)).toBe(false);
        }
      }),
    );
  });

  it('are pairs within the cells allowed, without attributes of one cell; a choice looks at so many of them, the same again', () => {
    expect(possibleEdges(domain, 6).map((edge) => edge.join(''))).toEqual(['ad', 'bd', 'cd']);
    const edges = possibleEdges(domain, 100);
    expect(edges).toHaveLength(10);
    expect(lookedAt(edges, 3, 4)).toHaveLength(4);
    expect(lookedAt(edges, 3, 4)).toEqual(lookedAt(edges, 3, 4));
    expect(lookedAt(edges, 3, 10)).toEqual(edges);
  });
});
