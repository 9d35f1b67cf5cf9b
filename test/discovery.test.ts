import { describe, expect, it } from 'vitest';
import { keepingRecord } from '../src/bundle/discovery-record.js';
import type { AttributeSpec } from '../src/domain/attribute/attribute.js';
import { constraintText } from '../src/domain/constraints/constraint.js';
import { parseDraft } from '../src/domain/discover/parse-draft.js';
import { domainOf } from '../src/domain/domain-of.js';
import { budgetOf } from '../src/privacy/accounting/budget.js';
import { chooseEdges } from '../src/privacy/discovery/choose-edges.js';
import { countsSensitivity, valuesSensitivity } from '../src/privacy/discovery/discovering.js';
import { discoveryOn } from '../src/privacy/discovery/open-discovery.js';
import { seededEntropy } from '../src/privacy/entropy.js';
import { memoryLedger } from '../src/privacy/ledger/memory-ledger.js';
import { exactPrimitives, type Primitives } from '../src/privacy/primitives.js';
import { rationalNumber } from '../src/privacy/rational.js';
import type { Relation } from '../src/query/relation.js';
import { seeded } from '../src/random/seeded.js';
import { uniformInteger } from '../src/random/uniform.js';
import { discoverSchema } from '../src/release/discover/discover-schema.js';
import { rawMemorySource } from '../src/source/raw-memory-source.js';
import { gaussianTail as tail } from './support/gaussian-tail.js';
import { noiseless, recording, replaying } from './support/replay.js';

const relations: readonly Relation[] = ['add-remove', 'replace-one'];

/** All multisets of at most `most` of `cells` cells, as counts. */
const multisets = (cells: number, most: number): number[][] => {
  if (cells === 0) return [[]];
  return multisets(cells - 1, most).flatMap((rest) => {
    const left = most - rest.reduce((sum, count) => sum + count, 0);
    return Array.from({ length: left + 1 }, (_, count) => [...rest, count]);
  });
};

const plus = (a: readonly number[], b: readonly number[]): number[] => a.map((count, i) => count + b[i]);

/** Every pair of neighbours of tiny tables: a base, and what one unit of at most `most` rows adds or puts in another's place. */
const neighbours = (cells: number, rows: number, most: number, relation: Relation) => {
  const units = multisets(cells, most);
  return multisets(cells, rows).flatMap((base) =>
    units.flatMap((one) =>
      (relation === 'replace-one' ? units : [units[0].map(() => 0)]).map(
        (other) => [plus(base, one), plus(base, other)] as const,
      ),
    ),
  );
};

describe('choices of edges', () => {
  const places = 3;

  /** The scores of every choice, in order, on a table whose choices are given: those of one level together. */
  const scoresOf = (counts: readonly number[], maxRecords: number, replaces: boolean, choices: readonly number[]) => {
    const calls: { scores: Float64Array; sensitivity: number }[] = [];
    const choose = (scores: Float64Array, sensitivity: number): number => {
      calls.push({ scores, sensitivity });
      return (choices[calls.length - 1] ?? 0) % scores.length;
    };
    chooseEdges({ counts: Float64Array.from(counts), maxRecords, replaces }, { levels: 2, beyond: 1 }, choose);
    return calls;
  };

  it.each(relations.flatMap((relation) => [1, 2].map((maxRecords) => [relation, maxRecords] as const)))(
    'move by no more than they are charged for, over all neighbours under %s with %i rows a unit, and that much somewhere',
    (relation, maxRecords) => {
      let [outer, level] = [0, 0];
      for (const choices of [
        [0, 1],
        [0, 0],
        [0, 1, 0],
        [1, 0],
      ])
        for (const [a, b] of neighbours(places + 1, 2, maxRecords, relation)) {
          const [one, two] = [a, b].map((counts) => scoresOf(counts, maxRecords, relation === 'replace-one', choices));
          const losses = one.map(({ scores, sensitivity }, call) => {
            const most = scores.reduce((far, score, i) => Math.max(far, Math.abs(score - two[call].scores[i])), 0);
            return most / sensitivity;
          });
          outer = Math.max(outer, losses[0], losses[1]);
          // Parts of one level are charged once: what all of them lose together counts.
          level = Math.max(
            level,
            losses.slice(2, 3).reduce((sum, loss) => sum + loss, 0),
            losses.slice(3).reduce((sum, loss) => sum + loss, 0),
          );
        }
      expect(outer).toBe(1);
      expect(level).toBe(1);
    },
  );
});

