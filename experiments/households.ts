import { mkdirSync, writeFileSync } from 'node:fs';
import { householdCount } from '../src/model/households/household-support.js';
import type { HouseholdModel } from '../src/model/model.js';
import { budgetOf } from '../src/privacy/accounting/budget.js';
import { seededEntropy } from '../src/privacy/entropy.js';
import { memoryLedger } from '../src/privacy/ledger/memory-ledger.js';
import { openSession } from '../src/privacy/session/open-session.js';
import type { Unit } from '../src/query/unit.js';
import { seeded } from '../src/random/seeded.js';
import { householdMechanisms } from '../src/release/registry.js';
import { settingsOf } from '../src/release/settings.js';
import { memorySource } from '../src/source/memory-source.js';
import { onlyOf } from './command/only-of.js';
import { dataFolder } from './data/load-codes.js';
import type { Experiment } from './experiment.js';
import {
  copiedAttributes,
  type Protected,
  protectedUnits,
  randomGrouping,
  type Terms,
  uniformHouseholds,
} from './households/baselines.js';
import { errorKinds, type HouseholdErrors, householdErrors, modelOf } from './households/errors.js';
import { type Halves, type HouseholdTableName, householdTables, loadHalves } from './households/tables.js';
import { errorPlot } from './plots/error-plot.js';
import { inWorkersResuming } from './resume.js';
import { type Spread, spreadOf } from './spread.js';

/*
 * Figure 1 of "Towards Differentially Private Query Release for Hierarchical Data" on a travel survey instead of the census: largest and mean errors of counts of
 * households (Q_G) and of persons (Q_I), all sets of three attributes, delta 1/N_G^2. One half of the households, chosen at random, is private for all;
 * the other half is public for the one mechanism that takes such a thing. In the paper's unit, what is said of a person, and in ours, a household.
 */
const epsilons = [0.125, 0.25, 0.5, 1];

/** What is compared. Those of `level` spend nothing: one run each. */
const subjects = ['h-gem', 'h-mwem', 'h-reweight', 'copied', 'grouped', 'public', 'uniform'] as const;
type Subject = (typeof subjects)[number];
const levels: readonly Subject[] = ['public', 'uniform'];

const meaning: Readonly<Record<Subject, string>> = {
  'h-gem': 'H-GEM',
  'h-mwem': 'hierarchical MWEM',
  'h-reweight': 'reweighted public half',
  copied: 'flat AIM, household attributes copied',
  grouped: 'flat AIM, persons grouped at random',
  public: 'public half as it is',
  uniform: 'uniform households',
};

interface Job {
  readonly data: string;
  readonly table: HouseholdTableName;
  readonly subject: Subject;
  readonly protect: Protected;
  readonly epsilon: number;
  readonly seed: number;
  readonly quick: boolean;
}

type Outcome = HouseholdErrors & { readonly seconds: number };

/** A fifth of H-GEM's work, so that all runs take an hour of processor time and not three; everything else is as it comes. */
const lighter: Readonly<Record<string, Record<string, number>>> = { 'h-gem': { batch: 200, steps: 50 } };

/** Less work for a run that only shows that everything works. */
const little: Readonly<Record<string, Record<string, number>>> = {
  'h-gem': { rounds: 3, batch: 100, steps: 10 },
  'h-mwem': { rounds: 5 },
  'h-reweight': { iterations: 20 },
};

