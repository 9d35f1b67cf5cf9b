import { mkdirSync, writeFileSync } from 'node:fs';
import { onlyOf } from './command/only-of.js';
import { dataFolder } from './data/load-codes.js';
import type { Experiment } from './experiment.js';
import { workloadError } from './pgm-four/error.js';
import { type FourMechanism, fourMechanisms, type Subject } from './pgm-four/mechanisms.js';
import { type FourTable, fourTables, loadFour, paperWorkload } from './pgm-four/tables.js';
import { barPlot } from './plots/bar-plot.js';
import { inWorkersResuming } from './resume.js';

interface Job {
  readonly data: string;
  readonly mechanism: FourMechanism;
  readonly table: FourTable;
  readonly seed: number;
  readonly iterations: number;
}

const estimators = ['own', 'converged', 'validated'] as const;
type Estimator = (typeof estimators)[number];

type Errors = Record<Estimator, number> & { readonly seconds: number; readonly note: string };

/** One run of one mechanism on one table: the paper's error by its own estimator and by the graphical model. */
export const runJob = async ({ data, mechanism, table: name, seed, iterations }: Job): Promise<Errors> => {
  const table = loadFour(name, data);
  const workload = paperWorkload(name, table.domain);
  const errorOf = workloadError(table, workload);
  const { budget, run }: Subject = fourMechanisms[mechanism];
  const start = performance.now();
  const { own, converged, validated, note = '' } = await run({ table, workload, budget, seed, iterations });
  return {
    own: errorOf(own),
    converged: errorOf(converged),
    validated: errorOf(validated),
    seconds: (performance.now() - start) / 1000,
    note,
  };
};

/** By how much the paper's graphical models divide the error (section 5.1); MWEM alone ran on stroke only, and no figure is told. */
const paperFactors: Readonly<Record<FourMechanism, Partial<Record<FourTable, number>>>> = {
  privbayes: { adult: 1 / 0.7, loans: 6, stroke: 7 },
  'dual-query': { titanic: 1.2, adult: 1.8, loans: 3.5, stroke: 4.4 },
  mwem: {},
  hdmm: { titanic: 6.6, adult: 3.2, loans: 27, stroke: 6.3 },
};

interface Summary {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

const summary = (values: readonly number[]): Summary => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return {
    median: (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2,
    least: sorted[0],
    most: sorted[sorted.length - 1],
  };
};

interface Line {
  readonly mechanism: FourMechanism;
  readonly table: FourTable;
  readonly errors: Record<Estimator, Summary>;
  /** Own error by that of the graphical model run to convergence, as the paper has it. */
  readonly factor: number;
  readonly paper: number | undefined;
  readonly notes: readonly string[];
}

const lineOf = (mechanism: FourMechanism, table: FourTable, runs: readonly Errors[]): Line => {
  const of = (estimator: Estimator): Summary => summary(runs.map((run) => run[estimator]));
  const errors = { own: of('own'), converged: of('converged'), validated: of('validated') };
  return {
    mechanism,
    table,
    errors,
    factor: errors.own.median / errors.converged.median,
    paper: paperFactors[mechanism][table],
    notes: [...new Set(runs.map(({ note }) => note))].filter((note) => note !== ''),
  };
};

const ownName: Readonly<Record<FourMechanism, string>> = {
  privbayes: 'network, sampled',
  'dual-query': 'records',
  mwem: 'factored weights',
  hdmm: 'local least squares',
};

const shown = ({ median, least, most }: Summary): string =>
  `${median.toFixed(4)} (${least.toFixed(4)}-${most.toFixed(4)})`;

const textOf = (lines: readonly Line[], runs: number): string => {
  const row = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => cell.padEnd([12, 9, 25, 25, 25, 8][i] ?? 0))
      .join('')
      .trimEnd();
  const notes = lines.flatMap(({ mechanism, table, notes }) =>
    notes.map((note) => `${mechanism} on ${table}: ${note}`),
  );
  return [
    'Figure 1 of Private-PGM: the workload error of four mechanisms at epsilon 1 (delta 0.001 for dual-query), replace-one with n public,',
    'by their own estimator, with a graphical model run to convergence as in the paper, and with one stopped by validation.',
    `15 seeded triples, prefixes of numeric attributes. Median (range) of ${runs} runs; factor = own / converged, beside the paper's.`,
    '',
    row(['mechanism', 'table', 'own estimator', 'pgm, converged', 'pgm, validated', 'factor', 'paper']),
    ...lines.map(({ mechanism, table, errors, factor, paper }) =>
      row([
        mechanism,
        table,
        shown(errors.own),
        shown(errors.converged),
        shown(errors.validated),
        factor.toFixed(2),
        paper?.toFixed(1) ?? '',
      ]),
    ),
    '',
    ...notes,
  ].join('\n');
};

