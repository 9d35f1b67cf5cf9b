import { graphicalPrior } from '../src/estimate/graphical/prior/prior.js';
import { supportOf } from '../src/model/support/support.js';
import { supportModel } from '../src/model/support/support-model.js';
import { budgetOf } from '../src/privacy/accounting/budget.js';
import { seededEntropy } from '../src/privacy/entropy.js';
import { memoryLedger } from '../src/privacy/ledger/memory-ledger.js';
import { openSession } from '../src/privacy/session/open-session.js';
import { mostPairCells, pairsOrOneWays } from '../src/query/workload/pairs-or-one-ways.js';
import { sampleMarginals } from '../src/query/workload/sample-marginals.js';
import { seeded } from '../src/random/seeded.js';
import { aim } from '../src/release/aim/aim.js';
import { reweight } from '../src/release/reweight/reweight.js';
import { memorySource } from '../src/source/memory-source.js';
import { dataFolder } from './data/load-codes.js';
import { loadMassachusetts } from './data/load-massachusetts.js';
import type { Experiment } from './experiment.js';
import { inWorkers } from './parallel.js';
import { type Errors, judge } from './reweighting/errors.js';
import { type Spread, showSpread, spreadOf } from './spread.js';

/*
 * AIM on acs-massachusetts, 2019 private, with and without a prior fitted to 2018, beside validated reweighting of the 2018 rows and the
 * 2018 table and its graphical model as they are. Mean total variation distance of all pairs and of 55 three-way marginals.
 */
const epsilons = [0.1, 0.3, 1, 3];
const delta = 1e-9;
const contenders = [
  'AIM, converged',
  'AIM, validated',
  'prior, converged',
  'prior, validated',
  'reweight',
  'prior as it is',
  '2018 as it is',
] as const;
type Contender = (typeof contenders)[number];

interface Job {
  readonly data: string;
  readonly epsilon: number;
  readonly seed: number;
}

type Outcome = Record<Contender, { readonly pairs: Errors; readonly triples: Errors }>;

export const runJob = async ({ data, epsilon, seed }: Job): Promise<Outcome> => {
  const { domain, earlier, later } = await loadMassachusetts(data);
  const workload = pairsOrOneWays(domain);
  const queries = workload.queries.map(({ query }) => (query.kind === 'marginal' ? query.attributes : []));
  const triples = sampleMarginals(domain, 3, 55, seeded(55), { maxCells: 5000 }).queries.map(({ query }) =>
    query.kind === 'marginal' ? query.attributes : [],
  );
  const judges = { pairs: judge(later, queries), triples: judge(later, triples) };
  const errorsOf = (model: Parameters<typeof judges.pairs>[0]) => ({
    pairs: judges.pairs(model),
    triples: judges.triples(model),
  });
  const source = await memorySource({ table: later, dataset: 'experiment', threads: 1 });
  const budget = { epsilon, delta };
  const session = async (stream: number) =>
    openSession({
      source,
      budget,
      ledger: await memoryLedger(budgetOf(budget), 'experiment'),
      entropy: seededEntropy(1000 * seed + stream),
    });
  const alone = { random: seeded(seed), threads: 1 };
  const prior = graphicalPrior(domain, earlier);
  const support = supportOf(earlier);
  const outcome = {
    // Equal noise within each pair: only where the last estimate stops differs.
    'AIM, converged': errorsOf((await aim(await session(1), { ...alone, workload, until: 'converged' })).model),
    'AIM, validated': errorsOf((await aim(await session(1), { ...alone, workload, until: 'validated' })).model),
    'prior, converged': errorsOf(
      (await aim(await session(2), { ...alone, workload, prior, until: 'converged' })).model,
    ),
    'prior, validated': errorsOf(
      (await aim(await session(2), { ...alone, workload, prior, until: 'validated' })).model,
    ),
    reweight: errorsOf(
      (
        await reweight(await session(3), support, {
          ...alone,
          workload: pairsOrOneWays(support.domain),
          widening: { lambda: 0 },
        })
      ).model,
    ),
    'prior as it is': errorsOf(prior.model),
    '2018 as it is': errorsOf(supportModel(support, 1)),
  };
  source.close();
  return outcome;
};

interface Row {
  readonly epsilon: number;
  readonly pairs: Record<Contender, Spread>;
  readonly triples: Record<Contender, Spread>;
}

const table = (rows: readonly Row[], which: 'pairs' | 'triples'): string =>
  [
    ['epsilon', ...contenders],
    ...rows.map((row) => [`${row.epsilon}`, ...contenders.map((name) => showSpread(row[which][name]))]),
  ]
    .map((cells) => cells.map((cell) => cell.padEnd(17)).join(''))
    .join('\n');

const experiment: Experiment = async ({ data, seeds = 5, quick, say }) => {
  const folder = dataFolder(data);
  const used = quick ? [1] : epsilons;
  const count = quick ? 1 : seeds;
  const jobs = used.flatMap((epsilon) =>
    Array.from({ length: count }, (_, seed): Job => ({ data: folder, epsilon, seed: seed + 1 })),
  );
  const outcomes = await inWorkers<Job, Outcome>(import.meta.url, jobs, ({ epsilon, seed }, _, done) =>
    say(`${done} of ${jobs.length}: epsilon ${epsilon}, seed ${seed}`),
  );
  const rows = used.map((epsilon): Row => {
    const own = outcomes.filter((_, i) => jobs[i].epsilon === epsilon);
    const spread = (which: 'pairs' | 'triples') =>
      Object.fromEntries(
        contenders.map((name) => [name, spreadOf(own.map((outcome) => outcome[name][which].mean))]),
      ) as Record<Contender, Spread>;
    return { epsilon, pairs: spread('pairs'), triples: spread('triples') };
  });
  return {
    figures: { seeds: count, delta, rows },
    text: `Mean total variation distance on acs-massachusetts, 2019 private; mean and standard deviation of ${count} seeds.
All pairs of at most ${mostPairCells} cells
${table(rows, 'pairs')}
55 three-way marginals
${table(rows, 'triples')}`,
  };
};

export default experiment;
