import { describe, expect, it } from 'vitest';
import { plainDomain } from '../../../test/support/plain-source.js';
import { supportOf } from '../../model/support/support.js';
import type { Measurement } from '../../privacy/measurement.js';
import { marginal } from '../../query/marginal.js';
import { normal } from '../../random/normal.js';
import { seeded } from '../../random/seeded.js';
import { uniformInteger } from '../../random/uniform.js';
import type { FitApart } from './apart.js';
import { carryOut } from './carry-out.js';
import { estimateGraphical, type GraphicalOptions } from './estimate.js';
import { graphicalPrior } from './prior/prior.js';

const domain = plainDomain([3, 4, 9, 2]);
const random = seeded(4);
const measured = (...names: string[]): Measurement => {
  const cells = names.reduce((all, name) => all * domain.attributes.find((each) => each.name === name)!.size, 1);
  const values = Float64Array.from({ length: cells }, () => 1000 / cells + 20 * normal(random));
  return { query: marginal(...names), values, noise: { kind: 'gaussian', scale: 20 } };
};
const measurements = [measured('a', 'b'), measured('b', 'c'), measured('a', 'c'), measured('d')];
const rows = 300;
const publicTable = {
  domain,
  length: rows,
  columns: domain.attributes.map(({ size }) => Uint8Array.from({ length: rows }, () => uniformInteger(random, size))),
};

/** As another thread would: nothing but plain data goes there and comes back. */
const elsewhere: FitApart = async (job, running) =>
  structuredClone(await carryOut(structuredClone(job), { signal: running.signal }));

describe('a fit elsewhere', () => {
  const ways: Record<string, GraphicalOptions> = {
    'to a residual, with even steps': { until: { chi: 0.9 }, even: true, total: 1000 },
    'with steps that neighbours share': { until: { chi: 0.9 }, even: true, sharing: new Map([['c', 1]]) },
    'to convergence, with tables of the oracle': { until: 'converged', quick: true },
    'from a prior': { until: { chi: 0.9 }, prior: graphicalPrior(domain, supportOf(publicTable)), priorCells: 1e4 },
    'of absolute residuals': { until: 'converged', loss: 'l1', iterations: 50 },
  };
  it.each(Object.entries(ways))('is the fit here, to the bit: %s', async (_, options) => {
    const here = await estimateGraphical(domain, measurements, { ...options, threads: 1 });
    const there = await estimateGraphical(domain, measurements, { ...options, apart: elsewhere });
    expect(there.model.factors).toEqual(here.model.factors);
    expect(there.model.beliefs()).toEqual(here.model.beliefs());
    expect(there.chosen).toEqual(here.chosen);
    expect(there.model.marginal(['a', 'd'])).toEqual(here.model.marginal(['a', 'd']));
  });

  it('goes on from potentials that it is given', async () => {
    const start = (await estimateGraphical(domain, measurements, { until: 'converged' })).model;
    const { trace } = await estimateGraphical(domain, measurements, { until: 'converged', start, apart: elsewhere });
    expect(trace.length).toBeLessThan(40);
    expect(trace[0].divergence).toBeCloseTo(0, 9);
  });

  it('is refused where it is no plain data: stopped by validation, or of a loss of its own', async () => {
    for (const options of [{}, { until: 'validated' as const }])
      await expect(estimateGraphical(domain, measurements, { ...options, apart: elsewhere })).rejects.toThrow(
        /a fit elsewhere must converge/,
      );
  });

  it('ends with its signal', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(
      estimateGraphical(domain, measurements, { until: 'converged', apart: elsewhere, signal }),
    ).rejects.toThrow('enough');
  });
});
