import { expect, it } from 'vitest';
import { allCodes, householdAnswers, householdDomain, rowsOf } from '../../../test/support/households.js';
import { householdSupportModel } from '../../model/households/household-support-model.js';
import { holding } from '../../query/holding.js';
import { marginal } from '../../query/marginal.js';
import { allHouseholds, householdNumbers } from './all-households.js';

it('has the numbers of the paper: 262,080 households of ordered persons in ACS-SMALL', () => {
  const domain = householdDomain([5, 3, 2, 2], [2, 2, 2, 2], 3);
  // 16 persons alone, 136 pairs and 816 threes without an order, in 60 kinds of households.
  expect(householdNumbers(domain)).toEqual({
    ordered: 262_080,
    listed: 60 * (16 + 136 + 816),
    persons: 60 * (16 + 2 * 136 + 3 * 816),
  });
  const { table, weights } = allHouseholds(domain);
  expect([table.length, weights.length]).toEqual([60 * 2736, 58_080]);
});

it.each([
  [[2], [3], 3, false],
  [[2, 2], [2], 4, true],
  [[], [2, 2], 2, false],
  [[3], [1], 3, true],
] as const)('is uniform over all households with ordered persons: %j | %j up to %i', (own, person, maxSize, sized) => {
  const domain = householdDomain(own, person, maxSize, sized);
  const support = allHouseholds(domain);
  // Every ordered household once, by brute force.
  const kinds = allCodes(person);
  const ordered = Array.from({ length: maxSize }, (_, i) => i + 1).flatMap((size) =>
    allCodes(Array.from({ length: size }, () => kinds.length)).map((chosen) => chosen.map((kind) => kinds[kind])),
  );
  const all = allCodes(own).flatMap((codes) => ordered.map((persons) => ({ own: codes, persons })));
  expect(householdNumbers(domain).ordered).toBe(all.length);
  expect(support.weights).toHaveLength(householdNumbers(domain).listed);
  expect(support.table.length).toBe(householdNumbers(domain).persons);
  expect(support.weights.reduce((a, b) => a + b)).toBeCloseTo(1, 12);
  const { columns, offsets } = support.table;
  const textOf = (rows: readonly (readonly number[])[]) => JSON.stringify(rows.map((row) => row.join()).sort());
  const shares = new Map<string, number>();
  for (const household of all) {
    const text = textOf(rowsOf(domain, household));
    shares.set(text, (shares.get(text) ?? 0) + 1 / all.length);
  }
  expect(support.weights).toHaveLength(shares.size);
  support.weights.forEach((weight, h) => {
    const rows = Array.from({ length: offsets[h + 1] - offsets[h] }, (_, i) =>
      columns.map((column) => column[offsets[h] + i]),
    );
    expect(weight).toBeCloseTo(shares.get(textOf(rows)) ?? Number.NaN, 12);
  });
  // So every symmetric query has the answers of the whole ordered list.
  const model = householdSupportModel(support, all.length);
  const names = domain.attributes.map(({ name }) => name);
  for (const query of [holding(...names), marginal(...names), holding(names[0]), holding()])
    expect([...model.answer(query)]).toEqual(
      [...householdAnswers(query, domain, all)].map((answer) => expect.closeTo(answer, 8)),
    );
});

it('refuses more households than may be listed, and says how many there are', () => {
  expect(() => allHouseholds(householdDomain([5, 3, 2, 2], [2, 2, 2, 2], 3), 58_079)).toThrow(
    'domain: must have at most 58,079 possible households to be listed, got 58,080 (262,080 with ordered persons); use fewer attributes, coarser cells or smaller households',
  );
  expect(() => allHouseholds(householdDomain([20, 10], [100, 100, 50], 5))).toThrow(
    /got 5\.2\de\+28 \(6\.25e\+30 with/,
  );
  expect(() => allHouseholds(householdDomain([2], [4000, 4000], 255))).toThrow(/possible households to be listed/);
  expect(() => allHouseholds({ attributes: householdDomain([2], [2], 1).attributes })).toThrow('got a plain one');
});
