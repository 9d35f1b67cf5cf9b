import { readFileSync } from 'node:fs';
import { nodeWorkers } from '../../adapters/node-workers.js';
import { budgetOf } from '../../src/privacy/accounting/budget.js';
import { seededEntropy } from '../../src/privacy/entropy.js';
import { memoryLedger } from '../../src/privacy/ledger/memory-ledger.js';
import { openSession } from '../../src/privacy/session/open-session.js';
import { pairsOrOneWays } from '../../src/query/workload/pairs-or-one-ways.js';
import { seeded } from '../../src/random/seeded.js';
import { aim } from '../../src/release/aim/aim.js';
import { memorySource } from '../../src/source/memory-source.js';
import { countMarginals } from '../graphical/count-marginals.js';
import { madeTable } from './made-table.js';
import { answersOf } from './shapes.js';

// One release of AIM of a made table of 60 attributes, with another number of marginals or of candidates a round, in a process of its own.
const { budget, seed, together, looked, rows, megabytes } = JSON.parse(readFileSync(0, 'utf8')) as {
  budget: { epsilon: number; delta: number };
  seed: number;
  together: number | undefined;
  looked: number | undefined;
  rows: number;
  megabytes: number;
};
const table = madeTable({ ...answersOf(60), rows }, 60 + seed);
const { domain } = table;
const workload = pairsOrOneWays(domain);
const source = await memorySource({ table, dataset: 'bench', threads: 2, workers: nodeWorkers });
const ledger = await memoryLedger(budgetOf(budget), 'bench');
const session = openSession({ source, budget, ledger, entropy: seededEntropy(seed) });
const begin = process.cpuUsage();
const { model, notes } = await aim(session, {
  random: seeded(seed),
  workload,
  together,
  looked,
  modelBytes: 1e6 * megabytes,
  workers: nodeWorkers,
});
const { user, system } = process.cpuUsage(begin);
const pairs = workload.queries.flatMap(({ query }) => (query.kind === 'marginal' ? [query.attributes] : []));
const truth = countMarginals(table, pairs);
const answers = pairs.map((attributes) => model.marginal(attributes));
let sum = 0;
for (const [i, counts] of truth.entries())
  for (let cell = 0; cell < counts.length; cell++) sum += Math.abs(counts[cell] - answers[i][cell]);
process.stdout.write(
  JSON.stringify({
    error: sum / pairs.length / (2 * table.length),
    rounds: notes.rounds,
    processor: (user + system) / 1e6,
    bytes: process.resourceUsage().maxRSS * 1024,
  }),
);
process.exit(0);
