import type { Support } from '../src/model/support/support.js';
import { supportOf } from '../src/model/support/support.js';
import { budgetOf } from '../src/privacy/accounting/budget.js';
import { seededEntropy } from '../src/privacy/entropy.js';
import { memoryLedger } from '../src/privacy/ledger/memory-ledger.js';
import { openSession } from '../src/privacy/session/open-session.js';
import type { Session } from '../src/privacy/session/session.js';
import { pairsOrOneWays } from '../src/query/workload/pairs-or-one-ways.js';
import { seeded } from '../src/random/seeded.js';
import type { Released } from '../src/release/released.js';
import { residualPlanner } from '../src/release/residual-planner/residual-planner.js';
import { reweight } from '../src/release/reweight/reweight.js';
import { memorySource } from '../src/source/memory-source.js';
import { dataFolder } from './data/load-codes.js';
import type { Experiment } from './experiment.js';
import { inWorkers } from './parallel.js';
import { judge } from './reweighting/errors.js';
import { loadSetting, type SettingName, settingNames } from './reweighting/settings.js';
import { type Spread, showSpread, spreadOf } from './spread.js';

const epsilons = [0.03, 0.1, 0.3, 1, 3];
const delta = 1e-9;

/** Validated reweighting from what is measured in different ways, all of the budget each. */
const contenders: Readonly<Record<string, (session: Session, prior: Support, seed: number) => Promise<Released>>> = {
  'all pairs': (session, prior, seed) =>
    reweight(session, prior, {
      random: seeded(seed),
      threads: 1,
      workload: pairsOrOneWays(prior.domain),
      widening: { lambda: 0 },
    }),
  'residuals, cells': (session, prior, seed) =>
    residualPlanner(session, { prior, objective: 'cells', random: seeded(seed), threads: 1 }),
  'residuals, roots': (session, prior, seed) =>
    residualPlanner(session, { prior, objective: 'roots', random: seeded(seed), threads: 1 }),
};
const names = Object.keys(contenders);

interface Run {
  readonly data: string;
  readonly setting: SettingName;
  readonly epsilon: number;
  readonly seed: number;
}

type Outcome = Record<string, number>;

/** Every contender on one setting, budget and seed, each in a session of its own: the mean total variation of triples. */
export const runJob = async ({ data, setting, epsilon, seed }: Run): Promise<Outcome> => {
  const { publicTable, privateTable, triples } = await loadSetting(setting, data);
  const prior = supportOf(publicTable);
  const errorsOf = judge(privateTable, triples);
  const source = await memorySource({ table: privateTable, dataset: 'experiment', threads: 1 });
  const budget = { epsilon, delta };
  const outcome: Outcome = {};
  for (const [stream, name] of names.entries()) {
    const ledger = await memoryLedger(budgetOf(budget), 'experiment');
    const session = openSession({ source, budget, ledger, entropy: seededEntropy(1000 * seed + stream) });
    outcome[name] = errorsOf((await contenders[name](session, prior, seed)).model).mean;
  }
  source.close();
  return outcome;
};

interface Row {
  readonly setting: SettingName;
  readonly epsilon: number;
  readonly mean: Record<string, Spread>;
}

const line = (cells: readonly string[]): string => cells.map((cell) => cell.padEnd(26)).join('');

/**
 * Whether validated reweighting is better from residuals (`residual-planner`) than from all pairs (`reweight`), with the same budget: mean
 * total variation of 55 three-way marginals that nobody measures.
 */
const experiment: Experiment = async ({ data, seeds = 3, quick, say }) => {
  const folder = dataFolder(data);
  const cells = (quick ? settingNames.slice(-1) : settingNames).flatMap((setting) =>
    (quick ? [1] : epsilons).map((epsilon) => ({ data: folder, setting, epsilon })),
  );
  const jobs = cells.flatMap((cell) => Array.from({ length: seeds }, (_, seed): Run => ({ ...cell, seed: seed + 1 })));
  const outcomes = await inWorkers<Run, Outcome>(import.meta.url, jobs, ({ setting, epsilon, seed }, outcome, done) =>
    say(
      `${done}/${jobs.length} ${setting}, epsilon ${epsilon}, seed ${seed}: ${names.map((name) => `${name} ${outcome[name].toFixed(4)}`).join(', ')}`,
    ),
  );
  const rows = cells.map(({ setting, epsilon }, i): Row => {
    const own = outcomes.slice(i * seeds, (i + 1) * seeds);
    return {
      setting,
      epsilon,
      mean: Object.fromEntries(names.map((name) => [name, spreadOf(own.map((outcome) => outcome[name]))])),
    };
  });
  const text = [
    'Mean total variation of 55 three-way marginals, validated reweighting',
    line(['setting', 'epsilon', ...names]),
    ...rows.map((row) => line([row.setting, `${row.epsilon}`, ...names.map((name) => showSpread(row.mean[name]))])),
  ].join('\n');
  return { figures: { delta, seeds, rows }, text };
};

export default experiment;
