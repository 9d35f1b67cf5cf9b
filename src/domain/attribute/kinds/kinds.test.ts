import { describe, expect, test } from 'vitest';
import { seeded } from '../../../random/seeded.js';
import { domainOf } from '../../domain-of.js';
import { stoppedBy } from '../../schema/outside.js';
import type { AttributeType, SpecOf } from '../attribute.js';
import { cellLabels } from '../cells.js';
import { columnEncoder } from '../column-encoder.js';
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
  ],
  number: [
    { name: 'a', type: 'number', min: 0.5, max: 80, bins: 5, scale: 'log' },
    { name: 'a', type: 'number', edges: [-1, 0, 2.5], null: true },
  ],
  date: [
    { name: 'a', type: 'date', by: 'month', min: '2023-11-15', max: '2024-03-10' },
    { name: 'a', type: 'date', by: 'week', min: '2023-12-20', max: '2024-01-20', null: true },
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
      const encode = columnEncoder(attribute, 'stop');
      const drawing = kind.drawing(spec, seeded(1));
      const single = kind.single(spec);
      const edges = kind.line.edges(spec);
      expect(drawing !== undefined || single !== undefined).toBe(true);
      for (let cell = 0; cell < cells; cell++) {
        if (single !== undefined) expect(encode(single(cell))).toBe(cell);
        if (drawing === undefined) continue;
        const x = drawing.draw(cell);
        expect(x >= edges[cell] && x < edges[cell + 1]).toBe(true);
        expect(drawing.read(drawing.write(x))).toBe(x);
        expect(encode(drawing.write(x))).toBe(cell);
        if (single !== undefined) expect(drawing.write(x)).toBe(single(cell));
      }
    });

    test('stops no run once it is widened, and keeps its cells', () => {
      const wide = kind.widen(spec);
      expect(stoppedBy({ attributes: [wide] })).toEqual([]);
      expect(kind.labels(wide)).toEqual(kind.labels(spec));
      expect(kind.widen(wide)).toEqual(wide);
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
