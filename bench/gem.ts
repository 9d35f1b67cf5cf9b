import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeWorkers } from '../adapters/node-workers.js';
import { dataFolder, loadCodes } from '../experiments/data/load-codes.js';
import { householdsSchema } from '../experiments/data/load-households.js';
import { levelsOf } from '../src/domain/households/levels-of.js';
import { domainFromSchema } from '../src/domain/schema/parse-schema.js';
import { type AnswerTask, marginalTask, taskCells } from '../src/estimate/generator/answer-task.js';
import { countedTask } from '../src/estimate/generator/counted-task.js';
import { headsOf } from '../src/estimate/generator/heads-of.js';
import { generatorBytes } from '../src/estimate/generator/layout.js';
import { initialParameters, noiseVectors, usualNetwork } from '../src/estimate/generator/network-shape.js';
import { openGenerator } from '../src/estimate/generator/open-generator.js';
import { householdHeads } from '../src/model/households/household-heads.js';
import type { Counted } from '../src/query/holding.js';
import { combinations } from '../src/query/workload/combinations.js';
import { householdWorkload } from '../src/query/workload/household-workload.js';
import { seeded } from '../src/random/seeded.js';
import { shuffle } from '../src/random/shuffle.js';
import { type Bench, type Figure, smaller } from './figures.js';

const BATCH = 1000;
const STEPS = 100;
/** Steps of a round that PyTorch takes; its time is scaled. */
const PEER_STEPS = 20;
/** Marginals that a round trains on: as many as have been measured half way through a release. */
const TRAINED = 20;
/** How often a round and a scoring are repeated; the fastest counts. */
const ROUNDS = 2;
const RATE = 1e-3;
const GAMMA = 1e-4;
const THREADS = 2;
/** The table as the PMW-Pub paper uses it. */
const LEFT_OUT = ['age', 'education'];

const best = (seconds: readonly number[]): number => Math.min(...seconds);

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
};

/** Seconds of rounds of training on the tasks at these places, and of scorings of all tasks, by our kernels. */
const ours = async (heads: readonly number[], tasks: readonly AnswerTask[], places: readonly number[]) => {
  const shape = { ...usualNetwork, heads };
  const trainCells = places.reduce((sum, place) => sum + taskCells(tasks[place]), 0);
  const needs = { shape, batch: BATCH, tasks, trainCells };
  const random = seeded(1);
  const start = { parameters: initialParameters(shape, random), noise: noiseVectors(shape, BATCH, random) };
  const generator = await openGenerator(needs, start, { threads: THREADS, workers: nodeWorkers });
  const targets = places.map((place) => {
    const odds = Float64Array.from({ length: taskCells(tasks[place]) }, () => random.uint32());
    const sum = odds.reduce((all, one) => all + one, 0);
    return odds.map((one) => one / sum);
  });
  const active = places.map((_, i) => i);
  const step = async (): Promise<void> => {
    const answers = await generator.forward(places);
    const gradients = generator.gradients();
    answers.forEach((own, i) => {
      for (let cell = 0; cell < own.length; cell++) {
        const error = own[cell] - targets[i][cell];
        gradients[i][cell] = Math.abs(error) >= GAMMA ? Math.sign(error) : 0;
      }
    });
    await generator.step(RATE, active);
  };
  const round = async (): Promise<void> => {
    for (let i = 0; i < STEPS; i++) await step();
  };
  await step();
  const [trained, scored]: [number[], number[]] = [[], []];
  for (let i = 0; i < ROUNDS; i++) trained.push(await seconds(round));
  for (let i = 0; i < ROUNDS + 2; i++) scored.push(await seconds(() => generator.answers()));
  generator.close();
  return {
    trained,
    scored,
    bytes: generatorBytes(needs),
    cells: tasks.reduce((sum, task) => sum + taskCells(task), 0),
  };
};

interface PeerTimes {
  readonly train: number[];
  readonly trainQueryStep: number[];
  readonly score: number[];
  readonly scoreQueries: number[];
}

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');

/** What PyTorch is asked to do: sizes, what to train on and what to score, as gem.py says. */
type PeerWork = Readonly<Record<string, unknown>>;

