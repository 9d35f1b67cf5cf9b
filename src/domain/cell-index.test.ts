import { describe, expect, test } from 'vitest';
import { cellAt, codesAt, stridesOf } from './cell-index.js';

describe('cell index', () => {
  test('numbers the cells of awkward shapes as nested loops visit them, there and back', () => {
    for (const sizes of [[], [1], [5], [2, 3], [3, 1, 4], [2, 2, 1, 3, 2]]) {
      let codes: number[][] = [[]];
      for (const size of sizes)
        codes = codes.flatMap((prefix) => Array.from({ length: size }, (_, code) => [...prefix, code]));
      const strides = stridesOf(sizes);
      codes.forEach((list, cell) => {
        expect(codesAt(cell, sizes)).toEqual(list);
        expect(cellAt(list, sizes)).toBe(cell);
        expect(list.reduce((sum, code, axis) => sum + code * strides[axis], 0)).toBe(cell);
      });
    }
  });

  test('is exact above 2^32 cells', () => {
    const sizes = [1000, 4096, 2 ** 20, 3];
    const codes = [999, 4095, 2 ** 20 - 1, 1];
    expect(codesAt(cellAt(codes, sizes), sizes)).toEqual(codes);
  });
});
