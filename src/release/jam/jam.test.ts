import { describe, expect, it } from 'vitest';
import { plainDomain, plainSource, plainTable, type Row } from '../../../test/support/plain-source.js';
import { noiseless, recording, replaying } from '../../../test/support/replay.js';
import type { Progress } from '../../domain/running.js';
import { supportOf } from '../../model/support/support.js';
import { supportModel } from '../../model/support/support-model.js';
import { type BudgetRequest, budgetOf } from '../../privacy/accounting/budget.js';
import { seededEntropy } from '../../privacy/entropy.js';
import { memoryLedger } from '../../privacy/ledger/memory-ledger.js';
import { exactPrimitives, type Primitives } from '../../privacy/primitives.js';
import { sessionOn } from '../../privacy/session/open-session.js';
import { planningDoor } from '../../privacy/session/planning-door.js';
import type { Relation } from '../../query/relation.js';
import { allMarginals } from '../../query/workload/all-marginals.js';
import { seeded } from '../../random/seeded.js';
import { uniform, uniformInteger } from '../../random/uniform.js';
import { jamEntry } from './entry.js';
import { jam } from './jam.js';
import { publicAnswers } from './public-answers.js';

const domain = plainDomain([3, 3, 2, 4]);
const workload = allMarginals(domain, 2);
/** b copies a nine times in ten; d copies a as often as is said. */
const rowsOf = (count: number, seed: number, copies: number): Row[] => {
  const random = seeded(seed);
  const copy = (value: number, size: number, often: number) =>
    uniform(random) < often ? value % size : uniformInteger(random, size);
  return Array.from({ length: count }, () => {
    const a = uniformInteger(random, 3);
    return [a, copy(a, 3, 0.9), uniformInteger(random, 2), copy(a, 4, copies)];
  });
};
const rows = rowsOf(3000, 1, 0.8);
/** Like the private table but for d. */
const publicRows = supportOf(plainTable(domain, rowsOf(1500, 2, 0.1)));

const open = async (
  primitives: Primitives,
  { budget = { epsilon: 2 }, relation = 'add-remove' }: { budget?: BudgetRequest; relation?: Relation } = {},
  table = rows,
) => {
  const ledger = await memoryLedger(budgetOf(budget), 'plain', { relation });
  return sessionOn({ source: plainSource(domain, table), budget, relation, ledger }, primitives, true);
};
const exact = (seed: number): Primitives => exactPrimitives(seededEntropy(seed));

/** Mean total variation of all pairs of attributes from the truth. */
const errorOf = (marginal: (attributes: readonly string[]) => Float64Array): number => {
  const truth = supportModel(supportOf(plainTable(domain, rows)), rows.length);
  const pairs = [...'abcd'].flatMap((a, i) => [...'abcd'].slice(i + 1).map((b) => [a, b]));
  const errors = pairs.map((pair) => {
    const told = marginal(pair);
    return truth.marginal(pair).reduce((sum, value, i) => sum + Math.abs(value - told[i]), 0) / 2 / rows.length;
  });
  return errors.reduce((sum, error) => sum + error, 0) / pairs.length;
};

const cases = [
  { budget: { epsilon: 2 }, relation: 'add-remove' },
  { budget: { epsilon: 1, delta: 1e-6 }, relation: 'add-remove' },
  { budget: { epsilon: 1, delta: 1e-6 }, relation: 'replace-one' },
] as const;

