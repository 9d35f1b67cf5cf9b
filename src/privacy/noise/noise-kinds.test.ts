import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { goodnessOfFit } from '../../../experiments/statistics/chi-square.js';
import { binByLaw, type Cdf, gaussianCdf, laplaceCdf } from '../../../experiments/statistics/noise-laws.js';
import { InputError } from '../../domain/input-error.js';
import { type Entropy, seededEntropy, webEntropy } from '../entropy.js';
import { type Rational, rational, rationalNumber } from '../rational.js';
import { type NoiseName, noiseKinds, noiseNames } from './noise-kinds.js';
import { referenceGaussian, referenceLaplace, uniformBigInt } from './reference.js';

/** Every test below may cry wolf once in 1e8; there are fewer than a hundred of them. */
const DRAWS = 200_000;

interface Expected {
  reference(parameter: Rational, random: Entropy): bigint;
  cdf(parameter: number): Cdf;
  spread(parameter: number): number;
  /** What a scale 5% off is for the parameter. */
  readonly off: number;
}

const kinds: Record<NoiseName, Expected> = {
  laplace: {
    reference: referenceLaplace,
    cdf: laplaceCdf,
    spread: (parameter) => parameter,
    off: 1.05,
  },
  gaussian: {
    reference: referenceGaussian,
    cdf: (parameter) => gaussianCdf(Math.sqrt(parameter)),
    spread: Math.sqrt,
    off: 1.05 ** 2,
  },
};

const parameters: Record<NoiseName, readonly Rational[]> = {
  laplace: [
    rational(1, 4),
    rational(3, 7),
    rational(1),
    rational(10),
    rational(100, 3),
    rational(1000),
    rational(10 ** 7),
  ],
  gaussian: [
    rational(1, 4),
    rational(3, 7),
    rational(1),
    rational(100),
    rational(1000, 7),
    rational(10 ** 6),
    rational(10 ** 11),
  ],
};
const huge: Record<NoiseName, readonly Rational[]> = {
  laplace: [rational(10 ** 9), rational(2n ** 45n + 1n, 2n ** 20n), rational(10n ** 14n)],
  gaussian: [rational(10n ** 18n), rational(10n ** 14n + 1n, 7n), rational(10n ** 28n)],
};

const expectLaw = (kind: NoiseName, parameter: Rational, draws: Float64Array): void => {
  const { cdf, spread, off } = kinds[kind];
  const value = rationalNumber(parameter);
  for (const factor of [1, off, 1 / off]) {
    const { observed, chances } = binByLaw(draws, cdf(value * factor), spread(value));
    expect(goodnessOfFit(observed, chances).fits).toBe(factor === 1);
  }
};

