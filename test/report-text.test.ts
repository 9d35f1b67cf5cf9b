import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cut, escaped, html, named, textOf } from '../src/report/html.js';
import { count, percent, points, powerText, roundedUp, significant } from '../src/report/number-text.js';
import { foldCells } from '../src/report/plots/fold-cells.js';
import type { OneWay } from '../src/report/plots/one-way.js';
import { cramersV } from '../src/report/sections/dependence.js';
import { notableDifferences } from '../src/report/sections/differences.js';
import {
  beliefAfter,
  beliefInWords,
  chanceText,
  epsilonInWords,
  guaranteeOf,
  timesText,
} from '../src/report/sections/privacy-words.js';

describe('epsilon in words', () => {
  it('tells the factor, the chance beside it, and the number', () => {
    const words = epsilonInWords({ epsilon: '1', delta: '1e-9' }, { relation: 'add-remove' });
    expect(words).toContain('in the table or not');
    expect(words).toContain('2.72 times as likely');
    expect(words).toContain('one in a billion');
    const pure = epsilonInWords({ epsilon: '0.5' }, { relation: 'replace-one' });
    expect(pure).toContain('1.65 times');
    expect(pure).toContain('any other way');
    expect(pure).not.toContain('chance');
  });

  it('tells that even odds become e^epsilon to 1 at most', () => {
    expect(beliefInWords({ epsilon: '1' })).toMatch(/at most 73\.1% and at least 26\.9%/);
    fc.assert(
      fc.property(
        fc.double({ min: 0.001, max: 0.999, noNaN: true }),
        fc.double({ min: 0.01, max: 8, noNaN: true }),
        (p, e) => {
          const { least, most } = beliefAfter(p, String(e));
          const odds = (q: number) => q / (1 - q);
          expect(odds(most) / odds(p)).toBeCloseTo(Math.exp(e), 6 - Math.ceil(Math.log10(Math.exp(e))));
          expect(odds(p) / odds(least)).toBeCloseTo(Math.exp(e), 6 - Math.ceil(Math.log10(Math.exp(e))));
        },
      ),
    );
  });

  it('never understates: the factor and the epsilon are rounded up', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 2, noNaN: true }), (e) => {
        const times = Number(timesText(String(e)).replace(/ times$/, ''));
        if (Number.isFinite(times)) expect(times).toBeGreaterThanOrEqual(Math.exp(e) - 1e-9);
        expect(Number(roundedUp(String(e)))).toBeGreaterThanOrEqual(e * (1 - 1e-12));
      }),
    );
    expect(roundedUp('0.999999730435302747', 3)).toBe('1');
    expect(roundedUp('0.30000000000000001', 3)).toBe('0.3');
  });

  it.each([
    ['1e-9', 'one in a billion'],
    ['1e-6', 'one in a million'],
    ['0.000002', 'one in 500,000'],
    ['4e-8', 'one in 25 million'],
    ['1e-12', 'one in a trillion'],
  ])('says %s as %s', (delta, words) => {
    expect(chanceText(delta)).toBe(words);
  });

  it('takes the customary delta where only rho is stated', () => {
    const statement = {
      dataset: 'd',
      relation: 'add-remove',
      unit: { kind: 'row', maxRecords: 1 },
      currency: 'zcdp',
      spent: '0.1',
      seeded: false,
      text: '',
    } as const;
    const { epsilon, delta } = guaranteeOf(statement);
    expect(delta).toBe('1e-9');
    expect(Number(epsilon)).toBeGreaterThan(2.14); // that of 1e-6: docs of the accounting
    expect(guaranteeOf({ ...statement, currency: 'pure' })).toEqual({ epsilon: '0.1' });
  });
});

describe('numbers', () => {
  it('read the same everywhere and lose nothing that matters', () => {
    expect([0, 12, 1234, -1234567, 0.4].map(count)).toEqual(['0', '12', '1,234', '−1,234,567', '0']);
    expect([0, 0.00002, 0.0123, 0.5, 0.99999, 1].map(percent)).toEqual([
      '0%',
      '<0.01%',
      '1.2%',
      '50.0%',
      '>99.9%',
      '100.0%',
    ]);
    expect([0.0312, -0.002, 0].map(points)).toEqual(['+3.1', '−0.20', '±0.00']);
    expect([1234.5, 0.012345, 2, 1e-9].map((value) => significant(value))).toEqual(['1,235', '0.0123', '2', '1e-9']);
    expect(['1e-9', '0.000001', '2.5e-12', '0.01'].map(powerText)).toEqual(['10⁻⁹', '10⁻⁶', '2.5 × 10⁻¹²', '0.01']);
  });
});