const plot = (lines: readonly Line[]): Promise<string> =>
  barPlot({
    caption:
      'Workload error of four mechanisms on four tables, by their own estimators and by graphical models, at epsilon 1: medians and ranges of the runs',
    axis: 'workload error',
    panels: [...new Set(lines.map(({ mechanism }) => mechanism))].map((mechanism) => ({
      title: `${mechanism} (alone: ${ownName[mechanism]})`,
      bars: lines
        .filter((line) => line.mechanism === mechanism)
        .flatMap(({ table, errors }) => [
          { group: table, series: 'own estimator', ...errors.own },
          { group: table, series: 'graphical model, converged', ...errors.converged },
          { group: table, series: 'graphical model, validated', ...errors.validated },
        ]),
    })),
  });

/** By about how long a run takes. */
const rank = ({ mechanism, table }: Pick<Job, 'mechanism' | 'table'>): number =>
  4 * (['loans', 'adult', 'stroke', 'titanic'] satisfies FourTable[]).indexOf(table) +
  (['dual-query', 'hdmm', 'mwem', 'privbayes'] satisfies FourMechanism[]).indexOf(mechanism);

const experiment: Experiment = async ({ data, seeds, quick, only, say }) => {
  const folder = dataFolder(data);
  const runs = seeds ?? (quick ? 1 : 5);
  const all = Object.keys(fourMechanisms) as FourMechanism[];
  const chosen = onlyOf(only, all);
  const mechanisms = chosen === undefined ? all : [chosen];
  const pairs = mechanisms.flatMap((mechanism) => fourTables.map((table) => ({ mechanism, table })));
  // Seed by seed, so that an interrupted run has something of everything; the longest first, so that no thread waits long for the other's last.
  const longestFirst = [...pairs].sort((a, b) => rank(a) - rank(b));
  const jobs = Array.from({ length: runs }, (_, i) =>
    longestFirst.map((pair): Job => ({ data: folder, ...pair, seed: i + 1, iterations: quick ? 200 : 10_000 })),
  ).flat();
  const outcomes = await inWorkersResuming<Job, Errors>(
    'pgm-figure1',
    import.meta.url,
    jobs,
    say,
    (job, errors) =>
      `${job.mechanism} on ${job.table}, run ${job.seed}: ${estimators.map((name) => errors[name].toFixed(4)).join(', ')} in ${errors.seconds.toFixed(0)} s`,
  );
  const lines = pairs.map(({ mechanism, table }) =>
    lineOf(
      mechanism,
      table,
      outcomes.filter((_, i) => jobs[i].mechanism === mechanism && jobs[i].table === table),
    ),
  );
  // The picture is of the whole figure: a part of it must not take its place.
  if (!quick && chosen === undefined) {
    mkdirSync('experiments/results', { recursive: true });
    writeFileSync('experiments/results/pgm-figure1.svg', await plot(lines));
    say('the picture is in experiments/results/pgm-figure1.svg');
  }
  return { figures: { epsilon: 1, seeds: runs, lines }, text: textOf(lines, runs) };
};

export default experiment;
