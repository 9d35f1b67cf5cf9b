import { readFileSync } from 'node:fs';
import { nodeWorkers } from '../../adapters/node-workers.js';
import { loadCodes } from '../../experiments/data/load-codes.js';
import { budgetOf } from '../../src/privacy/accounting/budget.js';
import { seededEntropy } from '../../src/privacy/entropy.js';
import { memoryLedger } from '../../src/privacy/ledger/memory-ledger.js';
import { openSession } from '../../src/privacy/session/open-session.js';
import { allMarginals } from '../../src/query/workload/all-marginals.js';
import { seeded } from '../../src/random/seeded.js';
import { aim } from '../../src/release/aim/aim.js';
import { memorySource } from '../../src/source/memory-source.js';
import { countMarginals } from './count-marginals.js';

// Our side of bench/aim.ts: one release in a process of its own, as bench/peers/aim.py makes one.
const { data, budget, megabytes, iterations, seed } = JSON.parse(readFileSync(0, 'utf8')) as {
  data: string;
  budget: { epsilon: number; delta: number };
  megabytes: number;
  iterations: number;
  seed: number;
};
const table = loadCodes(data, 'pgm-four/adult');
const workload = allMarginals(table.domain, 3);
const triples = workload.queries.map(({ query }) => (query.kind === 'marginal' ? query.attributes : []));

const start = performance.now();
const source = await memorySource({ table, dataset: 'bench', workers: nodeWorkers });
const ledger = await memoryLedger(budgetOf(budget), 'bench');
const session = openSession({ source, budget, ledger, entropy: seededEntropy(seed) });
const random = seeded(seed);
const modelBytes = megabytes * 2 ** 20;
const { model, notes } = await aim(session, { random, workload, modelBytes, iterations, workers: nodeWorkers });
const seconds = (performance.now() - start) / 1000;
const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();

const truth = countMarginals(table, triples);
/** Mean over the triples of the L1 distance, over twice the number of rows. */
const errorOf = (answers: readonly Float64Array[]): number => {
  let sum = 0;
  truth.forEach((counts, i) => {
    for (let cell = 0; cell < counts.length; cell++) sum += Math.abs(counts[cell] - answers[i][cell]);
  });
  return sum / triples.length / (2 * table.length);
};
const drawn = performance.now();
const rows = model.sample(table.length, random);
const drawing = (performance.now() - drawn) / 1000;
process.stdout.write(
  JSON.stringify({
    seconds,
    drawing,
    rounds: notes.rounds,
    model: errorOf(triples.map((attributes) => model.marginal(attributes))),
    rows: errorOf(countMarginals(rows, triples)),
    bytes: maxRSS * 1024,
    processor: (userCPUTime + systemCPUTime) / 1e6,
  }),
);
