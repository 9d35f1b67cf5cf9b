import { describe, expect, it } from 'vitest';
import { binomialRange } from '../experiments/statistics/binomial.js';
import { goodnessOfFit } from '../experiments/statistics/chi-square.js';
import { type Entropy, seededEntropy } from '../src/privacy/entropy.js';
import { type Rational, rational, rationalNumber } from '../src/privacy/rational.js';
import { exponentialMechanism } from '../src/privacy/selection/exponential-mechanism.js';
import { inversePowersOfE, scoreLayers } from '../src/privacy/selection/layers.js';
import { permuteAndFlip } from '../src/privacy/selection/permute-and-flip.js';
import { gapAt, scoreGaps, selectionGrid } from '../src/privacy/selection/score-grid.js';

/** exp(-epsilon gap / (2 D)) for each candidate. */
const weights = (scores: Float64Array, epsilon: Rational, grid: Rational): number[] => {
  const chosen = selectionGrid(rational(1), grid);
  const rate = (rationalNumber(epsilon) * rationalNumber(chosen.grid)) / (2 * rationalNumber(chosen.sensitivity));
  const gaps = scoreGaps(scores, chosen.grid);
  return Array.from(scores, (_, i) => Math.exp(-gapAt(gaps, i) * rate));
};

const permutations = (items: readonly number[]): number[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((item) => permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]));

const mechanisms = {
  'the exponential mechanism': {
    select: exponentialMechanism,
    chances: (coins: readonly number[]): number[] => {
      const total = coins.reduce((sum, coin) => sum + coin, 0);
      return coins.map((coin) => coin / total);
    },
  },
  'permute-and-flip': {
    select: permuteAndFlip,
    /** By its definition, over all orders: all before me fell tails, and I fall heads. */
    chances: (coins: readonly number[]): number[] => {
      const chances = coins.map(() => 0);
      const orders = permutations([...coins.keys()]);
      for (const order of orders) {
        let reached = 1 / orders.length;
        for (const i of order) {
          chances[i] += reached * coins[i];
          reached *= 1 - coins[i];
        }
      }
      return chances;
    },
  },
};

/** The chances of permute-and-flip by integration: my coin falls heads, and all that come before my uniform time fall tails. */
const flipped = (coins: readonly number[]): number[] => {
  const steps = 20_000;
  return coins.map((coin, i) => {
    let sum = 0;
    for (let step = 0; step < steps; step++) {
      const time = (step + 0.5) / steps;
      sum += coins.reduce((product, other, j) => (j === i ? product : product * (1 - time * other)), 1);
    }
    return (coin * sum) / steps;
  });
};

const DRAWS = 25_000;

