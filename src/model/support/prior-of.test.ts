import { describe, expect, it } from 'vitest';
import { openCells } from '../../domain/attribute/cells.js';
import { domainOf } from '../../domain/domain-of.js';
import type { Table } from '../../domain/table.js';
import { estimateReweighted } from '../../estimate/reweight/reweight.js';
import type { Measurement } from '../../privacy/measurement.js';
import { marginal } from '../../query/marginal.js';
import { normal } from '../../random/normal.js';
import { seeded } from '../../random/seeded.js';
import { uniformInteger } from '../../random/uniform.js';
import { openedSupport, priorOf } from './prior-of.js';
import { redrawSupport } from './redraw-weights.js';
import { supportOf } from './support.js';
import { supportModel } from './support-model.js';

const domain = domainOf([
  { name: 'year', type: 'integer', min: 2014, max: 2018, open: 'both' },
  { name: 'size', type: 'integer', min: 1, max: 4, open: 'above' },
  { name: 'kind', type: 'category', values: ['a', 'b', 'c'] },
]);

/** Rows whose size leans on their kind; `later` of them lie beyond the last year. */
const tableOf = (rows: number, later: number, seed: number): Table => {
  const random = seeded(seed);
  const columns = [new Uint8Array(rows), new Uint8Array(rows), new Uint8Array(rows)];
  for (let row = 0; row < rows; row++) {
    columns[0][row] = row < later ? 6 : 1 + uniformInteger(random, 5);
    columns[2][row] = uniformInteger(random, 3);
    columns[1][row] = (columns[2][row] + uniformInteger(random, 2)) % 4;
  }
  return { domain, length: rows, columns };
};
const publicTable = tableOf(1000, 0, 1);

describe('a public table as a prior', () => {
  const prior = priorOf(publicTable);
  const model = supportModel(prior, 1);

  it('has rows beyond every open end, and every two of them, that weigh a twentieth of a record an end', () => {
    const year = model.marginal(['year']);
    const each = 0.05 / 1000;
    // Copies of other ends lie beyond this one too, one in eight of them.
    for (const cell of [0, 6]) {
      expect(year[cell]).toBeGreaterThan(0.9 * each);
      expect(year[cell]).toBeLessThan(1.2 * each);
    }
    expect(model.marginal(['size'])[4]).toBeGreaterThan(0.9 * each);
    expect(model.marginal(['year', 'size'])[6 * 5 + 4]).toBeGreaterThan(0);
    expect(prior.weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12);
  });

  it('is the public table elsewhere, and as it is where no end is open', () => {
    const plain = supportModel(supportOf(publicTable), 1).marginal(['size', 'kind']);
    model.marginal(['size', 'kind']).forEach((share, cell) => {
      if (plain[cell] > 0) expect(Math.abs(share / plain[cell] - 1)).toBeLessThan(0.01);
    });
    const closed = domainOf([{ name: 'kind', type: 'category', values: ['a', 'b', 'c'] }]);
    const support = supportOf({ domain: closed, length: 1000, columns: [publicTable.columns[2]] });
    expect(openedSupport(support)).toBe(support);
  });

  it('is drawn again as a sample of as many public records, not of as many as its lightest rows would make', () => {
    const random = seeded(3);
    const drawn = Array.from({ length: 60 }, () => supportModel(redrawSupport(prior, random), 1).marginal(['kind'])[0]);
    const mean = drawn.reduce((sum, share) => sum + share, 0) / drawn.length;
    const variance = drawn.reduce((sum, share) => sum + (share - mean) ** 2, 0) / drawn.length;
    // p (1 - p) / n, within the spread of 60 draws: a chi-square of 60 leaves [0.35, 2.1] less than once in a million.
    const expected = (mean * (1 - mean)) / 1000;
    expect(variance / expected).toBeGreaterThan(0.35);
    expect(variance / expected).toBeLessThan(2.1);
  });
});

it('validated reweighting finds the half of the records that lies beyond the last public year, and nothing where nothing does', async () => {
  const queries = [marginal('year', 'kind'), marginal('size', 'kind'), marginal('year', 'size')];
  const fitted = async (later: number) => {
    const truth = supportModel(supportOf(tableOf(8000, later, 5)), 8000);
    const random = seeded(7);
    const measurements = queries.map(
      (query): Measurement => ({
        query,
        values: truth.answer(query).map((count) => count + 10 * normal(random)),
        noise: { kind: 'gaussian', scale: 10 },
      }),
    );
    const { support } = await estimateReweighted(priorOf(publicTable), measurements, { random });
    return { found: supportModel(support, 1).marginal(['year', 'kind']), truth: truth.marginal(['year', 'kind']) };
  };
  const half = await fitted(4000);
  const distance = half.found.reduce((sum, share, cell) => sum + Math.abs(share - half.truth[cell] / 8000), 0) / 2;
  expect(distance).toBeLessThan(0.02);
  const [, open] = openCells(domain.attributes[0].spec);
  const share = [0, 1, 2].reduce((sum, kind) => sum + half.found[3 * open + kind], 0);
  expect(share).toBeCloseTo(0.5, 1);
  const none = await fitted(0);
  expect([0, 1, 2].reduce((sum, kind) => sum + none.found[3 * open + kind], 0)).toBeLessThan(0.005);
});
