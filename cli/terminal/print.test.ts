import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bar, clip, count, percent, spark, table } from './print.js';

const plain = { colour: false };

describe('printing', () => {
  it('aligns the columns of a table: texts left, numbers right, nothing trailing', () => {
    const headings = [{ title: 'name' }, { title: 'rows', align: 'right' }, { title: 'note' }] as const;
    expect(
      table(
        headings,
        [
          ['age', '7', ''],
          ['occupation', '1,234', 'x'],
        ],
        plain,
      ),
    ).toBe(['name         rows  note', 'age             7', 'occupation  1,234  x', ''].join('\n'));
  });

  it('does not let colour codes move a column', () => {
    const headings = [{ title: 'a' }, { title: 'b' }];
    const lines = table(
      headings,
      [
        ['\x1b[33mlong\x1b[0m', '1'],
        ['x', '2'],
      ],
      plain,
    ).split('\n');
    expect(lines[1]).toBe('\x1b[33mlong\x1b[0m  1');
    expect(lines[2]).toBe('x     2');
  });

  it('uses colour where it is allowed only', () => {
    expect(table([{ title: 'a' }], [['1']], { colour: true })).toContain('\x1b[2m');
    expect(table([{ title: 'a' }], [['1']], plain)).not.toContain('\x1b');
  });

  it('draws bars of exactly the width asked for, which grow with the share', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -1, max: 2, noNaN: true }),
        fc.integer({ min: 1, max: 60 }),
        fc.boolean(),
        (share, width, unicode) => {
          expect([...bar(share, width, unicode)].length).toBe(width);
          const ink = (text: string) => [...text].filter((char) => char !== ' ' && char !== '.').length;
          expect(ink(bar(share + 0.5, width, unicode))).toBeGreaterThanOrEqual(ink(bar(share, width, unicode)));
        },
      ),
    );
    expect(bar(1, 4, true)).toBe('████');
    expect(bar(0.5, 4, false)).toBe('##..');
    expect(bar(0, 4, true)).toBe('    ');
  });

  it('shows a share that is there at all', () => {
    expect(spark([0, 1e-9, 0.5, 1], true)).toBe(' ▁▄█');
    expect(spark([0, 1e-9, 1], false)).toBe(' .@');
  });

  it('never rounds a share to nothing or to all', () => {
    expect([0, 1e-6, 0.1234, 0.99999, 1].map(percent)).toEqual(['0.0%', '<0.1%', '12.3%', '>99.9%', '100.0%']);
  });

  it('groups digits the same way everywhere', () => {
    expect(count(1234567)).toBe('1,234,567');
  });

  it('cuts long texts and disarms control characters', () => {
    expect(clip('abcdef', 4, true)).toBe('abc…');
    expect(clip('abcdef', 4, false)).toBe('abc~');
    expect(clip('a\x1b[31mb\n', 20, true)).toBe('a.[31mb.');
  });
});
