import { describe, expect, it } from 'vitest';
import { cellsOf, type Domain, indexOf } from '../src/domain/domain.js';
import { InputError } from '../src/domain/input-error.js';
import type { Table } from '../src/domain/table.js';
import { type GraphicalModel, graphicalModel } from '../src/model/graphical/graphical-model.js';
import { aliasTables } from '../src/model/graphical/sample/alias-tables.js';
import { junctionTree } from '../src/model/graphical/tree/junction-tree.js';
import { combinations } from '../src/query/workload/combinations.js';
import { seeded } from '../src/random/seeded.js';
import { fullTable, randomFactors, shapes } from './support/full-table.js';
import { plainDomain } from './support/plain-source.js';

const countsOf = ({ domain, columns, length }: Table, attributes: readonly string[]): Float64Array => {
  const counts = new Float64Array(cellsOf(domain, attributes));
  const places = attributes.map((name) => indexOf(domain, name));
  for (let row = 0; row < length; row++)
    counts[places.reduce((cell, a) => cell * domain.attributes[a].size + columns[a][row], 0)]++;
  return counts;
};

const modelOf = (domain: Domain, cliques: readonly (readonly string[])[], seed: number, spread = 1): GraphicalModel => {
  const tree = junctionTree(domain, cliques);
  return graphicalModel(tree, randomFactors(tree, cliques, seed, spread), 1);
};

/** Over all cells of the model's cliques: the largest mean absolute deviation of a cell over the samples, and the mean over cells. */
const deviation = (
  model: GraphicalModel,
  cliques: readonly (readonly string[])[],
  samples: readonly Table[],
): { worst: number; mean: number } => {
  let [worst, sum, cells] = [0, 0, 0];
  for (const clique of cliques) {
    const expected = model.marginal(clique).map((p) => p * samples[0].length);
    const each = samples.map((table) => countsOf(table, clique));
    expected.forEach((count, cell) => {
      const mean = each.reduce((all, counts) => all + Math.abs(counts[cell] - count), 0) / samples.length;
      worst = Math.max(worst, mean);
      sum += mean;
      cells++;
    });
  }
  return { worst, mean: sum / cells };
};

const pairsOf = (names: readonly string[]) => [...combinations(names.length, 2)].map(([i, j]) => [names[i], names[j]]);
const letters = (count: number) => Array.from({ length: count }, (_, i) => String.fromCharCode(97 + i));

/** Models in which errors could add up: along chains, from many contexts into few, and over many factors of one clique. */
const hard: Record<string, { sizes: number[]; cliques: string[][]; spread?: number | undefined }> = {
  'a chain of 20': {
    sizes: letters(20).map((_, i) => 3 + (i % 7)),
    cliques: letters(19).map((name, i) => [name, letters(20)[i + 1]]),
  },
  'triples over pairs that end in single separators': {
    sizes: [12, 12, 10, 2, 10, 12, 2],
    cliques: [
      ['a', 'b', 'c'],
      ['b', 'c', 'd'],
      ['d', 'e'],
      ['d', 'f'],
      ['f', 'g'],
    ],
  },
  'all pairs of one clique': { sizes: [3, 4, 5, 6, 7], cliques: pairsOf(letters(5)) },
  'a cycle of 8': {
    sizes: [5, 4, 5, 4, 5, 4, 5, 4],
    cliques: letters(8).map((name, i) => [name, letters(8)[(i + 1) % 8]]),
  },
  'a chain that is nearly decided': {
    sizes: letters(10).map(() => 8),
    cliques: letters(9).map((name, i) => [name, letters(10)[i + 1]]),
    spread: 4,
  },
};

