import { describe, expect, it } from 'vitest';
import { domainOf } from '../domain/domain-of.js';
import type { Measurement } from '../privacy/measurement.js';
import { marginal } from '../query/marginal.js';
import { mechanisms } from '../release/registry.js';
import { boundsWords, releaseBoundsWords } from './bounds-words.js';
import { coverageFound } from './coverage-found.js';

const release = { mechanism: 'aim', fromPublic: false, replicates: 8 };

describe('words about bounds', () => {
  it('give the figures of the mechanism, rounded down, and those with a public table where it has its own', () => {
    const { measured, unmeasured, derived, least } = coverageFound.aim.clear!;
    const words = boundsWords(release);
    const found = [measured, unmeasured, derived, least];
    for (const share of found.flatMap(({ all, large }) => [all, large]))
      expect(words).toContain(`${Math.floor(100 * share)}%`);
    expect(words).toMatch(
      /of counts that were measured, for .* of counts that were not, for .* of shares and averages; of counts on the worst/,
    );
    const prior = boundsWords({ ...release, fromPublic: true });
    expect(prior).toContain('aim with a public table held');
    expect(prior).not.toBe(words);
  });

  it('say that nothing was tried, or that there are no replicates, instead of promising', () => {
    expect(boundsWords({ ...release, replicates: 0 })).toMatch(/noise alone.*no replicates/);
    expect(boundsWords({ ...release, refitted: true })).toMatch(/not tried for models that another estimator made/);
    expect(boundsWords({ ...release, mechanism: 'gem' })).toMatch(/not tried for gem/);
  });

  it('quote a mechanism only where trials of it were kept, and say of any other that there were none', () => {
    for (const { name } of mechanisms) {
      const words = boundsWords({ ...release, mechanism: name });
      const { clear, drowned } = coverageFound[name] ?? {};
      if (clear === undefined) expect(words).toContain(`not tried for ${name}`);
      else expect(words).toContain(`${clear.trials} trial`);
      const little = boundsWords({ ...release, mechanism: name, drowned: true });
      expect(little).toMatch(/^The noise drowns most of what was measured here: /);
      if (drowned === undefined) expect(little).toContain(`not tried for ${name} where it does`);
      else expect(little).toMatch(new RegExp(`${drowned.trials} trials? of such releases`));
    }
  });

  it('tell by noise and the noisy number of records alone whether most of what was measured is drowned', () => {
    const domain = domainOf([{ type: 'integer', name: 'a', min: 0, max: 9 }]);
    const measured = (scale: number): Measurement => ({
      query: marginal('a'),
      values: new Float64Array(10),
      noise: { kind: 'laplace', scale },
    });
    const opened = { manifest: { mechanism: { name: 'aim' } }, model: { domain, total: 1000 } };
    // Noise of b is off by b on average: 10 cells misplace 5 b records.
    for (const [scale, drowned] of [
      [99, false],
      [101, true],
    ] as const)
      expect(releaseBoundsWords({ ...opened, measurements: [measured(scale)] }).startsWith('The noise drowns')).toBe(
        drowned,
      );
    const half = [measured(99), measured(101)];
    expect(releaseBoundsWords({ ...opened, measurements: half })).not.toContain('drowns');
    expect(releaseBoundsWords({ ...opened, measurements: [...half, measured(500)] })).toContain('drowns');
  });
});
