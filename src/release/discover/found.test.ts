import { describe, expect, it } from 'vitest';
import type { AskedNumeric } from '../../domain/discover/draft.js';
import { ladderOf, sizesOf } from '../../domain/discover/ladder.js';
import { parseDraft } from '../../domain/discover/parse-draft.js';
import { parseSchema } from '../../domain/schema/parse-schema.js';
import { binsFrom, categoriesFrom } from './found.js';
import { cutRange, rangeOf } from './range-of.js';

const schemaOf = (attribute: unknown) => ({ surmise: 1, origin: { kind: 'declared' }, attributes: [attribute] });

describe('values that were found', () => {
  it('make a schema whatever they are called: what was paid for is not refused', () => {
    const passed = ['other', '(other)', 'NA', ' ', 'x'].map((text, i) => ({ column: 0, text, count: 9 - i }));
    for (const nullValues of [undefined, ['((other))'], ['NA', 'other'], [' ']])
      for (const other of [undefined, 'x', 'rest']) {
        const asked = { name: 'v', type: 'category', values: 'discover', nullValues, other } as const;
        const { spec } = categoriesFrom(asked, passed);
        expect(() => parseSchema(schemaOf(JSON.parse(JSON.stringify(spec))))).not.toThrow();
      }
  });
});

describe('where numbers lie', () => {
  const spec: AskedNumeric = { name: 'n', type: 'integer', edges: 'discover' };
  const edges = sizesOf(spec);
  /** Noisy counts of powers of ten, none where nothing is said. */
  const counted = (counts: Readonly<Record<number, number>>) => ({
    deviation: 10,
    counts: Float64Array.from({ length: edges.length + 2 }, (_, cell) => counts[edges[cell - 1]] ?? 0),
  });

  it('is told by powers of ten that stand out from noise, without what noise puts far away', () => {
    expect(rangeOf(edges, counted({ 10: 500, 100: 300 }))).toMatchObject({
      edges: [10, 100, 1000],
      counts: [500, 300],
    });
    expect(rangeOf(edges, counted({ 10: 500, 100: 15, 1000: 300, 1e9: 45 }))?.edges).toEqual([10, 100, 1000, 10_000]);
    expect(rangeOf(edges, counted({ [-100]: 90, 0: 200 }))?.edges[0]).toBe(-100);
    expect(rangeOf(edges, counted({ 10: 39, 1000: 30 }))).toBeUndefined();
  });

  it('is cut into more bins where there is more, at round numbers', () => {
    const ladder = ladderOf({ ...spec, within: [10, 1000] });
    const cut = cutRange({ edges: [10, 100, 1000], counts: [900, 100] }, 10, ladder);
    expect(cut).toEqual([10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 1000]);
    const found = binsFrom({ ...spec, within: [10, 1000] }, { range: { edges: [10, 100, 1000], counts: [1, 1] } });
    expect(found.note).toMatch(/by powers of ten: there is too little of the budget/);
    expect(() => parseSchema(schemaOf(found.spec))).not.toThrow();
  });

  it('is refused before anything is paid where a bound leaves no place for edges', () => {
    for (const asked of [
      { name: 'n', type: 'number', edges: 'discover', min: 1e13 },
      { name: 'n', type: 'date', edges: 'discover', min: '2150-01-01' },
    ])
      expect(() => parseDraft(schemaOf(asked))).toThrow('must leave places for edges');
  });
});