for (const [name, { select, chances }] of Object.entries(mechanisms))
  describe(name, () => {
    const frequencies = (scores: Float64Array, epsilon: Rational, grid: Rational, seed: number): Float64Array => {
      const entropy = seededEntropy(seed);
      const observed = new Float64Array(scores.length);
      for (let i = 0; i < DRAWS; i++) observed[select(scores, { epsilon, sensitivity: rational(1), grid }, entropy)]++;
      return observed;
    };

    for (const [title, scores, epsilon, grid] of [
      ['spread scores', [0, 1, 2.5, 2.75, 4], rational(1), rational(1, 1024)],
      ['ties, also at the top', [3, 1, 3, 1, 3, 0], rational(2), rational(1)],
      ['negative and fractional scores', [-1.7, -0.3, -0.31, -2], rational(4, 3), rational(1, 10)],
      ['a steep rate, several layers a step', [10, 9, 9, 8, 7], rational(7), rational(1)],
      ['terms too large for safe integers', [0, 1, 2, 1.5], rational(10n ** 20n + 1n, 10n ** 20n), rational(1, 1024)],
    ] as const)
      it(`selects with its exact chances: ${title}; and not with those of an epsilon a fifth larger`, () => {
        const list = Float64Array.from(scores);
        const observed = frequencies(list, epsilon, grid, 41);
        expect(goodnessOfFit(observed, chances(weights(list, epsilon, grid))).fits).toBe(true);
        const wrong = rational(epsilon.numerator * 6n, epsilon.denominator * 5n);
        expect(goodnessOfFit(observed, chances(weights(list, wrong, grid))).fits).toBe(false);
      });

    it('pays for the grid: chances are those of sensitivity plus one step, not of the sensitivity alone', () => {
      const list = Float64Array.of(0, 1, 2, 3);
      const observed = frequencies(list, rational(2), rational(1), 42);
      expect(goodnessOfFit(observed, chances([3, 2, 1, 0].map((gap) => Math.exp((-gap * 2) / (2 * 2))))).fits).toBe(
        true,
      );
      expect(goodnessOfFit(observed, chances([3, 2, 1, 0].map((gap) => Math.exp((-gap * 2) / 2)))).fits).toBe(false);
    });

    it('selects among unscored groups as if each candidate stood alone, equal scores and others', () => {
      const list = Float64Array.of(1, 2.5);
      const inGroup = [2, -4, 0.5];
      const unscored = [
        { most: 0, times: 5 },
        { most: 3, times: 3, scoreOf: (member: number) => inGroup[member] },
      ];
      const alone = Float64Array.of(1, 2.5, 0, 0, 0, 0, 0, ...inGroup);
      const observed = new Float64Array(alone.length);
      const entropy = seededEntropy(45);
      const options = { epsilon: rational(1), sensitivity: rational(1), grid: rational(1, 1024) };
      for (let i = 0; i < DRAWS; i++) observed[select(list, options, entropy, unscored)]++;
      const coins = weights(alone, rational(1), rational(1, 1024));
      // All orders of ten would take minutes.
      const exact = name === 'permute-and-flip' ? flipped(coins) : chances(coins);
      expect(goodnessOfFit(observed, exact).fits).toBe(true);
      // Not as if a group were one candidate.
      const sums = [[0], [1], [2, 3, 4, 5, 6], [7, 8, 9]].map((of) => of.reduce((sum, i) => sum + observed[i], 0));
      const wrong = chances(weights(Float64Array.of(1, 2.5, 0, 3), rational(1), rational(1, 1024)));
      expect(goodnessOfFit(Float64Array.from(sums), wrong).fits).toBe(false);
      // Unscored groups alone, the best being one.
      const only = select(new Float64Array(), options, entropy, [
        { most: -1e6, times: 2 },
        { most: 1e6, times: 1 },
      ]);
      expect(only).toBe(2);
      const lying = [{ most: 0, times: 1, scoreOf: () => 1 }];
      if (name !== 'permute-and-flip')
        expect(() => select(new Float64Array(), options, entropy, lying)).toThrow(/^selection: /);
    });

    it('returns the only candidate', () => {
      const options = { epsilon: rational(1), sensitivity: rational(1) };
      expect(select(Float64Array.of(-5), options, seededEntropy(1))).toBe(0);
    });

    it('finds one good candidate among 300,000, and picks uniformly among 30,000 equal ones', () => {
      const options = { epsilon: rational(1), sensitivity: rational(1) };
      const entropy = seededEntropy(43);
      const lone = new Float64Array(300_000).fill(-1e6);
      lone[123_456] = 0;
      for (let i = 0; i < 10; i++) expect(select(lone, options, entropy)).toBe(123_456);
      const halves = new Float64Array(2);
      const equal = new Float64Array(30_000);
      for (let i = 0; i < 60; i++) halves[Math.floor(select(equal, options, entropy) / 15_000)]++;
      expect(goodnessOfFit(halves, [0.5, 0.5]).fits).toBe(true);
    });

    it('weighs many against a few: 30,000 poor candidates beat the best as often as they should', () => {
      const scores = new Float64Array(30_000);
      const entropy = seededEntropy(44);
      // The best weighs 1, each other exp(-10): all others together about 1.36.
      scores[7] = 20 * (1 + 2 ** -17);
      const options = { epsilon: rational(1), sensitivity: rational(1), grid: rational(1, 2 ** 17) };
      const coin = Math.exp(-10);
      const others = scores.length - 1;
      const best =
        name === 'permute-and-flip'
          ? (1 - (1 - coin) ** (others + 1)) / ((others + 1) * coin)
          : 1 / (1 + others * coin);
      let wins = 0;
      const runs = 300;
      for (let i = 0; i < runs; i++) if (select(scores, options, entropy) === 7) wins++;
      const [low, high] = binomialRange(runs, best, 1e-8);
      expect(wins).toBeGreaterThanOrEqual(low);
      expect(wins).toBeLessThanOrEqual(high);
    });

    it('refuses NaN and infinite scores', () => {
      const options = { epsilon: rational(1), sensitivity: rational(1) };
      const untouched: Entropy = { seeded: true, uint32: () => expect.fail('drew a word') };
      for (const bad of [Number.NaN, Infinity, -Infinity])
        expect(() => select(Float64Array.of(0, bad), options, untouched)).toThrow(/^selection: /);
    });
  });

describe('permute-and-flip on an undecided word', () => {
  it('reads on until the coin is decided, also in layers below 2^-32', () => {
    // Two candidates, the second 30 layers down: heads needs a uniform real below exp(-30) = 2^-43.28.
    const options = { epsilon: rational(2), sensitivity: rational(1, 2), grid: rational(1, 2) };
    const scores = Float64Array.of(30, 0);
    const stream = (...words: number[]): Entropy => ({
      seeded: true,
      uint32: () => words.shift() ?? expect.fail('no more'),
    });
    const exact = Math.exp(-30) * 2 ** 64;
    // Words: the best one's last coin; the second's first word and next; its last coin; which head.
    expect(permuteAndFlip(scores, options, stream(0xff000000, 0, Math.floor(exact) - 9, 0xff000000, 1))).toBe(1);
    expect(permuteAndFlip(scores, options, stream(0xff000000, 0, Math.floor(exact) + 9, 1))).toBe(0);
    expect(permuteAndFlip(scores, options, stream(0xff000000, 1, 1))).toBe(0);
  });
});

describe('layers', () => {
  it('part gaps at the exact multiples of the rate, wherever the floating-point guess falls', () => {
    const options = { epsilon: rational(10n ** 15n + 37n, 10n ** 15n), sensitivity: rational(1), grid: rational(1, 3) };
    const layers = scoreLayers(Float64Array.of(0), options);
    const floors = layers.floors(60);
    for (let layer = 1; layer < 60; layer++)
      for (const gap of [floors[layer] - 1, floors[layer], floors[layer] + 1]) {
        expect(BigInt(layers.layer(gap, floors))).toBe(layers.exactLayer(gap));
        expect(layers.exactLayer(gap) === BigInt(layer)).toBe(gap >= floors[layer] && gap < floors[layer + 1]);
      }
    expect(layers.layer(2 ** 53, floors)).toBe(60);
  });

  it('enclose the powers of 1/e tightly', () => {
    inversePowersOfE(60, 100).forEach(({ low, high }, k) => {
      expect(high - low).toBeLessThan(200n);
      expect(Number(low) / 2 ** 100 / Math.exp(-k)).toBeCloseTo(1, k < 25 ? 12 : 2);
    });
  });
});
