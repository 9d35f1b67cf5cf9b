import { afterAll, describe, expect, it, vi } from 'vitest';
import { nodeWorkers } from '../../../adapters/node-workers.js';
import { plainHeads, plainMarginal } from '../../../test/support/plain-generator.js';
import { webAssembly } from '../../kernel/web-assembly.js';
import { normal } from '../../random/normal.js';
import { seeded } from '../../random/seeded.js';
import { type AnswerTask, marginalTask, taskCells } from './answer-task.js';
import type { Generator } from './generator.js';
import { headsOf } from './heads-of.js';
import { checkGenerator } from './layout.js';
import { initialParameters, type NetworkShape, noiseVectors, parameterCount } from './network-shape.js';
import { openGenerator } from './open-generator.js';
import { headProduct } from './part.js';

const shape: NetworkShape = { noise: 3, hidden: [5, 7], heads: [2, 3, 4, 1, 5] };
const batch = 10;
const heads = headsOf(shape);
const sets = [[0], [4, 1], [0, 1, 2], [2, 3, 4], [0, 1, 2, 3, 4], []];
const tasks = sets.map((set) => marginalTask(set.map((head) => heads[head])));

const start = (of = shape, rows = batch) => {
  const random = seeded(3);
  return {
    parameters: initialParameters(of, random).map((value) => value || 0.3 * normal(random)),
    noise: noiseVectors(of, rows, random),
  };
};

const opened: Generator[] = [];
const open = async (threads = 1, of: Partial<Parameters<typeof openGenerator>[0]> = {}) => {
  const needs = { shape, batch, tasks, trainCells: 1000, ...of };
  const generator = await openGenerator(needs, start(needs.shape, needs.batch), { threads, workers: nodeWorkers });
  opened.push(generator);
  return generator;
};
afterAll(() => {
  for (const generator of opened) generator.close();
});

/** A loss with answers of every sign and size in it: sum over tasks and cells of c a + a^2, where c depends on the cell. */
const slopes = (task: number, cell: number): number => Math.sin(1 + 3 * task + cell);
const plainLoss = (parameters: ArrayLike<number>, noise: ArrayLike<number>): number => {
  const rows = plainHeads(shape, parameters, noise);
  return sets.reduce(
    (sum, set, t) => plainMarginal(rows, set).reduce((all, a, cell) => all + slopes(t, cell) * a + a * a, sum),
    0,
  );
};

const stepOnce = async (generator: Generator, rate: number): Promise<void> => {
  const all = sets.map((_, t) => t);
  const answers = await generator.forward(all);
  generator.gradients().forEach((gradient, t) => {
    answers[t].forEach((a, cell) => {
      gradient[cell] = slopes(t, cell) + 2 * a;
    });
  });
  await generator.step(rate, all);
};

