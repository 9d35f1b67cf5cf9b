import { describe, expect, it } from 'vitest';
import { seeded } from '../../random/seeded.js';
import { uniform } from '../../random/uniform.js';
import { addFactors, type PlacedValues } from './add-factors.js';

const sizes = [3, 1, 4, 2, 5];
const cellsOf = (attributes: readonly number[]): number =>
  attributes.reduce((cells, attribute) => cells * sizes[attribute], 1);
const random = seeded(1);
const drawn = (attributes: readonly number[]): PlacedValues => ({
  attributes,
  values: Float64Array.from({ length: cellsOf(attributes) }, () => uniform(random)),
});

/** The codes of a cell of some attributes. */
const codesOf = (attributes: readonly number[], cell: number): Map<number, number> => {
  const codes = new Map<number, number>();
  let rest = cell;
  for (const attribute of [...attributes].reverse()) {
    codes.set(attribute, rest % sizes[attribute]);
    rest = Math.floor(rest / sizes[attribute]);
  }
  return codes;
};

describe('addFactors', () => {
  it.each([
    [
      [0, 1, 2, 3, 4],
      [[0, 2], [2, 3], [1], [3, 4], [0], [0, 2, 4], [], [4]],
    ],
    [
      [0, 1, 2, 3, 4],
      [[0, 1, 2, 3, 4], [0, 1, 2, 3, 4], [2]],
    ],
    [
      [1, 3],
      [[1], [3]],
    ],
    [[1], [[], [1]]],
    [[2, 4], []],
  ])('adds to the cells of %j what each of %j has in theirs', (own, others) => {
    const target = drawn(own);
    const inputs = others.map(drawn);
    const expected = target.values.map((value, cell) => {
      const codes = codesOf(own, cell);
      return inputs.reduce(
        (sum, { attributes, values }) =>
          sum + values[attributes.reduce((at, attribute) => at * sizes[attribute] + codes.get(attribute)!, 0)],
        value,
      );
    });
    const before = inputs.map(({ values }) => values.slice());
    addFactors(target, inputs, sizes);
    expect([...target.values]).toEqual([...expected].map((value) => expect.closeTo(value, 12)));
    expect(inputs.map(({ values }) => values)).toEqual(before);
  });
});
