import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { nodeWorkers } from '../adapters/node-workers.js';
import type { Table } from '../src/domain/table.js';
import type { ContestOutcome } from '../src/evaluate/compare-mechanisms.js';
import { compareTables } from '../src/flow/compare-tables.js';
import type { Mechanism } from '../src/release/mechanism.js';
import { mechanismNamed, mechanisms } from '../src/release/registry.js';
import { contestPlot } from '../src/report/plots/contest-plot.js';
import { drawer } from '../src/report/plots/draw.js';
import { plotFile } from '../src/report/plots/plot-page.js';
import { dataFolder } from './data/load-codes.js';
import { loadMassachusetts } from './data/load-massachusetts.js';
import type { Experiment } from './experiment.js';
import { showSpread } from './spread.js';

/*
 * What a release of acs-massachusetts is worth: 2019 private, 2018 public, schema learned from 2018, 24 attributes. Mean total variation
 * distance of all two-way marginals and wall time of every mechanism of the registry, next to "publish the 2018 table as it
 * is" and "another sample of the 2019 table". It runs what `surmise compare` runs, and those that need no public table without one as
 * well. One run at a time, so that times are those
 * of a machine with nothing else to do.
 */
const epsilons = [0.1, 0.3, 1, 3];
const delta = 1e-9;

const experiment: Experiment = async ({ data, seeds, quick = false, only, say }) => {
  const { earlier, later } = await loadMassachusetts(dataFolder(data));
  const budgets = (quick ? [1] : epsilons).map((epsilon) => ({ epsilon, delta }));
  const runs = seeds ?? (quick ? 1 : 5);
  const run = (chosen: readonly Mechanism[], publicTable?: Table): Promise<ContestOutcome> =>
    compareTables({
      threads: { workers: nodeWorkers },
      standIn: later,
      ...(publicTable && { publicTable }),
      mechanisms: chosen,
      budgets,
      runs,
    });
  const { pairs, asIs, sample } = await run([], earlier);
  if (asIs === undefined) throw new Error('massachusetts: the public table must be judged too');
  const outcomes: Pick<ContestOutcome, 'contestants' | 'unable'>[] = [];
  const tell = ({ contestants, unable }: Pick<ContestOutcome, 'contestants' | 'unable'>): void => {
    for (const { mechanism, budget, error, seconds } of contestants)
      say(`${mechanism}, epsilon ${budget.epsilon}: ${showSpread(error)}, ${seconds.mean.toFixed(1)} s`);
    for (const { mechanism, why } of unable) say(`${mechanism}: cannot run here: ${why}`);
    outcomes.push({ contestants, unable });
  };
  for (const mechanism of only === undefined ? mechanisms : [mechanismNamed(only)]) {
    tell(await run([mechanism], earlier));
    if (mechanism.needs !== 'nothing') continue;
    const { contestants } = await run([mechanism]);
    tell({ contestants: contestants.map((own) => ({ ...own, mechanism: `${own.mechanism} alone` })), unable: [] });
  }
  const contestants = outcomes.flatMap((outcome) => outcome.contestants);
  const unable = outcomes.flatMap((outcome) => outcome.unable);
  const names = [...new Set(contestants.map(({ mechanism }) => mechanism))];
  const cells = names.map((name) => [
    name,
    ...budgets.flatMap(({ epsilon }) => {
      const found = contestants.find(({ mechanism, budget }) => mechanism === name && budget.epsilon === epsilon);
      return found === undefined ? ['', ''] : [showSpread(found.error), `${found.seconds.mean.toFixed(1)} s`];
    }),
  ]);
  const heading = ['mechanism', ...budgets.flatMap(({ epsilon }) => [`epsilon ${epsilon}`, 'time'])];
  const text = [heading, ...cells]
    .map((line) => line.map((cell, i) => cell.padEnd(i % 2 === 0 ? 11 : 16)).join(''))
    .join('\n');
  const picture = path.resolve('experiments/results/massachusetts.svg');
  const drawn = !quick && only === undefined;
  if (drawn) {
    const draw = await drawer();
    const caption = `Massachusetts 2019, 2018 public: mean error of all ${pairs} pairs, ${runs} runs`;
    mkdirSync(path.dirname(picture), { recursive: true });
    writeFileSync(
      picture,
      plotFile(await draw(contestPlot({ pairs, contestants, unable, asIs, sample })), { caption }),
    );
  }
  return {
    figures: { delta, runs, pairs, contestants, asIs, sample, unable },
    text: `Mean total variation distance of all ${pairs} two-way marginals, ${runs} runs; delta ${delta}, add-remove. Largest errors of a cell are in --json; "alone" is without the 2018 table.
${text}
publish the 2018 table as it is: ${showSpread(asIs.error)}
another sample of the 2019 table: ${showSpread(sample.error)}
${unable.map(({ mechanism, why }) => `${mechanism} cannot run here: ${why}`).join('\n')}${drawn ? `\ndrawn in ${picture}` : ''}`,
  };
};

export default experiment;
