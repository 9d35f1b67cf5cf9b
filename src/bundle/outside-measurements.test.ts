import { expect, test } from 'vitest';
import { domainOf } from '../domain/domain-of.js';
import { parseOutsideMeasurements } from './outside-measurements.js';

const domain = domainOf([
  { type: 'category', name: 'sex', values: ['f', 'm'] },
  { type: 'integer', name: 'age', min: 0, max: 2 },
]);
const noise = { kind: 'gaussian', scale: 2 };
const parse = (...measurements: unknown[]) => parseOutsideMeasurements({ measurements }, domain, 'm.json').measurements;

test('values may be flat or nested by attribute, and mean the same', () => {
  const [flat, nested] = parse(
    { attributes: ['sex', 'age'], values: [1, 2, 3, 4, 5, 6], noise },
    {
      attributes: ['sex', 'age'],
      values: [
        [1, 2, 3],
        [4, 5, 6],
      ],
      noise,
    },
  );
  expect([...flat.values]).toEqual([1, 2, 3, 4, 5, 6]);
  expect(nested).toEqual(flat);
});

test('a query other than a marginal has the number of values that its blocks give', () => {
  const query = { kind: 'factored', factors: [{ attribute: 'age', block: { kind: 'prefix' } }] };
  expect(parse({ query, values: [1, 2, 3], noise })[0].query).toEqual(query);
  expect(() => parse({ query, values: [1, 2], noise })).toThrow(/must have 3 values \(3\), got 2/);
});

test.each([
  [{ attributes: ['sex'], values: [1], noise }, /m\.json measurements\.0 \(sex\): must have 2 values \(2\), got 1/],
  [{ attributes: ['sex'], values: [1, 'x'], noise }, /finite number, got "x"/],
  [
    { attributes: ['sx'], values: [1, 2], noise },
    /measurements\.0: query: its attributes must be among sex, age, got "sx"/,
  ],
  [{ attributes: ['sex'], values: [1, 2], noise: { kind: 'gaussian', scale: 0 } }, /noise/],
  [
    {
      attributes: ['sex', 'age'],
      values: [
        [1, 2, 3],
        [4, 5],
      ],
      noise,
    },
    /3 values for each list at depth 2, got 2/,
  ],
  [{ values: [1, 2], noise }, /m\.json measurements\.0: must have attributes or a query, got neither/],
])('what is wrong with a measurement is one sentence that says where: %j', (measurement, message) => {
  expect(() => parse(measurement)).toThrow(message);
});

test('no measurement at all is refused', () => {
  expect(() => parse()).toThrow(/m\.json measurements/);
});
