import { describe, expect, it } from 'vitest';
import { plainDomain, plainTable } from '../../../test/support/plain-source.js';
import type { Table } from '../../domain/table.js';
import { type Support, supportOf } from '../../model/support/support.js';
import { supportModel } from '../../model/support/support-model.js';
import { trimmed } from '../../model/support/trimmed.js';
import type { Measurement } from '../../privacy/measurement.js';
import { marginal } from '../../query/marginal.js';
import { normal } from '../../random/normal.js';
import { seeded } from '../../random/seeded.js';
import { uniform, uniformInteger } from '../../random/uniform.js';
import { graphicalPrior } from '../graphical/prior/prior.js';
import { cellRows, rowsEach } from './cell-rows.js';
import { chooseWidening } from './choose-widening.js';
import { openWidening } from './open-widening.js';
import { widePrior } from './wide-prior.js';
import { lambdaOf, recordsBehind } from './widening.js';

const domain = plainDomain([3, 4, 3, 2, 4]);
const names = domain.attributes.map(({ name }) => name);
const pairs = names.flatMap((a, i) => names.slice(i + 1).map((b) => marginal(a, b)));

/** A chain of attributes, each near the one before: a tree holds it. */
const chain = (rows: number, seed: number): Table => {
  const random = seeded(seed);
  return plainTable(
    domain,
    Array.from({ length: rows }, () => {
      let last = uniformInteger(random, 3);
      return domain.attributes.map(({ size }) => {
        last = uniform(random) < 0.6 ? last % size : uniformInteger(random, size);
        return last;
      });
    }),
  );
};

/** Rows of two kinds that share all their pairs but not their triples: no model of pairs tells them apart. */
const parity = (rows: number, seed: number): Table => {
  const random = seeded(seed);
  const wide = plainDomain([2, 2, 2, 2, 2, 2]);
  return plainTable(
    wide,
    Array.from({ length: rows }, () => {
      const bits = Array.from({ length: 4 }, () => uniformInteger(random, 2));
      return [...bits, bits[0] ^ bits[1] ^ bits[2], bits[1] ^ bits[2] ^ bits[3]];
    }),
  );
};

const measured = (table: Table, scale: number, seed: number, queries = pairs): Measurement[] => {
  const model = supportModel(supportOf(table), table.length);
  const random = seeded(seed);
  return queries.map((query) => ({
    query,
    values: model.answer(query).map((count) => count + scale * normal(random)),
    noise: { kind: 'gaussian', scale },
  }));
};

const rowsAsTexts = ({ columns, length }: Support | Table): string[] =>
  Array.from({ length }, (_, row) => columns.map((column) => column[row]).join());
const widening = { lambda: 0.5, rows: 2000, cliqueCells: 60, records: 150 };

describe('a widened prior', () => {
  const given = supportOf(chain(150, 1));
  const wide = widePrior(given, widening, seeded(1));

  it('has the public rows first, and the mixture of them and of their model as its marginals', () => {
    const { support } = wide;
    expect(rowsAsTexts(support).slice(0, given.length)).toEqual(rowsAsTexts(given));
    expect(support.length).toBeGreaterThan(given.length);
    expect(new Set(rowsAsTexts(support)).size).toBe(support.length);
    const { model } = graphicalPrior(domain, given, { cliqueCells: 60, cells: 600, records: 150 });
    const [mixed, own] = [supportModel(support, 1), supportModel(given, 1)];
    for (const pair of pairs) {
      const [a, b] = [own.answer(pair), model.answer(pair)];
      // Drawn by rounding: each cell is within a few rows of a thousand.
      mixed.answer(pair).forEach((share, cell) => {
        expect(Math.abs(share - (a[cell] + b[cell]) / 2)).toBeLessThan(0.006);
      });
    }
  });

  it('is the same distribution on rows that lie where a fit went', () => {
    const random = seeded(2);
    const fitted = {
      ...wide.support,
      weights: wide.support.weights.map((w, row) => w * (wide.support.columns[0][row] === 2 ? 20 : 1)),
    };
    const sum = fitted.weights.reduce((all, weight) => all + weight, 0);
    const more = wide.towards({ ...fitted, weights: fitted.weights.map((w) => w / sum) }, 4000, random);
    const held = ({ support }: { readonly support: Support }): number =>
      [...support.columns[0]].filter((code) => code === 2).length;
    expect(held(more)).toBeGreaterThan(held(wide));
    const [before, after] = [supportModel(wide.support, 1), supportModel(more.support, 1)];
    for (const pair of pairs) {
      const other = before.answer(pair);
      after.answer(pair).forEach((share, cell) => {
        expect(Math.abs(share - other[cell])).toBeLessThan(0.012);
      });
    }
  });

  it('is weighted anew, public rows and model, as another sample would weight it', () => {
    const again = wide.again(seeded(3));
    expect(rowsAsTexts(again)).toEqual(rowsAsTexts(wide.support));
    expect(again.weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12);
    const moved = (from: number, to: number): number =>
      again.weights.subarray(from, to).reduce((sum, w, i) => sum + Math.abs(w - wide.support.weights[from + i]), 0);
    expect(moved(0, given.length)).toBeGreaterThan(0.05);
    expect(moved(given.length, again.length)).toBeGreaterThan(0.001);
  });

  it('with lambda 0 is the public support, to the last bit', async () => {
    const none = await openWidening(given, measured(chain(500, 2), 5, 1), { random: seeded(1) });
    expect(none.wide.support).toEqual(given);
    expect(none.notes).toEqual({});
    expect(none.later).toBe(0);
  });
});

