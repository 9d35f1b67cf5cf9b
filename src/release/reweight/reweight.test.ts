import { describe, expect, it } from 'vitest';
import { plainDomain, plainSource, plainTable, type Row } from '../../../test/support/plain-source.js';
import { recording, replaying } from '../../../test/support/replay.js';
import { type Support, supportOf } from '../../model/support/support.js';
import { type SupportModel, supportModel } from '../../model/support/support-model.js';
import { type BudgetRequest, budgetOf } from '../../privacy/accounting/budget.js';
import { seededEntropy } from '../../privacy/entropy.js';
import { memoryLedger } from '../../privacy/ledger/memory-ledger.js';
import { exactPrimitives, type Primitives } from '../../privacy/primitives.js';
import { openSession, sessionOn } from '../../privacy/session/open-session.js';
import { seeded } from '../../random/seeded.js';
import { uniform, uniformInteger } from '../../random/uniform.js';
import type { Released } from '../released.js';
import { type ReweightOptions, reweight } from './reweight.js';
import { widthFor } from './width.js';

const domain = plainDomain([4, 5, 4, 3, 5]);

/** Attributes in a chain. */
const rowsOf = (count: number, seed: number): Row[] => {
  const random = seeded(seed);
  return Array.from({ length: count }, () => {
    let last = uniformInteger(random, 4);
    return domain.attributes.map(({ size }) => {
      last = uniform(random) < 0.5 ? last % size : uniformInteger(random, size);
      return last;
    });
  });
};
const truth = rowsOf(5000, 1);
const table = plainTable(domain, rowsOf(250, 2));
const prior = supportOf(table);

const release = async (options: Pick<ReweightOptions, 'widening'>): Promise<Released & { model: SupportModel }> => {
  const source = plainSource(domain, truth);
  const budget = { epsilon: 3, delta: 1e-6 };
  const ledger = await memoryLedger(budgetOf(budget), source.dataset);
  const session = openSession({ source, budget, ledger, entropy: seededEntropy(3) });
  const released = await reweight(session, prior, { random: seeded(4), threads: 1, ...options });
  return released as Released & { model: SupportModel };
};

const errorOf = ({ model }: Released): number => {
  const exact = supportModel(supportOf(plainTable(domain, truth)), 1);
  const triples = [
    ['a', 'b', 'c'],
    ['b', 'c', 'd'],
    ['a', 'c', 'e'],
    ['c', 'd', 'e'],
  ];
  return triples.reduce((sum, triple) => {
    const right = exact.marginal(triple);
    return sum + model.marginal(triple).reduce((all, x, i) => all + Math.abs(x / model.total - right[i]), 0) / 8;
  }, 0);
};

const textOf = ({ columns }: Support, row: number): string => columns.map((column) => column[row]).join();

describe('reweight on a widened support', () => {
  it('says what few public rows cannot, from the same measurements, and the same again', async () => {
    const narrow = await release({ widening: { lambda: 0 } });
    const wide = await release({});
    const { length } = prior;
    expect(narrow.model.support.length).toBe(length);
    expect(narrow.notes).not.toHaveProperty('widening');
    expect(wide.measurements).toEqual(narrow.measurements);
    expect(wide.model.support.length).toBeGreaterThan(2 * length);
    for (const row of [0, 17, length - 1]) expect(textOf(wide.model.support, row)).toBe(textOf(prior, row));
    // 0.04 and 0.19: a chain is what a model of pairs holds.
    expect(errorOf(wide)).toBeLessThan(0.5 * errorOf(narrow));
    const again = await release({});
    expect(again.model.support).toEqual(wide.model.support);
    expect(again.notes).toEqual(wide.notes);
  });

  it('sees the private table through its acts only: on a neighbour with the same outputs everything is the same', async () => {
    const few = truth.slice(0, 300);
    const run = async (primitives: Primitives, rows: readonly Row[], budget: BudgetRequest): Promise<Released> => {
      const source = plainSource(domain, rows);
      const ledger = await memoryLedger(budgetOf(budget), source.dataset);
      const session = sessionOn({ source, budget, ledger }, primitives, true);
      return reweight(session, prior, { random: seeded(4), threads: 1, widening: { lambda: 0 } });
    };
    for (const [budget, triples] of [
      [{ epsilon: 2 }, 0],
      [{ epsilon: 1, delta: 1e-6 }, 0],
      [{ epsilon: 30, delta: 1e-6 }, 10],
    ] as const) {
      const { primitives, outputs } = recording(exactPrimitives(seededEntropy(3)));
      const released = await run(primitives, few, budget);
      expect(released.notes.measured).toMatchObject({ triples });
      for (const neighbour of [few.slice(1), [...few, [1, 1, 1, 1, 1]]]) {
        const again = await run(replaying(outputs), neighbour, budget);
        expect(again.notes).toEqual(released.notes);
        expect(again.measurements).toEqual(released.measurements);
        expect((again.model as SupportModel).support.weights).toEqual((released.model as SupportModel).support.weights);
      }
    }
  });

  it('is fitted anew on the same rows, from other public weights where it is asked to', async () => {
    const { model, measurements, refit } = await release({ widening: { lambda: 0.5, draws: 500 } });
    const same = (await refit!(measurements)) as SupportModel;
    for (const pair of [
      ['a', 'b'],
      ['c', 'e'],
    ]) {
      const found = same.marginal(pair);
      model.marginal(pair).forEach((count, cell) => {
        expect(Math.abs(found[cell] - count)).toBeLessThan(1e-4 * model.total);
      });
    }
    const other = (await refit!(measurements, seeded(9))) as SupportModel;
    expect(other.support.length).toBe(same.support.length);
    expect(other.support.weights).not.toEqual(same.support.weights);
  });

  it('draws no more rows than memory and time allow, and refuses a wrong setting before anything is spent', () => {
    const settings = { maxCells: 20_000, lambda: 'auto', draws: 30_000 };
    expect(widthFor({ domain }, prior, settings).widening).toEqual({ lambda: undefined, draws: 30_000 });
    const wide = plainDomain(Array.from({ length: 80 }, () => 2));
    const few = supportOf(plainTable(wide, [Array.from({ length: 80 }, () => 1)]));
    expect(widthFor({ domain: wide }, few, settings).widening.draws).toBe(Math.floor(48e6 / (3160 + 80)));
    const full = { ...prior, length: 60_000_000 };
    expect(widthFor({ domain }, full, settings).widening).toEqual({ lambda: 0, draws: 0 });
    expect(() => widthFor({ domain }, prior, { ...settings, lambda: '2' })).toThrow(/^lambda: must be auto/);
  });
});
