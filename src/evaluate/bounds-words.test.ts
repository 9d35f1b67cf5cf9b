import { describe, expect, it } from 'vitest';
import { mechanisms } from '../release/registry.js';
import { boundsWords } from './bounds-words.js';
import { coverageFound } from './coverage-found.js';

const release = { mechanism: 'aim', fromPublic: false, replicates: 8 };

describe('words about bounds', () => {
  it('give the figures of the mechanism, rounded down, and those with a public table where it has its own', () => {
    const { measured, unmeasured, least } = coverageFound.aim;
    const words = boundsWords(release);
    for (const share of [measured.all, measured.large, unmeasured.all, unmeasured.large, least.all, least.large])
      expect(words).toContain(`${Math.floor(100 * share)}%`);
    expect(words).toMatch(/of counts that were measured, and for .* of counts that were not; on the worst/);
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
      if (coverageFound[name] === undefined) expect(words).toContain(`not tried for ${name}`);
      else expect(words).toContain(`${coverageFound[name].trials} trial`);
    }
  });
});