describe('cells that measurements hold up', () => {
  it('get rows of their own where no row is in them, and noise alone gets none', () => {
    const never = supportOf(
      plainTable(
        domain,
        rowsOf(chain(3000, 4)).filter((row) => row[0] !== 2),
      ),
    );
    const answers = measured(chain(3000, 5), 5, 6);
    const rows = cellRows(never, answers, seeded(1))!;
    expect(rows.length % rowsEach).toBe(0);
    expect([...rows.columns[0]].every((code) => code === 2)).toBe(true);
    expect(new Set(rows.columns[1]).size).toBeGreaterThan(1);
    const wide = widePrior(never, { ...widening, lambda: 0 }, seeded(1)).withRows(rows, 1e-4);
    const share = supportModel(wide.support, 1).marginal(['a'])[2];
    expect(share).toBeCloseTo((1e-4 * rows.length) / (1 + 1e-4 * rows.length), 12);
    // Noise of 5 records in 124 cells passes 5 sqrt(2 ln 1240) less than once in ten releases, and with this seed it does not.
    const empty = answers.map((one, i) => ({
      ...one,
      values: one.values.map((_, j) => 5 * normal(seeded(100 * i + j))),
    }));
    expect(cellRows(never, empty, seeded(1))).toBeUndefined();
  });
});

const rowsOf = ({ columns, length }: Table): number[][] =>
  Array.from({ length }, (_, row) => columns.map((column) => column[row]));

describe('how far to widen, found on the public rows', () => {
  it('is far where a model of few rows tells more than they do, and not at all where no model of pairs holds them', async () => {
    const truth = chain(20_000, 7);
    const [few, records] = [supportOf(chain(600, 8)), 600];
    const found = await chooseWidening(few, measured(truth, 20, 9), { draws: 4000, records });
    expect(found.lambda).toBeGreaterThan(0.3);
    expect(found.rows).toBeLessThanOrEqual(4000);
    expect(await chooseWidening(few, measured(truth, 20, 9), { draws: 4000, records })).toEqual(found);
    // Of fewer records parts would tell too little.
    const fewest = await chooseWidening(supportOf(chain(400, 8)), measured(truth, 20, 9), {
      draws: 4000,
      records: 400,
    });
    expect(fewest).toEqual({ lambda: 0.9, rows: 4000, cliqueCells: 400, records: 400 });
    const dependent = supportOf(parity(6000, 10));
    const bits = parity(6000, 11);
    const six = bits.domain.attributes.map(({ name }) => name);
    const queries = six.flatMap((a, i) => six.slice(i + 1).map((b) => marginal(a, b)));
    const none = await chooseWidening(dependent, measured(bits, 50, 12, queries), { draws: 4000, records: 6000 });
    expect(none).toMatchObject({ lambda: 0, rows: 0 });
    const every = [0, 1, 2].flatMap((a) =>
      [0, 1, 2, 3].flatMap((b) => [0, 1, 2].flatMap((c) => [0, 1].map((d) => [a, b, c, d]))),
    );
    const all = supportOf(
      plainTable(
        domain,
        every.flatMap((row) => [0, 1, 2, 3].map((e) => [...row, e])),
      ),
    );
    const full = await chooseWidening(all, measured(truth, 20, 9), { draws: 4000, records: 288 });
    expect(full).toMatchObject({ lambda: 0, rows: 0 });
  });

  it('knows the records behind a support, and takes a setting or refuses it', () => {
    expect(recordsBehind(supportOf(chain(500, 1)))).toBe(500);
    expect([lambdaOf('auto'), lambdaOf('0'), lambdaOf('0.5')]).toEqual([undefined, 0, 0.5]);
    for (const wrong of ['1', '-0.1', 'many', ' '])
      expect(() => lambdaOf(wrong)).toThrow(/lambda: must be auto, or a number from 0 to below 1, got/);
  });
});

describe('a trimmed support', () => {
  it('lacks the lightest of the later rows and no more weight than it may', () => {
    const support = supportOf(chain(200, 1));
    const weights = support.weights.map((weight, row) => (row % 3 === 0 ? 1e-9 : weight));
    const sum = weights.reduce((all, weight) => all + weight, 0);
    const light = { ...support, weights: weights.map((weight) => weight / sum) };
    const left = trimmed(light, 30, 1e-6);
    expect(left.length).toBe(support.length - [...weights.keys()].filter((row) => row >= 30 && row % 3 === 0).length);
    expect(rowsAsTexts(left).slice(0, 30)).toEqual(rowsAsTexts(light).slice(0, 30));
    expect(left.weights.reduce((all, weight) => all + weight, 0)).toBeCloseTo(1, 12);
    expect(trimmed(light, support.length, 1e-6)).toBe(light);
  });
});
