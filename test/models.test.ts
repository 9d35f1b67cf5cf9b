import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readModel, readRowModel, writeModel } from '../src/bundle/codec/model-file.js';
import { cellsOf, type Domain } from '../src/domain/domain.js';
import { codeColumn, type Table } from '../src/domain/table.js';
import { inTurns, type Turns } from '../src/domain/turns.js';
import { graphicalModel } from '../src/model/graphical/graphical-model.js';
import { junctionTree } from '../src/model/graphical/tree/junction-tree.js';
import { groupedModel } from '../src/model/grouped-model.js';
import { localModel } from '../src/model/local-model.js';
import { productMixture } from '../src/model/mixture/product-mixture.js';
import { drawRows, type Model } from '../src/model/model.js';
import { supportOf } from '../src/model/support/support.js';
import { supportModel } from '../src/model/support/support-model.js';
import { answerFrom, attributesOf } from '../src/query/answer.js';
import type { Query } from '../src/query/query.js';
import { seeded } from '../src/random/seeded.js';
import { uniform, uniformInteger } from '../src/random/uniform.js';
import { arbitraryBlock } from './support/arbitrary-query.js';
import { randomFactors } from './support/full-table.js';
import { plainDomain } from './support/plain-source.js';
import { countRows } from './support/row-answers.js';

// An attribute of one cell, one that needs two bytes a code.
const domain = plainDomain([3, 2, 300, 1, 4]);
const names = domain.attributes.map(({ name }) => name);

const randomTable = (over: Domain, length: number, seed: number): Table => {
  const random = seeded(seed);
  return {
    domain: over,
    length,
    columns: over.attributes.map(({ size }) => codeColumn(size, length).map(() => uniformInteger(random, size))),
  };
};

const support = (): Model => supportModel(supportOf(randomTable(domain, 200, 1)), 1234);

const grouped = (): Model => {
  const inside = { attributes: domain.attributes.filter(({ name }) => name !== 'b' && name !== 'e') };
  const shared = randomTable(inside, 50, 2);
  const groups = [0, 1].flatMap((b) =>
    [0, 1, 2, 3].map((e) => ({
      key: [e, b],
      total: 100 + 17 * e + b,
      rows: Uint32Array.from({ length: 20 }, (_, i) => (7 * i + e) % 50),
    })),
  );
  return groupedModel(domain, ['e', 'b'], shared, groups);
};

const graphical = (): Model => {
  const cliques = [
    ['a', 'b'],
    ['b', 'c'],
    ['c', 'e'],
  ];
  const tree = junctionTree(domain, cliques);
  return graphicalModel(tree, randomFactors(tree, cliques, 3, 1), 1234.5);
};

const mixture = (): Model => {
  const random = seeded(6);
  const rows = Array.from({ length: 7 }, () =>
    domain.attributes.flatMap(({ size }) => {
      const odds = Array.from({ length: size }, () => uniform(random) ** 3);
      const sum = odds.reduce((all, one) => all + one, 0);
      return odds.map((one) => one / sum);
    }),
  );
  return productMixture(domain, Float32Array.from(rows.flat()), 1234);
};

const anyAttributes = fc.shuffledSubarray(names);
const anyFactored: fc.Arbitrary<Query> = anyAttributes.chain((attributes) =>
  fc.tuple(...attributes.map((name) => arbitraryBlock(cellsOf(domain, [name])))).map((blocks) => ({
    kind: 'factored',
    factors: attributes.map((attribute, i) => ({ attribute, block: blocks[i] })),
  })),
);
const anyDense: fc.Arbitrary<Query> = fc.shuffledSubarray(['a', 'b', 'e']).chain((attributes) => {
  const cells = cellsOf(domain, attributes);
  const row = fc.array(fc.integer({ min: -9, max: 9 }), { minLength: cells, maxLength: cells });
  return fc.array(row, { minLength: 1, maxLength: 3 }).map((rows) => ({ kind: 'dense', attributes, rows }));
});
const anyQuery = fc.oneof({ weight: 3, arbitrary: anyFactored }, { weight: 1, arbitrary: anyDense });

