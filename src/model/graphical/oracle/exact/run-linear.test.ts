import { describe, expect, it } from 'vitest';
import { domainOf } from '../../../../domain/domain-of.js';
import { atOnce } from '../../../../domain/turns.js';
import { createEngine } from '../../../../kernel/engine.js';
import { createTeam } from '../../../../kernel/team.js';
import { seeded } from '../../../../random/seeded.js';
import { uniform } from '../../../../random/uniform.js';
import { junctionTree } from '../../tree/junction-tree.js';
import { planExact } from './exact-plan.js';
import { balance } from './gauge.js';
import { runningLinear } from './run-linear.js';
import { runningLog } from './run-log.js';
import { layOut } from './workbench.js';

/** Neighbouring triples of attributes of size 4 in a chain, run both ways with the same potentials. */
const bothWays = async (attributes: number, potential: (i: number, cell: number) => number) => {
  const domain = domainOf(
    Array.from({ length: attributes }, (_, i) => ({ name: `a${i}`, type: 'integer' as const, min: 1, max: 4 })),
  );
  const sets = Array.from({ length: attributes - 2 }, (_, i) => [i, i + 1, i + 2]);
  const plan = planExact(
    junctionTree(
      domain,
      sets.map((set) => set.map((i) => `a${i}`)),
    ),
    sets,
  );
  const engine = await createEngine();
  const bench = layOut(plan, engine, createTeam(engine, { threads: 1 }));
  const vectors = [0, 1].map(() => engine.arena.f64(64 * sets.length));
  plan.factors.forEach(({ potential: given, table }, i) => {
    given.address = vectors[0].address + 512 * i;
    table.address = vectors[1].address + 512 * i;
    for (let cell = 0; cell < 64; cell++) vectors[0].view[64 * i + cell] = potential(i, cell);
  });
  const linear = atOnce(runningLinear(bench));
  const marginals = vectors[1].view.slice();
  const log = atOnce(runningLog(bench));
  const logMarginals = vectors[1].view.slice();
  const balanced = atOnce(runningLinear(bench, { gauge: balance(bench) }));
  return { linear, marginals, log, logMarginals, balanced, balancedMarginals: vectors[1].view.slice() };
};

describe('linear space', () => {
  it('is trusted along a chain of hundreds of cliques and agrees with log space to 1e-10', async () => {
    const random = seeded(1);
    const { linear, marginals, log, logMarginals } = await bothWays(400, () => 6 * uniform(random) - 3);
    expect(Math.abs(linear / log - 1)).toBeLessThan(1e-12);
    const worst = marginals.reduce((most, value, i) => Math.max(most, Math.abs(value - logMarginals[i])), 0);
    expect(worst).toBeLessThan(1e-10);
  });

  it('is trusted with structural zeros', async () => {
    const random = seeded(2);
    const { linear, log } = await bothWays(20, () =>
      uniform(random) < 0.2 ? Number.NEGATIVE_INFINITY : uniform(random),
    );
    expect(Math.abs(linear / log - 1)).toBeLessThan(1e-12);
  });

  it('is not trusted where all that is likely would underflow', async () => {
    // Each factor has its peak, 0, where a neighbour has -800: what is likely in each is lost in the product.
    const { linear, log } = await bothWays(6, (i, cell) => ((cell === 0) === (i % 2 === 0) ? 0 : -800));
    expect(linear).toBeNaN();
    expect(Number.isFinite(log)).toBe(true);
  });

  it('is trusted again once factors that cancel each other are balanced, and agrees with log space to 1e-10', async () => {
    const random = seeded(3);
    // What one factor has for the values of an attribute, the next one has not: as fits make them.
    const swings = Array.from({ length: 10 }, () => Array.from({ length: 4 }, () => 2000 * uniform(random)));
    const outcome = await bothWays(
      10,
      (i, cell) => swings[i + 2][cell & 3] - swings[i + 1][(cell >> 2) & 3] + 2 * uniform(random),
    );
    expect(outcome.linear).toBeNaN();
    expect(Math.abs(outcome.balanced - outcome.log)).toBeLessThan(1e-9 * Math.abs(outcome.log));
    const worst = outcome.balancedMarginals.reduce(
      (most, value, i) => Math.max(most, Math.abs(value - outcome.logMarginals[i])),
      0,
    );
    expect(worst).toBeLessThan(1e-10);
  });

  it('balances past structural zeros', async () => {
    const random = seeded(4);
    const swing = Array.from({ length: 12 }, () => 3000 * uniform(random));
    const outcome = await bothWays(12, (i, cell) => {
      if (uniform(random) < 0.1) return Number.NEGATIVE_INFINITY;
      // The last attribute of a factor is the middle one of the next.
      const [middle, last] = [(cell >> 2) & 3, cell & 3];
      return (last === 1 ? swing[i + 2] : 0) - (middle === 1 ? swing[i + 1] : 0) + uniform(random);
    });
    expect(outcome.linear).toBeNaN();
    expect(Number.isFinite(outcome.balanced)).toBe(true);
    const worst = outcome.balancedMarginals.reduce(
      (most, value, i) => Math.max(most, Math.abs(value - outcome.logMarginals[i])),
      0,
    );
    expect(worst).toBeLessThan(1e-10);
  });
});
