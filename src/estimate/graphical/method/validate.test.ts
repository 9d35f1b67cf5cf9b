import { expect, test } from 'vitest';
import { domainOf } from '../../../domain/domain-of.js';
import { supportOf } from '../../../model/support/support.js';
import { supportModel } from '../../../model/support/support-model.js';
import type { Measurement } from '../../../privacy/measurement.js';
import { marginal } from '../../../query/marginal.js';
import { normal } from '../../../random/normal.js';
import { seeded } from '../../../random/seeded.js';
import { uniform, uniformInteger } from '../../../random/uniform.js';
import { estimateGraphical } from '../estimate.js';
import { graphicalPrior } from '../prior/prior.js';

const domain = domainOf([
  { name: 'year', type: 'integer', min: 0, max: 7 },
  { name: 'a', type: 'integer', min: 0, max: 29 },
  { name: 'b', type: 'integer', min: 0, max: 29 },
]);

/** b follows a; a part of the rows is of the last two years. */
const tableOf = (length: number, seed: number, late: number) => {
  const random = seeded(seed);
  const columns = [0, 1, 2].map(() => new Uint8Array(length));
  for (let row = 0; row < length; row++) {
    const a = Math.floor(30 * uniform(random) ** 2);
    const b = uniform(random) < 0.5 ? a : uniformInteger(random, 30);
    const year = uniform(random) < late ? 6 + uniformInteger(random, 2) : uniformInteger(random, 6);
    [year, a, b].forEach((code, column) => {
      columns[column][row] = code;
    });
  }
  return { domain, columns, length };
};

test('a validated fit goes on past a rise of the risk while residuals are more than noise: what a prior holds impossible comes late', async () => {
  const sigma = 10;
  const total = 2000;
  for (const seed of [1, 2]) {
    const truth = supportModel(supportOf(tableOf(total, 20 + seed, 0.3)), total);
    const prior = graphicalPrior(domain, tableOf(4000, 10 + seed, 0), { smoothing: 1e-4 });
    const random = seeded(seed);
    const measurements = [['year'], ['a'], ['b'], ['a', 'b']].map(
      (names): Measurement => ({
        query: marginal(...names),
        values: truth.marginal(names).map((count) => Math.round(count + sigma * normal(random))),
        noise: { kind: 'gaussian', scale: sigma },
      }),
    );
    const { model, chosen } = await estimateGraphical(domain, measurements, { prior, total, random: seeded(3) });
    // Some 970 answers: the records themselves leave 1, three standard deviations are 0.14.
    expect(chosen.chi).toBeLessThan(1.14);
    // 600 rows are of years that no public row has.
    expect(model.marginal(['year'])[6] + model.marginal(['year'])[7]).toBeGreaterThan(500);
  }
});
