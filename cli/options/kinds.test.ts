import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/domain/input-error.js';
import { file, list, share, whole, words } from './kinds.js';

describe('whole', () => {
  const { parse } = whole(1, 1e9);
  it('reads numbers as people write them', () => {
    expect(['12', '+3', '1e6', '20_000'].map((text) => parse(text, 'rows'))).toEqual([12, 3, 1e6, 20_000]);
  });

  it.each(['', ' ', '1.5', '0x10', 'NaN', 'Infinity', '1e400', '0', '-1', '9007199254740993', 'ten'])(
    'refuses %j with the range',
    (text) => {
      expect(() => parse(text, 'rows')).toThrow(InputError);
      expect(() => parse(text, 'rows')).toThrow(/option --rows: must be a whole number from 1 to/);
    },
  );
});

describe('other kinds', () => {
  it('takes one of the words, and offers them to a shell', () => {
    const format = words('F', ['csv', 'parquet']);
    expect(format.parse('csv', 'format')).toBe('csv');
    expect(() => format.parse('xls', 'format')).toThrow(/option --format: must be csv or parquet, got "xls"/);
    expect(list(format).parse('csv, parquet', 'format')).toEqual(['csv', 'parquet']);
    expect(list(format).complete).toEqual({ kind: 'words', words: ['csv', 'parquet'], list: true });
  });

  it.each(['0', '1', '2', '-0.5', 'x', ''])('refuses %j as a share', (text) => {
    expect(() => share.parse(text, 'share')).toThrow(/must be above 0 and below 1/);
  });

  it('finds files beside the configuration that names them', () => {
    expect(file.placed!('a/b.csv', 'folder')).toBe('folder/a/b.csv');
    expect(file.placed!('/a/b.csv', 'folder')).toBe('/a/b.csv');
  });
});
