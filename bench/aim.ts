import path from 'node:path';
import { dataFolder, loadCodes } from '../experiments/data/load-codes.js';
import { amountToNumber } from '../src/privacy/accounting/amount.js';
import { budgetOf } from '../src/privacy/accounting/budget.js';
import { allMarginals } from '../src/query/workload/all-marginals.js';
import { type Bench, type Figure, smaller } from './figures.js';
import { askOurs, askPeer, environment, type Usage } from './graphical/side.js';

const RUNS = 3;
const BUDGET = { epsilon: 1, delta: 1e-9 };
const MEGABYTES = 80;
const ITERATIONS = 1000;
/** Seconds that a peer may take for one release. */
const LIMIT = 4 * 3600;
/** Peers by what `--only` calls them: each has an environment and a script of its own in bench/peers. */
const PEERS = {
  dpmm: { name: "dpmm's AIM on its mbi", environment: '.venv-dpmm', script: 'aim-dpmm' },
  opendp: { name: "OpenDP's AIM on mbi", environment: '.venv-aim', script: 'aim' },
};

interface Run extends Usage {
  readonly seconds: number;
  /** Seconds for rows, as many as the table has. */
  readonly drawing: number;
  readonly rounds: number;
  /** Mean error over the workload: of the model's answers, and of the rows'. */
  readonly model: number;
  readonly rows: number;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * AIM on Adult for all three-way marginals, add-remove, beside dpmm's AIM and OpenDP's, which estimate with mbi. All measure all
 * one-way marginals first; then 90% of each round measures. The peers divide the budget for 16 rounds an attribute, as the paper
 * does, ours for 4, as is its default. Runs alternate. `--only dpmm` or `--only opendp` leaves the other peer out, `--only ours`
 * both: a release by dpmm takes a quarter of an hour of one processor, one by OpenDP about an hour.
 */
const bench: Bench = async ({ data, say, only }) => {
  const folder = dataFolder(data);
  const { domain } = loadCodes(folder, 'pgm-four/adult');
  const parts = only?.split(',') ?? Object.keys(PEERS);
  const stranger = parts.find((part) => part !== 'ours' && !(part in PEERS));
  if (stranger !== undefined)
    throw new Error(`bench aim: --only takes ours, ${Object.keys(PEERS).join(', ')}, got ${stranger}`);
  const peers = Object.entries(PEERS)
    .filter(([key]) => parts.includes(key))
    .map(([, peer]) => ({ ...peer, python: environment(peer.environment), runs: [] as Run[] }));
  const request = {
    file: path.join(folder, 'pgm-four', 'adult.csv.gz'),
    names: domain.attributes.map(({ name }) => name),
    sizes: domain.attributes.map(({ size }) => size),
    ...BUDGET,
    rho: amountToNumber(budgetOf(BUDGET).total),
    triples: allMarginals(domain, 3).queries.map(({ query }) => (query.kind === 'marginal' ? query.attributes : [])),
    megabytes: MEGABYTES,
    iterations: ITERATIONS,
    // d of 16 d rounds, of which 90% measure: what the paper gives the one-way marginals.
    split: 0.9 / 16,
  };
  const ours: Run[] = [];
  const tell = (who: string, { seconds, processor, rounds, model, rows }: Run): void =>
    say(
      `${who}: ${seconds.toFixed(1)} s (${processor.toFixed(1)} of processors), ${rounds} rounds, error ${model.toFixed(4)}, of rows ${rows.toFixed(4)}`,
    );
  for (let seed = 1; seed <= RUNS; seed++) {
    ours.push(
      askOurs<Run>('our-aim', { data: folder, budget: BUDGET, megabytes: MEGABYTES, iterations: ITERATIONS, seed }),
    );
    tell('ours', ours[seed - 1]);
    for (const { name, python, script, runs } of peers) {
      if (!python) continue;
      const run = askPeer<Run>(python, script, request, LIMIT);
      if (run) {
        runs.push(run);
        tell(name, run);
      } else say(`${name}: no release within ${LIMIT} s, left out of the mean`);
    }
  }
  const figuresAgainst = (peer: string, runs: readonly Run[]): Figure[] => {
    const figure = (what: string, of: (run: Run) => number, unit: string): Figure =>
      smaller(`${what}, against ${peer}`, mean(ours.map(of)), runs.length > 0 ? mean(runs.map(of)) : null, unit);
    return [
      figure('release', (run) => run.seconds, 's'),
      figure('processor time of a release', (run) => run.processor, 's'),
      figure('as many rows', (run) => run.drawing, 's'),
      figure("workload error of the model's answers", (run) => run.model, 'L1 / 2n'),
      figure("workload error of the rows' answers", (run) => run.rows, 'L1 / 2n'),
      figure('peak memory', (run) => run.bytes / 1e6, 'MB'),
    ];
  };
  if (peers.length === 0) return figuresAgainst('no peer', []);
  return peers.flatMap(({ name, runs }) => figuresAgainst(name, runs));
};

export default bench;
