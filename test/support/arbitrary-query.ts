import fc from 'fast-check';
import type { Domain } from '../../src/domain/domain.js';
import type { Block } from '../../src/query/block/block.js';
import type { Query } from '../../src/query/query.js';

const names = ['a', 'b', 'c', 'd'];

/** A domain of unordered categories a, b, c, ... with the given numbers of cells. */
export const domainOf = (...sizes: readonly number[]): Domain => ({
  attributes: sizes.map((size, index) => ({
    name: names[index],
    size,
    spec: { name: names[index], type: 'category', values: Array.from({ length: size }, (_, cell) => `${cell}`) },
  })),
});

/** Any block that fits an attribute of `size` cells. */
export const arbitraryBlock = (size: number): fc.Arbitrary<Block> => {
  const cell = fc.nat(size - 1);
  return fc.oneof(
    fc.constantFrom<Block>({ kind: 'keep' }, { kind: 'sum' }, { kind: 'prefix' }, { kind: 'mean' }),
    cell.map((cell): Block => ({ kind: 'value', cell })),
    fc.uniqueArray(cell, { minLength: 1 }).map((cells): Block => ({ kind: 'set', cells })),
    fc
      .array(fc.tuple(cell, cell), { minLength: 1, maxLength: 6 })
      .map((ends): Block => ({ kind: 'ranges', ranges: ends.map(([a, b]) => [Math.min(a, b), Math.max(a, b)]) })),
    fc
      .integer({ min: 1, max: 4 })
      .chain((groups) =>
        fc
          .array(fc.nat(groups - 1), { minLength: size, maxLength: size })
          .map((list): Block => ({ kind: 'regroup', groups: list, size: groups })),
      ),
    fc.integer({ min: 1, max: 3 }).map((count): Block => ({ kind: 'moments', count })),
    arbitraryRows(size).map((rows): Block => ({ kind: 'matrix', rows })),
  );
};

/** One to four lists of small integers, one for each of `size` cells; often all of one sign, or nearly all zero. */
const arbitraryRows = (size: number): fc.Arbitrary<number[][]> => {
  const entry = fc.constantFrom([-3, 3], [0, 4], [-1, 1], [0, 1]).chain(([min, max]) => {
    const row = fc.array(fc.oneof(fc.constant(0), fc.integer({ min, max })), { minLength: size, maxLength: size });
    return fc.array(row, { minLength: 1, maxLength: 4 });
  });
  return entry;
};

/** Any query on the domain: a marginal or blocks for some of its attributes, in any order. */
export const arbitraryQuery = (domain: Domain): fc.Arbitrary<Query> => {
  const chosen = fc.shuffledSubarray([...domain.attributes]);
  return fc.oneof(
    {
      weight: 1,
      arbitrary: chosen.map((list): Query => ({ kind: 'marginal', attributes: list.map(({ name }) => name) })),
    },
    {
      weight: 4,
      arbitrary: chosen.chain((list) =>
        fc.tuple(...list.map(({ size }) => arbitraryBlock(size))).map(
          (blocks): Query => ({
            kind: 'factored',
            factors: blocks.map((block, index) => ({ attribute: list[index].name, block })),
          }),
        ),
      ),
    },
    {
      weight: 1,
      arbitrary: chosen.chain((list) =>
        arbitraryRows(list.reduce((cells, { size }) => cells * size, 1)).map(
          (rows): Query => ({ kind: 'dense', attributes: list.map(({ name }) => name), rows }),
        ),
      ),
    },
  );
};

/** Domains of one to three attributes with at most `maxCells` cells in all; attributes of a single cell included. */
export const arbitraryDomain = (maxCells: number): fc.Arbitrary<Domain> =>
  fc
    .array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 3 })
    .filter((sizes) => sizes.reduce((product, size) => product * size, 1) <= maxCells)
    .map((sizes) => domainOf(...sizes));
