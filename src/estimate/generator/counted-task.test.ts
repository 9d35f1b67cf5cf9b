import { afterAll, describe, expect, it } from 'vitest';
import { nodeWorkers } from '../../../adapters/node-workers.js';
import { allCodes, householdAnswers, householdDomain } from '../../../test/support/households.js';
import { plainCounted, plainHeads } from '../../../test/support/plain-generator.js';
import { splitLevels } from '../../domain/households/split-levels.js';
import { householdHeads } from '../../model/households/household-heads.js';
import { type Counted, holding } from '../../query/holding.js';
import { marginal } from '../../query/marginal.js';
import { normal } from '../../random/normal.js';
import { seeded } from '../../random/seeded.js';
import { countedTask } from './counted-task.js';
import type { Generator } from './generator.js';
import { headsOf } from './heads-of.js';
import { initialParameters, noiseVectors } from './network-shape.js';
import { openGenerator } from './open-generator.js';

const [household, person, maxSize] = [[2, 3], [2, 3], 3];
const domain = householdDomain(household, person, maxSize, true);
const heads = householdHeads(domain);
const shape = { noise: 3, hidden: [4, 5], heads: heads.sizes };
const columns = headsOf(shape);
const batch = 6;
const sets = [
  ['g', 'h', 'a', 'b'],
  ['h', 'a'],
  ['a', 'b'],
  ['b'],
  ['g', 'h'],
  ['g', 'size', 'b'],
  ['size', 'a', 'b'],
  ['size'],
  ['h', 'size'],
  [],
];
const queries: Counted[] = sets.flatMap((set) => [holding(...set), marginal(...set)]);
const tasks = queries.map((query) => countedTask(query, domain, heads, columns));

const random = seeded(3);
const parameters = initialParameters(shape, random).map((value) => value || 0.3 * normal(random));
const noise = noiseVectors(shape, batch, random);

const opened: Generator[] = [];
const open = async (threads = 1) => {
  const needs = { shape, batch, tasks, trainCells: 1000 };
  const generator = await openGenerator(needs, { parameters, noise }, { threads, workers: nodeWorkers });
  opened.push(generator);
  return generator;
};
afterAll(() => {
  for (const generator of opened) generator.close();
});

/** By the formulas of section 4.2, in doubles. */
const byFormula = (rows: readonly number[][][], { kind, attributes }: Counted): number[] => {
  const split = splitLevels(domain, attributes);
  return plainCounted(rows, {
    own: split.household.map(heads.household),
    slots: Array.from({ length: maxSize }, (_, slot) => split.person.map((name) => heads.person(slot, name))),
    once: kind === 'holding',
    bySize: split.bySize,
  });
};

const slopes = (query: number, cell: number): number => Math.sin(1 + 3 * query + cell);

describe('answers of households by a generator', () => {
  it('are the mean over its rows of all households that there can be, each with its probability', async () => {
    const rows = plainHeads(shape, parameters, noise);
    const answers = await (await open()).answers();
    const expected = queries.map((_, q) => new Float64Array(answers[q].length));
    const kinds = allCodes(person);
    for (const own of allCodes(household))
      for (let size = 1; size <= maxSize; size++)
        for (const members of allCodes(new Array<number>(size).fill(kinds.length))) {
          const persons = members.map((kind) => kinds[kind]);
          const chance = rows.reduce((sum, row) => {
            const chances = [
              row[0][size - 1],
              ...own.map((code, i) => row[1 + i][code]),
              ...persons.flatMap((codes, slot) =>
                codes.map((code, i) => row[1 + own.length + slot * person.length + i][code]),
              ),
            ];
            return sum + chances.reduce((product, p) => product * p, 1) / rows.length;
          }, 0);
          for (const [q, query] of queries.entries())
            householdAnswers(query, domain, [{ own, persons }]).forEach((count, cell) => {
              expected[q][cell] += chance * count;
            });
        }
    for (const [q, query] of queries.entries())
      for (const [cell, answer] of answers[q].entries())
        expect(Math.abs(answer - expected[q][cell]), JSON.stringify([query, cell])).toBeLessThan(2e-6);
  });

  it('are those of the formulas in the paper, and so are some of them alone', async () => {
    const rows = plainHeads(shape, parameters, noise);
    const generator = await open();
    const all = (await generator.answers()).map((view) => view.slice());
    const some = await generator.forward([3, 0]);
    for (const [got, q] of [...all.map((view, q) => [view, q] as const), [some[0], 3], [some[1], 0]] as const)
      for (const [cell, expected] of byFormula(rows, queries[q]).entries())
        expect(Math.abs(got[cell] - expected)).toBeLessThan(2e-6);
  });

  it('have the gradient that differences of the formulas have', async () => {
    const generator = await open();
    const which = queries.map((_, q) => q);
    const answers = await generator.forward(which);
    generator.gradients().forEach((gradient, q) => {
      answers[q].forEach((a, cell) => {
        gradient[cell] = slopes(q, cell) + 2 * a;
      });
    });
    await generator.step(0.01, which);
    const gradient = generator.parameterGradient();
    const loss = (of: Float64Array): number => {
      const rows = plainHeads(shape, of, noise);
      return queries.reduce(
        (sum, query, q) => byFormula(rows, query).reduce((all, a, cell) => all + slopes(q, cell) * a + a * a, sum),
        0,
      );
    };
    const h = 1e-6;
    for (let i = 0; i < parameters.length; i++) {
      const [up, down] = [Float64Array.from(parameters), Float64Array.from(parameters)];
      up[i] += h;
      down[i] -= h;
      const slope = (loss(up) - loss(down)) / (2 * h);
      expect(Math.abs(gradient[i] - slope), `parameter ${i}`).toBeLessThan(5e-5 + 2e-4 * Math.abs(slope));
    }
  });

  it('are the same to the bit for any number of threads, after some steps', async () => {
    const runs = [];
    for (const threads of [1, 2, 4]) {
      const generator = await open(threads);
      for (let t = 0; t < 3; t++) {
        const answers = await generator.forward([0, 1, 10, 11]);
        generator.gradients().forEach((gradient, i) => {
          gradient.set(answers[i].map((a) => a - 0.01));
        });
        await generator.step(0.01, [0, 1, 2, 3]);
      }
      runs.push((await generator.answers()).map((view) => view.slice()));
    }
    for (const run of runs) expect(run).toEqual(runs[0]);
  });
});
