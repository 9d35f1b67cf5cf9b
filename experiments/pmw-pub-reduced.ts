import type { Table } from '../src/domain/table.js';
import { supportOf } from '../src/model/support/support.js';
import { allMarginals } from '../src/query/workload/all-marginals.js';
import { uniformSupport } from '../src/release/mwem/uniform-support.js';
import { dataFolder, loadCodes } from './data/load-codes.js';
import { rowsWhere, without } from './data/pick-rows.js';
import type { Experiment } from './experiment.js';
import { tuneEtas } from './pmw-pub/baselines.js';
import { type Laboratory, openLaboratory, planFor, tuneRounds } from './pmw-pub/laboratory.js';
import { inWorkersResuming } from './resume.js';
import { type Spread, spreadOf } from './spread.js';

/*
 * A reduced census table, as PMW-Pub has one so that MWEM can run (Table 2, first rows): 10 attributes, a domain of 124,416 cells (the paper: 98,304), all
 * 252 five-way marginals. Private is Ohio in 2015-2018; public are Ohio in 2012-2014, Illinois in 2015-2018, and people of Illinois who live in
 * group quarters, who cannot stand for anybody else (the paper's California). Everything that has a parameter is tuned on 2014 in the private
 * table's place, with the tables of its time as public, at the budget that gives the smaller table the same precision.
 */
const attributes = [
  'SEX',
  'AGE',
  'RACE',
  'HCOVANY',
  'HCOVPRIV',
  'HINSEMP',
  'HINSCAID',
  'HINSCARE',
  'EMPSTAT',
  'LABFORCE',
];
const epsilons = [0.1, 0.25, 0.5, 1];
const publics = ['across time', 'across states', 'group quarters'] as const;
const firstOfOhio = 88;
const roundsTried = [300, 200, 150, 100, 50, 25, 10, 5];

interface Job {
  readonly kind: 'tune' | 'run';
  readonly data: string;
  readonly seed: number;
  readonly epsilons: readonly number[];
  /** What was tuned, by budget. */
  readonly tuned?: Tuned;
}

/** Rounds of PMW-Pub for each public table and of MWEM, and DualQuery's eta, for each budget. */
interface Tuned {
  readonly rounds: Readonly<Record<string, readonly number[]>>;
  readonly etas: readonly number[];
}

interface Outcome {
  readonly tuned: Tuned;
  /** Largest errors, by mechanism and budget. */
  readonly errors: Readonly<Record<string, readonly number[]>>;
  readonly floors: Readonly<
    Record<string, { readonly asIs: number; readonly mixture: number; readonly bound: number }>
  >;
}

interface Setting {
  readonly privateTable: Table;
  readonly publicTables: Readonly<Record<(typeof publics)[number], Table>>;
  readonly finalRows: number;
}

const settingOf = (data: string, kind: Job['kind']): Setting => {
  const table = loadCodes(data, 'nist-sprint2', ['PUMA', 'YEAR', 'GQ', ...attributes]);
  const [puma, year, quarters] = table.columns;
  const pick = (isOhio: boolean, first: number, last: number, isGroup = false): Table =>
    without(
      rowsWhere(
        table,
        (row) =>
          puma[row] >= firstOfOhio === isOhio &&
          year[row] >= first &&
          year[row] <= last &&
          (!isGroup || quarters[row] >= 2),
      ),
      ['PUMA', 'YEAR', 'GQ'],
    );
  const [first, last] = kind === 'tune' ? [2, 2] : [3, 6];
  return {
    privateTable: pick(true, first, last),
    finalRows: pick(true, 3, 6).length,
    publicTables: {
      'across time': pick(true, 0, first - 1),
      'across states': pick(false, first, last),
      'group quarters': pick(false, first, last, true),
    },
  };
};

const tune = async (
  laboratory: Laboratory,
  plans: ReadonlyMap<string, ReturnType<typeof planFor>>,
  budgets: readonly number[],
): Promise<Tuned> => {
  const rounds: Record<string, readonly number[]> = {};
  for (const [name, plan] of plans)
    rounds[name] = await tuneRounds(laboratory, plan, { epsilons: budgets, roundsTried }, 1);
  return { rounds, etas: await tuneEtas(laboratory, budgets) };
};

