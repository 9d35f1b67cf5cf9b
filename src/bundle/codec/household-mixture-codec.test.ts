import { expect, it } from 'vitest';
import { householdDomain } from '../../../test/support/households.js';
import { householdHeads } from '../../model/households/household-heads.js';
import { householdMixture } from '../../model/mixture/household-mixture.js';
import { modelsHouseholds } from '../../model/model.js';
import { holding } from '../../query/holding.js';
import { marginal } from '../../query/marginal.js';
import { seeded } from '../../random/seeded.js';
import { uniform } from '../../random/uniform.js';
import { readContainer, writeContainer } from './binary-container.js';
import { readModel, writeModel } from './model-file.js';

const domain = householdDomain([3], [2, 4], 3, true);
const random = seeded(8);
const probabilities = Float32Array.from(
  Array.from({ length: 5 }, () =>
    householdHeads(domain).sizes.flatMap((size) => {
      const parts = Array.from({ length: size }, () => uniform(random) + 0.1);
      const sum = parts.reduce((a, b) => a + b);
      return parts.map((part) => part / sum);
    }),
  ).flat(),
);
const model = householdMixture(domain, probabilities, 321.5);
const bytes = writeModel(model);

it('keeps a generator of households exactly: the same answers, the same households', () => {
  const again = readModel(bytes, domain, 'm');
  if (!modelsHouseholds(again)) throw new Error('a model of households was read as another');
  for (const query of [holding('g', 'a'), holding(), marginal('b', 'size')])
    expect(again.answer(query)).toEqual(model.answer(query));
  expect(again.households(50, seeded(2))).toEqual(model.households(50, seeded(2)));
});

it('refuses a file that does not fit', () => {
  const { kind, meta, arrays } = readContainer(bytes, 'm');
  const read = (lie: Partial<{ meta: Record<string, unknown>; arrays: typeof arrays }>) =>
    readModel(writeContainer({ kind, meta, arrays, ...lie }), domain, 'm');
  expect(() => read({ meta: { householdTotal: Number.NaN } })).toThrow(/no number of households/);
  expect(() => read({ arrays: {} })).toThrow(/no probabilities/);
  expect(() => read({ arrays: { probabilities: probabilities.slice(1) } })).toThrow(/do not fit its schema/);
  expect(() => readModel(bytes, { attributes: domain.attributes }, 'm')).toThrow(/do not fit its schema/);
});
