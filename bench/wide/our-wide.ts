import { readFileSync } from 'node:fs';
import { nodeWorkers } from '../../adapters/node-workers.js';
import type { Running } from '../../src/domain/running.js';
import { graphicalPrior } from '../../src/estimate/graphical/prior/prior.js';
import { supportOf } from '../../src/model/support/support.js';
import { budgetOf } from '../../src/privacy/accounting/budget.js';
import { seededEntropy } from '../../src/privacy/entropy.js';
import { memoryLedger } from '../../src/privacy/ledger/memory-ledger.js';
import { openSession } from '../../src/privacy/session/open-session.js';
import { pairsOrOneWays } from '../../src/query/workload/pairs-or-one-ways.js';
import { seeded } from '../../src/random/seeded.js';
import { shuffle } from '../../src/random/shuffle.js';
import { aim } from '../../src/release/aim/aim.js';
import { reweight } from '../../src/release/reweight/reweight.js';
import { memorySource } from '../../src/source/memory-source.js';
import { countMarginals } from '../graphical/count-marginals.js';
import { shapes } from './shapes.js';

// Our side of bench/wide.ts: one release, on pairs, in a process of its own.
const { name, data, budget, seed, threads, mostPairs } = JSON.parse(readFileSync(0, 'utf8')) as {
  name: string;
  data: string | undefined;
  budget: { epsilon: number; delta: number };
  seed: number;
  threads: number;
  /** Pairs whose error is looked at. */
  mostPairs: number;
};
const shape = shapes[name];
const [table, prior] = [shape.table(data), shape.prior?.()];
const { domain } = table;
const workload = pairsOrOneWays(domain);

const before = process.cpuUsage();
const start = performance.now();
const source = await memorySource({ table, dataset: 'bench', threads, workers: nodeWorkers });
const ledger = await memoryLedger(budgetOf(budget), 'bench');
const session = openSession({ source, budget, ledger, entropy: seededEntropy(seed) });
const onProgress: Running['onProgress'] = ({ stage, done, total, expected }) => {
  const passed = (performance.now() - start) / 1000;
  if (stage === 'rounds' || stage === 'reweight')
    process.stderr.write(`${passed.toFixed(1)} s: ${stage} ${done} of ${total ?? expected}\n`);
};
const running = { random: seeded(seed), workload, threads, workers: nodeWorkers, onProgress };
const { model, notes, measurements } =
  shape.mechanism === 'reweight'
    ? await reweight(session, supportOf(prior!), running)
    : await aim(session, { ...running, prior: prior && graphicalPrior(domain, prior) });
const seconds = (performance.now() - start) / 1000;
const { user, system } = process.cpuUsage(before);
const { maxRSS } = process.resourceUsage();

const drawing = performance.now();
const rows = model.sample(Math.min(table.length, 300_000), seeded(seed));
const drawn = (performance.now() - drawing) / 1000;
const pairs = shuffle(
  workload.queries.map(({ query }) => (query.kind === 'marginal' ? query.attributes : [])),
  seeded(1),
).slice(0, mostPairs);
const truth = countMarginals(table, pairs);
/** Mean over the pairs of the L1 distance, over twice the number of rows. */
const errorOf = (answers: readonly Float64Array[], scale = 1): number => {
  let sum = 0;
  truth.forEach((counts, i) => {
    for (let cell = 0; cell < counts.length; cell++) sum += Math.abs(counts[cell] - scale * answers[i][cell]);
  });
  return sum / pairs.length / (2 * table.length);
};
process.stdout.write(
  JSON.stringify({
    seconds,
    drawing: drawn,
    rounds: notes.rounds ?? measurements.length,
    model: errorOf(pairs.map((attributes) => model.marginal(attributes))),
    rows: errorOf(countMarginals(rows, pairs), table.length / rows.length),
    bytes: maxRSS * 1024,
    processor: (user + system) / 1e6,
  }),
);
process.exit(0);
