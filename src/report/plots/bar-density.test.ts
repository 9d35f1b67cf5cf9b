import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AttributeSpec } from '../../domain/attribute/attribute.js';
import { domainOf } from '../../domain/domain-of.js';
import { supportOf } from '../../model/support/support.js';
import { supportModel } from '../../model/support/support-model.js';
import { densityOf } from './bar-density.js';
import { densitySpec } from './density-plot.js';
import { oneWay } from './one-way.js';
import { heightText, leftOut, oneWayPlot } from './one-way-plot.js';

/** How an attribute is drawn whose cells have these numbers of rows. */
const wayOf = (spec: AttributeSpec, counts: (size: number) => readonly number[]) => {
  const domain = domainOf([spec]);
  const cells = counts(domain.attributes[0].size).flatMap((count, cell) => new Array<number>(count).fill(cell));
  const table = { domain, length: cells.length, columns: [Uint16Array.from(cells)] };
  return oneWay({ model: supportModel(supportOf(table), cells.length), measurements: [] }, domain.attributes[0], table);
};
const even = (size: number): number[] => new Array<number>(size).fill(5);

interface Drawn {
  readonly from: number;
  readonly to: number;
  readonly share: number;
  readonly prior: number;
}
const drawnOf = (spec: ReturnType<typeof densitySpec>): readonly Drawn[] =>
  (spec as unknown as { data: { values: Drawn[] } }).data.values;

describe('bins of unequal width', () => {
  it('are drawn so that areas are shares, of the release and of the public table', () => {
    const cuts = fc.uniqueArray(fc.integer({ min: -500, max: 500 }), { minLength: 3, maxLength: 20 });
    fc.assert(
      fc.property(cuts, fc.infiniteStream(fc.integer({ min: 1, max: 9 })), (places, numbers) => {
        const edges = [...places].sort((a, b) => a - b);
        const way = wayOf({ name: 'a', type: 'number', edges }, (size) => [...numbers.take(size)]);
        const density = densityOf(way);
        if (density === undefined) {
          const widths = edges.slice(1).map((edge, i) => edge - edges[i]);
          expect(Math.max(...widths) / Math.min(...widths)).toBeLessThanOrEqual(1.2);
          return;
        }
        const drawn = drawnOf(densitySpec(density));
        expect(drawn.length + density.beside.length).toBe(edges.length - 1);
        density.bars.forEach(({ released, prior, span }, i) => {
          const { from, to, share, prior: before } = drawn[i];
          expect([from, to]).toEqual(span);
          expect((share * (to - from)) / density.unit).toBeCloseTo(released, 12);
          expect((before * (to - from)) / density.unit).toBeCloseTo(prior!, 12);
        });
      }),
      { seed: 16, numRuns: 200 },
    );
  });

  it('show people spread evenly over ages as one height', () => {
    const edges = [0, 18, 25, 65, 100];
    const way = wayOf({ name: 'age', type: 'integer', edges }, () => [18, 7, 40, 35]);
    const heights = drawnOf(oneWayPlot(way).spec as ReturnType<typeof densitySpec>).map(({ share }) => share);
    for (const height of heights) expect(height).toBeCloseTo(0.07, 12);
    expect(heightText(way)).toBe('bins of unequal width: areas are shares, heights shares per 7');
  });

  it('are told in words where an end is so long that the others would vanish', () => {
    const way = wayOf({ name: 'income', type: 'number', edges: [0, 1, 2, 3, 5, 1e6] }, even);
    expect(densityOf(way)?.bars.map(({ label }) => label)).toEqual(['[0, 1)', '[1, 2)', '[2, 3)', '[3, 5)']);
    expect(leftOut(way)).toEqual(['[5, 1000000]: released 20.0%, public 20.0%']);
  });

  it('say of dates how many days their height is for', () => {
    // 38 years by month: neighbours share bars, and the last bar has fewer of them.
    const way = wayOf({ name: 'day', type: 'date', by: 'month', min: '1980-01-01', max: '2017-12-31' }, even);
    expect(heightText(way)).toMatch(/^bins of unequal width: areas are shares, heights shares per \d+ days$/);
  });
});

describe('bins of equal width', () => {
  it.each<[string, AttributeSpec]>([
    ['whole numbers', { name: 'a', type: 'integer', min: 0, max: 20 }],
    ['bins of numbers', { name: 'a', type: 'number', min: 0, max: 1, bins: 7 }],
    ['bins of equal ratios', { name: 'a', type: 'number', min: 1, max: 1e6, bins: 12, scale: 'log' }],
    ['months', { name: 'a', type: 'date', by: 'month', min: '2015-01-01', max: '2019-12-31' }],
    ['quarters', { name: 'a', type: 'date', by: 'quarter', min: '2015-01-01', max: '2019-12-31' }],
    ['categories in order', { name: 'a', type: 'category', values: ['low', 'middle', 'high'], ordered: true }],
    ['categories', { name: 'a', type: 'category', values: ['x', 'y'] }],
    ['yes and no', { name: 'a', type: 'boolean', null: true }],
  ])('stay shares: %s', (_, spec) => {
    const way = wayOf(spec, even);
    expect(densityOf(way)).toBeUndefined();
    expect(heightText(way)).toBeUndefined();
  });
});