const budget = { epsilon: 3, delta: 1e-6, thresholds: { numerator: 1, denominator: 2 } } as const;

const openOn = async (
  columns: Record<string, readonly string[]>,
  primitives: Primitives,
  relation: Relation,
  ids?: readonly number[],
  maxRecords = 1,
) => {
  const unit = ids === undefined ? undefined : ({ kind: 'id', column: 'who', maxRecords } as const);
  const source = rawMemorySource({ columns, dataset: 'tiny', unit, ids, random: ids && seeded(1) });
  const ledger = await memoryLedger(budgetOf(budget), 'tiny', { relation, unit: source.unit });
  return discoveryOn({ source, ledger, budget, relation, entropy: seededEntropy(1) }, primitives, true);
};

describe('weights of values', () => {
  /** What the values of both columns are offered with, but for one that is known, and the threshold they must reach. */
  const offered = async (rows: readonly Row[], relation: Relation, maxRecords: number) => {
    const weights = new Map<string, number>();
    let least = 0;
    let variance = 0;
    const primitives: Primitives = {
      ...noiseless,
      passer: (sigmaSquared, threshold) => {
        [least, variance] = [threshold, rationalNumber(sigmaSquared)];
        return { offer: (column, text, weight) => weights.set(`${column} ${text}`, weight), finish: () => [] };
      },
    };
    const door = await openOn(
      { v: rows.map(([, value]) => value), w: rows.map(([, , value]) => value) },
      primitives,
      relation,
      rows.map(([who]) => who),
      maxRecords,
    );
    const columns = [
      { name: 'v', known: ['known'] },
      { name: 'w', known: [] },
    ];
    await door.values(columns, 0.5, { parts: 1 });
    return { weights, least, variance };
  };
  type Row = readonly [who: number, v: string, w: string];
  const cells = ['a', 'b', 'known'].flatMap((v) => ['x', 'y'].map((w) => [v, w] as const));
  const base: readonly Row[] = [
    [1, 'a', 'x'],
    [2, 'known', 'x'],
  ];

  it.each(relations.flatMap((relation) => [1, 2].map((most) => [relation, most] as const)))(
    'move by no more than they are charged for under %s with %i rows a unit, and new ones pass with a chance of at most delta',
    async (relation, maxRecords) => {
      const units = multisets(cells.length, maxRecords).map((counts) =>
        counts.flatMap((count, i) => Array.from({ length: count }, (): Row => [9, ...cells[i]])),
      );
      const tables: Awaited<ReturnType<typeof offered>>[] = [];
      for (const unit of units) tables.push(await offered([...base, ...unit], relation, maxRecords));
      const others = relation === 'replace-one' ? tables : [tables[units.findIndex((unit) => unit.length === 0)]];
      const squared = rationalNumber(valuesSensitivity(relation));
      // Half of the thresholds' part of delta is for this act.
      const delta = 1e-6 / 2 / 2;
      let [most, dearest] = [0, 0];
      for (const a of tables)
        for (const b of others) {
          const names = new Set([...a.weights.keys(), ...b.weights.keys()]);
          let moved = 0;
          for (const name of names) moved += ((a.weights.get(name) ?? 0) - (b.weights.get(name) ?? 0)) ** 2;
          most = Math.max(most, moved);
          const fresh = [...a.weights].filter(([name]) => !b.weights.has(name));
          const chance = fresh.reduce((sum, [, weight]) => sum + tail(a.variance, a.least - weight), 0);
          dearest = Math.max(dearest, chance);
        }
      expect(most).toBeLessThanOrEqual(squared);
      expect(most).toBeGreaterThan(0.98 * squared);
      expect(dearest).toBeLessThanOrEqual(delta * (1 + 1e-9));
      expect(dearest).toBeGreaterThan(0.2 * delta);
    },
  );
});