/** A mechanism for households by the registry, with its defaults. */
const registered = async (
  name: string,
  { priv, pub, workload }: Halves,
  terms: Terms,
  quick: boolean,
): Promise<HouseholdModel> => {
  const mechanism = householdMechanisms.find((one) => one.name === name)!;
  const { maxSize } = priv.domain.households!;
  const unit: Unit =
    terms.protect === 'household'
      ? { kind: 'household', column: 'household', maxRecords: maxSize }
      : { kind: 'person', maxRecords: 1 };
  const relation = terms.protect === 'household' ? 'add-remove' : 'replace-one';
  const ids = new Uint32Array(priv.length);
  for (let h = 0; h < householdCount(priv); h++) ids.fill(h, priv.offsets[h], priv.offsets[h + 1]);
  const source = await memorySource({ table: priv, ids, unit, dataset: 'experiment', threads: 1 });
  const ledger = await memoryLedger(budgetOf(terms.budget), 'experiment', { relation, unit });
  const session = openSession({ source, ledger, budget: terms.budget, relation, entropy: seededEntropy(terms.seed) });
  try {
    const settings = settingsOf(mechanism, (quick ? little : lighter)[name] ?? {});
    const run = { random: seeded(terms.seed), threads: 1 };
    // Reweighting has a default of its own for what to measure; the others choose from what is asked.
    const given = name === 'h-reweight' ? { ...run, publicHouseholds: pub } : { ...run, workload };
    const { model } = await mechanism.release(session, undefined, given, settings);
    return model;
  } finally {
    await session.close();
    await source.close();
  }
};

const modelFor = async (subject: Subject, halves: Halves, terms: Terms, quick: boolean): Promise<HouseholdModel> => {
  const { priv, pub } = halves;
  if (subject === 'uniform') return modelOf(uniformHouseholds(priv.domain, 50_000, seeded(terms.seed)));
  if (subject === 'public') return modelOf(pub);
  if (subject === 'copied') return modelOf(await copiedAttributes(priv, terms));
  if (subject === 'grouped') return modelOf(await randomGrouping(priv, terms));
  return registered(subject, halves, terms, quick);
};

export const runJob = async ({ data, table, subject, protect, epsilon, seed, quick }: Job): Promise<Outcome> => {
  const halves = await loadHalves(data, table);
  const budget = { epsilon, delta: 1 / householdCount(halves.priv) ** 2 };
  const start = performance.now();
  const model = await modelFor(subject, halves, { protect, budget, seed }, quick);
  const seconds = (performance.now() - start) / 1000;
  return { ...householdErrors(model, halves.priv, halves.workload), seconds };
};

interface Row {
  readonly table: HouseholdTableName;
  /** Nobody's, where nothing private is used. */
  readonly protect: Protected | undefined;
  readonly subject: Subject;
  readonly epsilon: number | undefined;
  readonly errors: Readonly<Record<(typeof errorKinds)[number], Spread>>;
  readonly seconds: number;
}

const rowOf = ({ table, protect, subject, epsilon }: Job, runs: readonly Outcome[]): Row => ({
  table,
  protect: levels.includes(subject) ? undefined : protect,
  subject,
  epsilon: levels.includes(subject) ? undefined : epsilon,
  errors: Object.fromEntries(errorKinds.map((kind) => [kind, spreadOf(runs.map((run) => run[kind]))])) as Row['errors'],
  seconds: runs.reduce((sum, { seconds }) => sum + seconds, 0) / runs.length,
});

const standardError = ({ deviation, runs }: Spread): number => deviation / Math.sqrt(runs);
const shown = (spread: Spread): string => `${spread.mean.toFixed(4)} ±${standardError(spread).toFixed(4)}`;

const textOf = (rows: readonly Row[], runs: number): string => {
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => cell.padEnd([8, 11, 38, 9][i] ?? 17))
      .join('')
      .trimEnd();
  return [
    `Errors as proportions of households (Q_G) and of persons (Q_I), all sets of three attributes: mean ± standard error of ${runs} runs.`,
    line(['table', 'protects', 'what', 'epsilon', 'Q_G largest', 'Q_G mean', 'Q_I largest', 'Q_I mean', 'seconds']),
    ...rows.map(({ table, protect, subject, epsilon, errors, seconds }) =>
      line([
        table,
        protect ?? '-',
        meaning[subject],
        epsilon?.toString() ?? '-',
        ...errorKinds.map((kind) => shown(errors[kind])),
        seconds.toFixed(1),
      ]),
    ),
  ].join('\n');
};

