import { describe, expect, it } from 'vitest';
import { keepingRecord } from '../src/bundle/discovery-record.js';
import { parseDraft } from '../src/domain/discover/parse-draft.js';
import { budgetOf } from '../src/privacy/accounting/budget.js';
import { chooseEdges } from '../src/privacy/discovery/choose-edges.js';
import { valuesSensitivity } from '../src/privacy/discovery/discovering.js';
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

describe('counts of units by value', () => {
  /** What the values are offered with. */
  const offered = async (
    rows: readonly (readonly [who: number, value: string])[],
    relation: Relation,
    maxRecords: number,
  ) => {
    const counts = new Map<string, number>();
    const primitives: Primitives = {
      ...noiseless,
      passer: () => ({ offer: (text, count) => counts.set(text, count), finish: () => [] }),
    };
    const door = await openOn(
      { v: rows.map(([, value]) => value) },
      primitives,
      relation,
      rows.map(([who]) => who),
      maxRecords,
    );
    await door.values('v', 0.5, { parts: 1 });
    return counts;
  };

  it.each(relations.flatMap((relation) => [1, 2].map((most) => [relation, most] as const)))(
    'move by no more than they are charged for under %s with %i rows a unit, and a value of one unit counts 1',
    async (relation, maxRecords) => {
      const values = ['a', 'b', 'c', 'd'];
      const base = [
        [1, 'a'],
        [2, 'b'],
        [2, 'a'],
      ] as const;
      const unitsOf = multisets(values.length, maxRecords).map((counts) =>
        counts.flatMap((count, i) => Array.from({ length: count }, () => [9, values[i]] as const)),
      );
      const tables: Map<string, number>[] = [];
      for (const unit of unitsOf)
        tables.push(await offered([...base.slice(0, 2 * maxRecords - 1), ...unit], relation, maxRecords));
      const others = relation === 'replace-one' ? tables : [tables[unitsOf.findIndex((unit) => unit.length === 0)]];
      let most = 0;
      for (const a of tables)
        for (const b of others) {
          const both = [...a.keys()].filter((value) => b.has(value));
          const moved = values.reduce((sum, value) => sum + ((a.get(value) ?? 0) - (b.get(value) ?? 0)) ** 2, 0);
          most = Math.max(most, moved);
          for (const value of a.keys()) if (!both.includes(value)) expect(a.get(value)).toBe(1);
          for (const value of b.keys()) if (!both.includes(value)) expect(b.get(value)).toBe(1);
          // No more values are new than the threshold was made for.
          expect(a.size - both.length).toBeLessThanOrEqual(maxRecords);
        }
      expect(most).toBe(rationalNumber(valuesSensitivity(relation, maxRecords)));
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
    ],
  });
  const random = seeded(3);
  const rowOf = (i: number) => ({
    a: String(uniformInteger(random, 3)),
    b: uniformInteger(random, 4) === 0 ? `hidden ${i}` : 'usual',
    c: String(uniformInteger(random, 50)),
    d: `20${10 + uniformInteger(random, 9)}-01-0${1 + uniformInteger(random, 9)}`,
  });

  it.each(relations)(
    'lets nothing out but what its primitives return: all else is the same on a neighbour, under %s',
    async (relation) => {
      for (let pair = 0; pair < 4; pair++) {
        const rows = Array.from({ length: 300 }, (_, i) => rowOf(i));
        const changed = rows.map((row, i) => (i === pair ? { a: 'text', b: 'never seen', c: '', d: 'x' } : row));
        const columnsOf = (list: typeof rows, keep: number) =>
          Object.fromEntries(
            (['a', 'b', 'c', 'd'] as const).map((name) => [name, list.slice(0, keep).map((row) => row[name])]),
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
      }
    },
  );
});
