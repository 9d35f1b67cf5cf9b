import { bootstrap } from '../src/evaluate/bootstrap.js';
import { type Bounds, type BoundsSource, boundsOf, boundsOfStatistic } from '../src/evaluate/bounds.js';
import type { Answering } from '../src/model/model.js';
import { supportOf } from '../src/model/support/support.js';
import { supportModel } from '../src/model/support/support-model.js';
import { budgetOf } from '../src/privacy/accounting/budget.js';
import { seededEntropy } from '../src/privacy/entropy.js';
import { memoryLedger } from '../src/privacy/ledger/memory-ledger.js';
import { openSession } from '../src/privacy/session/open-session.js';
import { marginal } from '../src/query/marginal.js';
import type { Query } from '../src/query/query.js';
import { seeded } from '../src/random/seeded.js';
import { reweight } from '../src/release/reweight/reweight.js';
import { memorySource } from '../src/source/memory-source.js';
import { dataFolder } from './data/load-codes.js';
import type { Experiment } from './experiment.js';
import { inWorkers } from './parallel.js';
import { loadSetting, type SettingName } from './reweighting/settings.js';

const delta = 1e-9;
const kinds = ['one-way', 'pairs', 'triples', 'shares'] as const;
type Kind = (typeof kinds)[number];

interface Run {
  readonly data: string;
  readonly setting: SettingName;
  readonly epsilon: number;
  readonly replicates: number;
  readonly seed: number;
}

/** How often bounds held, over cells; `large` are cells of at least a hundredth of the records. */
interface Coverage {
  readonly all: number;
  readonly large: number;
  /** Cells with a bound, and all cells in which there is a record or the model expects one. */
  readonly bounded: number;
  readonly cells: number;
  /** Mean width of the bounds over the mean error: 4 would do for normal errors. */
  readonly width: number;
}

interface Outcome {
  readonly inflation: number;
  readonly seconds: { readonly release: number; readonly bootstrap: number };
  /** With replicates, and with the noise of measurements alone. */
  readonly replicates: Record<Kind, Coverage>;
  readonly noise: Record<Kind, Coverage>;
}

const covered = (bounds: readonly Bounds[], truths: readonly Float64Array[], unit: number): Coverage => {
  const count = { held: 0, large: 0, heldLarge: 0, bounded: 0, cells: 0, width: 0, error: 0 };
  bounds.forEach(({ values, low, high }, q) => {
    truths[q].forEach((truth, i) => {
      // Cells that are empty in both are right without saying anything.
      if (truth === 0 && values[i] < unit) return;
      count.cells++;
      if (Number.isNaN(low[i])) return;
      count.bounded++;
      const held = low[i] <= truth && truth <= high[i] ? 1 : 0;
      count.held += held;
      count.width += high[i] - low[i];
      count.error += Math.abs(values[i] - truth);
      if (truth < unit * 1000) return;
      count.large++;
      count.heldLarge += held;
    });
  });
  const { held, large, heldLarge, bounded, cells, width, error } = count;
  return { all: held / bounded, large: heldLarge / large, bounded, cells, width: width / error };
};

