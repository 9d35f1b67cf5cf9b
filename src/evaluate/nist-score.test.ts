import { describe, expect, it } from 'vitest';
import { plainDomain } from '../../test/support/plain-source.js';
import type { Table } from '../domain/table.js';
import { seeded } from '../random/seeded.js';
import { nistScore } from './nist-score.js';

const domain = plainDomain([3, 2, 2], ['place', 'x', 'y']);
const tableOf = (rows: readonly (readonly number[])[]): Table => ({
  domain,
  length: rows.length,
  columns: [0, 1, 2].map((a) => Uint8Array.from(rows, (row) => row[a])),
});
const truth = tableOf([
  [0, 0, 0],
  [0, 0, 0],
  [0, 1, 1],
  [0, 1, 0],
  [1, 1, 1],
]);
const score = (table: Table, bias?: number) => nistScore(truth, table, { groups: ['place'], random: seeded(1), bias });

describe('nistScore', () => {
  it('is the L1 distance of two-way marginals, by hand', () => {
    // The only pair is x, y. Place 0: (.5, 0, .25, .25) against (0, .5, .5, 0): .5 + .5 + .25 + .25. Place 1: equal.
    const synthetic = tableOf([
      [0, 0, 1],
      [0, 1, 0],
      [1, 1, 1],
      [1, 1, 1],
    ]);
    const { error, withoutPenalty, groups, penalised, stray } = score(synthetic);
    expect(groups).toEqual([
      { key: [0], truth: 4, synthetic: 2, error: 1.5, penalised: false },
      { key: [1], truth: 1, synthetic: 2, error: 0, penalised: false },
    ]);
    expect([error, withoutPenalty, penalised, stray]).toEqual([0.75, 0.75, 0, 0]);
  });

  it('sets a group to 2 when its number of rows is off by the limit, and says what it would be without', () => {
    const twice = tableOf(
      [0, 1].flatMap(() => [
        [0, 0, 0],
        [0, 0, 0],
        [0, 1, 1],
        [0, 1, 0],
        [1, 1, 1],
      ]),
    );
    expect(score(twice)).toMatchObject({ error: 0, penalised: 0 });
    expect(score(twice, 4)).toMatchObject({ error: 1, withoutPenalty: 0, penalised: 1 });
  });

  it('counts a group without synthetic rows as far as can be, and rows where there are none apart', () => {
    const lost = tableOf([
      [1, 1, 1],
      [2, 0, 0],
    ]);
    expect(score(lost)).toMatchObject({ error: 1, stray: 1, penalised: 0 });
  });

  it('is 0 for the truth and draws the same pairs for the same seed', () => {
    expect(score(truth).error).toBe(0);
    const wide = plainDomain([1, 4, 4, 4, 4], ['place', 'p', 'q', 'r', 's']);
    const make = (shift: number): Table => ({
      domain: wide,
      length: 16,
      columns: [0, 1, 2, 3, 4].map((a) =>
        Uint8Array.from({ length: 16 }, (_, i) => (a === 0 ? 0 : (i * a + shift * a * a) % 4)),
      ),
    });
    const of = (seed: number) =>
      nistScore(make(0), make(1), { groups: ['place'], random: seeded(seed), pairs: 3 }).error;
    expect(of(5)).toBe(of(5));
    expect(new Set([1, 2, 3, 4, 5, 6].map(of)).size).toBeGreaterThan(1);
  });
});
