import { describe, expect, it } from 'vitest';
import { plainDomain, plainSource, type Row } from '../../../test/support/plain-source.js';
import { noiseless, recording, replaying } from '../../../test/support/replay.js';
import { codeColumn } from '../../domain/table.js';
import type { Model } from '../../model/model.js';
import { supportOf } from '../../model/support/support.js';
import { budgetOf } from '../../privacy/accounting/budget.js';
import { seededEntropy } from '../../privacy/entropy.js';
import { memoryLedger } from '../../privacy/ledger/memory-ledger.js';
import { exactPrimitives, type Primitives } from '../../privacy/primitives.js';
import { sessionOn } from '../../privacy/session/open-session.js';
import { planningDoor } from '../../privacy/session/planning-door.js';
import type { Session } from '../../privacy/session/session.js';
import { marginal, total } from '../../query/marginal.js';
import { prefix } from '../../query/query.js';
import type { Relation } from '../../query/relation.js';
import { allMarginals } from '../../query/workload/all-marginals.js';
import { workloadOf } from '../../query/workload/workload.js';
import { seeded } from '../../random/seeded.js';
import { uniformInteger } from '../../random/uniform.js';
import { selectingPart } from '../generator/selecting-part.js';
import { gemEntry } from './entry.js';
import { gem } from './gem.js';
import { gemWork } from './gem-work.js';
import { gemDefaults } from './settings.js';

const sizes = [3, 4, 2, 3];
const domain = plainDomain(sizes);
const names = ['a', 'b', 'c', 'd'];
const workload = allMarginals(domain, 2);
const random = seeded(4);
const rows: Row[] = Array.from({ length: 400 }, () => {
  const first = uniformInteger(random, 3);
  return [first, (first + uniformInteger(random, 2)) % 4, uniformInteger(random, 2), Math.min(2, first)];
});

const sessionWith = async (
  of: readonly Row[],
  primitives: Primitives,
  relation: Relation = 'add-remove',
  budget: { epsilon: number; delta?: number } = { epsilon: 2, delta: 1e-6 },
): Promise<Session> =>
  sessionOn(
    {
      source: plainSource(domain, of),
      budget,
      ledger: await memoryLedger(budgetOf(budget), 'plain', { relation }),
      relation,
    },
    primitives,
    true,
  );

/** Total variation distance of a marginal from the rows'. */
const distance = (model: Model, attributes: readonly string[]): number => {
  const got = model.marginal(attributes);
  const exact = new Float64Array(got.length);
  for (const row of rows)
    exact[attributes.reduce((cell, name) => cell * sizes[names.indexOf(name)] + row[names.indexOf(name)], 0)]++;
  return got.reduce((sum, count, cell) => sum + Math.abs(count - exact[cell]), 0) / (2 * rows.length);
};

const small = { batch: 24, steps: 6, threads: 1, network: { noise: 16, hidden: [32, 64] } } as const;

