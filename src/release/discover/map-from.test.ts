import { describe, expect, it } from 'vitest';
import type { AttributeSpec } from '../../domain/attribute/attribute.js';
import type { ConstraintSpec } from '../../domain/constraints/constraint.js';
import type { Domain } from '../../domain/domain.js';
import { domainOf } from '../../domain/domain-of.js';
import { rowsForEntry } from '../../privacy/discovery/plan-map.js';
import { seededEntropy } from '../../privacy/entropy.js';
import { type NoiseName, noiseKinds } from '../../privacy/noise/noise-kinds.js';
import { rational } from '../../privacy/rational.js';
import { mapFrom } from './map-from.js';

const specs: readonly AttributeSpec[] = [
  { name: 'sub', type: 'category', values: ['A1', 'A2', 'B1', 'B2', 'C1', 'C2'], other: 'other' },
  { name: 'grade', type: 'category', values: ['A', 'B', 'C'], null: true },
];
const domain = domainOf(specs);
const [sub, grade] = domain.attributes;
const pair = { from: [sub], to: grade };
const truth = ['A', 'A', 'B', 'B', 'C', 'C'];

/** Rows of each sub-grade that go with its grade, and that go with the next one. */
const countsOf = (rows: readonly (readonly [on: number, off: number])[]): Float64Array => {
  const counts = new Float64Array(sub.size * grade.size);
  for (const [parent, [on, off]] of rows.entries()) {
    counts[parent * grade.size + Math.floor(parent / 2)] = on;
    counts[parent * grade.size + ((Math.floor(parent / 2) + 1) % 3)] = off;
  }
  return counts;
};

const learnt = (counts: Float64Array, scale = 20, of: Domain = domain) =>
  mapFrom(of, pair, { counts, noise: { kind: 'gaussian', scale } });
const mapOf = (counts: Float64Array, scale?: number, of?: Domain) => learnt(counts, scale, of).constraint?.map;

describe('a map that noisy counts tell', () => {
  it('has an entry for every value that goes with one cell, by rows enough; the rest is free and said to be', () => {
    const { constraint, note } = learnt(
      countsOf([
        [2000, 0],
        [2000, 0],
        [90, 0],
        [2000, 0],
        [0, 0],
        [2000, 0],
      ]),
    );
    expect(constraint).toEqual({
      from: 'sub',
      to: 'grade',
      map: [
        ['A1', 'A'],
        ['A2', 'A'],
        ['B2', 'B'],
        ['C2', 'C'],
      ],
      unlisted: 'free',
    });
    expect(note).toBe('learned with noise, for 4 of 6 values; not safe to say of, and free: B1; C1');
  });

  it('leaves out what clearly goes with several, and keeps what a few rows contradict', () => {
    const rows = (off: number) => countsOf(truth.map((_, i) => (i === 0 ? [5000, off] : [5000, 0])));
    expect(mapOf(rows(100))).toHaveLength(6);
    expect(mapOf(rows(600))).toHaveLength(5);
    expect(mapOf(rows(4990))).toHaveLength(5);
    expect(mapOf(countsOf(truth.map(() => [5000, 2000])))).toBeUndefined();
  });

  it('gives up entries whose few contradictions together are too many to be noise', () => {
    // Each below three standard deviations of its own three cells, all six together far above.
    const some = mapOf(countsOf(truth.map(() => [1000, 80])));
    expect(some?.length ?? 0).toBeLessThan(6);
  });

  it('has no entry that a declared constraint forbids, and none of values that are merged or empty', () => {
    const constraints: readonly ConstraintSpec[] = [{ forbid: "sub = 'A1' and grade = 'A'" }];
    const counts = countsOf(truth.map(() => [2000, 0]));
    counts[6 * grade.size] = 5000;
    const map = mapOf(counts, 20, { ...domain, constraints }) as readonly string[][];
    expect(map.map(([from]) => from)).toEqual(['A2', 'B1', 'B2', 'C1', 'C2']);
  });

  it('may say that a value goes with what is empty, and may have several columns to say it by', () => {
    const counts = countsOf(truth.map(() => [2000, 0]));
    counts.fill(0, 0, grade.size);
    counts[3] = 2000;
    expect((mapOf(counts) as readonly unknown[][])[0]).toEqual(['A1', null]);
    const flag = domainOf([...specs, { name: 'flag', type: 'boolean' }]);
    const both = Float64Array.from({ length: 7 * 2 * 4 }, (_, cell) =>
      cell % 4 === Math.floor(cell / 4) % 2 ? 3000 : 0,
    );
    const { constraint } = mapFrom(
      flag,
      { from: [sub, flag.attributes[2]], to: grade },
      { counts: both, noise: { kind: 'laplace', scale: 10 } },
    );
    expect(constraint).toMatchObject({ from: ['sub', 'flag'] });
    expect((constraint!.map as readonly unknown[][]).slice(0, 2)).toEqual([
      ['A1', 'false', 'A'],
      ['A1', 'true', 'B'],
    ]);
  });

  /** How many of so many draws of noise on a true map give a wrong entry, and how many entries are kept in all. */
  const drawn = (kind: NoiseName, rows: number, scale: number) => {
    const entropy = seededEntropy(7);
    const parameter = kind === 'gaussian' ? rational(BigInt(scale) ** 2n) : rational(scale);
    const counts = countsOf(truth.map(() => [rows, 0]));
    let [wrong, kept] = [0, 0];
    for (let run = 0; run < 400; run++) {
      const noisy = noiseKinds[kind].add(counts, parameter, entropy);
      const { constraint } = mapFrom(domain, pair, { counts: noisy, noise: { kind, scale } });
      for (const [from, to] of (constraint?.map ?? []) as readonly string[][]) {
        kept++;
        if (to !== truth[specs[0].type === 'category' ? specs[0].values.indexOf(from) : 0]) wrong++;
      }
    }
    return { wrong, kept: kept / (400 * truth.length) };
  };

  it.each(['gaussian', 'laplace'] as const)(
    'is right wherever it says something, says little of few rows and nearly all of many: %s noise',
    (kind) => {
      const scale = 20;
      const need = rowsForEntry({ kind, scale }, { parents: 7, children: 4 });
      expect(drawn(kind, Math.round(need / 8), scale)).toMatchObject({ wrong: 0 });
      expect(drawn(kind, Math.round(need / 8), scale).kept).toBeLessThan(0.02);
      const many = drawn(kind, 2 * need, scale);
      expect(many.wrong).toBe(0);
      expect(many.kept).toBeGreaterThan(0.98);
      // What a plan says is about what is needed: half of the values of that many rows and more are kept.
      expect(drawn(kind, need, scale).kept).toBeGreaterThan(0.5);
    },
  );
});