describe('a generator', () => {
  it('makes parts that tasks have in common once, on the thread that has them all', async () => {
    const pair = headProduct([heads[0], heads[1]]);
    const last = headProduct([heads[1], heads[4]]);
    const asked = [
      ...[2, 3, 4].map((head) => ({ left: pair, right: headProduct([heads[head]]), set: [0, 1, head] })),
      ...[0, 2].map((head) => ({ left: headProduct([heads[head]]), right: last, set: [head, 1, 4] })),
    ];
    const { parameters, noise } = start();
    const rows = plainHeads(shape, parameters, noise);
    for (const threads of [1, 2]) {
      const answers = await (await open(threads, { tasks: asked })).answers();
      for (const [t, { set }] of asked.entries())
        for (const [cell, expected] of plainMarginal(rows, set).entries())
          expect(Math.abs(answers[t][cell] - expected)).toBeLessThan(1e-6);
    }
  });

  it('answers the same within rounding where the platform cannot fuse, from the first step to the last', async () => {
    const run = async (): Promise<Float32Array> => {
      const generator = await open();
      for (let i = 0; i < 5; i++) await stepOnce(generator, 1e-3);
      return generator.probabilities();
    };
    const fused = await run();
    const validate = vi.spyOn(webAssembly, 'validate').mockReturnValue(false);
    const plain = await run().finally(() => validate.mockRestore());
    for (const [i, expected] of plain.entries()) expect(Math.abs(fused[i] - expected)).toBeLessThan(1e-5);
  });

  it('answers marginals as the network in doubles does, all at once and a few at a time', async () => {
    const generator = await open();
    const { parameters, noise } = start();
    const rows = plainHeads(shape, parameters, noise);
    const answers = await generator.answers();
    const some = await generator.forward([2, 1]);
    for (const [got, set] of [
      ...answers.map((got, t) => [got, sets[t]] as const),
      [some[0], sets[2]],
      [some[1], sets[1]],
    ] as const)
      for (const [cell, expected] of plainMarginal(rows, set).entries())
        expect(Math.abs(got[cell] - expected)).toBeLessThan(1e-6);
    const probabilities = await generator.probabilities();
    for (const [i, expected] of rows.flat(2).entries())
      expect(Math.abs(probabilities[i] - expected)).toBeLessThan(1e-6);
  });

  it('has the gradient that differences of the loss in doubles have', async () => {
    const generator = await open();
    const { parameters, noise } = start();
    await stepOnce(generator, 0.01);
    const gradient = generator.parameterGradient();
    const h = 1e-6;
    for (let i = 0; i < parameters.length; i++) {
      const [up, down] = [Float64Array.from(parameters), Float64Array.from(parameters)];
      up[i] += h;
      down[i] -= h;
      const slope = (plainLoss(up, noise) - plainLoss(down, noise)) / (2 * h);
      expect(Math.abs(gradient[i] - slope), `parameter ${i}`).toBeLessThan(2e-5 + 1e-4 * Math.abs(slope));
    }
  });

  it('takes the steps of Adam', async () => {
    const generator = await open();
    const [m, v] = [new Float64Array(parameterCount(shape)), new Float64Array(parameterCount(shape))];
    for (let t = 1; t <= 3; t++) {
      const before = generator.parameters();
      await stepOnce(generator, 0.01);
      const after = generator.parameters();
      generator.parameterGradient().forEach((g, i) => {
        m[i] = 0.9 * m[i] + 0.1 * g;
        v[i] = 0.999 * v[i] + 0.001 * g * g;
        const step = (0.01 * m[i]) / (1 - 0.9 ** t) / (Math.sqrt(v[i] / (1 - 0.999 ** t)) + 1e-8);
        // Where gradients are as small as rounding, steps are as large as ever and in no direction.
        if (Math.abs(g) > 1e-5) expect(Math.abs(after[i] - before[i] + step)).toBeLessThan(2e-5);
      });
    }
  });

  it('is the same to the bit for any number of threads, and from the same seed', async () => {
    const large: NetworkShape = { noise: 16, hidden: [64, 32], heads: [30, 20, 50, 7] };
    const own = headsOf(large);
    const many: AnswerTask[] = [[0, 1, 2], [1, 2, 3], [3], [0, 2]].map((set) => marginalTask(set.map((h) => own[h])));
    const needs = { shape: large, batch: 203, tasks: many, trainCells: 50_000 };
    const runs = [];
    for (const threads of [1, 2, 4, 2]) {
      const generator = await open(threads, needs);
      for (let t = 0; t < 5; t++) {
        const answers = await generator.forward([0, 1, 2, 3]);
        generator.gradients().forEach((gradient, i) => {
          gradient.set(answers[i].map((a) => a - 0.001));
        });
        await generator.step(0.01, [0, 1, 3]);
      }
      runs.push({
        parameters: generator.parameters(),
        answers: (await generator.answers()).map((view) => view.slice()),
      });
    }
    for (const run of runs) expect(run).toEqual(runs[0]);
  });

  it('learns distributions that it is shown', async () => {
    const generator = await open(1, { batch: 40 });
    const targets = (await generator.answers()).map((answers) => {
      const odds = answers.map((_, cell) => 1 + Math.cos(cell) ** 2);
      const sum = odds.reduce((all, one) => all + one, 0);
      return odds.map((one) => one / sum);
    });
    const largest = async (): Promise<number> => {
      const answers = await generator.forward([0, 1]);
      return Math.max(...answers.map((got, t) => Math.max(...got.map((a, i) => Math.abs(a - targets[t][i])))));
    };
    const before = await largest();
    for (let t = 0; t < 200; t++) {
      const answers = await generator.forward([0, 1]);
      generator.gradients().forEach((gradient, i) => {
        gradient.set(answers[i].map((a, cell) => 2 * (a - targets[i][cell])));
      });
      await generator.step(0.01, [0, 1]);
    }
    expect(await largest()).toBeLessThan(0.1 * before);
  });

  it('refuses what kernel memory does not hold, and steps on more than it was opened for', async () => {
    const vast = { left: headProduct([]), right: { ...headProduct(heads.slice(0, 1)), cells: 1e9 } };
    expect(taskCells(vast)).toBe(1e9);
    expect(() => checkGenerator({ shape, batch, tasks: [vast], trainCells: 10 })).toThrow(
      /generator: must fit in 3.26 GiB of kernel memory, got a need of 3.73 GiB; ask for fewer/,
    );
    const generator = await open(1, { trainCells: 5 });
    await expect(generator.forward([2])).rejects.toThrow(/a step may have 5 cells, got 24/);
  });
});
