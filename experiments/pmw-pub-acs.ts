import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { supportOf } from '../src/model/support/support.js';
import { dataFolder } from './data/load-codes.js';
import type { Experiment } from './experiment.js';
import { inWorkers } from './parallel.js';
import { floorPlot } from './plots/floor-plot.js';
import { type Baseline, type BaselineResult, baselinesOf, keptPart, partToRun } from './pmw-pub/baselines.js';
import type { CensusBaselineJob } from './pmw-pub/census-baselines.js';
import {
  type CensusState,
  censusTables,
  censusWorkload,
  censusMarginals as marginals,
  censusMaxCells as maxCells,
  censusStates as states,
} from './pmw-pub/census-tables.js';
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
const publics = ['across time', 'across states'] as const;

interface Job {
  readonly kind: 'tune' | 'run';
  readonly data: string;
  readonly state: CensusState;
  readonly from: (typeof publics)[number];
  readonly seed: number;
  readonly extent: Extent;
  readonly rounds: readonly number[];
}

type Outcome = LaboratoryOutcome;

export const runJob = async ({ kind, data, state, from, seed, extent, rounds }: Job): Promise<Outcome> => {
  const tuning = kind === 'tune';
  const { privateTable, scale, rowsOf, first, last } = censusTables(data, state, tuning);
  const other = state === 'Ohio' ? 'Illinois' : 'Ohio';
  const publicTable = from === 'across states' ? rowsOf(other, first, last) : rowsOf(state, 0, first - 1);
  const workload = censusWorkload(privateTable.domain);
  const support = supportOf(publicTable);
  const laboratory = await openLaboratory(privateTable, workload);
  const plan = planFor(support, workload);
  try {
    if (tuning) {
      const scaled = extent.epsilons.map((epsilon) => epsilon * scale);
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

interface Pair {
  readonly state: CensusState;
  readonly from: (typeof publics)[number];
}

interface Row extends Pair {
  readonly epsilon: number;
  readonly rounds: number;
  readonly pmw: Spread;
  readonly exponential: Spread;
  readonly direct: Spread;
  readonly asIs: number;
  readonly mixture: number;
  readonly bound: number;
}

interface StateBaseline extends Baseline {
  readonly state: CensusState;
}

/** PMW-Pub and noisy cells on every pair of a private and a public table. */
const pmwPubRows = async (
  data: string,
  pairs: readonly Pair[],
  extent: Extent,
  seeds: number,
  say: (line: string) => void,
): Promise<Row[]> => {
  const tuned = await inWorkers<Job, LaboratoryOutcome>(
    import.meta.url,
    pairs.map((pair): Job => ({ kind: 'tune', data, ...pair, extent, seed: 1, rounds: [] })),
    ({ state, from }, { rounds }) => say(`${state}, ${from}: rounds ${rounds.join(', ')}`),
  );
  const jobs = pairs.flatMap((pair, p) =>
    Array.from(
      { length: seeds },
      (_, i): Job => ({ kind: 'run', data, ...pair, extent, seed: i + 1, rounds: tuned[p].rounds }),
    ),
  );
  const outcomes = await inWorkers<Job, LaboratoryOutcome>(
    import.meta.url,
    jobs,
    ({ state, from, seed }, { pmw }, done) =>
      say(`${done}/${jobs.length} ${state}, ${from}, run ${seed}: ${pmw.map((error) => error.toFixed(4)).join(' ')}`),
  );
  return pairs.flatMap(({ state, from }, p) => {
    const own = outcomes.slice(p * seeds, (p + 1) * seeds);
    const { asIs, mixture, bound } = own[0];
    return extent.epsilons.map((epsilon, i) => {
      const spread = (name: 'pmw' | 'exponential' | 'direct') => spreadOf(own.map((outcome) => outcome[name][i]));
      const errors = { pmw: spread('pmw'), exponential: spread('exponential'), direct: spread('direct') };
      return { state, from, epsilon, rounds: tuned[p].rounds[i], ...errors, asIs, mixture, bound };
    });
  });
};

/** HDMM and DualQuery on every state, eta tuned on 2014. */
const baselineRows = async (
  data: string,
  over: readonly CensusState[],
  epsilons: readonly number[],
  seeds: number,
  say: (line: string) => void,
): Promise<StateBaseline[]> => {
  const module = new URL('./pmw-pub/census-baselines.js', import.meta.url).href;
  const tuned = await inWorkers<CensusBaselineJob, BaselineResult>(
    module,
    over.map((state) => ({ data, state, seed: 1, epsilons })),
    ({ state }, { etas }) => say(`${state}: eta ${etas.join(', ')}`),
  );
  const jobs = over.flatMap((state, s) =>
    Array.from({ length: seeds }, (_, i) => ({ data, state, seed: i + 1, epsilons, etas: tuned[s].etas })),
  );
  const found = await inWorkers<CensusBaselineJob, BaselineResult>(
    module,
    jobs,
    ({ state, seed }, { hdmm, dualQuery }, done) =>
      say(
        `${done}/${jobs.length} ${state}, run ${seed}: HDMM ${hdmm.map((error) => error.toFixed(4)).join(' ')}, DualQuery ${dualQuery.map((error) => error.toFixed(4)).join(' ')}`,
      ),
  );
  return over.flatMap((state, s) =>
    baselinesOf(epsilons, tuned[s].etas, found.slice(s * seeds, (s + 1) * seeds)).map((row) => ({ state, ...row })),
  );
};

const experiment: Experiment = async ({ data, seeds = 5, quick = false, only: given, say }) => {
  const only = partToRun(given, quick);
  const extent = quick ? quickExtent : fullExtent;
  const folder = dataFolder(data);
  const over = quick ? states.slice(1) : states;
  const pairs = over.flatMap((state) => publics.map((from) => ({ state, from })));
  const rows =
    only === 'baselines' ? keptPart<Row[]>('pmw-pub-acs', 'rows') : await pmwPubRows(folder, pairs, extent, seeds, say);
  const baselines =
    only === 'pmw-pub'
      ? keptPart<StateBaseline[]>('pmw-pub-acs', 'baselines')
      : await baselineRows(folder, over, extent.epsilons, seeds, say);
  const baselineOf = (state: CensusState, epsilon: number): StateBaseline =>
    baselines.find((one) => one.state === state && one.epsilon === epsilon)!;
  const panels = pairs.map(({ state, from }) => {
    const own = rows.filter((row) => row.state === state && row.from === from);
    const points = own.flatMap(({ epsilon, pmw, exponential, direct }) =>
      Object.entries({
        'PMW-Pub, permute-and-flip': pmw,
        'PMW-Pub, exponential': exponential,
        'noisy cells': direct,
        HDMM: baselineOf(state, epsilon).hdmm,
        DualQuery: baselineOf(state, epsilon).dualQuery,
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
  const heading = ['private', 'public', 'epsilon', 'T', 'PMW-Pub', 'exponential', 'noisy cells'];
  const lines = rows.map(({ state, from, epsilon, rounds, pmw, exponential, direct, asIs, mixture }) => {
    const { hdmm, dualQuery } = baselineOf(state, epsilon);
    return [
      state,
      from,
      `${epsilon}`,
      `${rounds}`,
      ...[pmw, exponential, direct, hdmm, dualQuery].map(show),
      asIs.toFixed(4),
      mixture.toFixed(4),
    ];
  });
  const widths = [10, 15, 9, 6, 17, 17, 17, 17, 17, 10, 10];
  return {
    figures: { seeds, marginals, maxCells, rows, baselines },
    text: `Largest error of a cell of ${marginals} three-way marginals, mean and standard error of ${seeds} runs; delta 1/n^2, replace-one.
HDMM with least squares of its marginals, DualQuery's records with eta tuned on 2014; neither has a public table.
"mixture" is the best mixture error of the public rows, found without noise: the floor of PMW-Pub's errors (shaded in the paper).
${[[...heading, 'HDMM', 'DualQuery', 'as it is', 'mixture'], ...lines].map((cells) => cells.map((cell, i) => cell.padEnd(widths[i])).join('')).join('\n')}${quick ? '' : `\ndrawn in ${picture}`}`,
  };
};

export default experiment;
