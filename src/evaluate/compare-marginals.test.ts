import { describe, expect, it } from 'vitest';
import { plainDomain } from '../../test/support/plain-source.js';
import type { Table } from '../domain/table.js';
import { supportOf } from '../model/support/support.js';
import { supportModel } from '../model/support/support-model.js';
import { seeded } from '../random/seeded.js';
import { compareMarginals } from './compare-marginals.js';

const domain = plainDomain([2, 3, 4, 2]);
const tableOf = (length: number, seed: number): Table => {
  const random = seeded(seed);
  return {
    domain,
    length,
    columns: domain.attributes.map(({ size }) => Uint8Array.from({ length }, () => random.uint32() % size)),
  };
};
const modelOf = (table: Table) => supportModel(supportOf(table), table.length);
const [one, two] = [tableOf(90, 1), tableOf(170, 2)];

/** Shares of the cells of some columns, the most obvious way. */
const brute = ({ columns, length }: Table, indices: readonly number[]): Map<string, number> => {
  const shares = new Map<string, number>();
  for (let row = 0; row < length; row++) {
    const key = indices.map((a) => columns[a][row]).join();
    shares.set(key, (shares.get(key) ?? 0) + 1 / length);
  }
  return shares;
};

describe('compareMarginals', () => {
  it('finds the distances and the worst cells that counting row by row finds', async () => {
    const compared = await compareMarginals(modelOf(one), modelOf(two), { random: seeded(1), worst: 3 });
    expect(compared.map(({ way, marginals, all }) => [way, marginals.length, all])).toEqual([
      [1, 4, 4],
      [2, 6, 6],
      [3, 4, 4],
    ]);
    for (const { marginals, mean, most, worst } of compared) {
      const gaps: number[] = [];
      for (const { attributes, distance } of marginals) {
        const indices = attributes.map((name) => domain.attributes.findIndex((attribute) => attribute.name === name));
        const [a, b] = [brute(one, indices), brute(two, indices)];
        const own = [...new Set([...a.keys(), ...b.keys()])].map((key) =>
          Math.abs((a.get(key) ?? 0) - (b.get(key) ?? 0)),
        );
        expect(distance).toBeCloseTo(own.reduce((sum, gap) => sum + gap, 0) / 2, 12);
        gaps.push(...own);
      }
      expect(mean).toBeCloseTo(marginals.reduce((sum, { distance }) => sum + distance, 0) / marginals.length, 12);
      expect(most.distance).toBe(Math.max(...marginals.map(({ distance }) => distance)));
      const largest = gaps.sort((x, y) => y - x).slice(0, 3);
      for (const [i, { attributes, cells, first, second }] of worst.entries()) {
        expect(Math.abs(first - second)).toBeCloseTo(largest[i], 12);
        const indices = attributes.map((name) => domain.attributes.findIndex((attribute) => attribute.name === name));
        expect(first).toBeCloseTo(brute(one, indices).get(cells.join()) ?? 0, 12);
      }
    }
  });

  it('is nothing between a table and itself, and symmetric between two', async () => {
    for (const { mean, worst } of await compareMarginals(modelOf(one), modelOf(one), { random: seeded(1) })) {
      expect(mean).toBe(0);
      expect(worst).toEqual([]);
    }
    const [there, back] = [
      await compareMarginals(modelOf(one), modelOf(two), { random: seeded(1) }),
      await compareMarginals(modelOf(two), modelOf(one), { random: seeded(1) }),
    ];
    expect(there.map(({ mean }) => mean)).toEqual(back.map(({ mean }) => mean));
  });

  it('leaves out marginals above the limit, draws among many, and says how many there are', async () => {
    const compared = await compareMarginals(modelOf(one), modelOf(two), { random: seeded(1), maxCells: 6, most: 2 });
    expect(compared.map(({ way, marginals, all }) => [way, marginals.length, all])).toEqual([
      [1, 2, 4],
      [2, 2, 3],
    ]);
  });

  it('stops before the next marginal once the signal aborts', async () => {
    const controller = new AbortController();
    let done = 0;
    const compared = compareMarginals(modelOf(one), modelOf(two), {
      random: seeded(1),
      signal: controller.signal,
      onProgress: () => {
        if (++done === 3) controller.abort(new Error('enough'));
      },
    });
    await expect(compared).rejects.toThrow('enough');
    expect(done).toBe(3);
  });

  it('refuses two domains', async () => {
    const other = { ...modelOf(two), domain: plainDomain([2, 3, 4, 3]) };
    await expect(compareMarginals(modelOf(one), other, { random: seeded(1) })).rejects.toThrow(
      /both sides must be over one domain/,
    );
  });
});
