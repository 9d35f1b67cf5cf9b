import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Table } from '../src/domain/table.js';
import { supportOf } from '../src/model/support/support.js';
import { sampleMarginals } from '../src/query/workload/sample-marginals.js';
import { seeded } from '../src/random/seeded.js';
import { dataFolder, loadCodes } from './data/load-codes.js';
import { rowsWhere, without } from './data/pick-rows.js';
import type { Experiment } from './experiment.js';
import { inWorkers } from './parallel.js';
import { floorPlot } from './plots/floor-plot.js';
import {
  type Extent,
  fullExtent,
  type LaboratoryOutcome,
  openLaboratory,
  planFor,
  quickExtent,
  tuneRounds,
} from './pmw-pub/laboratory.js';
import { type Spread, spreadOf } from './spread.js';

/*
 * PMW-Pub, figure 1 and Table 2, on the census extract of nist-sprint2: the private table is one state in 2015-2018, the public one the
 * same state in 2012-2014 (across time) or the other state in 2015-2018 (across states). Largest error of a cell of 1,024 three-way
 * marginals of all 33 attributes; the number of rounds is tuned as the paper does on an earlier release: 2014 plays the private
 * table, with 2012-2013 or the other state's 2014 as public, at the budget that gives the smaller table the same precision.
 */
const marginals = 1024;
const maxCells = 5000;
/** Illinois has the PUMA codes below this one, Ohio the others. */
const firstOfOhio = 88;
const states = ['Illinois', 'Ohio'] as const;
const publics = ['across time', 'across states'] as const;

interface Job {
  readonly kind: 'tune' | 'run';
  readonly data: string;
  readonly state: (typeof states)[number];
  readonly from: (typeof publics)[number];
  readonly seed: number;
  readonly extent: Extent;
  readonly rounds: readonly number[];
}

type Outcome = LaboratoryOutcome;

/** The rows of a state in some years, counted from 0 for 2012. */
const rowsOf = (table: Table, state: string, first: number, last: number): Table => {
  const [puma, year] = table.columns;
  return without(
    rowsWhere(
      table,
      (row) => puma[row] < firstOfOhio === (state === 'Illinois') && year[row] >= first && year[row] <= last,
    ),
    ['PUMA', 'YEAR'],
  );
};

export const runJob = async ({ kind, data, state, from, seed, extent, rounds }: Job): Promise<Outcome> => {
  const table = loadCodes(data, 'nist-sprint2');
  const other = state === 'Ohio' ? 'Illinois' : 'Ohio';
  const tuning = kind === 'tune';
  const final = rowsOf(table, state, 3, 6);
  const privateTable = tuning ? rowsOf(table, state, 2, 2) : final;
  const [first, last] = tuning ? [2, 2] : [3, 6];
  const publicTable = from === 'across states' ? rowsOf(table, other, first, last) : rowsOf(table, state, 0, first - 1);
  const workload = sampleMarginals(privateTable.domain, 3, marginals, seeded(marginals), { maxCells });
  const support = supportOf(publicTable);
  const laboratory = await openLaboratory(privateTable, workload);
  const plan = planFor(support, workload);
  try {
    if (tuning) {
      const scaled = extent.epsilons.map((epsilon) => (epsilon * final.length) / privateTable.length);
      const tuned = await tuneRounds(laboratory, plan, { ...extent, epsilons: scaled }, 1);
      return { rounds: tuned, pmw: [], exponential: [], direct: [], asIs: 0, mixture: 0, bound: 0 };
    }
    const errors = { pmw: [] as number[], exponential: [] as number[], direct: [] as number[] };
    for (const [i, epsilon] of extent.epsilons.entries()) {
      const trial = { epsilon, rounds: rounds[i], seed: 100 * seed + i };
      errors.pmw.push((await laboratory.run(plan, trial)).largest);
      errors.exponential.push((await laboratory.run(plan, { ...trial, selection: 'exponential' })).largest);
      errors.direct.push(await laboratory.direct(trial));
    }
    // The tables are the same in every run, and so is the floor.
    const floor = seed === 1 ? await laboratory.bestMixture(plan) : { error: 0, bound: 0 };
    const asIs = (await laboratory.errorsOf(plan, support.weights)).largest;
    return { rounds, ...errors, asIs, mixture: floor.error, bound: floor.bound };
  } finally {
    laboratory.close();
  }
};

