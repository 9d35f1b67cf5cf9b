import { expect, test } from 'vitest';
import type { AttributeSpec } from '../attribute/attribute.js';
import { domainOf } from '../domain-of.js';
import { hasFormulaTexts, spreadsheetDomain } from './spreadsheet-text.js';

const read = (spec: AttributeSpec) => spreadsheetDomain(domainOf([spec]))?.attributes[0].spec;

test('texts and names that look like formulas are read as they were written', () => {
  const spec: AttributeSpec = { name: '=a', type: 'category', values: ['+1', 'x'], other: '@rest' };
  expect(hasFormulaTexts(domainOf([spec]))).toBe(true);
  expect(read(spec)).toEqual({ name: "'=a", type: 'category', values: ["'+1", 'x'], other: "'@rest" });
});

test('numbers are no texts, be they negative', () => {
  const spec: AttributeSpec = { name: 'a', type: 'integer', min: -5, max: 5 };
  expect(hasFormulaTexts(domainOf([spec]))).toBe(false);
  expect(read(spec)).toEqual(spec);
});

test('values that were written alike cannot be told apart, an empty one can', () => {
  expect(read({ name: 'a', type: 'category', values: ['=x', "'=x"] })).toBeUndefined();
  const spec: AttributeSpec = { name: 'a', type: 'category', values: ['', 'x'] };
  expect(read(spec)).toEqual(spec);
});
