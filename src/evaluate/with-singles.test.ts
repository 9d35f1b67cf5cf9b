import { describe, expect, it } from 'vitest';
import { domainOf } from '../domain/domain-of.js';
import { atOnce } from '../domain/turns.js';
import type { Answering, Model } from '../model/model.js';
import type { Replicates } from '../model/replicates.js';
import { supportModel } from '../model/support/support-model.js';
import { marginal } from '../query/marginal.js';
import { factored, prefix, type Query } from '../query/query.js';
import { normal } from '../random/normal.js';
import { seeded } from '../random/seeded.js';
import { uniformSupport } from '../release/mwem/uniform-support.js';
import { boundsOf } from './bounds.js';
import { withSingles } from './with-singles.js';

const domain = domainOf([
  { name: 'a', type: 'integer', min: 0, max: 2 },
  { name: 'b', type: 'boolean' },
  { name: 'c', type: 'integer', min: 0, max: 3 },
]);
const support = uniformSupport(domain);
const drawn = (seed: number): Model => {
  const random = seeded(seed);
  const weights = support.weights.map(() => 1 + normal(random) ** 2);
  const sum = weights.reduce((all, weight) => all + weight, 0);
  return supportModel({ ...support, weights: weights.map((weight) => weight / sum) }, 1000 + seed);
};

/** A list whose models are made whenever one is looked at, and how often that was. */
const madeAnew = (seeds: readonly number[]): { readonly list: Answering[]; readonly looks: () => number } => {
  let looks = 0;
  const list: Answering[] = [];
  for (const [k, seed] of seeds.entries())
    Object.defineProperty(list, k, {
      enumerable: true,
      get: () => {
        looks++;
        return drawn(seed);
      },
    });
  return { list, looks: () => looks };
};

describe('withSingles', () => {
  const singles: Query[] = [marginal('a'), marginal('c'), prefix('c'), factored({ b: { kind: 'set', cells: [1] } })];
  const others: Query[] = [marginal('a', 'b'), marginal(), factored({ a: { kind: 'keep' }, c: { kind: 'mean' } })];
  const [models, truths] = [madeAnew([1, 2, 3]), madeAnew([4, 5, 6])];
  const replicates: Replicates = { models: models.list, truths: truths.list, seed: 1, clump: 1, inflation: 1.2 };
  const source = { model: drawn(7), measurements: [], replicates };
  const asked = atOnce(withSingles(source));

  it('gives the same bounds for every query', () => {
    for (const query of [...singles, ...others]) {
      const [own, theirs] = [boundsOf(asked, query), boundsOf(source, query)];
      for (const part of ['values', 'low', 'high'] as const)
        expect([...own[part]]).toEqual([...theirs[part]].map((value) => expect.closeTo(value, 8)));
    }
  });

  it('looks at no replicate again for what concerns one attribute', () => {
    const before = [models.looks(), truths.looks()];
    for (const query of singles) boundsOf(asked, query);
    expect([models.looks(), truths.looks()]).toEqual(before);
    boundsOf(asked, others[0]);
    expect(models.looks()).toBe(before[0] + 3);
  });

  it('hands out counts that are the caller’s own', () => {
    const [first] = asked.replicates!.models;
    first.marginal(['a']).fill(0);
    expect(first.marginal(['a'])[0]).toBeGreaterThan(0);
  });

  it('leaves a source without replicates as it is', () => {
    const bare = { model: source.model, measurements: [] };
    expect(atOnce(withSingles(bare))).toBe(bare);
  });
});
