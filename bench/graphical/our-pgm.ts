import { readFileSync } from 'node:fs';
import { nodeWorkers } from '../../adapters/node-workers.js';
import { estimateGraphical } from '../../src/estimate/graphical/estimate.js';
import { graphicalModel } from '../../src/model/graphical/graphical-model.js';
import { openOracle } from '../../src/model/graphical/oracle/oracle.js';
import { junctionTree } from '../../src/model/graphical/tree/junction-tree.js';
import type { Measurement } from '../../src/privacy/measurement.js';
import { normal } from '../../src/random/normal.js';
import { seeded } from '../../src/random/seeded.js';
import { countMarginals } from './count-marginals.js';
import type { Request } from './side.js';
import { type GraphicalTask, readTask } from './task.js';

// Our side of bench/pgm.ts, in a process of its own as the peer's, so that peaks of memory compare: see bench/peers/pgm.py.
const request = JSON.parse(readFileSync(0, 'utf8')) as Request;
const task = readTask(request.task);
const { domain, total, stddev, tables } = task;
const workers = { workers: nodeWorkers };

const measurements = tables.map(
  ({ attributes, values }): Measurement => ({
    query: { kind: 'marginal', attributes },
    values,
    noise: { kind: 'gaussian', scale: stddev },
  }),
);

const now = (): number => performance.now() / 1000;

const lossOf = ({ tables }: GraphicalTask, marginals: readonly Float64Array[]): number => {
  let sum = 0;
  tables.forEach(({ values }, i) => {
    for (let cell = 0; cell < values.length; cell++) sum += ((marginals[i][cell] - values[cell]) / stddev) ** 2;
  });
  return sum / 2;
};

/** Seconds and loss after each iteration, from a call on. */
const fitOnce = async (iterations: number) => {
  const seconds: number[] = [];
  const losses: number[] = [];
  const start = now();
  const { model, chosen } = await estimateGraphical(domain, measurements, {
    ...workers,
    total,
    until: 'converged',
    tolerance: 0,
    iterations,
    onStep: ({ loss }) => {
      seconds.push(now() - start);
      losses.push(loss);
    },
  });
  const whole = now() - start;
  // The loss that the model itself has, from its marginals.
  const own = lossOf(task, model.marginals(tables.map(({ attributes }) => attributes)));
  if (!(Math.abs(own / chosen.loss - 1) < 1e-6))
    throw new Error(`bench pgm: the model has loss ${own}, its trace says ${chosen.loss}`);
  return { seconds, losses, whole };
};

const fitTwice = async ({ iterations }: Extract<Request, { part: 'fit' }>) => {
  const cold = await fitOnce(iterations);
  const warm = await fitOnce(iterations);
  return { ...warm, cold: cold.seconds, coldLosses: cold.losses };
};

const step = async ({ iterations, calls }: Extract<Request, { part: 'step' }>) => {
  const times: number[] = [];
  if (iterations === 0) {
    const opened = now();
    const oracle = await openOracle(
      domain,
      tables.map(({ attributes }) => attributes),
      workers,
    );
    const [potentials, marginals] = [oracle.vector(), oracle.vector()];
    const random = seeded(4);
    for (let i = 0; i < potentials.view.length; i++) potentials.view[i] = normal(random);
    await oracle.run(potentials, marginals);
    const first = now() - opened;
    for (let call = 0; call < calls; call++) {
      const start = now();
      await oracle.run(potentials, marginals);
      times.push(now() - start);
    }
    oracle.close();
    return { compile: first, seconds: Math.min(...times) };
  }
  const stamps: number[] = [];
  const start = now();
  await estimateGraphical(domain, measurements, {
    ...workers,
    total,
    until: 'converged',
    algorithm: 'mirror-descent',
    tolerance: 0,
    iterations: iterations * (calls + 1),
    onStep: () => void stamps.push(now()),
  });
  for (let at = iterations; at + iterations < stamps.length; at += iterations)
    times.push((stamps[at + iterations] - stamps[at]) / iterations);
  return { compile: stamps[0] - start, seconds: Math.min(...times) };
};

const rows = async ({ rows, calls }: Extract<Request, { part: 'rows' }>) => {
  const cliques = tables.map(({ attributes }) => attributes);
  const tree = junctionTree(domain, cliques);
  const factors = tables.map(({ attributes, values }) => ({ attributes, potential: values }));
  const model = graphicalModel(tree, factors, total);
  const random = seeded(5);
  const times: number[] = [];
  let drawn = model.sample(1, random);
  for (let call = 0; call < calls; call++) {
    const start = now();
    drawn = model.sample(rows, random);
    times.push(now() - start);
  }
  const expected = model.marginals(cliques);
  let away = 0;
  let cells = 0;
  countMarginals(drawn, cliques).forEach((counts, i) => {
    for (let cell = 0; cell < counts.length; cell++)
      away += Math.abs(counts[cell] - (expected[i][cell] * rows) / total);
    cells += counts.length;
  });
  return { compile: times[0] - Math.min(...times), seconds: Math.min(...times), deviation: away / cells };
};

const result =
  request.part === 'fit'
    ? await fitTwice(request)
    : request.part === 'step'
      ? await step(request)
      : await rows(request);
const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
const usage = { bytes: maxRSS * 1024, processor: (userCPUTime + systemCPUTime) / 1e6 };
process.stdout.write(JSON.stringify({ ...result, ...usage }));