describe('sample', () => {
  it.each(Object.entries(hard))(
    'deviates less than 2 counts in expectation in every cell of the cliques of %s',
    (_, { sizes, cliques, spread }) => {
      const model = modelOf(plainDomain(sizes), cliques, 1, spread);
      for (const rows of [50, 20_000]) {
        const samples = Array.from({ length: 12 }, (_, seed) => model.sample(rows, seeded(seed)));
        // Means over 12 samples of deviations that are hardly ever above 3; what was found was below 1.
        const own = model.tree.cliques.map(({ attributes }) => [...attributes]);
        expect(deviation(model, own, samples).worst).toBeLessThan(2);
      }
    },
  );

  it('deviates a fifth of what drawing does in the cells of the factors, also where one clique holds many', () => {
    for (const { sizes, cliques, spread } of Object.values(hard)) {
      const model = modelOf(plainDomain(sizes), cliques, 1, spread);
      const seeds = [0, 1, 2, 3];
      const rounded = deviation(
        model,
        cliques,
        seeds.map((seed) => model.sample(20_000, seeded(seed))),
      );
      const drawn = deviation(
        model,
        cliques,
        seeds.map((seed) => model.draw(20_000, seeded(seed))),
      );
      expect(rounded.mean).toBeLessThan(drawn.mean / 5);
    }
  });

  it('keeps the counts of all chunks together as near, and each chunk of the length asked', () => {
    for (const { sizes, cliques, spread } of Object.values(hard)) {
      const model = modelOf(plainDomain(sizes), cliques, 2, spread);
      const samples = Array.from({ length: 6 }, (_, seed): Table => {
        const chunks = [...model.sampleInChunks(10_000, seeded(seed), 900)];
        expect(chunks.map(({ length }) => length)).toEqual([...new Array(11).fill(900), 100]);
        const columns = model.domain.attributes.map((_, a) =>
          Uint8Array.from(chunks.flatMap((chunk) => [...chunk.columns[a]])),
        );
        return { domain: model.domain, length: 10_000, columns };
      });
      expect(deviation(model, cliques, samples).mean).toBeLessThan(1);
    }
  });

  it('is unbiased down to a single row', () => {
    const { sizes, cliques } = shapes['triples that overlap in pairs'];
    const domain = plainDomain(sizes);
    const tree = junctionTree(domain, cliques);
    const factors = randomFactors(tree, cliques, 5, 1);
    const model = graphicalModel(tree, factors, 1);
    const full = fullTable(tree, factors);
    const names = domain.attributes.map(({ name }) => name);
    for (const rows of [1, 3]) {
      const counts = new Float64Array(full.length);
      const runs = 3000;
      for (let seed = 0; seed < runs; seed++)
        countsOf(model.sample(rows, seeded(seed)), names).forEach((n, cell) => {
          counts[cell] += n;
        });
      // Each cell is a sum of `runs` independent numbers from 0 to `rows` with variance at most rows * p * rows: Bernstein's
      // inequality at 1e-9 a cell.
      full.forEach((p, cell) => {
        const variance = runs * rows * rows * p;
        const log = Math.log(2e9);
        const bound = (rows * log) / 3 + Math.sqrt(((rows * log) / 3) ** 2 + 2 * variance * log);
        expect(Math.abs(counts[cell] - runs * rows * p)).toBeLessThan(bound);
      });
    }
  });

  it('puts rows in random order: the first half is as good a sample as the second', () => {
    const { sizes, cliques } = hard['a chain of 20'];
    const model = modelOf(plainDomain(sizes), cliques, 3);
    const table = model.sample(40_000, seeded(1));
    for (const { name } of model.domain.attributes) {
      const expected = model.marginal([name]).map((p) => 20_000 * p);
      const half = countsOf({ ...table, length: 20_000 }, [name]);
      // Hypergeometric counts: Hoeffding's bound for sampling without replacement at 1e-9 a cell.
      half.forEach((count, cell) => {
        expect(Math.abs(count - expected[cell])).toBeLessThan(1.5 + Math.sqrt((20_000 * Math.log(2e9)) / 2));
      });
    }
  });

  it('never makes a record that the model holds impossible, by rounding or by drawing', () => {
    const domain = plainDomain([4, 5, 4]);
    const cliques = [
      ['a', 'b'],
      ['b', 'c'],
    ];
    const tree = junctionTree(domain, cliques);
    const factors = randomFactors(tree, cliques, 4, 1).map(({ attributes, potential }) => ({
      attributes,
      potential: potential.map((value, cell) => (cell % 3 === 0 ? -Infinity : value)),
    }));
    const model = graphicalModel(tree, factors, 1);
    for (const table of [
      model.sample(3000, seeded(1)),
      model.draw(3000, seeded(1)),
      ...model.sampleInChunks(3000, seeded(1), 7),
    ])
      for (const clique of cliques) {
        const expected = model.marginal(clique);
        countsOf(table, clique).forEach((count, cell) => {
          if (expected[cell] === 0) expect(count).toBe(0);
        });
      }
  });

  it('refuses numbers of rows that are none', () => {
    const model = modelOf(plainDomain([2, 2]), [], 1);
    expect(() => model.sample(-1, seeded(1))).toThrow(InputError);
    expect(() => model.draw(0.5, seeded(1))).toThrow(InputError);
    expect(() => [...model.sampleInChunks(5, seeded(1), 0)]).toThrow(InputError);
    expect([...model.sampleInChunks(0, seeded(1), 5)]).toEqual([]);
    expect(model.sample(0, seeded(1)).columns.map(({ length }) => length)).toEqual([0, 0]);
  });
});

describe('draw', () => {
  it.each(Object.entries(shapes))('draws independent records of %s', (_, { sizes, cliques }) => {
    const domain = plainDomain(sizes);
    const tree = junctionTree(domain, cliques);
    const factors = randomFactors(tree, cliques, 6, 1);
    const full = fullTable(tree, factors);
    const rows = 200_000;
    const counts = countsOf(
      graphicalModel(tree, factors, 1).draw(rows, seeded(2)),
      domain.attributes.map(({ name }) => name),
    );
    // Binomial counts: Bernstein's inequality at 1e-9 a cell.
    full.forEach((p, cell) => {
      const log = Math.log(2e9);
      const bound = log / 3 + Math.sqrt((log / 3) ** 2 + 2 * rows * p * (1 - p) * log);
      expect(Math.abs(counts[cell] - rows * p)).toBeLessThan(bound);
    });
  });
});

describe('aliasTables', () => {
  it('gives every value its probability exactly, and none to a value without', () => {
    const table = Float64Array.of(0.1, 0, 0.4, 0.2, 0, 0, 0, 3, 1e-300, 1, 1, 1, 0, 0, 0, 0);
    const { own, alias } = aliasTables(table, 4);
    for (let start = 0; start < table.length; start += 4) {
      const mass = [0, 1, 2, 3].reduce((sum, value) => sum + table[start + value], 0);
      const found = [0, 0, 0, 0];
      for (let value = 0; value < 4; value++) {
        found[value] += own[start + value] / 4;
        found[alias[start + value]] += (1 - own[start + value]) / 4;
      }
      found.forEach((p, value) => {
        expect(p).toBeCloseTo(mass > 0 ? table[start + value] / mass : 0.25, 14);
        if (mass > 0 && table[start + value] === 0) expect(p).toBe(0);
      });
    }
  });
});