for (const kind of noiseNames) {
  const { reference } = kinds[kind];
  const { add } = noiseKinds[kind];
  const zeros = new Float64Array(DRAWS);
  const name = ({ numerator, denominator }: Rational) => `${numerator}/${denominator}`;

  describe(`discrete ${kind} noise`, () => {
    for (const parameter of parameters[kind])
      it(`fits its law at ${name(parameter)} by the table sampler, and no scale 5% off`, () => {
        expectLaw(kind, parameter, add(zeros, parameter, seededEntropy(21)));
      });

    for (const parameter of huge[kind])
      it(`fits its law at ${name(parameter)} in BigInt, and no scale 5% off`, () => {
        expectLaw(kind, parameter, add(zeros.subarray(0, 60_000), parameter, seededEntropy(22)));
      });

    for (const parameter of parameters[kind].slice(1, 6))
      it(`fits its law at ${name(parameter)} by the published sampler in BigInt, and no scale 5% off`, () => {
        const entropy = seededEntropy(23);
        expectLaw(
          kind,
          parameter,
          zeros.slice(0, 60_000).map(() => Number(reference(parameter, entropy))),
        );
      });

    it('is independent from draw to draw: neighbours in one call fit the product law', () => {
      const cdf = kinds[kind].cdf(1);
      const draws = add(zeros, rational(1), seededEntropy(24));
      const cell = (draw: number) => Math.min(2, Math.max(-2, draw)) + 2;
      const chance = (c: number) => (c === 4 ? 1 : cdf(c - 2)) - (c === 0 ? 0 : cdf(c - 3));
      const observed = new Float64Array(25);
      for (let i = 0; i + 1 < DRAWS; i += 2) observed[5 * cell(draws[i]) + cell(draws[i + 1])]++;
      const chances = observed.map((_, i) => chance(Math.floor(i / 5)) * chance(i % 5));
      expect(goodnessOfFit(observed, chances).fits).toBe(true);
    });

    it('comes from Web Crypto as from a seed, with the same law', () => {
      expectLaw(kind, rational(50), add(zeros, rational(50), webEntropy()));
    });

    it('is added to each count in its place, leaving the counts alone', () => {
      fc.assert(
        fc.property(fc.array(fc.maxSafeInteger(), { maxLength: 20 }), fc.integer(), (values, seed) => {
          const counts = Float64Array.from(values, (value) => Math.trunc(value / 2));
          const before = counts.slice();
          const noise = add(new Float64Array(counts.length), rational(1234, 5), seededEntropy(seed));
          const noisy = add(counts, rational(1234, 5), seededEntropy(seed));
          expect(counts).toEqual(before);
          noisy.forEach((value, i) => {
            expect(BigInt(value)).toBe(BigInt(counts[i]) + BigInt(noise[i]));
            expect(Object.is(value, -0)).toBe(false);
          });
        }),
      );
    });

    it('refuses counts that are not whole and safe, before drawing, and without naming them', () => {
      const untouched: Entropy = { seeded: true, uint32: () => expect.fail('drew a word') };
      for (const bad of [0.5, Number.NaN, Infinity, -Infinity, 2 ** 53, -(2 ** 53), 1e300]) {
        const call = () => add(Float64Array.of(1, 2, bad), rational(10), untouched);
        expect(call).toThrow(InputError);
        expect(call).toThrow(/^counts: must be whole numbers below 2\^53 in size, got another value at position 2;/);
      }
      expect(Object.is(add(Float64Array.of(-0), rational(1, 1000), seededEntropy(1))[0], 0)).toBe(true);
    });

    it('refuses a noisy count beyond 2^53 on both paths and returns all others exactly', () => {
      const top = Number.MAX_SAFE_INTEGER;
      for (const parameter of [rational(100), rational(10n ** 13n)]) {
        let refused = 0;
        for (let seed = 0; seed < 200; seed++) {
          const noise = add(Float64Array.of(0), parameter, seededEntropy(seed))[0];
          for (const count of [top, -top])
            if (Number.isSafeInteger(Number(BigInt(count) + BigInt(noise))))
              expect(add(Float64Array.of(count), parameter, seededEntropy(seed))[0]).toBe(
                Number(BigInt(count) + BigInt(noise)),
              );
            else {
              refused++;
              expect(() => add(Float64Array.of(count), parameter, seededEntropy(seed))).toThrow(/^noise: /);
            }
        }
        expect(refused).toBeGreaterThan(100);
      }
    });

    it('does not depend on which scales were used before, nor on how the fraction is written', () => {
      const first = add(zeros.subarray(0, 100), rational(77), seededEntropy(9));
      for (let i = 1; i <= 100; i++) add(zeros.subarray(0, 1), rational(i, 3), seededEntropy(i));
      expect(add(zeros.subarray(0, 100), { numerator: 154n, denominator: 2n }, seededEntropy(9))).toEqual(first);
    });

    it('refuses a scale that is not positive', () => {
      for (const [numerator, denominator] of [
        [0n, 1n],
        [-1n, 1n],
        [1n, 0n],
      ])
        expect(() => add(zeros, { numerator, denominator }, seededEntropy(1))).toThrow(/^rational: /);
    });

    it('takes an empty marginal', () => {
      expect(add(new Float64Array(), rational(5), seededEntropy(1)).length).toBe(0);
    });
  });
}

describe('uniformBigInt', () => {
  it('covers [0, bound) uniformly, for bounds of one word and of many (false alarms 1e-8 each)', () => {
    const entropy = seededEntropy(31);
    for (const bound of [1n, 2n, 10n, 2n ** 32n, 2n ** 32n + 1n, 3n ** 60n]) {
      const cells = bound < 16n ? Number(bound) : 16;
      const observed = new Float64Array(cells);
      for (let i = 0; i < 20_000; i++) {
        const value = uniformBigInt(bound, entropy);
        expect(value >= 0n && value < bound).toBe(true);
        observed[Number((value * BigInt(cells)) / bound)]++;
      }
      if (cells > 1) expect(goodnessOfFit(observed, Array(cells).fill(1 / cells)).fits).toBe(true);
    }
  });
});