describe('text in HTML', () => {
  it('is escaped, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(escaped(text)).not.toMatch(/[<>"'\p{Cc}\u202e]|&(?!amp;|lt;|gt;|quot;|#39;)/u);
        expect(textOf(html`<b title="${text}">${text}</b>`).match(/</g)).toHaveLength(2);
      }),
    );
  });

  it('is cut by characters, and whole in its title', () => {
    expect(cut('a😀b😀c', 4)).toBe('a😀b…');
    expect(cut('abc', 3)).toBe('abc');
    expect(textOf(named('a long "name"', 6))).toBe('<span title="a long &quot;name&quot;">a lon…</span>');
  });
});

describe('bars', () => {
  it('hold every cell of an attribute exactly once', () => {
    const many = { values: Array.from({ length: 40 }, (_, i) => `v${i}`) };
    for (const attribute of [
      { name: 'x', size: 41, spec: { name: 'x', type: 'category', ...many, other: 'rest' } },
      { name: 'x', size: 41, spec: { name: 'x', type: 'category', ...many, null: true, ordered: true } },
      { name: 'x', size: 251, spec: { name: 'x', type: 'integer', min: 0, max: 249, null: true } },
      { name: 'x', size: 2, spec: { name: 'x', type: 'boolean' } },
    ] as const) {
      const sizes = Array.from({ length: attribute.size }, (_, i) => (i * 7919) % 101);
      const { bars } = foldCells(attribute, sizes);
      const cells = bars.flatMap((bar) => bar.cells).sort((a, b) => a - b);
      expect(cells).toEqual(sizes.map((_, i) => i));
      expect(bars.length).toBeLessThanOrEqual(101);
    }
  });

  it('show the largest categories of a long list, and the rest together', () => {
    const spec = { name: 'x', type: 'category', values: Array.from({ length: 40 }, (_, i) => `v${i}`) } as const;
    const { bars } = foldCells(
      { name: 'x', size: 40, spec },
      Array.from({ length: 40 }, (_, i) => i),
    );
    expect(bars[0].label).toBe('v39');
    expect(bars[bars.length - 1]).toMatchObject({ label: '28 others', aside: true });
  });
});

describe('Cramér’s V', () => {
  it('is 1 where one attribute determines the other, and about 0 where they are independent', () => {
    expect(cramersV([500, 0, 0, 500], 2, 1000)).toBeCloseTo(1, 2);
    expect(cramersV([250, 250, 250, 250], 2, 1000)).toBe(0);
    expect(cramersV([10, 0, 20, 0], 2, 30)).toBe(0);
  });

  it('is that of the textbook but for the correction, which goes away with the number of records', () => {
    // 2 x 2: phi = (ad - bc) / sqrt of the product of the margins.
    const [a, b, c, d] = [30, 10, 20, 40];
    const phi = (a * d - b * c) / Math.sqrt((a + b) * (c + d) * (a + c) * (b + d));
    expect(cramersV([a, b, c, d], 2, 1e9)).toBeCloseTo(phi, 6);
  });
});

describe('notable differences', () => {
  const way = (bars: readonly (readonly [released: number, prior: number, low: number, high: number])[]): OneWay => ({
    attribute: { name: 'x', size: bars.length, spec: { name: 'x', type: 'integer', min: 0, max: bars.length - 1 } },
    ordered: true,
    folded: false,
    measured: true,
    bars: bars.map(([released, prior, low, high], i) => ({
      label: String(i),
      cells: [i],
      aside: false,
      released,
      prior,
      bounds: [low, high],
    })),
  });

  it('come largest first, with what noise can explain', () => {
    const found = notableDifferences(
      [
        way([
          [0.5, 0.2, 0.48, 0.52],
          [0.3, 0.29, 0.27, 0.33],
          [0.2, 0.223, 0.18, 0.22],
        ]),
      ],
      10,
    );
    expect(found.map(({ verdict }) => verdict)).toEqual(['beyond', 'perhaps', 'explained']);
  });

  it('are judged more strictly the more of them are looked at', () => {
    const edge = [0.5, 0.52, 0.484, 0.516] as const;
    const alone = notableDifferences([way([edge])], 1);
    const among = notableDifferences([way([edge, ...Array.from({ length: 200 }, () => [0, 0, 0, 0.01] as const)])], 1);
    expect([alone[0].verdict, among[0].verdict]).toEqual(['beyond', 'perhaps']);
  });
});
