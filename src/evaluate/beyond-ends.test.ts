import { describe, expect, it } from 'vitest';
import { cellLabels } from '../domain/attribute/cells.js';
import { indexOf } from '../domain/domain.js';
import { domainOf } from '../domain/domain-of.js';
import { supportModel } from '../model/support/support-model.js';
import type { Measurement } from '../privacy/measurement.js';
import { marginal } from '../query/marginal.js';
import { uniformSupport } from '../release/mwem/uniform-support.js';
import { beyondEnds, closedEnds, plannedEnds } from './beyond-ends.js';
import { noiseBounds } from './noise-bounds.js';

const domain = domainOf([
  { name: 'year', type: 'date', by: 'year', min: '2017-01-01', max: '2018-12-31', open: 'both' },
  { name: 'age', type: 'integer', min: 0, max: 2, open: 'above' },
  { name: 'pay', type: 'number', edges: [0, 1, 5] },
  { name: 'kind', type: 'category', values: ['a', 'b'] },
]);
const support = uniformSupport(domain);
const model = supportModel(support, 1000);
const measured = (attributes: readonly string[], scale: number): Measurement => {
  const query = marginal(...attributes);
  return { query, values: model.answer(query), noise: { kind: 'gaussian', scale } };
};

describe('what lies beyond open ends', () => {
  it('is told for each of them and for no other cell, with the bounds that noise gives the cell', () => {
    const measurements = [measured(['year', 'age'], 5), measured(['year', 'kind'], 3)];
    const ends = beyondEnds({ model, measurements });
    expect(ends.map(({ attribute, label }) => `${attribute} ${label}`)).toEqual([
      'year before 2017',
      'year 2019 or later',
      'age 3 or more',
    ]);
    for (const { share } of ends) expect(share).toBeCloseTo(1 / 4, 9);
    // Neither the records there nor the others are known: before 2017, 2019 or later, and between.
    const groups = [0, 2, 2, 1];
    const { low, high } = noiseBounds(measurements, domain, {
      kind: 'factored',
      factors: [{ attribute: 'year', block: { kind: 'regroup', groups, size: 3 } }],
    })!;
    expect(ends[1].bounds![0]).toBeCloseTo(low[1] / (low[1] + high[0] + high[2]), 9);
    expect(ends[1].bounds![1]).toBeCloseTo(high[1] / (high[1] + low[0] + low[2]), 9);
  });

  it('has no bounds where nothing was measured, and is nothing where no end is open', () => {
    expect(beyondEnds({ model, measurements: [] }).every(({ bounds }) => bounds === undefined)).toBe(true);
    const closed = domainOf([{ name: 'pay', type: 'number', edges: [0, 1, 5] }]);
    expect(beyondEnds({ model: supportModel(uniformSupport(closed), 10), measurements: [] })).toEqual([]);
  });

  it('is planned as precisely as the bounds of its count then are', () => {
    const measurements = [measured(['year', 'age'], 5), measured(['year', 'kind'], 3)];
    const planned = plannedEnds(domain, measurements);
    const ends = beyondEnds({ model, measurements });
    planned.forEach(({ attribute, label, error }, i) => {
      expect([attribute, label]).toEqual([ends[i].attribute, ends[i].label]);
      const cell = cellLabels(domain.attributes[indexOf(domain, attribute)]).indexOf(label);
      const { low, high } = noiseBounds(measurements, domain, marginal(attribute))!;
      expect(error).toBeCloseTo((high[cell] - low[cell]) / 2, 6);
    });
    expect(plannedEnds(domain, []).every(({ error }) => error === undefined)).toBe(true);
    expect(closedEnds(domain)).toEqual(['pay']);
  });
});
