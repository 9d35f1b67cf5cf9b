import { describe, expect, it } from 'vitest';
import { plainDomain } from '../../../test/support/plain-source.js';
import { answerFrom, attributesOf } from '../../query/answer.js';
import { factored, type Query } from '../../query/query.js';
import { seeded } from '../../random/seeded.js';
import { uniform, uniformInteger } from '../../random/uniform.js';
import { supportModel } from './support-model.js';

const random = seeded(6);
const modelOver = (sizes: readonly number[], rows: number) => {
  const domain = plainDomain(sizes);
  const weights = Float64Array.from({ length: rows }, () => uniform(random));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const columns = sizes.map((size) => Uint16Array.from({ length: rows }, () => uniformInteger(random, size)));
  return supportModel({ domain, length: rows, columns, weights: weights.map((weight) => weight / sum) }, 900);
};

describe('answers of a support model', () => {
  const model = modelOver([4, 3, 5], 40);
  const queries: Query[] = [
    factored({ c: { kind: 'prefix' }, a: { kind: 'set', cells: [0, 2] } }),
    factored({ b: { kind: 'value', cell: 1 }, a: { kind: 'keep' }, c: { kind: 'set', cells: [4, 1, 0] } }),
    factored({ a: { kind: 'value', cell: 3 }, b: { kind: 'sum' } }),
    factored({
      a: { kind: 'set', cells: [1] },
      c: { kind: 'mean' },
      b: { kind: 'regroup', groups: [1, 0, 1], size: 2 },
    }),
  ];

  it.each(queries.map((query) => [JSON.stringify(query), query] as const))(
    'are those of its marginals: %s',
    (_, query) => {
      const right = answerFrom(query, model.domain, model.marginal(attributesOf(query)));
      expect([...model.answer(query)]).toEqual([...right].map((answer) => expect.closeTo(answer, 9)));
    },
  );

  it('need no cells for conditions: a dozen attributes of a thousand cells each', () => {
    const wide = modelOver(new Array(12).fill(1000), 50);
    const names = wide.domain.attributes.map(({ name }) => name);
    const half = Array.from({ length: 700 }, (_, cell) => cell);
    const query: Query = {
      kind: 'factored',
      factors: names.map((attribute) => ({ attribute, block: { kind: 'set', cells: half } })),
    };
    const { columns, weights } = wide.support;
    let right = 0;
    for (let row = 0; row < 50; row++) if (columns.every((column) => column[row] < 700)) right += 900 * weights[row];
    expect(wide.answer(query)).toHaveLength(1);
    expect(wide.answer(query)[0]).toBeCloseTo(right, 9);
  });

  it('refuse conditions that the domain does not have', () => {
    expect(() => model.answer(factored({ a: { kind: 'value', cell: 4 } }))).toThrow(/integer from 0 to 3/);
  });
});