/** Mean and standard error. */
const show = ({ mean, deviation, runs }: Spread): string =>
  `${mean.toFixed(4)} ±${(deviation / Math.sqrt(runs)).toFixed(4)}`;

const experiment: Experiment = async ({ data, seeds = 5, quick = false, say }) => {
  const extent = quick ? quickExtent : fullExtent;
  const { epsilons } = extent;
  const folder = dataFolder(data);
  const pairs = (quick ? states.slice(1) : states).flatMap((state) =>
    publics.map((from) => ({ data: folder, state, from, extent })),
  );
  const tuned = await inWorkers<Job, Outcome>(
    import.meta.url,
    pairs.map((pair): Job => ({ kind: 'tune', ...pair, seed: 1, rounds: [] })),
    ({ state, from }, { rounds }) => say(`${state}, ${from}: rounds ${rounds.join(', ')}`),
  );
  const jobs = pairs.flatMap((pair, p) =>
    Array.from({ length: seeds }, (_, i): Job => ({ kind: 'run', ...pair, seed: i + 1, rounds: tuned[p].rounds })),
  );
  const outcomes = await inWorkers<Job, Outcome>(import.meta.url, jobs, ({ state, from, seed }, { pmw }, done) =>
    say(`${done}/${jobs.length} ${state}, ${from}, run ${seed}: ${pmw.map((error) => error.toFixed(4)).join(' ')}`),
  );
  const rows = pairs.flatMap(({ state, from }, p) => {
    const own = outcomes.slice(p * seeds, (p + 1) * seeds);
    const { asIs, mixture, bound } = own[0];
    return epsilons.map((epsilon, i) => {
      const spread = (name: 'pmw' | 'exponential' | 'direct') => spreadOf(own.map((outcome) => outcome[name][i]));
      const errors = { pmw: spread('pmw'), exponential: spread('exponential'), direct: spread('direct') };
      return { state, from, epsilon, rounds: tuned[p].rounds[i], ...errors, asIs, mixture, bound };
    });
  });
  const panels = pairs.map(({ state, from }) => {
    const own = rows.filter((row) => row.state === state && row.from === from);
    const points = own.flatMap(({ epsilon, pmw, exponential, direct }) =>
      Object.entries({
        'PMW-Pub, permute-and-flip': pmw,
        'PMW-Pub, exponential': exponential,
        'noisy cells': direct,
      }).map(([series, { mean, deviation, runs }]) => ({
        series,
        epsilon,
        error: mean,
        standardError: deviation / Math.sqrt(runs),
      })),
    );
    return { title: `${state}, ${from}`, asIs: own[0].asIs, floor: own[0].mixture, points };
  });
  const picture = path.resolve('experiments/results/pmw-pub-acs.svg');
  const caption = `Largest error of a cell of ${marginals} three-way marginals, ${seeds} runs; below the best mixture error is shaded`;
  if (!quick) {
    mkdirSync(path.dirname(picture), { recursive: true });
    writeFileSync(picture, await floorPlot({ caption, panels }));
  }
  const heading = ['private', 'public', 'epsilon', 'T', 'PMW-Pub', 'exponential', 'noisy cells', 'as it is', 'mixture'];
  const lines = rows.map(({ state, from, epsilon, rounds, pmw, exponential, direct, asIs, mixture }) => [
    state,
    from,
    `${epsilon}`,
    `${rounds}`,
    ...[pmw, exponential, direct].map(show),
    asIs.toFixed(4),
    mixture.toFixed(4),
  ]);
  const widths = [10, 15, 9, 6, 17, 17, 17, 10, 10];
  return {
    figures: { seeds, marginals, maxCells, rows },
    text: `Largest error of a cell of ${marginals} three-way marginals, mean and standard error of ${seeds} runs; delta 1/n^2, replace-one.
"mixture" is the best mixture error of the public rows, found without noise: the floor of PMW-Pub's errors (shaded in the paper).
${[heading, ...lines].map((cells) => cells.map((cell, i) => cell.padEnd(widths[i])).join('')).join('\n')}${quick ? '' : `\ndrawn in ${picture}`}`,
  };
};

export default experiment;