describe('GEM', () => {
  it('spends the budget and not more, under both relations and currencies', async () => {
    for (const relation of ['add-remove', 'replace-one'] as const)
      for (const budget of [{ epsilon: 1 }, { epsilon: 1, delta: 1e-6 }]) {
        const session = await sessionWith(rows, exactPrimitives(seededEntropy(2)), relation, budget);
        const { measurements, notes, model } = await gem(session, workload, { ...small, random: seeded(1), rounds: 3 });
        // The number of records, four single attributes, three rounds.
        expect(measurements).toHaveLength(8);
        expect(notes).toMatchObject({ rounds: 3, oneWays: 4, total: model.total });
        expect(session.remaining).toBeGreaterThanOrEqual(0);
        expect(session.remaining).toBeLessThan(1e-5);
      }
  });

  it.each(['sum', 'largest'] as const)(
    'learns what it measures, where answers are exact, scored by the %s',
    async (score) => {
      const session = await sessionWith(rows, noiseless, 'replace-one');
      const options = {
        ...small,
        batch: 60,
        steps: 200,
        rounds: 6,
        score,
        rate: 3e-3,
        gammaPart: 0.05,
        random: seeded(1),
      };
      const { model, notes } = await gem(session, workload, options);
      // a and d say the same, so their pair is furthest from where a generator starts.
      expect((notes.selected as string[][])[0]).toEqual(['a', 'd']);
      for (const set of notes.selected as string[][]) expect(distance(model, set)).toBeLessThan(0.1);
    },
  );

  it('learns single attributes of which no marginal that was asked for pays, those of no marginal too', async () => {
    // 1,600 cells for 400 records: by its sum of errors, the pair is never worth its noise.
    const large = plainDomain([40, 40, 5]);
    const few = Array.from(
      { length: 400 },
      (_, i): Row => [i % 50 === 0 ? 7 : 3, i % 20 === 0 ? 9 : 11, i % 3 ? 4 : 1],
    );
    const budget = { epsilon: 1, delta: 1e-6 };
    const relation = 'replace-one';
    const ledger = await memoryLedger(budgetOf(budget), 'plain', { relation });
    const session = sessionOn(
      { source: plainSource(large, few), budget, ledger, relation },
      exactPrimitives(seededEntropy(5)),
      true,
    );
    const options = { ...small, rounds: 2, random: seeded(1) };
    const { model } = await gem(session, workloadOf([marginal('a', 'b')]), options);
    expect(Math.abs(392 - model.marginal(['a'])[3])).toBeLessThan(60);
    expect(Math.abs(380 - model.marginal(['b'])[11])).toBeLessThan(60);
    expect(Math.abs(266 - model.marginal(['c'])[4])).toBeLessThan(60);
  });

  it('chooses among all sets of attributes inside what was asked, and no others', async () => {
    const session = await sessionWith(rows, noiseless, 'replace-one');
    const asked = {
      queries: [
        { query: marginal('d', 'a', 'b'), weight: 2 },
        { query: marginal('b'), weight: 3 },
      ],
    };
    const { queries, weights, singles } = gemWork(domain, asked, gemDefaults);
    const open = queries.filter((_, i) => weights[i] > 0).map(({ attributes }) => attributes.join(''));
    expect(open).toEqual(['a', 'b', 'd', 'ab', 'ad', 'bd', 'abd']);
    expect(weights).toEqual([2, 3, 0, 2, 2, 2, 2, 2]);
    expect(singles).toEqual(names.map((name) => marginal(name)));
    const { notes } = await gem(session, asked, { ...small, rounds: 4, random: seeded(1) });
    for (const set of notes.selected as string[][]) expect(open).toContain(set.join(''));
  });

  it('foretells what it measures, with which noise', async () => {
    const settings = { ...gemDefaults, batch: 24, steps: 2, rounds: 3 };
    for (const relation of ['add-remove', 'replace-one'] as const)
      for (const budget of [{ epsilon: 1 }, { epsilon: 1, delta: 1e-6 }]) {
        const plan = gemEntry.plan(planningDoor({ domain, budget: budgetOf(budget), relation }), settings);
        const session = await sessionWith(rows, exactPrimitives(seededEntropy(2)), relation, budget);
        const run = { random: seeded(1), threads: 1 };
        const { measurements } = await gemEntry.release(session, undefined, run, settings);
        const planned = plan.steps
          .filter(({ act }) => act === 'measure')
          .flatMap(({ times, noise }) => Array.from({ length: times }, () => noise!));
        expect(measurements).toHaveLength(planned.length);
        for (const [i, { noise }] of measurements.entries()) {
          expect(noise.kind).toBe(planned[i].kind);
          expect(Math.abs(noise.scale - planned[i].scale)).toBeLessThanOrEqual(1e-4 * planned[i].scale);
        }
      }
  });

  it('leaves the same things for neighbours whose primitives return the same', async () => {
    const { primitives, outputs } = recording(exactPrimitives(seededEntropy(6)));
    const run = async (of: readonly Row[], using: Primitives): Promise<string> => {
      const session = await sessionWith(of, using);
      const released = await gem(session, workload, { ...small, rounds: 3, random: seeded(2) });
      const measurements = released.measurements.map(({ query, values }) => ({ query, values: [...values] }));
      const answers = workload.queries.map(({ query }) => [...released.model.answer(query)]);
      return JSON.stringify({ answers, measurements, notes: released.notes, statement: session.statement() });
    };
    const first = await run(rows, primitives);
    for (const neighbour of [rows.slice(1), [...rows, [2, 3, 1, 2]]])
      expect(await run(neighbour, replaying(outputs))).toBe(first);
  });

  it('answers as rows that are drawn from it do', async () => {
    const session = await sessionWith(rows, noiseless, 'replace-one');
    const { model } = await gem(session, workload, { ...small, rounds: 2, random: seeded(1) });
    const drawn = 200_000;
    const { columns } = model.sample(drawn, seeded(9));
    const counts = new Float64Array(72);
    for (let row = 0; row < drawn; row++)
      counts[columns.reduce((cell, column, a) => cell * sizes[a] + column[row], 0)]++;
    // Hoeffding: a frequency of n independent draws is off by 0.0065 with a chance of 2 exp(-2 n 0.0065^2) < 1e-7, and these deviate less.
    for (const [cell, count] of model.marginal(names).entries())
      expect(Math.abs(counts[cell] / drawn - count / model.total)).toBeLessThan(0.0065);
  });

  it('starts from a public table where there is one', async () => {
    const table = {
      domain,
      length: rows.length,
      columns: sizes.map((size, a) => codeColumn(size, rows.length).map((_, r) => rows[r][a])),
    };
    const distances = [];
    for (const prior of [undefined, supportOf(table)]) {
      const session = await sessionWith(rows, exactPrimitives(seededEntropy(3)), 'replace-one', { epsilon: 0.01 });
      const options = { ...small, batch: 60, rounds: 1, steps: 1, publicSteps: 300, rate: 3e-3 };
      const { model, notes } = await gem(session, workload, { ...options, prior, random: seeded(1) });
      expect(notes.public).toBe(prior !== undefined);
      distances.push(distance(model, ['a', 'b']));
    }
    expect(distances[1]).toBeLessThan(distances[0] / 3);
  });

  it('stops when it is told to, with what was spent', async () => {
    const session = await sessionWith(rows, exactPrimitives(seededEntropy(3)));
    const controller = new AbortController();
    const onProgress = (): void => controller.abort(new Error('enough'));
    await expect(
      gem(session, workload, { ...small, rounds: 3, random: seeded(1), signal: controller.signal, onProgress }),
    ).rejects.toThrow('enough');
    expect(session.remaining).toBeGreaterThan(0.6);
  });

  it('divides a round by epsilon in a pure budget and by its square in zCDP, as epsilon_0 has it', () => {
    expect(selectingPart(0.25, 'pure')).toBe(0.25);
    expect(selectingPart(0.25, 'zcdp')).toBeCloseTo(0.1, 12);
  });

  it('refuses what it cannot do, before anything is spent', async () => {
    const session = await sessionWith(rows, noiseless);
    const run = (over: object, of = workload) => gem(session, of, { ...small, random: seeded(1), ...over });
    await expect(run({ alpha: 1.5 })).rejects.toThrow(/alpha: must be between 0 and 1, got 1.5/);
    await expect(run({}, workloadOf([prefix('b')]))).rejects.toThrow(/workload: must be marginals for gem/);
    await expect(run({}, workloadOf([total()]))).rejects.toThrow(/must have a marginal of some attribute for gem/);
    await expect(run({ oneWayShare: 1 })).rejects.toThrow(/oneWayShare: must be between 0 and 1, got 1/);
    await expect(run({ rounds: 0.5 })).rejects.toThrow(/gem: rounds must be a whole number from 0 on, got 0.5/);
    expect(session.remaining).toBe(1);
  });
});
