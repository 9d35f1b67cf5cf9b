import { expect, test } from 'vitest';
import { createEngine } from '../../kernel/engine.js';
import { seeded } from '../../random/seeded.js';
import { uniform, uniformInteger } from '../../random/uniform.js';
import { partitionFunctions } from './partition-functions.js';

test.each([
  [0.5, 3],
  [1.5, 140],
  [3, 300],
])('sums and slopes are those of every answer in every round, eta %s and %s rounds', async (eta, rounds) => {
  const random = seeded(rounds);
  const answers = 700;
  // Answers of all sizes, most of them small, and some that records count.
  const y = Float64Array.from({ length: answers }, () => uniform(random) ** 6);
  const hits = Array.from({ length: rounds }, () =>
    Uint32Array.from(new Set(Array.from({ length: 4 }, () => uniformInteger(random, 90)))).sort(),
  );
  const draws = Float64Array.from({ length: rounds }, () => 1 + uniformInteger(random, 5));
  const point = partitionFunctions(await createEngine(), answers, hits, eta).at(y);
  const { logs } = point;
  const slopes = point.slopes(draws);
  const counted = new Float64Array(answers);
  const expected = new Float64Array(answers);
  for (let t = 1; t <= rounds; t++) {
    for (const answer of hits[t - 1]) counted[answer]++;
    const exponents = y.map((own, q) => eta * (t * own - counted[q]));
    const most = exponents.reduce((top, z) => Math.max(top, Math.abs(z)), 0);
    const log = most + Math.log(exponents.reduce((sum, z) => sum + Math.exp(z - most) + Math.exp(-z - most), 0));
    expect(Math.abs(logs[t - 1] - log)).toBeLessThan(1e-10);
    exponents.forEach((z, q) => {
      expected[q] += draws[t - 1] * eta * t * (Math.exp(z - log) - Math.exp(-z - log));
    });
  }
  const size = Math.max(...expected.map(Math.abs));
  expected.forEach((slope, q) => {
    expect(Math.abs(slopes[q] - slope)).toBeLessThan(1e-10 * size);
  });
});

test('are the same without kernel memory', async () => {
  const hits = [Uint32Array.of(0, 2), Uint32Array.of(1)];
  const y = Float64Array.of(0.4, 0.1, 0.2);
  const engine = await createEngine();
  const small = { ...engine, arena: { ...engine.arena, available: 100 } };
  const [one, other] = [engine, small].map((own) => partitionFunctions(own, 3, hits, 1.5).at(y));
  const draws = Float64Array.of(2, 3);
  one.logs.forEach((log, t) => {
    expect(other.logs[t]).toBeCloseTo(log, 12);
  });
  const slopes = other.slopes(draws);
  one.slopes(draws).forEach((slope, q) => {
    expect(slopes[q]).toBeCloseTo(slope, 12);
  });
});