/** A release of one setting, budget and seed, and how often the bounds of its answers hold. Looks at the truth. */
export const runJob = async ({ data, setting, epsilon, seed, replicates: count }: Run): Promise<Outcome> => {
  const { publicTable, privateTable, triples } = await loadSetting(setting, data);
  const truth = supportModel(supportOf(privateTable), privateTable.length);
  const budget = { epsilon, delta };
  const source = await memorySource({ table: privateTable, dataset: 'experiment', threads: 1 });
  const started = performance.now();
  const session = openSession({
    source,
    budget,
    ledger: await memoryLedger(budgetOf(budget), 'experiment'),
    entropy: seededEntropy(seed),
  });
  const released = await reweight(session, supportOf(publicTable), { random: seeded(seed), threads: 1 });
  const made = performance.now();
  const replicates = await bootstrap(released, { random: seeded(1000 + seed), replicates: count });
  const done = performance.now();
  source.close();

  const names = truth.domain.attributes.map(({ name }) => name);
  const pairs = released.measurements.map(({ query }) => query);
  const queries: Record<'one-way' | 'pairs' | 'triples', Query[]> = {
    'one-way': names.map((name) => marginal(name)),
    pairs,
    triples: triples.map((triple) => marginal(...triple)),
  };
  /** Shares of an attribute's cells within the first cell of the next one. */
  const shares = (model: Answering): Float64Array[] =>
    names.slice(1).map((name, i) => {
      const counts = model.marginal([names[i], name]);
      const first = counts.subarray(0, truth.domain.attributes[i + 1].size);
      const sum = first.reduce((total, cell) => total + cell, 0);
      return first.map((cell) => cell / sum);
    });
  const { model, measurements } = released;
  const judge = (by: BoundsSource): Record<Kind, Coverage> => {
    const of = (own: readonly Query[]) =>
      covered(
        own.map((query) => boundsOf(by, query)),
        own.map((query) => truth.answer(query)),
        privateTable.length / 100_000,
      );
    const rates = shares(truth);
    return {
      'one-way': of(queries['one-way']),
      pairs: of(queries.pairs),
      triples: of(queries.triples),
      shares: covered(
        rates.map((_, i) => boundsOfStatistic(by, (own) => shares(own)[i])),
        rates,
        1e-5,
      ),
    };
  };
  return {
    inflation: replicates?.inflation ?? 1,
    seconds: { release: (made - started) / 1000, bootstrap: (done - made) / 1000 },
    replicates: judge({ model, measurements, ...(replicates && { replicates }) }),
    noise: judge({ model, measurements }),
  };
};

const experiment: Experiment = async ({ data, seeds, quick = false, say }) => {
  const folder = dataFolder(data);
  // As many as a release makes unless told.
  const replicates = quick ? 4 : 8;
  const settings: SettingName[] = quick ? ['massachusetts'] : ['across time', 'across states', 'massachusetts'];
  const jobs = settings.flatMap((setting) =>
    (quick ? [1] : [0.1, 0.3, 1, 3]).flatMap((epsilon) =>
      Array.from(
        { length: seeds ?? (quick ? 1 : 5) },
        (_, i): Run => ({
          data: folder,
          setting,
          epsilon,
          replicates,
          seed: i + 1,
        }),
      ),
    ),
  );
  const outcomes = await inWorkers<Run, Outcome>(import.meta.url, jobs, ({ setting, epsilon, seed }, outcome, done) =>
    say(
      `${done}/${jobs.length} ${setting}, epsilon ${epsilon}, seed ${seed}: ${kinds.map((kind) => `${kind} ${(100 * outcome.replicates[kind].all).toFixed(1)}%`).join(', ')}; inflation ${outcome.inflation.toFixed(2)}, ${outcome.seconds.release.toFixed(1)} + ${outcome.seconds.bootstrap.toFixed(1)} s`,
    ),
  );
  const rows = jobs.map(({ data: _, ...job }, i) => ({ ...job, ...outcomes[i] }));
  const percent = (share: number): string => (Number.isNaN(share) ? '-' : `${(100 * share).toFixed(1)}`);
  const lines = jobs
    .filter(({ seed }) => seed === 1)
    .map(({ setting, epsilon }) => {
      const own = rows.filter((row) => row.setting === setting && row.epsilon === epsilon);
      const mean = (pick: (row: (typeof own)[number]) => number) =>
        own.reduce((sum, row) => sum + pick(row), 0) / own.length;
      const cells = kinds.flatMap((kind) => [
        `${percent(mean(({ replicates: by }) => by[kind].all))} / ${percent(mean(({ replicates: by }) => by[kind].large))}`,
        mean(({ replicates: by }) => by[kind].width).toFixed(1),
      ]);
      return [setting, `${epsilon}`, mean(({ inflation }) => inflation).toFixed(2), ...cells]
        .map((cell) => cell.padEnd(15))
        .join('');
    });
  const head = ['setting', 'epsilon', 'inflation', ...kinds.flatMap((kind) => [`${kind} (%)`, 'width/error'])];
  return {
    figures: { delta, replicates, rows },
    text: `How often 95% bounds hold: all cells / cells with a hundredth of the records\n${head.map((title) => title.padEnd(15)).join('')}\n${lines.join('\n')}`,
  };
};

export default experiment;
