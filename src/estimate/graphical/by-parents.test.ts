import { describe, expect, it } from 'vitest';
import { codesAt } from '../../domain/cell-index.js';
import { type Domain, sizesOf } from '../../domain/domain.js';
import { domainOf } from '../../domain/domain-of.js';
import type { Measurement } from '../../privacy/measurement.js';
import { marginal } from '../../query/marginal.js';
import { normal } from '../../random/normal.js';
import { seeded } from '../../random/seeded.js';
import { uniform } from '../../random/uniform.js';
import { byParents, heldAs } from './by-parents.js';
import { estimateGraphical } from './estimate.js';

const plain = domainOf([
  { name: 'a', type: 'integer', min: 0, max: 2 },
  { name: 'grade', type: 'category', values: ['A', 'B'] },
  { name: 'x', type: 'integer', min: 0, max: 2 },
  { name: 'sub', type: 'category', values: ['A1', 'A2', 'B1', 'B2'] },
]);
const map = { A1: 'A', A2: 'A', B1: 'B', B2: 'B' };
const domain: Domain = { ...plain, constraints: [{ from: 'sub', to: 'grade', map }] };
const names = ['a', 'grade', 'x', 'sub'];
const sizes = sizesOf(domain, names);
const total = 500;

/** All records that can be, as codes in the order of the columns. */
const records = Array.from({ length: sizes.reduce((product, size) => product * size, 1) }, (_, cell) =>
  codesAt(cell, sizes),
).filter(([, grade, , sub]) => grade === Math.floor(sub / 2));

const cellOf = (record: readonly number[], of: readonly string[]): number =>
  of.reduce((cell, name) => cell * sizes[names.indexOf(name)] + record[names.indexOf(name)], 0);

const marginalOf = (weights: readonly number[], of: readonly string[]): Float64Array => {
  const counts = new Float64Array(sizesOf(domain, of).reduce((product, size) => product * size, 1));
  records.forEach((record, i) => {
    counts[cellOf(record, of)] += weights[i];
  });
  return counts;
};

const random = seeded(1);
const truth = (() => {
  const raw = records.map(() => uniform(random) ** 3);
  const sum = raw.reduce((all, weight) => all + weight, 0);
  return raw.map((weight) => (total * weight) / sum);
})();

const measured = (sets: readonly (readonly string[])[], sigma = 6): Measurement[] =>
  sets.map((set) => ({
    query: marginal(...set),
    values: marginalOf(truth, set).map((count) => Math.round(count + sigma * normal(random))),
    noise: { kind: 'gaussian', scale: sigma },
  }));

/** The distribution over all records that can be of least loss, by exponentiated gradients over every one of them. */
const byBruteForce = (measurements: readonly Measurement[]): number[] => {
  let weights = records.map(() => total / records.length);
  for (let step = 0; step < 30_000; step++) {
    const slopes = records.map(() => 0);
    for (const { query, values, noise } of measurements) {
      const of = (query as { attributes: readonly string[] }).attributes;
      const now = marginalOf(weights, of);
      records.forEach((record, i) => {
        const cell = cellOf(record, of);
        slopes[i] += (now[cell] - values[cell]) / noise.scale ** 2;
      });
    }
    const moved = weights.map((weight, i) => weight * Math.exp(-0.02 * slopes[i]));
    const sum = moved.reduce((all, weight) => all + weight, 0);
    weights = moved.map((weight) => (total * weight) / sum);
  }
  return weights;
};

describe('a column that another one determines', () => {
  it('is merged with it: a fit comes to what all records that can be come to, whichever of the two was measured', async () => {
    for (const sets of [
      [['sub', 'x'], ['grade', 'x'], ['grade', 'sub', 'a'], ['grade'], ['a']],
      [
        ['grade', 'x'],
        ['sub', 'a'],
      ],
      [
        ['grade', 'a'],
        ['grade', 'x'],
        ['x', 'grade', 'sub'],
      ],
    ]) {
      const measurements = measured(sets);
      const { model } = await estimateGraphical(domain, measurements, {
        total,
        until: 'converged',
        tolerance: 1e-12,
        iterations: 20_000,
      });
      const expected = byBruteForce(measurements);
      for (const of of [['sub'], ['grade', 'x'], ['sub', 'x'], ['a', 'sub'], ['x', 'a'], ['grade', 'sub'], names]) {
        const [got, must] = [model.marginal(of), marginalOf(expected, of)];
        for (const [cell, count] of must.entries()) expect(Math.abs(got[cell] - count)).toBeLessThan(0.2);
      }
    }
  });

  it('is in one clique alone, with what determines it, where the same columns were measured with both', async () => {
    const { model } = await estimateGraphical(
      domain,
      measured([['sub', 'x'], ['grade', 'x'], ['grade', 'sub', 'a'], ['grade']]),
    );
    const holding = model.tree.cliques.map(({ attributes }) => attributes).filter((set) => set.includes('grade'));
    expect(holding.map((set) => set.toSorted())).toEqual([['grade', 'sub']]);
  });

  it('stays as it was measured where no clique holds its parent with the others', () => {
    const [one] = byParents(domain, measured([['grade', 'x']]));
    expect(one.query).toEqual(marginal('grade', 'x'));
    const free = measured([
      ['grade', 'x'],
      ['sub', 'x'],
    ]);
    expect(byParents(plain, free)).toBe(free);
    expect(heldAs(domain, [['sub', 'x']])(['x', 'grade'])).toEqual(['x', 'sub']);
    expect(heldAs(domain, [['sub', 'a']])(['x', 'grade'])).toEqual(['x', 'grade']);
    expect(heldAs(domain, [])(['grade', 'x', 'sub'])).toEqual(['x', 'sub']);
  });

  it('lets a fit go on from a model that held it otherwise', async () => {
    const first = measured([['grade', 'x'], ['sub']]);
    const options = { total, until: 'converged', tolerance: 1e-12, iterations: 20_000 } as const;
    const { model: start } = await estimateGraphical(domain, first, options);
    const all = [...first, ...measured([['sub', 'x']])];
    const [fresh, warm] = [
      (await estimateGraphical(domain, all, options)).model.marginal(names),
      (await estimateGraphical(domain, all, { ...options, start })).model.marginal(names),
    ];
    for (const [cell, count] of fresh.entries()) expect(Math.abs(warm[cell] - count)).toBeLessThan(0.2);
    const { trace } = await estimateGraphical(domain, all, { ...options, start, iterations: 0 });
    const { trace: cold } = await estimateGraphical(domain, all, { ...options, iterations: 0 });
    expect(trace[0].loss).toBeLessThan(0.5 * cold[0].loss);
  });
});
