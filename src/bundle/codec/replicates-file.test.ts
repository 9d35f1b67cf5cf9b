import { describe, expect, it } from 'vitest';
import { domain, prior, smallRelease } from '../../../test/support/small-release.js';
import { InputError } from '../../domain/input-error.js';
import { groupedModel } from '../../model/grouped-model.js';
import type { Model } from '../../model/model.js';
import { redraw } from '../../model/redraw.js';
import type { Replicates } from '../../model/replicates.js';
import { reweighted } from '../../model/support/support.js';
import { supportModel } from '../../model/support/support-model.js';
import { marginal } from '../../query/marginal.js';
import { seeded } from '../../random/seeded.js';
import { uniform } from '../../random/uniform.js';
import { type ContainerArray, readContainer, writeContainer } from './binary-container.js';
import { readReplicates, writeReplicates } from './replicates-file.js';

const model = supportModel(prior, 500);
const random = seeded(3);
const moved = (): Model =>
  supportModel(
    reweighted(
      prior,
      prior.weights.map((weight) => weight * (0.5 + uniform(random))),
    ),
    500 + uniform(random),
  );
const replicatesOf = (of: Model, models: readonly Model[]): Replicates => ({
  models,
  seed: 77,
  truths: models.map((_, k) => redraw(of, seeded(77 + k), 3)),
  clump: 3,
  inflation: 1.25,
});

describe('the file of replicates', () => {
  it('gives them back to seven digits, and the drawn tables exactly, without repeating the rows', () => {
    const replicates = replicatesOf(model, [moved(), moved(), model]);
    const bytes = writeReplicates(model, replicates);
    expect(Object.keys(readContainer(bytes, 'r').arrays)).toEqual(['0 weights', '1 weights']);
    const again = readReplicates(bytes, model, 'r');
    expect(again).toMatchObject({ seed: 77, clump: 3, inflation: 1.25 });
    const query = marginal('a', 'b');
    again.models.forEach((replicate, k) => {
      expect(replicate.total).toBe(replicates.models[k].total);
      const right = replicates.models[k].answer(query);
      replicate.answer(query).forEach((answer, i) => {
        expect(Math.abs(answer - right[i])).toBeLessThan(1e-6 * 500);
      });
      expect(again.truths[k].answer(query)).toEqual(replicates.truths[k].answer(query));
    });
  });

  it('keeps groups, whose totals stay whole', () => {
    const inside = { attributes: [domain.attributes[0], domain.attributes[2]] };
    const shared = { domain: inside, length: 2, columns: [Uint8Array.of(0, 2), Uint16Array.of(299, 0)] };
    const groups = (total: number) =>
      groupedModel(domain, ['b'], shared, [{ key: [1], total, rows: Uint32Array.of(0, 1, 1) }]);
    const base = groups(30_000_001);
    const replicates = {
      models: [groups(30_000_003), groups(29_999_999)],
      truths: [],
      seed: 0,
      clump: 1,
      inflation: 1,
    };
    const again = readReplicates(writeReplicates(base, replicates), base, 'r');
    expect(again.models.map(({ total }) => total)).toEqual([30_000_003, 29_999_999]);
  });

  it('is refused when it does not fit', () => {
    const bytes = writeReplicates(model, replicatesOf(model, [moved(), moved()]));
    const { kind, meta, arrays } = readContainer(bytes, 'r');
    const weights = arrays['0 weights'] as Float32Array;
    const lies: {
      meta?: object | undefined;
      arrays?: Record<string, ContainerArray> | undefined;
      kind?: string | undefined;
    }[] = [
      { kind: 'support' },
      { meta: { ...meta, inflation: 0.5 } },
      { meta: { ...meta, clump: 0.5 } },
      { meta: { ...meta, seed: -1 } },
      { meta: { ...meta, models: [{ total: 5 }] } },
      { meta: { ...meta, models: [null, { total: 5 }] } },
      { arrays: { ...arrays, '2 weights': weights } },
      { arrays: { ...arrays, '0 weights': weights.map((weight) => 2 * weight) } },
      { arrays: { ...arrays, '0 other': weights } },
    ];
    for (const lie of lies)
      expect(
        () =>
          readReplicates(
            writeContainer({ kind, meta, arrays, ...lie } as Parameters<typeof writeContainer>[0]),
            model,
            'r.bin',
          ),
        JSON.stringify(Object.keys(lie)),
      ).toThrow(InputError);
  });

  it('is not written for models of another kind', () => {
    const nameless: Model = { ...model, kind: 'strange' } as Model;
    expect(() => writeReplicates(model, replicatesOf(model, [nameless, nameless]))).toThrow(InputError);
  });

  it('does not disturb a release that has none', async () => {
    const { files } = await smallRelease();
    expect(Object.keys(files)).not.toContain('replicates.bin');
  });
});