describe('counts of values that stand together', () => {
  const specs: readonly AttributeSpec[] = [
    { name: 'v', type: 'category', values: ['a', 'b'] },
    { name: 'w', type: 'category', values: ['x', 'y'], other: 'other' },
  ];
  const [v, w] = domainOf(specs).attributes;
  // A value without a cell, one that is merged, and an empty one.
  const cells = ['a', 'b', 'none'].flatMap((one) => ['x', 'y', 'z', ''].map((two) => [one, two] as const));

  it.each(relations.flatMap((relation) => [1, 2].map((most) => [relation, most] as const)))(
    'move by no more than they are charged for under %s with %i rows a unit, and that much somewhere',
    async (relation, maxRecords) => {
      const counted = async (unit: readonly number[]): Promise<Float64Array> => {
        const rows = [cells[0], ...unit.flatMap((count, i) => Array.from({ length: count }, () => cells[i]))];
        const columns = { v: rows.map(([one]) => one), w: rows.map(([, two]) => two) };
        const ids = rows.map((_, i) => Math.min(i, 1));
        const door = await openOn(columns, noiseless, relation, ids, maxRecords);
        return (await door.together([{ from: [v], to: w }], 0.5))[0].counts;
      };
      const units = multisets(cells.length, maxRecords);
      const tables: Float64Array[] = [];
      for (const unit of units) tables.push(await counted(unit));
      const others = relation === 'replace-one' ? tables : [await counted(cells.map(() => 0))];
      const unit = { kind: 'id', column: 'who', maxRecords } as const;
      let [most, farthest] = [0, 0];
      for (const one of tables)
        for (const other of others) {
          const moved = one.map((count, i) => Math.abs(count - other[i]));
          most = Math.max(
            most,
            moved.reduce((sum, own) => sum + own, 0),
          );
          farthest = Math.max(
            farthest,
            moved.reduce((sum, own) => sum + own ** 2, 0),
          );
        }
      expect(BigInt(most)).toBe(countsSensitivity('looks', 'laplace', relation, unit));
      expect(BigInt(farthest)).toBe(countsSensitivity('looks', 'gaussian', relation, unit));
    },
  );
});

describe('a discovery', () => {
  const draft = parseDraft({
    surmise: 1,
    origin: { kind: 'declared' },
    attributes: [
      { name: 'a', type: 'discover' },
      { name: 'b', type: 'category', values: 'discover' },
      { name: 'c', type: 'number', edges: 'discover', min: 0, max: 50 },
      { name: 'd', type: 'date', edges: 'discover' },
      { name: 'e', type: 'category', values: ['p', 'q'], other: 'other' },
      { name: 'f', type: 'boolean' },
    ],
    constraints: [{ from: 'e', to: 'f', map: 'discover' }, { forbid: "e = 'other' and f = true" }],
  });
  const random = seeded(3);
  const rowOf = (i: number) => ({
    a: String(uniformInteger(random, 3)),
    b: uniformInteger(random, 4) === 0 ? `hidden ${i}` : 'usual',
    c: String(uniformInteger(random, 50)),
    d: `20${10 + uniformInteger(random, 9)}-01-0${1 + uniformInteger(random, 9)}`,
    e: 'pq'[i % 2],
    f: String(i % 2 === 0),
  });

  it.each(relations)(
    'lets nothing out but what its primitives return: all else is the same on a neighbour, under %s',
    async (relation) => {
      for (let pair = 0; pair < 4; pair++) {
        const rows = Array.from({ length: 300 }, (_, i) => rowOf(i));
        const changed = rows.map((row, i) =>
          i === pair ? { a: 'text', b: 'never seen', c: '', d: 'x', e: 'new', f: 'no' } : row,
        );
        const columnsOf = (list: typeof rows, keep: number) =>
          Object.fromEntries(
            (['a', 'b', 'c', 'd', 'e', 'f'] as const).map((name) => [
              name,
              list.slice(0, keep).map((row) => row[name]),
            ]),
          );
        const run = async (columns: Record<string, string[]>, primitives: Primitives) => {
          const discovery = await openOn(columns, primitives, relation);
          const { door, acts } = keepingRecord(discovery);
          const found = await discoverSchema(door, draft, { share: 0.9 });
          return { ...found, acts };
        };
        const { primitives, outputs } = recording(exactPrimitives(seededEntropy(pair)));
        const first = await run(columnsOf(rows, 300), primitives);
        const neighbour = columnsOf(changed, relation === 'replace-one' ? 300 : 299);
        expect(await run(neighbour, replaying(outputs))).toEqual(first);
        expect(JSON.stringify(first)).not.toContain('hidden');
        expect(first.schema.constraints?.map(constraintText)).toEqual([
          "never e = 'other' and f = true",
          'e -> f, where it is listed',
        ]);
      }
    },
  );
});