const titles: Readonly<Record<(typeof errorKinds)[number], string>> = {
  householdsLargest: 'households, largest error',
  householdsMean: 'households, mean error',
  personsLargest: 'persons, largest error',
  personsMean: 'persons, mean error',
};

/** The paper's four panels for each table, at one unit. */
const plot = (rows: readonly Row[], protect: Protected): Promise<string> =>
  errorPlot({
    caption: `Errors of counts of households and of persons, ${protect === 'household' ? 'a household' : 'what is said of a person'} protected, delta 1/N_G^2: mean and standard error of the runs`,
    panels: householdTables.flatMap((table) =>
      errorKinds.map((kind) => {
        const own = rows.filter((row) => row.table === table);
        return {
          title: `${table}: ${titles[kind]}`,
          levels: own
            .filter((row) => row.epsilon === undefined)
            .map(({ subject, errors }) => ({ name: meaning[subject], error: errors[kind].mean })),
          points: own
            .filter((row) => row.protect === protect)
            .map(({ subject, epsilon, errors }) => ({
              series: meaning[subject],
              epsilon: epsilon!,
              error: errors[kind].mean,
              standardError: standardError(errors[kind]),
            })),
        };
      }),
    ),
  });

const experiment: Experiment = async ({ data, seeds, quick = false, only, say }) => {
  const folder = dataFolder(data);
  const runs = seeds ?? (quick ? 1 : 5);
  const there = subjects.filter(
    (subject) => !subject.startsWith('h-') || householdMechanisms.some(({ name }) => name === subject),
  );
  const chosen = onlyOf(only, there);
  const settings = householdTables.flatMap((table) =>
    (chosen === undefined ? there : [chosen])
      // All possible households of the whole table cannot be listed.
      .filter((subject) => table === 'small' || subject !== 'h-mwem')
      .flatMap((subject) =>
        levels.includes(subject)
          ? [{ table, subject, protect: 'household' as const, epsilon: 1 }]
          : protectedUnits.flatMap((protect) =>
              (quick ? [1] : epsilons).map((epsilon) => ({ table, subject, protect, epsilon })),
            ),
      ),
  );
  // Seed by seed, so that an interrupted run has something of everything.
  const jobs = Array.from({ length: runs }, (_, i) =>
    settings
      .filter(({ subject }) => i === 0 || !levels.includes(subject))
      .map((setting): Job => ({ data: folder, ...setting, seed: i + 1, quick })),
  ).flat();
  const outcomes = await inWorkersResuming<Job, Outcome>(
    'households',
    import.meta.url,
    jobs,
    say,
    ({ table, subject, protect, epsilon, seed }, { householdsLargest, personsLargest, seconds }) =>
      `${subject} on ${table}, ${protect}, epsilon ${epsilon}, run ${seed}: ${householdsLargest.toFixed(4)}, ${personsLargest.toFixed(4)} in ${seconds.toFixed(0)} s`,
  );
  const keyOf = ({ table, subject, protect, epsilon }: (typeof settings)[number]): string =>
    JSON.stringify([table, subject, protect, epsilon]);
  const rows = settings.map((setting) => {
    const own = jobs.flatMap((job, i) => (keyOf(job) === keyOf(setting) ? [i] : []));
    return rowOf(
      jobs[own[0]],
      own.map((i) => outcomes[i]),
    );
  });
  // The pictures are of the whole figure: a part of it must not take their place.
  if (!quick && chosen === undefined) {
    mkdirSync('experiments/results', { recursive: true });
    for (const protect of protectedUnits)
      writeFileSync(`experiments/results/households-${protect}.svg`, await plot(rows, protect));
    say('the pictures are in experiments/results/households-household.svg and households-person.svg');
  }
  return { figures: { seeds: runs, quick, rows }, text: textOf(rows, runs) };
};

export default experiment;
