import { expect, test } from 'vitest';
import { codesAt } from '../cell-index.js';
import { type Domain, sizesOf } from '../domain.js';
import { domainOf } from '../domain-of.js';
import { constraintsOf } from './constraints-of.js';
import { determiners } from './determiners.js';
import { possibleCells } from './possible-cells.js';

const free = domainOf([
  { name: 'age', type: 'integer', min: 0, max: 5 },
  { name: 'sub', type: 'category', values: ['A1', 'A2', 'B1'], null: true },
  { name: 'grade', type: 'category', values: ['A', 'B'], null: true },
  { name: 'job', type: 'category', values: ['x', 'y'], null: true },
  { name: 'group', type: 'category', values: ['first', 'none'] },
]);
const domain: Domain = {
  ...free,
  constraints: [
    { empty: 'job', where: 'age < 2' },
    { from: 'sub', to: 'grade', map: { A1: 'A', A2: 'A', B1: 'B' } },
    {
      from: 'grade',
      to: 'group',
      map: [
        ['A', 'first'],
        ['B', 'none'],
        [null, 'none'],
      ],
    },
    { forbid: 'age = 5' },
  ],
};

/** Cells of some columns in which a record that breaks nothing can be: by going through all records. */
const byBruteForce = (names: readonly string[]): number => {
  const all = domain.attributes.map(({ name }) => name);
  const sizes = sizesOf(domain, all);
  const { factors } = constraintsOf(domain)!;
  const seen = new Set<string>();
  for (let cell = 0; cell < sizes.reduce((product, size) => product * size, 1); cell++) {
    const codes = codesAt(cell, sizes);
    const may = factors.every(
      ({ attributes, allowed }) =>
        allowed[attributes.reduce((at, column) => at * sizes[column] + codes[column], 0)] === 1,
    );
    if (may) seen.add(names.map((name) => codes[all.indexOf(name)]).join());
  }
  return seen.size;
};

test('cells that can be are counted as by going through all records, in any order of the columns', () => {
  for (const names of [
    ['age'],
    ['job', 'age'],
    ['age', 'sub'],
    ['grade', 'sub'],
    ['group'],
    ['sub', 'age', 'grade'],
    [],
  ])
    expect([names, possibleCells(domain, names)]).toEqual([names, byBruteForce(names)]);
  expect(possibleCells(free, ['age', 'sub'])).toBe(24);
});

test('a constraint that speaks of more columns still forbids what it forbids of some; what only several forbid counts as possible', () => {
  expect(possibleCells(domain, ['job', 'age'])).toBe(2 + 3 * 2);
  // Sub-grades and groups are bound through grades alone, which nothing here holds.
  expect(possibleCells(domain, ['sub', 'group'])).toBe(8);
  expect(byBruteForce(['sub', 'group'])).toBe(4);
});

test('columns that others determine are known with all their ancestors, the nearest first', () => {
  expect(determiners(domain)).toEqual([
    { child: 'grade', parent: 'sub', map: [0, 0, 1, 2] },
    { child: 'group', parent: 'grade', map: [0, 1, 1] },
    { child: 'group', parent: 'sub', map: [0, 0, 1, 1] },
  ]);
  expect(determiners(free)).toEqual([]);
});

test('of two columns that determine each other one is the child, and nothing goes round in circles', () => {
  const both = domainOf([
    { name: 'code', type: 'category', values: ['1', '2'] },
    { name: 'label', type: 'category', values: ['one', 'two'] },
  ]);
  const [code, label] = [
    { from: 'code', to: 'label', map: { 1: 'one', 2: 'two' } },
    { from: 'label', to: 'code', map: { one: '1', two: '2' } },
  ];
  expect(determiners({ ...both, constraints: [code, label] })).toEqual([
    { child: 'label', parent: 'code', map: [0, 1] },
  ]);
});