const rowsOf = ({ columns, length }: Table): number[][] =>
  Array.from({ length }, (_, row) => columns.map((column) => column[row]));

const largest = (values: Float64Array, other: Float64Array, scale = 1): number =>
  values.reduce((most, value, i) => Math.max(most, Math.abs(value - scale * other[i])), 0);

// One suite for all models: whatever estimates, answers and samples do, they may rely on this.
describe.each([
  ['support', support],
  ['grouped', grouped],
  ['graphical', graphical],
  ['mixture', mixture],
] as const)('a model of kind %s', (_, make) => {
  const model = make();

  it('has marginals of non-negative counts that add up to its total', () => {
    fc.assert(
      fc.property(anyAttributes, (attributes) => {
        const counts = model.marginal(attributes);
        expect(counts.length).toBe(cellsOf(domain, attributes));
        expect(counts.every((count) => count >= 0)).toBe(true);
        expect(counts.reduce((sum, count) => sum + count, 0)).toBeCloseTo(model.total, 6);
      }),
      { seed: 1, numRuns: 40 },
    );
  });

  it('has marginals that agree with each other, in any order of attributes', () => {
    const whole = model.marginal(names);
    fc.assert(
      fc.property(anyAttributes, (attributes) => {
        const query: Query = {
          kind: 'factored',
          factors: names.map((attribute) => ({
            attribute,
            block: { kind: attributes.includes(attribute) ? 'keep' : 'sum' },
          })),
        };
        const inOrder = names.filter((name) => attributes.includes(name));
        const summed = new Float64Array(cellsOf(domain, inOrder));
        let inner = 1;
        const strides = [...names].reverse().map((name) => {
          const stride = inner;
          inner *= cellsOf(domain, [name]);
          return { name, stride };
        });
        whole.forEach((count, cell) => {
          const at = inOrder.reduce((place, name) => {
            const { stride } = strides.find((each) => each.name === name)!;
            const size = cellsOf(domain, [name]);
            return place * size + (Math.floor(cell / stride) % size);
          }, 0);
          summed[at] += count;
        });
        expect(largest(model.marginal(inOrder), summed)).toBeLessThan(1e-8);
        expect(largest(model.answer(query), summed)).toBeLessThan(1e-8);
        // Another order holds the same counts at other places.
        expect([...model.marginal(attributes)].sort((a, b) => a - b).map((x) => x.toFixed(8))).toEqual(
          [...summed].sort((a, b) => a - b).map((x) => x.toFixed(8)),
        );
      }),
      { seed: 2, numRuns: 15 },
    );
    const [ab, ba] = [model.marginal(['a', 'b']), model.marginal(['b', 'a'])];
    for (let a = 0; a < 3; a++) for (let b = 0; b < 2; b++) expect(ab[2 * a + b]).toBeCloseTo(ba[3 * b + a], 9);
  });

  it('answers every query as its marginal does', () => {
    fc.assert(
      fc.property(anyQuery, (query) => {
        const expected = answerFrom(query, domain, model.marginal(attributesOf(query)));
        const found = model.answer(query);
        expect(found.length).toBe(expected.length);
        expected.forEach((value, i) => {
          if (!(Math.abs(found[i] - value) <= 1e-9 * Math.max(1, Math.abs(value)))) expect(found[i]).toBe(value);
        });
      }),
      { seed: 3, numRuns: 60 },
    );
  });

  it('gives new arrays that a caller may change', () => {
    for (const attributes of [['a'], ['b', 'a'], ['b', 'c'], names]) {
      const before = model.marginal(attributes);
      model.marginal(attributes).fill(-1);
      model.answer({ kind: 'marginal', attributes }).fill(-1);
      expect(model.marginal(attributes)).toEqual(before);
    }
  });

  it('refuses attributes that it does not have', () => {
    expect(() => model.marginal(['nothing'])).toThrow(/must be|must have/);
    expect(() => model.answer({ kind: 'marginal', attributes: ['nothing'] })).toThrow(/must be/);
  });

  it('samples rows of its domain, as many as asked, the same from the same randomness', () => {
    for (const rows of [0, 1, 2, 1000]) {
      const table = model.sample(rows, seeded(1));
      expect(table.domain).toEqual(domain);
      expect(table.length).toBe(rows);
      table.columns.forEach((column, a) => {
        expect(column.length).toBe(rows);
        expect(column.constructor).toBe(codeColumn(domain.attributes[a].size, 0).constructor);
        expect(column.every((code) => code < domain.attributes[a].size)).toBe(true);
      });
      expect(model.sample(rows, seeded(1))).toEqual(table);
    }
    expect(model.sample(1000, seeded(1))).not.toEqual(model.sample(1000, seeded(2)));
  });

  it('draws in turns what it draws at once, and nothing more once the signal aborts', async () => {
    expect(await drawRows(model, 1000, seeded(1), {})).toEqual(model.sample(1000, seeded(1)));
    const turns = model.sampling?.(1000, seeded(1));
    if (turns === undefined) return;
    const controller = new AbortController();
    let taken = 0;
    function* counted(): Turns<Table> {
      for (;;) {
        if (++taken === 1) controller.abort(new Error('enough'));
        const turn = turns!.next();
        if (turn.done) return turn.value;
        yield;
      }
    }
    await expect(inTurns(counted(), { signal: controller.signal })).rejects.toThrow('enough');
    expect(taken).toBe(1);
  });

  it('samples rows whose counts come nearer to its marginals the more there are', () => {
    const errors = [500, 50_000].map((rows) => {
      const sampled = rowsOf(model.sample(rows, seeded(4)));
      return Math.max(
        ...[['a'], ['b', 'e'], ['c'], ['c', 'a']].map(
          (attributes) =>
            largest(countRows(domain, attributes, sampled), model.marginal(attributes), rows / model.total) / rows,
        ),
      );
    });
    expect(errors[1]).toBeLessThan(0.01);
    expect(errors[1]).toBeLessThan(errors[0] / 2);
  });

  it('is the same model after it was kept in a file', () => {
    const again = readRowModel(writeModel(model), domain, 'm');
    expect(again.total).toBe(model.total);
    expect(again.marginal(['e', 'c'])).toEqual(model.marginal(['e', 'c']));
    expect(again.sample(100, seeded(5))).toEqual(model.sample(100, seeded(5)));
  });
});

