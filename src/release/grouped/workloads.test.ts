import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainDomain, plainTable, type Row } from '../../../test/support/plain-source.js';
import { cellsOf } from '../../domain/domain.js';
import type { Table } from '../../domain/table.js';
import { cliqueWorkload } from '../../estimate/cliques/clique-workload.js';
import { type Information, mutualInformation } from '../../estimate/cliques/mutual-information.js';
import { rootWorkload } from '../../estimate/cliques/root-workload.js';
import { seeded } from '../../random/seeded.js';
import { uniform, uniformInteger } from '../../random/uniform.js';

const tableOf = (sizes: readonly number[], rows: readonly Row[]): Table => plainTable(plainDomain(sizes), rows);

describe('mutualInformation', () => {
  it('is the entropy for a copy, nothing for independent attributes, and log 2 for a shared bit', () => {
    const rows: number[][] = [];
    for (let a = 0; a < 4; a++)
      for (let b = 0; b < 4; b++) for (let copy = 0; copy < 500; copy++) rows.push([a, b, a, (a % 2) + 2 * (b % 2)]);
    const { between, entropy } = mutualInformation(tableOf([4, 4, 4, 4], rows));
    const n = rows.length;
    expect(entropy[0]).toBeCloseTo(Math.log(4), 12);
    expect(between[0][1]).toBe(0);
    // A copy uses 4 cells of 4 + 4 - 1, so nothing is taken off; a shared bit uses 8.
    expect(between[0][2]).toBeCloseTo(Math.log(4), 12);
    expect(between[0][3]).toBeCloseTo(Math.log(2) - 1 / (2 * n), 12);
    expect(between[3][0]).toBe(between[0][3]);
  });

  it('takes off what chance alone would show: independent draws look independent', () => {
    const random = seeded(1);
    const rows = Array.from({ length: 4000 }, () => [uniformInteger(random, 20), uniformInteger(random, 20)]);
    const { between } = mutualInformation(tableOf([20, 20], rows));
    // Uncorrected it would be about 361/8000 = 0.045; its standard deviation is about sqrt(2 * 361)/8000 = 0.0034.
    expect(between[0][1]).toBeLessThan(0.02);
  });
});

describe('cliqueWorkload', () => {
  it('holds every pair of high information that fits, every attribute, within the limit, and no marginal within another', () => {
    const input = fc.record({
      sizes: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 7 }),
      strengths: fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 21, maxLength: 21 }),
      maxCells: fc.constantFrom(4, 12, 40, 1000),
    });
    fc.assert(
      fc.property(input, ({ sizes, strengths, maxCells }) => {
        const domain = plainDomain(sizes);
        const names = domain.attributes.map(({ name }) => name);
        const between = names.map(() => new Float64Array(names.length));
        let next = 0;
        for (let a = 0; a < names.length; a++)
          for (let b = 0; b < a; b++) between[a][b] = between[b][a] = strengths[next++] / 100;
        const information: Information = { names, entropy: names.map(() => 1), between };
        const sets = cliqueWorkload(information, domain, { threshold: 0.5, maxCells }).map(
          ({ attributes }) => attributes,
        );
        for (let a = 0; a < names.length; a++) {
          expect(sets.some((set) => set.includes(names[a]))).toBe(true);
          for (let b = 0; b < a; b++)
            if (between[a][b] >= 0.5 && sizes[a] * sizes[b] <= maxCells)
              expect(sets.some((set) => set.includes(names[a]) && set.includes(names[b]))).toBe(true);
        }
        sets.forEach((set, s) => {
          if (set.length > 1) expect(cellsOf(domain, set)).toBeLessThanOrEqual(maxCells);
          for (const x of set)
            for (const y of set)
              if (x !== y) expect(between[names.indexOf(x)][names.indexOf(y)]).toBeGreaterThanOrEqual(0.5);
          sets.forEach((other, o) => {
            if (o !== s) expect(set.every((name) => other.includes(name))).toBe(false);
          });
        });
      }),
      { seed: 2, numRuns: 300 },
    );
  });
});

describe('rootWorkload', () => {
  // a differs among groups, b copies it, c differs little, d is the same everywhere.
  const random = seeded(3);
  const groupOf: number[] = [];
  const rows: number[][] = [];
  for (let group = 0; group < 20; group++)
    for (let i = 0; i < 200; i++) {
      const a = uniform(random) < group / 20 ? 1 : 0;
      const c = uniform(random) < 0.4 + 0.01 * group ? 1 : 0;
      rows.push([a, a, c, i % 2]);
      groupOf.push(group);
    }
  const table = tableOf([2, 2, 2, 2], rows);
  const information = mutualInformation(table);
  const choose = (deviation: (queries: number) => number): string[] =>
    rootWorkload(table, information, {
      groupOf: Uint32Array.from(groupOf),
      regionOf: new Uint32Array(rows.length),
      threshold: 0.1,
      deviation,
    }).map(({ attributes }) => attributes[0]);

  it('begins with what differs most among groups, and leaves out what that already tells', () => {
    const chosen = choose(() => 1e-6);
    expect(['a', 'b']).toContain(chosen[0]);
    // b copies a; d is one half in every group, so it tells nothing.
    expect(chosen.slice(1)).toEqual(['c']);
  });

  it('measures fewer attributes when noise grows with their number, and at least one under any noise', () => {
    expect(choose((queries) => 20 * queries)).toHaveLength(1);
    expect(choose((queries) => 1e9 * queries)).toHaveLength(1);
  });
});