export const runJob = async ({ kind, data, seed, epsilons: budgets, tuned }: Job): Promise<Outcome> => {
  const { privateTable, publicTables, finalRows } = settingOf(data, kind);
  const workload = allMarginals(privateTable.domain, 5);
  const laboratory = await openLaboratory(privateTable, workload);
  const supports = new Map(publics.map((name) => [name as string, supportOf(publicTables[name])]));
  const plans = new Map([...supports].map(([name, support]) => [name, planFor(support, workload)]));
  const whole = planFor(uniformSupport(privateTable.domain), workload);
  try {
    if (tuned === undefined) {
      const scaled = budgets.map((epsilon) => (epsilon * finalRows) / privateTable.length);
      return { tuned: await tune(laboratory, new Map([...plans, ['mwem', whole]]), scaled), errors: {}, floors: {} };
    }
    const errors: Record<string, number[]> = {};
    const note = (name: string, error: number): void => {
      errors[name] = [...(errors[name] ?? []), error];
    };
    for (const [i, epsilon] of budgets.entries()) {
      const trial = { epsilon, seed: 100 * seed + i };
      const with_ = { ...trial, selection: 'exponential' } as const;
      for (const [name, plan] of plans)
        note(`PMW-Pub, ${name}`, (await laboratory.run(plan, { ...with_, rounds: tuned.rounds[name][i] })).largest);
      note('MWEM', (await laboratory.run(whole, { ...with_, rounds: tuned.rounds.mwem[i] })).largest);
      note('HDMM', await laboratory.hdmm(trial));
      note('DualQuery', await laboratory.dualQuery({ ...trial, eta: tuned.etas[i] }));
      note('reweight, across time', await laboratory.reweight(supports.get('across time')!, trial));
    }
    const floors: Record<string, Outcome['floors'][string]> = {};
    if (seed === 1)
      for (const [name, plan] of plans) {
        const { error, bound } = await laboratory.bestMixture(plan);
        const asIs = (await laboratory.errorsOf(plan, supports.get(name)!.weights)).largest;
        floors[name] = { asIs, mixture: error, bound };
      }
    return { tuned, errors, floors };
  } finally {
    laboratory.close();
  }
};

/** Mean and standard error. */
const show = ({ mean, deviation, runs }: Spread): string =>
  `${mean.toFixed(4)} ±${(deviation / Math.sqrt(runs)).toFixed(4)}`;

const experiment: Experiment = async ({ data, seeds = 5, quick = false, say }) => {
  const folder = dataFolder(data);
  const budgets = quick ? [1] : epsilons;
  const runs = quick ? 1 : seeds;
  const name = 'pmw-pub-reduced';
  const [{ tuned }] = await inWorkersResuming<Job, Outcome>(
    `${name}-tuning`,
    import.meta.url,
    [{ kind: 'tune', data: folder, seed: 1, epsilons: budgets }],
    say,
    (_, found) => `tuned: ${JSON.stringify(found.tuned)}`,
  );
  const jobs = Array.from(
    { length: runs },
    (_, i): Job => ({ kind: 'run', data: folder, seed: i + 1, epsilons: budgets, tuned }),
  );
  const outcomes = await inWorkersResuming<Job, Outcome>(
    name,
    import.meta.url,
    jobs,
    say,
    ({ seed }, { errors }) =>
      `run ${seed}: ${Object.entries(errors)
        .map(([who, list]) => `${who} ${list.map((error) => error.toFixed(4)).join(' ')}`)
        .join('; ')}`,
  );
  const rows = Object.keys(outcomes[0].errors).map((who) => ({
    mechanism: who,
    errors: budgets.map((_, i) => spreadOf(outcomes.map(({ errors }) => errors[who][i]))),
  }));
  const { floors } = outcomes[0];
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => cell.padEnd(i === 0 ? 26 : 18))
      .join('')
      .trimEnd();
  return {
    figures: { seeds: runs, epsilons: budgets, tuned, rows, floors },
    text: [
      `Largest error of a cell of all 252 five-way marginals of ${attributes.length} attributes (124,416 cells), mean and standard error of ${runs} runs; delta 1/n^2, replace-one.`,
      line(['', ...budgets.map((epsilon) => `epsilon ${epsilon}`)]),
      ...rows.map(({ mechanism, errors }) => line([mechanism, ...errors.map(show)])),
      ...Object.entries(floors).map(
        ([who, { asIs, mixture, bound }]) =>
          `${who}: as it is ${asIs.toFixed(4)}, best mixture error ${mixture.toFixed(4)} (at least ${Math.max(0, bound).toFixed(4)})`,
      ),
    ].join('\n'),
  };
};

export default experiment;