describe('a model of kind local', () => {
  const counts = Float64Array.from({ length: 12 }, (_, cell) => cell - 3.5);
  const asked: Query = { kind: 'dense', attributes: ['b'], rows: [[1, -1]] };
  const model = localModel(
    domain,
    77,
    [
      { attributes: ['e', 'a'], counts },
      { attributes: ['a', 'b', 'e'], counts: new Float64Array(24).fill(1) },
    ],
    [{ query: asked, values: Float64Array.of(5) }],
  );

  it('answers what lies within one table, by the smallest, or is one of its queries, and refuses the rest', () => {
    expect([...model.marginal(['a'])]).toEqual([
      -3.5 - 0.5 + 2.5 + 5.5,
      -2.5 + 0.5 + 3.5 + 6.5,
      -1.5 + 1.5 + 4.5 + 7.5,
    ]);
    expect([...model.answer({ kind: 'marginal', attributes: ['b', 'a'] })]).toEqual(new Array(6).fill(4));
    expect([...model.answer(asked)]).toEqual([5]);
    expect(() => model.marginal(['c'])).toThrow('c: must lie within what was measured together');
    expect(() => model.sample(3, seeded(1))).toThrow('rows: need a model that is a distribution');
    expect([model.covers(['a', 'e']), model.covers(['c'])]).toEqual([true, false]);
  });

  it('comes back from its file, and a damaged file is refused', () => {
    const again = readRowModel(writeModel(model), domain, 'model.bin');
    expect(again.total).toBe(77);
    expect(again.marginal(['e', 'a'])).toEqual(counts);
    expect([...again.answer(asked)]).toEqual([5]);
    const other = plainDomain([3, 2, 5]);
    expect(() => readModel(writeModel(model), other, 'model.bin')).toThrow(
      'model.bin: must hold a model of this release',
    );
  });
});