/** The same work by PyTorch with so many threads, where its environment is there (bench/peers/README.md). */
const peerWith = (work: PeerWork, threads: number): PeerTimes | undefined => {
  const python = path.join(root, 'bench', 'peers', '.venv-gem', 'bin', 'python');
  if (!existsSync(python)) return undefined;
  const how = { threads, batch: BATCH, steps: PEER_STEPS, rounds: ROUNDS, rate: RATE, gamma: GAMMA, most: 2e8 };
  const output = execFileSync(python, [path.join(root, 'bench', 'peers', 'gem.py')], {
    input: JSON.stringify({ ...work, ...usualNetwork, ...how }),
    maxBuffer: 2 ** 28,
  });
  return JSON.parse(output.toString()) as PeerTimes;
};

/** By one thread and by two, each part by whichever is faster: on a busy machine two threads wait for each other. */
const peer = (work: PeerWork): Record<keyof PeerTimes, number> | undefined => {
  const [one, two] = [peerWith(work, 1), peerWith(work, THREADS)];
  if (one === undefined || two === undefined) return undefined;
  const both = (part: keyof PeerTimes): number => best([...one[part], ...two[part]]);
  return {
    train: (both('train') * STEPS) / PEER_STEPS,
    trainQueryStep: both('trainQueryStep'),
    score: both('score'),
    scoreQueries: both('scoreQueries'),
  };
};

const bench: Bench = async ({ data, say }) => {
  const { domain } = loadCodes(dataFolder(data), 'pmw-adult');
  const sizes = domain.attributes.filter(({ name }) => !LEFT_OUT.includes(name)).map(({ size }) => size);
  const score = [...combinations(sizes.length, 3)].map((set) => [...set]);
  const places = shuffle([...score.keys()], seeded(2)).slice(0, TRAINED);
  const heads = headsOf({ heads: sizes });
  const tasks = score.map((set) => marginalTask(set.map((index) => heads[index])));
  const own = await ours(sizes, tasks, places);
  say(`${sizes.length} attributes, ${score.length} marginals, ${own.cells} cells`);
  const theirs = peer({ sizes, score, train: places.map((place) => score[place]) });
  const figures: Figure[] = [];
  const compare = (what: string, mine: number, other: number | undefined): void => {
    figures.push(smaller(what, 1e3 * mine, other === undefined ? null : 1e3 * other, 'ms'));
  };
  const [trained, scored] = [best(own.trained), best(own.scored)];
  compare(`a round of ${STEPS} steps on ${TRAINED} marginals, against PyTorch by einsum`, trained, theirs?.train);
  compare('the same, against PyTorch query by query', trained, theirs && STEPS * theirs.trainQueryStep);
  compare(`scoring all ${score.length} three-way marginals, against PyTorch by einsum`, scored, theirs?.score);
  compare('the same, against PyTorch query by query', scored, theirs?.scoreQueries);
  figures.push(smaller('kernel memory', own.bytes / 1e6, null, 'MB'));
  return [...figures, ...(await twoLevels(say))];
};

/** The same for the travel survey's households with their persons: both queries of all sets of three attributes (H-GEM, section 4.2). */
const twoLevels = async (say: (line: string) => void): Promise<Figure[]> => {
  const domain = domainFromSchema(householdsSchema);
  const { household, person } = levelsOf(domain);
  const names = [...household, ...person];
  const heads = householdHeads(domain);
  const columns = headsOf({ heads: heads.sizes });
  const queries = householdWorkload(domain, { attributes: 3 }).queries.map(({ query }) => query as Counted);
  const places = shuffle([...queries.keys()], seeded(3)).slice(0, TRAINED);
  const own = await ours(
    heads.sizes,
    queries.map((query) => countedTask(query, domain, heads, columns)),
    places,
  );
  say(`households of ${heads.maxSize} persons at most: ${queries.length} queries, ${own.cells} cells`);
  const asked = queries.map(({ kind, attributes }) => ({
    once: kind === 'holding',
    set: attributes.map((name) => names.indexOf(name)),
  }));
  const theirs = peer({
    sizes: heads.sizes,
    own: household.length,
    slots: heads.maxSize,
    score: asked,
    train: places.map((place) => asked[place]),
  });
  const all = `all ${queries.length} queries of households and persons`;
  const [trained, scored] = [best(own.trained), best(own.scored)];
  return [
    smaller(
      `a round of ${STEPS} steps on ${TRAINED} queries of households and persons, against PyTorch by einsum`,
      1e3 * trained,
      theirs === undefined ? null : 1e3 * theirs.train,
      'ms',
    ),
    smaller(
      `scoring ${all}, against PyTorch by einsum`,
      1e3 * scored,
      theirs === undefined ? null : 1e3 * theirs.score,
      'ms',
    ),
    smaller('kernel memory for households', own.bytes / 1e6, null, 'MB'),
  ];
};

export default bench;
