import { describe, expect, it } from 'vitest';
import { csvText } from './csv-text.js';

describe('csvText', () => {
  it('quotes what needs quotes, leaves null empty, and keeps an empty text apart from null', () => {
    const columns = { 'a,b': ['x', 'y "z"', 'two\nlines'], c: [1, null, -2.5], d: [true, false, ''] };
    expect(csvText(columns)).toBe('"a,b",c,d\nx,1,true\n"y ""z""",,false\n"two\nlines",-2.5,""\n');
  });

  it('makes parts without a header that join to the whole', () => {
    const part = (values: number[], header: boolean) => csvText({ n: values }, { header });
    expect(part([1, 2], true) + part([3], false)).toBe(csvText({ n: [1, 2, 3] }));
  });

  it('writes the names alone for a table without rows', () => {
    expect(csvText({ a: [], b: [] })).toBe('a,b\n');
  });
});
