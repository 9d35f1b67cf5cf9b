import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainDomain } from '../../test/support/plain-source.js';
import { InputError } from '../domain/input-error.js';
import type { Table } from '../domain/table.js';
import { marginal } from '../query/marginal.js';
import { prefix } from '../query/query.js';
import { seeded } from '../random/seeded.js';
import { groupedModel } from './grouped-model.js';

// Keys stand apart and out of order in the domain: x, year, y, place.
const domain = plainDomain([3, 2, 4, 2], ['x', 'year', 'y', 'place']);
const keys = ['place', 'year'];
const shared: Table = {
  domain: { attributes: [domain.attributes[0], domain.attributes[2]] },
  length: 5,
  columns: [Uint8Array.of(0, 1, 2, 2, 0), Uint8Array.of(3, 0, 1, 1, 2)],
};
const groups = [
  { key: [0, 0], total: 4, rows: Uint32Array.of(0, 1, 1, 4) },
  { key: [0, 1], total: 0, rows: Uint32Array.of(2) },
  { key: [1, 0], total: 7, rows: Uint32Array.of(2, 3, 4) },
  { key: [1, 1], total: 2, rows: Uint32Array.of(0, 1, 2, 3, 4, 4, 4, 4) },
];
const model = groupedModel(domain, keys, shared, groups);

/** Every group's every row as a record of the domain, with its weight. */
const records = groups.flatMap(({ key, total, rows }) =>
  [...rows].map((row) => ({
    cells: [shared.columns[0][row], key[1], shared.columns[1][row], key[0]],
    weight: total / rows.length,
  })),
);

describe('groupedModel', () => {
  it('gives the marginals that counting its records gives, of any attributes in any order', () => {
    const names = domain.attributes.map(({ name }) => name);
    fc.assert(
      fc.property(fc.shuffledSubarray(names), (attributes) => {
        const places = attributes.map((name) => names.indexOf(name));
        const expected = new Float64Array(places.reduce((cells, a) => cells * domain.attributes[a].size, 1));
        for (const { cells, weight } of records)
          expected[places.reduce((cell, a) => cell * domain.attributes[a].size + cells[a], 0)] += weight;
        const found = model.marginal(attributes);
        expect(found.length).toBe(expected.length);
        expected.forEach((value, cell) => {
          expect(found[cell]).toBeCloseTo(value, 12);
        });
      }),
      { seed: 1 },
    );
    expect(model.total).toBe(13);
    expect(model.marginal([])[0]).toBeCloseTo(13, 12);
  });

  it('answers queries from its marginals', () => {
    const counts = model.marginal(['y']);
    const running = [...counts].map((_, i) => counts.slice(0, i + 1).reduce((sum, count) => sum + count, 0));
    model.answer(prefix('y')).forEach((answer, i) => {
      expect(answer).toBeCloseTo(running[i], 12);
    });
    expect(model.answer(marginal('place', 'x'))).toEqual(model.marginal(['place', 'x']));
  });

  it('samples each group its own total, of its own rows, each within one of its expectation', () => {
    for (let seed = 0; seed < 20; seed++) {
      const table = model.sample(13, seeded(seed));
      expect(table.length).toBe(13);
      const counts = new Map<string, number>();
      for (let row = 0; row < 13; row++) {
        const cells = table.columns.map((column) => column[row]).join();
        counts.set(cells, (counts.get(cells) ?? 0) + 1);
      }
      const expected = new Map<string, number>();
      for (const { cells, weight } of records) expected.set(cells.join(), (expected.get(cells.join()) ?? 0) + weight);
      let seen = 0;
      for (const [cells, weight] of expected) {
        // Rows 2 and 3 are alike, so each may be off by one.
        expect(Math.abs((counts.get(cells) ?? 0) - weight)).toBeLessThan(2);
        seen += counts.get(cells) ?? 0;
      }
      expect(seen).toBe(13);
      for (const { key, total } of groups) {
        const mine = [...counts].filter(
          ([cells]) => cells.split(',')[1] === `${key[1]}` && cells.split(',')[3] === `${key[0]}`,
        );
        expect(mine.reduce((sum, [, count]) => sum + count, 0)).toBe(total);
      }
    }
  });

  it('samples any number of rows, groups in proportion', () => {
    const table = model.sample(1300, seeded(1));
    const places = [0, 0];
    for (const place of table.columns[3]) places[place]++;
    expect(places[0]).toBeGreaterThanOrEqual(398);
    expect(places[0]).toBeLessThanOrEqual(402);
    expect(model.sample(0, seeded(1)).length).toBe(0);
  });

  it('refuses groups that are none, and rows from a model of none', () => {
    const bad = (group: (typeof groups)[number]) => () => groupedModel(domain, keys, shared, [group]);
    expect(bad({ key: [0, 0], total: -1, rows: Uint32Array.of(1) })).toThrow(InputError);
    expect(bad({ key: [0, 0], total: 1.5, rows: Uint32Array.of(1) })).toThrow(InputError);
    expect(bad({ key: [0, 0], total: 1, rows: new Uint32Array() })).toThrow(InputError);
    const empty = groupedModel(domain, keys, shared, [groups[1]]);
    expect(() => empty.sample(1, seeded(1))).toThrow(InputError);
    expect(empty.sample(0, seeded(1)).length).toBe(0);
  });
});
