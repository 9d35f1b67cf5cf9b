import { describe, expect, it } from 'vitest';
import { domainOf } from '../../../test/support/arbitrary-query.js';
import { marginal } from '../marginal.js';
import { factored } from '../query.js';
import { residual, residualPart, residualSizes } from '../residual.js';
import { residualSensitivity } from './residual-sensitivity.js';
import { sensitivity } from './sensitivity.js';

const shapes = [[2], [3], [5], [2, 2], [2, 3], [3, 3], [4, 3], [2, 2, 2], [2, 3, 2], [1, 3]];

const product = (list: readonly number[]) => list.reduce((all, one) => all * one, 1);

/** Every cell as its codes. */
const cellsOf = (sizes: readonly number[]): number[][] =>
  sizes.reduce<number[][]>(
    (cells, size) => cells.flatMap((cell) => Array.from({ length: size }, (_, code) => [...cell, code])),
    [[]],
  );

/** cells times the Kronecker product of (e - 1/n): what one record adds, in integers. */
const columnOf = (sizes: readonly number[], codes: readonly number[]): number[] =>
  cellsOf(sizes).map((cell) => product(cell.map((code, axis) => (code === codes[axis] ? sizes[axis] - 1 : -1))));

/** Signed sums over the corners of every box of two neighbours along each axis: contrasts, said a second time. */
const contrastsOf = (values: readonly number[], sizes: readonly number[]): number[] => {
  const at = (cell: readonly number[]) => values[cell.reduce((index, code, axis) => index * sizes[axis] + code, 0)];
  return cellsOf(sizes.map((size) => size - 1)).map((corner) =>
    cellsOf(sizes.map(() => 2)).reduce(
      (sum, step) =>
        sum +
        (product(step.map((up) => (up === 1 ? 1 : -1))) as number) * at(corner.map((code, axis) => code + step[axis])),
      0,
    ),
  );
};

/** All multisets of `low` to `high` items. */
const multisets = <T>(items: readonly T[], low: number, high: number): T[][] => {
  const grow = (from: number, left: number): T[][] =>
    left === 0 ? [[]] : items.slice(from).flatMap((item, i) => grow(from + i, left - 1).map((rest) => [item, ...rest]));
  return Array.from({ length: high - low + 1 }, (_, i) => grow(0, low + i)).flat();
};

const square = (vector: readonly number[]) => vector.reduce((sum, value) => sum + value * value, 0);

describe('the sensitivity of a residual', () => {
  it.each(shapes.map((sizes) => ({ sizes })))(
    'of sizes $sizes: a record has the contrasts of an integer vector of the claimed length',
    ({ sizes }) => {
      const cells = product(sizes);
      for (const codes of cellsOf(sizes)) {
        const unit = cellsOf(sizes).map((cell) => cells * Number(cell.every((code, axis) => code === codes[axis])));
        const column = columnOf(sizes, codes);
        expect(column.every(Number.isSafeInteger)).toBe(true);
        expect(contrastsOf(column, sizes)).toEqual(contrastsOf(unit, sizes));
        const claimed = residualSensitivity(sizes, 'add-remove', 1);
        expect(square(column)).toBe(
          claimed === undefined ? 0 : (cells ** 2 * Number(claimed.numerator)) / Number(claimed.denominator),
        );
      }
    },
  );

  it.each(
    (['add-remove', 'replace-one'] as const).flatMap((relation) => [1, 2, 3].map((records) => ({ relation, records }))),
  )(
    'under $relation with $records records a unit is the largest over all units, or pairs of them',
    ({ relation, records }) => {
      for (const sizes of shapes.filter((shape) => product(shape) <= (records === 3 ? 6 : 12))) {
        const columns = cellsOf(sizes).map((codes) => columnOf(sizes, codes));
        const least = relation === 'replace-one' && records === 1 ? 1 : 0;
        const nothing: number[] = new Array(product(sizes)).fill(0);
        const sums = multisets(columns, least, records).map((unit) =>
          unit.reduce((sum, column) => sum.map((value, i) => value + column[i]), nothing),
        );
        const others = relation === 'add-remove' ? [nothing] : sums;
        let worst = 0;
        for (const one of sums)
          for (const other of others) worst = Math.max(worst, square(one.map((v, i) => v - other[i])));
        const { numerator, denominator } = residualSensitivity(sizes, relation, records) ?? {
          numerator: 0n,
          denominator: 1n,
        };
        expect({ sizes, worst: BigInt(worst) * denominator }).toEqual({
          sizes,
          worst: numerator * BigInt(product(sizes)) ** 2n,
        });
      }
    },
  );

  it('covers a record that leaves or enters alone under replace-one, as happens where counts are capped', () => {
    for (const sizes of shapes.filter((shape) => !shape.includes(1))) {
      const [one, two] = (['add-remove', 'replace-one'] as const).map(
        (relation) => residualSensitivity(sizes, relation, 1)!,
      );
      expect(one.numerator * two.denominator * 2n).toBeLessThanOrEqual(two.numerator * one.denominator);
    }
  });
});

describe('a residual', () => {
  const domain = domainOf(2, 3, 4);

  it('is a query of centre blocks alone', () => {
    expect(residualSizes(residual('c', 'a'), domain)).toEqual([4, 2]);
    expect(residualSizes(marginal('a'), domain)).toBeUndefined();
    expect(residualSizes(factored({ a: { kind: 'centre' }, b: { kind: 'sum' } }), domain)).toEqual([2]);
    expect(residualPart(residual('a', 'b'), domain)).toBeCloseTo(1 / 3, 12);
    expect(() => residualSizes(factored({ a: { kind: 'centre' }, b: { kind: 'keep' } }), domain)).toThrow(
      'query: a centre block goes with others of its kind only, got keep of "b" beside it',
    );
  });

  it('has no sensitivity as a plain query: whatever would add plain noise, or score it, refuses it', () => {
    expect(() => sensitivity(residual('a'), domain, 'add-remove', 1)).toThrow(
      'can be measured with Gaussian noise and nothing else',
    );
  });
});