describe('jam', () => {
  it.each(cases)('spends its budget and no more, and answers pairs, under $relation with $budget', async (setting) => {
    const session = await open(exact(1), setting);
    const { model, measurements, refit } = await jam(session, { publicRows, workload, random: seeded(1) });
    expect(session.remaining).toBeLessThan(1e-6);
    // The public table as it is would be 0.12 off on average.
    expect(errorOf((attributes) => model.marginal(attributes))).toBeLessThan(0.06);
    const again = await refit!(measurements, seeded(2));
    expect(errorOf((attributes) => again.marginal(attributes))).toBeLessThan(0.06);
  });

  it('takes from the public table what is alike, and measures what is not', async () => {
    const session = await open(exact(3), { budget: { epsilon: 0.2, delta: 1e-6 } });
    const { notes } = await jam(session, { publicRows, workload, random: seeded(1) });
    const names = (list: unknown) => (list as string[][]).map((attributes) => attributes.join(''));
    expect(names(notes.public)).toContain('ab');
    expect(names(notes.public)).not.toContain('ad');
    expect(names(notes.selected)).toContain('ad');
  });

  it('chooses, without noise, what brings the model nearest: a public marginal that is exact comes before any measurement of it', async () => {
    const same = supportOf(plainTable(domain, rows));
    const session = await open(noiseless, { budget: { epsilon: 1, delta: 1e-6 } });
    const { notes, model } = await jam(session, { publicRows: same, workload, random: seeded(1) });
    // All pairs come from the public table, the worst answered first; the last round measures.
    expect((notes.public as string[][]).length).toBe((notes.rounds as number) - (notes.selected as string[][]).length);
    const truth = supportModel(same, rows.length);
    const fromUniform = (pair: readonly string[]): number =>
      truth.marginal(pair).reduce((sum, value, _, { length }) => sum + Math.abs(value - rows.length / length), 0);
    const pairs = [...'abcd'].flatMap((a, i) => [...'abcd'].slice(i + 1).map((b) => [a, b]));
    expect((notes.public as string[][])[0]).toEqual(pairs.reduce((a, b) => (fromUniform(b) > fromUniform(a) ? b : a)));
    expect(errorOf((attributes) => model.marginal(attributes))).toBeLessThan(0.02);
  });

  it('plans what it does: the noise of the number of records and of the first round', async () => {
    for (const { budget, relation } of cases) {
      const door = planningDoor({ domain, budget: budgetOf(budget), relation });
      const { steps } = jamEntry.plan({ ...door, prior: publicRows, workload }, jamEntry.defaults);
      const session = await open(exact(1), { budget, relation });
      const { measurements } = await jam(session, { publicRows, workload, random: seeded(1) });
      expect(steps[0].noise).toEqual(measurements[0].noise);
      // Noise only comes down.
      expect(steps[2].noise!.scale).toBeGreaterThanOrEqual(measurements[1].noise.scale * 0.999);
      expect(jamEntry.fits({ ...door, prior: publicRows }, jamEntry.defaults).able).toBe(true);
      expect(jamEntry.fits(door, jamEntry.defaults).able).toBe(false);
    }
  });

  it('leaves a share unspent when told, says how far it is, and refuses what could not work before it spends', async () => {
    const session = await open(exact(2));
    const heard: Progress[] = [];
    const told = { publicRows, workload, random: seeded(1) };
    await jam(session, { ...told, share: 0.5, onProgress: (event) => heard.push(event) });
    expect(session.remaining).toBeCloseTo(0.5, 6);
    expect(heard.some(({ stage, done }) => stage === 'rounds' && done > 0)).toBe(true);
    const other = await open(noiseless);
    await expect(jam(other, { ...told, rounds: 0 })).rejects.toThrow(/rounds: must be a positive whole number, got 0/);
    await expect(jam(other, { ...told, modelBytes: 1e13 })).rejects.toThrow(/jam: the model's tables must fit/);
    expect(other.remaining).toBe(1);
  });

  it('leaves nothing that depends on the table except through the primitives', async () => {
    const { primitives, outputs } = recording(exact(5));
    const run = async (own: Primitives, table: Row[]): Promise<string> => {
      const released = await jam(await open(own, {}, table), { publicRows, workload, random: seeded(1) });
      return JSON.stringify([released.notes, released.measurements, Array.from(released.model.marginal(['a', 'b']))]);
    };
    const first = await run(primitives, rows);
    expect(await run(replaying(outputs), rows.slice(1))).toBe(first);
    expect(await run(replaying(outputs), [...rows, [1, 1, 1, 1]])).toBe(first);
  });

  it('knows the public marginals as parts of one, however the rows are weighted', () => {
    const answers = publicAnswers({ ...publicRows, weights: publicRows.weights.map((weight) => 7 * weight) });
    const expected = supportModel(publicRows, 1).marginal(['b', 'a']);
    answers(['b', 'a']).forEach((part, cell) => {
      expect(part).toBeCloseTo(expected[cell], 12);
    });
    expect(answers(['b', 'a'])).toBe(answers(['b', 'a']));
  });
});
