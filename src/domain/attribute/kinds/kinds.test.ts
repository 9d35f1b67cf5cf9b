import { describe, expect, test } from 'vitest';
import { seeded } from '../../../random/seeded.js';
import { domainOf } from '../../domain-of.js';
import { stoppedBy } from '../../schema/outside.js';
import type { AttributeType, SpecOf } from '../attribute.js';
import { cellLabels, openCells } from '../cells.js';
import { BEYOND, columnEncoder } from '../column-encoder.js';
import { kindOf, kinds } from './kinds.js';

/** Declarations of every type: the compiler asks for those of a new one. */
const examples: { readonly [T in AttributeType]: readonly SpecOf<T>[] } = {
  category: [
    { name: 'a', type: 'category', values: ['x', ''] },
    { name: 'a', type: 'category', values: ['low', 'high'], ordered: true, other: 'other', null: true },
  ],
  boolean: [
    { name: 'a', type: 'boolean' },
    { name: 'a', type: 'boolean', null: true, nullValues: ['?'] },
  ],
  integer: [
    { name: 'a', type: 'integer', min: -2, max: 3 },
    { name: 'a', type: 'integer', min: 0, max: 99, bins: 7, null: true },
    { name: 'a', type: 'integer', edges: [0, 1, 10] },
    { name: 'a', type: 'integer', min: 0, max: 3, open: 'both', null: true, nullValues: ['-1', '4'] },
    { name: 'a', type: 'integer', min: 1, max: 1000, bins: 5, scale: 'log', open: 'below' },
    { name: 'a', type: 'integer', edges: [-10, 0, 10], open: 'above', null: true, nullValues: ['-999', '12'] },
  ],
  number: [
    { name: 'a', type: 'number', min: 0.5, max: 80, bins: 5, scale: 'log' },
    { name: 'a', type: 'number', edges: [-1, 0, 2.5], null: true },
    { name: 'a', type: 'number', edges: [-1, 0, 2.5], open: 'both' },
    { name: 'a', type: 'number', min: 0.5, max: 80, bins: 5, scale: 'log', open: 'above', null: true },
  ],
  date: [
    { name: 'a', type: 'date', by: 'month', min: '2023-11-15', max: '2024-03-10' },
    { name: 'a', type: 'date', by: 'week', min: '2023-12-20', max: '2024-01-20', null: true },
    { name: 'a', type: 'date', by: 'year', min: '2014-03-01', max: '2018-06-30', open: 'both' },
    {
      name: 'a',
      type: 'date',
      by: 'day',
      min: '2024-02-01',
      max: '2024-02-29',
      open: 'above',
      null: true,
      nullValues: ['2024-03-01'],
    },
  ],
};

describe.each(Object.values(examples).flatMap((specs) => specs.map((spec) => [JSON.stringify(spec), spec] as const)))(
  '%s',
  (_, spec) => {
    const [attribute] = domainOf([spec]).attributes;
    const kind = kindOf(spec);
    const cells = kind.cells(spec);

    test('is of its own kind, and says what it holds', () => {
      expect(kind).toBe(kinds[spec.type]);
      expect(kind.describe(spec)).not.toBe('');
    });

    test('has a label for every cell, and a stretch of the line for every value cell', () => {
      expect(kind.labels(spec)).toHaveLength(cells);
      expect(cellLabels(attribute)).toHaveLength(attribute.size);
      const edges = kind.line.edges(spec);
      expect(edges).toHaveLength(cells + 1);
      expect(edges.every((edge, i) => i === 0 || edge > edges[i - 1])).toBe(true);
    });

    test('writes every cell as a value of that cell, within the stretch of the line', () => {
      // What lies beyond an end stops a run by that rule, open or not.
      const encodeNamed = columnEncoder(attribute, 'stop');
      const encodeAny = columnEncoder(attribute);
      const open = openCells(spec);
      const drawing = kind.drawing(spec, seeded(1));
      const single = kind.single(spec);
      const edges = kind.line.edges(spec);
      expect(drawing !== undefined || single !== undefined).toBe(true);
      for (let cell = 0; cell < cells; cell++) {
        const isOpen = open.includes(cell);
        const encode = isOpen ? encodeAny : encodeNamed;
        const value = single?.(cell);
        expect(single === undefined || (value === undefined) === isOpen).toBe(true);
        if (value !== undefined) expect(encode(value)).toBe(cell);
        for (let times = 0; times < 40 && drawing !== undefined; times++) {
          const x = drawing.draw(cell);
          expect(x >= edges[cell] && x < edges[cell + 1]).toBe(true);
          expect(drawing.read(drawing.write(x))).toBe(x);
          expect(encode(drawing.write(x))).toBe(cell);
          if (isOpen) expect(encodeNamed(drawing.write(x))).toBe(BEYOND);
          if (value !== undefined) expect(drawing.write(x)).toBe(value);
        }
      }
    });

    test('stops no run once it is widened, and keeps its cells between open ends', () => {
      const wide = kind.widen(spec);
      expect(stoppedBy({ attributes: [wide] })).toEqual([]);
      expect(kind.labels(wide)).toEqual(expect.arrayContaining(kind.labels(spec)));
      expect(openCells(wide)).toHaveLength(kind.close === undefined ? 0 : 2);
      expect(kind.widen(wide)).toEqual(wide);
    });

    test('has the cells that it names and no others once it is closed', () => {
      const shut = kind.close?.(spec) ?? spec;
      const open = openCells(spec);
      expect(openCells(shut)).toEqual([]);
      expect(kind.labels(shut)).toEqual(kind.labels(spec).filter((_, cell) => !open.includes(cell)));
      const { name: _, ...rest } = shut;
      expect({ name: 'a', ...rest }).toEqual(shut);
    });

    test('reaches further than its declared ends where these are open', () => {
      const edges = kind.line.edges(spec).filter(Number.isFinite);
      if (openCells(spec).length === 0) return;
      const [from, to] = kind.line.reach!(spec);
      expect(from).toBeLessThan(edges[0]);
      expect(to).toBeGreaterThan(edges[edges.length - 1]);
    });

    test('is itself when its texts are mapped to themselves', () => {
      expect(kind.mapTexts(spec, (text) => text)).toEqual(spec);
    });
  },
);

test('no text of a public column looks like two types', () => {
  const texts = [
    '1',
    '-1',
    ' 2 ',
    '01',
    '0',
    '1.5',
    '1e3',
    '1e999',
    '12345678901234567',
    't',
    'False',
    'no',
    'n',
    '-',
    '',
  ];
  for (const text of [...texts, '2024-02-29', '2024-02-30', '2024-02-29T10:00', 'x', '1,000'])
    expect(Object.values(kinds).filter(({ recognise }) => recognise(text) !== undefined).length).toBeLessThan(2);
});
