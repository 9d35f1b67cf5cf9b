import { describe, expect, it } from 'vitest';
import { domainOf } from '../../domain/domain-of.js';
import type { Progress } from '../../domain/running.js';
import type { Measurement } from '../../privacy/measurement.js';
import { marginal } from '../../query/marginal.js';
import { residual } from '../../query/residual.js';
import { normal } from '../../random/normal.js';
import { seeded } from '../../random/seeded.js';
import { chooseSharing } from './choose-sharing.js';

const domain = domainOf([
  { type: 'integer', name: 'hill', min: 0, max: 59 },
  { type: 'integer', name: 'comb', min: 0, max: 59 },
  { type: 'category', name: 'town', values: Array.from({ length: 60 }, (_, i) => `t${i}`) },
  { type: 'category', name: 'sex', values: ['f', 'm'] },
]);
const total = 20_000;

const sharesOf = (weight: (i: number) => number, cells = 60): Float64Array => {
  const weights = Float64Array.from({ length: cells }, (_, i) => weight(i));
  const sum = weights.reduce((a, b) => a + b, 0);
  return weights.map((each) => each / sum);
};
const hill = sharesOf((i) => Math.exp(-((i - 25) ** 2) / 200));
/** Every fifth cell has next to all: rounded numbers. */
const comb = sharesOf((i) => (i % 5 === 0 ? 1 : 0.02));
const truth = { hill, comb, town: hill, sex: sharesOf(() => 1, 2) };

const scale = 60;
const noisy = (query: Measurement['query'], counts: Float64Array, seed: number): Measurement => {
  const random = seeded(seed);
  return {
    query,
    values: counts.map((count) => count + scale * normal(random)),
    noise: { kind: 'gaussian', scale },
  };
};
const alone = (name: keyof typeof truth, seed: number): Measurement =>
  noisy(
    marginal(name),
    truth[name].map((share) => share * total),
    seed,
  );

describe('whether steps are shared', () => {
  it('is decided for each ordered attribute by what is measured of it: what is smooth shares, what is not keeps to itself', async () => {
    for (const seed of [1, 2, 3]) {
      const measurements = (['hill', 'comb', 'town', 'sex'] as const).map((name, i) => alone(name, 10 * seed + i));
      const found = await chooseSharing(domain, measurements, { total });
      // What has no order shares nothing, however smooth it looks.
      expect([...found.keys()]).toEqual(['hill']);
      expect(found.get('hill')).toBeLessThanOrEqual(8);
      const told: number[] = [];
      const onProgress = ({ done, total }: Progress): number => told.push(done / total!);
      expect(await chooseSharing(domain, measurements, { total, onProgress })).toEqual(found);
      expect(told).toEqual([0, 1 / 2]);
    }
  });

  it('is told by residuals and by marginals of more attributes as well, and by nothing that has no noise', async () => {
    const mean = total / 60;
    const left = noisy(
      residual('hill'),
      hill.map((share) => share * total - mean),
      4,
    );
    expect([...(await chooseSharing(domain, [left], { total })).keys()]).toEqual(['hill']);
    const wide = Float64Array.from({ length: 120 }, (_, cell) => (hill[cell % 60] * total) / 2);
    const pair = noisy(marginal('sex', 'hill'), wide, 5);
    expect([...(await chooseSharing(domain, [pair], { total })).keys()]).toEqual(['hill']);
    const exact: Measurement = { ...alone('hill', 6), noise: { kind: 'none', scale: 0 } };
    expect((await chooseSharing(domain, [exact], { total })).size).toBe(0);
    expect((await chooseSharing(domain, [], { total })).size).toBe(0);
  });
});
