import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryDomain, arbitraryQuery, domainOf } from '../../test/support/arbitrary-query.js';
import { allRows, countRows, rowAnswers } from '../../test/support/row-answers.js';
import { InputError } from '../domain/input-error.js';
import { adjoint } from './adjoint.js';
import { answerFrom, answerLimit, answerShape, answerSize, attributesOf } from './answer.js';
import { marginal, total } from './marginal.js';
import { factored, prefix, range } from './query.js';
import { larger } from './sensitivity/larger.js';

const integers = (length: number) =>
  fc
    .array(fc.integer({ min: -1000, max: 1000 }), { minLength: length, maxLength: length })
    .map((list) => Float64Array.from(list));

const dot = (a: Float64Array, b: Float64Array) => a.reduce((sum, value, i) => sum + value * b[i], 0);

describe('answers', () => {
  const setting = arbitraryDomain(24).chain((domain) =>
    fc.tuple(
      fc.constant(domain),
      arbitraryQuery(domain),
      fc.array(fc.constantFrom(...allRows(domain)), { maxLength: 20 }),
    ),
  );

  it('equal the sum over the rows of what each row adds', () => {
    fc.assert(
      fc.property(setting, ([domain, query, rows]) => {
        const counts = countRows(domain, attributesOf(query), rows);
        const expected = new Float64Array(answerSize(query, domain));
        for (const row of rows) for (const [i, value] of rowAnswers(query, domain, row).entries()) expected[i] += value;
        expect(answerFrom(query, domain, counts)).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('have the shape of the factors and leave the counts alone', () => {
    fc.assert(
      fc.property(setting, ([domain, query, rows]) => {
        const counts = countRows(domain, attributesOf(query), rows);
        const before = counts.slice();
        const answers = answerFrom(query, domain, counts);
        expect(answers).toHaveLength(answerShape(query, domain).reduce((product, side) => product * side, 1));
        answers.fill(-1);
        expect(counts).toEqual(before);
      }),
    );
  });

  it('have an adjoint: <Q x, r> equals <x, Q^T r> on integers, exactly', () => {
    fc.assert(
      fc.property(
        setting.chain(([domain, query, rows]) =>
          fc.tuple(fc.constant({ domain, query, rows }), integers(answerSize(query, domain))),
        ),
        ([{ domain, query, rows }, residual]) => {
          const counts = countRows(domain, attributesOf(query), rows);
          const back = adjoint(query, domain, residual);
          expect(dot(counts, back)).toBe(dot(answerFrom(query, domain, counts), residual));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('are those of the examples one can do by hand', () => {
    const domain = domainOf(3, 2);
    // Rows: a is 0, 1, 2; b is 0, 1.
    const counts = Float64Array.of(1, 2, 3, 4, 5, 6);
    expect([...answerFrom(factored({ a: { kind: 'prefix' }, b: { kind: 'keep' } }), domain, counts)]).toEqual([
      1, 2, 4, 6, 9, 12,
    ]);
    expect([
      ...answerFrom(factored({ a: { kind: 'moments', count: 2 }, b: { kind: 'mean' } }), domain, counts),
    ]).toEqual([4 + 12, 4 + 24]);
    expect([...answerFrom(range('a', 1, 2), domain, Float64Array.of(3, 7, 11))]).toEqual([18]);
    expect([...answerFrom(prefix('b'), domain, Float64Array.of(9, 12))]).toEqual([9, 21]);
    expect([...answerFrom(total(), domain, Float64Array.of(21))]).toEqual([21]);
  });

  it('need no attribute that is summed out', () => {
    const query = factored({ a: { kind: 'sum' }, b: { kind: 'keep' } });
    expect(attributesOf(query)).toEqual(['b']);
    expect([...answerFrom(query, domainOf(5, 2), Float64Array.of(3, 4))]).toEqual([3, 4]);
    expect(answerShape(query, domainOf(5, 2))).toEqual([1, 2]);
  });

  it('are exact up to the limit and saturate beyond it, for any counts a double holds', () => {
    const domain = domainOf(4, 3);
    const count = fc.oneof(fc.nat(100), fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }));
    fc.assert(
      fc.property(arbitraryQuery(domain), fc.array(count, { minLength: 12, maxLength: 12 }), (query, cells) => {
        const rows = allRows(domain);
        const attributes = attributesOf(query);
        // The marginal must itself be exact: take one value for each of its cells.
        const counts = countRows(domain, attributes, rows).map((_, i) => cells[i]);
        const exact: bigint[] = new Array(answerSize(query, domain)).fill(0n);
        const seen = new Set<string>();
        for (const row of rows) {
          const own = countRows(domain, attributes, [row]);
          if (seen.has(own.join())) continue;
          seen.add(own.join());
          const times = BigInt(counts[own.indexOf(1)]);
          for (const [i, value] of rowAnswers(query, domain, row).entries()) exact[i] += BigInt(value) * times;
        }
        const limit = BigInt(answerLimit);
        expect([...answerFrom(query, domain, counts)].map(BigInt)).toEqual(
          exact.map((value) => larger(-larger(-value, -limit), -limit)),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('are exact where values that no double holds cancel', () => {
    const domain = domainOf(2, 2);
    const [huge, more] = [2 ** 53, 2 ** 53 - 1];
    const query = factored({
      a: { kind: 'matrix', rows: [[3, -3]] },
      b: {
        kind: 'matrix',
        rows: [
          [1, -1],
          [1, 1],
        ],
      },
    });
    // 3 (huge - more) - 3 (more - huge), and 3 (huge + more) - 3 (more + huge).
    expect([...answerFrom(query, domain, Float64Array.of(huge, more, more, huge))]).toEqual([6, 0]);
    expect([...answerFrom(query, domain, Float64Array.of(0, huge, 0, 0))]).toEqual([-answerLimit, answerLimit]);
    expect([...answerFrom(query, domain, Float64Array.of(0.5, 0.25, 0, 2 ** 60))][1]).toBe(-answerLimit);
  });

  it('stay finite where powers of huge counts leave the doubles', () => {
    const domain = domainOf(3, 3);
    const query = factored({ a: { kind: 'mean' }, b: { kind: 'mean' } });
    const counts = new Float64Array(9).fill(Number.MAX_VALUE);
    expect([...answerFrom(query, domain, counts)]).toEqual([answerLimit]);
  });

  it('refuse counts or residuals of the wrong length', () => {
    const domain = domainOf(3, 2);
    expect(() => answerFrom(marginal('a', 'b'), domain, new Float64Array(5))).toThrow(
      'answerFrom: the marginal of the query has 6 cells, got 5 counts',
    );
    expect(() => adjoint(prefix('a'), domain, new Float64Array(2))).toThrow(InputError);
  });
});
