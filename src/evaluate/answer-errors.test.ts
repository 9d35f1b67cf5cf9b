import { expect, it } from 'vitest';
import { plainDomain } from '../../test/support/plain-source.js';
import { supportOf } from '../model/support/support.js';
import { supportModel } from '../model/support/support-model.js';
import { answerErrors } from './answer-errors.js';

const domain = plainDomain([2, 2]);
const model = supportModel(
  supportOf({ domain, length: 4, columns: [Uint8Array.of(0, 0, 1, 1), Uint8Array.of(0, 1, 0, 1)] }),
  1000,
);

it('is nothing against the model itself, in records or in proportions', () => {
  for (const scale of [1, 0.001]) {
    const given = [['a'], ['a', 'b']].map((attributes) => ({
      attributes,
      counts: model.marginal(attributes).map((count) => count * scale),
    }));
    expect(answerErrors(model, given)).toEqual({ largest: 0, mean: 0, variation: 0 });
  }
});

it('is the largest, the mean and half of the summed difference of proportions', () => {
  const given = [
    { attributes: ['a'], counts: Float64Array.of(3, 1) },
    { attributes: ['b', 'a'], counts: Float64Array.of(1, 0, 0, 0) },
  ];
  const { largest, mean, variation } = answerErrors(model, given);
  expect(largest).toBeCloseTo(0.75, 12);
  expect(mean).toBeCloseTo((0.5 + 1.5) / 6, 12);
  expect(variation).toBeCloseTo((0.25 + 0.75) / 2, 12);
});

it('needs something to compare with', () => {
  expect(() => answerErrors(model, [])).toThrow(/at least one marginal/);
});
