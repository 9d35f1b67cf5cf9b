import { expect, it } from 'vitest';
import { seeded } from '../../random/seeded.js';
import { uniform, uniformInteger } from '../../random/uniform.js';
import { createEngine } from '../engine.js';
import type { Kernels } from '../kernels.js';
import { twin } from './twin.js';

it.each([false, true])('weights go through rounds as in the twin, shared memory %s', async (shared) => {
  const { kernels, arena, memory } = await createEngine({ shared });
  const random = seeded(11);
  for (const [size, rounds, less = 0.2] of [
    [1, 1],
    [2, 9],
    // Whose weights are far apart: nothing may cancel.
    [2, 4, 1e-12],
    [3, 40],
    [6, 0],
    [31, 17],
    [64, 5],
    [509, 60],
  ]) {
    const mark = arena.mark();
    const lists = Array.from({ length: rounds }, () =>
      Array.from({ length: uniformInteger(random, 6) }, () => uniformInteger(random, size)),
    );
    const [starts, hits] = [arena.u32(rounds + 1), arena.u32(lists.flat().length)];
    hits.view.set(lists.flat());
    starts.view.set([0, ...lists.map((_, round) => lists.slice(0, round + 1).flat().length)]);
    const growths = Array.from({ length: size }, () => Math.exp(uniform(random)));
    const [growth, scratch, sums, factors, slopes] = [2 * size, 2 * size, rounds, rounds, size].map(arena.f64);
    // What lies behind the last answer must stay as it is.
    const guard = arena.f64(2);
    const run = (own: Kernels) => {
      growth.view.set([...growths, ...growths.map((factor) => 1 / factor)]);
      sums.view.fill(0.5);
      factors.view.set(factors.view.map((_, round) => 1 / (round + 1)));
      slopes.view.fill(-0.25);
      guard.view.fill(7);
      const common = [starts.address, hits.address, rounds, less, growth.address, size, scratch.address] as const;
      own.roundSums(...common, sums.address);
      own.roundSlopes(...common, factors.address, slopes.address);
      expect([...guard.view]).toEqual([7, 7]);
      return { sums: [...sums.view], slopes: [...slopes.view] };
    };
    const [ours, theirs] = [run(kernels), run(twin(memory))];
    // The kernel takes two rounds at once, so its sums are in another order.
    const most = Math.max(1, ...theirs.slopes.map(Math.abs));
    ours.slopes.forEach((slope, answer) => {
      expect(Math.abs(slope - theirs.slopes[answer])).toBeLessThan(8 * rounds * 2 ** -53 * most + 1e-300);
    });
    ours.sums.forEach((sum, round) => {
      expect(Math.abs(sum / theirs.sums[round] - 1)).toBeLessThan(4 * (rounds + size) * 2 ** -53);
    });
    arena.release(mark);
  }
});
