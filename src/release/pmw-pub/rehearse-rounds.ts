import { cellsOf } from '../../domain/domain.js';
import { halves, rowsAt } from '../../domain/resample.js';
import type { Running } from '../../domain/running.js';
import type { Table } from '../../domain/table.js';
import { type WeightedAnswers, weightedAnswers } from '../../estimate/multiplicative-weights/multiplicative-weights.js';
import { planMarginals } from '../../estimate/multiplicative-weights/plan.js';
import type { MeasuredCell } from '../../estimate/multiplicative-weights/update.js';
import { drifted } from '../../model/support/drifted.js';
import { supportOf } from '../../model/support/support.js';
import { supportModel } from '../../model/support/support-model.js';
import type { Threads } from '../../model/support/weighted-rows.js';
import type { Noise } from '../../privacy/measurement.js';
import { noiseKinds } from '../../privacy/noise/noise-kinds.js';
import type { Workload } from '../../query/workload/workload.js';
import type { Random } from '../../random/random.js';
import { seeded } from '../../random/seeded.js';
import { shuffle } from '../../random/shuffle.js';
import { uniform } from '../../random/uniform.js';
import { marginalsOf } from '../marginals-of.js';
import { playRounds, type RoundsKnown } from '../rounds/private-multiplicative-weights.js';

/*
 * The number of rounds is tuned on public data, as the paper tunes it on an earlier release (C.2): one half of the public table plays the
 * private one and the other half the public one, and PMW-Pub is run with several numbers of rounds at the noise that the release
 * would have. Two random halves differ by chance alone and a private table by more, so the half that plays it is made to drift: every
 * cell of every attribute gets a random weight. It is a simulation: nothing private is near, and noise needs not be exact.
 */

/** Numbers of rounds that are tried: the paper's (Table 3). */
const tried = [5, 10, 25, 50, 75, 100, 125, 150, 200, 250, 300];
/** Of these, the ones within this factor of the formula: far from it the time is better spent elsewhere. */
const widest = 5;
/** Rehearsals of each, every one with a drift of its own. */
const rehearsals = 4;
/** The least error is a matter of chance, and drifts differ: of all with an error within this of it, the one nearest to the formula is taken. */
const tie = 1.1;
/** Rows, marginals and cells that a rehearsal has at the most, and rows below which halves say too little. */
const mostRows = 10_000;
const fewestRows = 200;
const mostMarginals = 150;
const mostCells = 20_000;
/** Any seed would do. The same each time, so that a plan foretells what a release does. */
const seed = 1;

/** What one record of distance multiplies the chance of a cell with (log), at the price of such noise on a cell. */
const sharpness: Readonly<Record<Noise['kind'], (scale: number) => number>> = {
  gaussian: (scale) => 1 / scale,
  laplace: (scale) => 1 / (2 * scale),
  none: () => 1,
};

/** A number of rounds with its error: the largest one of a cell, in proportion, as the mean of the rehearsals. */
export interface TriedRounds {
  readonly rounds: number;
  readonly error: number;
}

/** How PMW-Pub does on the public table with several numbers of rounds; none where the table is too small to tell. */
export const tryRounds = async (
  table: Table,
  workload: Workload,
  { records, formula, noise }: RoundsKnown,
  running: Running & Threads = {},
): Promise<readonly TriedRounds[]> => {
  if (table.length < fewestRows) return [];
  const near = tried.filter((rounds) => rounds <= widest * formula && widest * rounds >= formula);
  const numbers = [...new Set([...near, formula])].sort((a, b) => a - b);
  // The noise on the number of records is no reason to choose another number of rounds.
  const size = 2 ** (Math.round(2 * Math.log2(Math.max(1, records))) / 2);
  const stage = await openStage(table, workload, size, seeded(seed), running);
  try {
    const sums = numbers.map(() => 0);
    for (let rehearsal = 0; rehearsal < rehearsals; rehearsal++) {
      const play = stage.drift();
      for (const [i, rounds] of numbers.entries()) {
        running.signal?.throwIfAborted();
        const done = rehearsal * numbers.length + i;
        running.onProgress?.({ stage: 'rehearse', done, total: rehearsals * numbers.length });
        sums[i] += (await play(rounds, noise(rounds))) / rehearsals;
      }
    }
    return numbers.map((rounds, i) => ({ rounds, error: sums[i] }));
  } finally {
    stage.close();
  }
};

/** The number of rounds that a rehearsal on the public table finds best, or the formula's where the table is too small. */
export const rehearseRounds = async (
  table: Table,
  workload: Workload,
  known: RoundsKnown,
  running: Running & Threads = {},
): Promise<number> => {
  const found = await tryRounds(table, workload, known, running);
  const least = Math.min(...found.map(({ error }) => error));
  const distance = (rounds: number): number => Math.abs(Math.log(rounds / known.formula));
  const [best] = found
    .filter(({ error }) => error <= tie * least)
    .sort((a, b) => distance(a.rounds) - distance(b.rounds));
  return best?.rounds ?? known.formula;
};

interface Stage {
  /** The half that plays the private table, drifted anew: gives the largest error of a cell after so many rounds with this noise. */
  drift(): (rounds: number, noise: Noise) => Promise<number>;
  close(): void;
}

/** Two halves of the public table, one of which is to play a private table of so many records. */
const openStage = async (
  table: Table,
  workload: Workload,
  records: number,
  random: Random,
  running: Threads,
): Promise<Stage> => {
  const few = Math.min(mostRows, table.length);
  const part = rowsAt(
    table,
    Uint32Array.from({ length: few }, (_, i) => Math.floor((i * table.length) / few)),
  );
  const [first, second] = halves(part, random);
  const played = fewMarginals(workload, table, random);
  const marginals = marginalsOf(played);
  const most = Math.max(...played.queries.map(({ weight }) => weight));
  const weights = played.queries.map(({ weight }) => weight / most);
  const prior = supportOf(second);
  const plan = planMarginals(
    prior,
    marginals.map(({ attributes }) => attributes),
  );
  const model = await weightedAnswers(plan, running);
  const drift = () => {
    const truth = supportModel(drifted(first, records, random), 1);
    const answers = marginals.map((query) => truth.answer(query));
    return async (rounds: number, { kind, scale }: Noise): Promise<number> => {
      const draw = kind === 'none' ? () => 0 : noiseKinds[kind].simulate;
      model.restart(prior.weights);
      const bring = (): MeasuredCell => {
        const picked = pickCell(errorsOf(model, answers), weights, records * sharpness[kind](scale), random);
        const noisy = answers[picked.marginal][picked.cell] + (scale * draw(random)) / records;
        return { ...picked, proportion: Math.min(1, Math.max(0, noisy)) };
      };
      await playRounds(model, rounds, bring, { random, replay: true, output: 'last' });
      await model.refresh();
      return errorsOf(model, answers).reduce(
        (worst, list) => list.reduce((most, one) => Math.max(most, one), worst),
        0,
      );
    };
  };
  return { drift, close: () => model.close() };
};

/** Some of the marginals of a workload, where it has too many for a rehearsal. */
const fewMarginals = (workload: Workload, { domain }: Table, random: Random): Workload => {
  const cells = workload.queries.map(({ query }) => cellsOf(domain, 'attributes' in query ? query.attributes : []));
  if (workload.queries.length <= mostMarginals && cells.reduce((sum, count) => sum + count, 0) <= mostCells)
    return workload;
  const kept: number[] = [];
  let left = mostCells;
  for (const i of shuffle([...cells.keys()], random)) {
    if (kept.length > 0 && (cells[i] > left || kept.length === mostMarginals)) continue;
    kept.push(i);
    left -= cells[i];
  }
  return { queries: kept.sort((a, b) => a - b).map((i) => workload.queries[i]) };
};

/** How far each cell of each marginal is off, in proportion. New arrays. */
const errorsOf = (model: WeightedAnswers, answers: readonly Float64Array[]): Float64Array[] =>
  answers.map((exact, m) => {
    const errors = exact.slice();
    const [sums, held] = [model.sums(m), model.plan.held[m]];
    for (let i = 0; i < held.length; i++) errors[held[i]] = Math.abs(exact[held[i]] - sums[i] / model.mass);
    return errors;
  });

/** A cell by the law of the exponential mechanism: chances grow with the error, by e for every 1 / `sharpness`. */
const pickCell = (
  errors: readonly Float64Array[],
  weights: readonly number[],
  sharpness: number,
  random: Random,
): { readonly marginal: number; readonly cell: number } => {
  let best = { marginal: 0, cell: 0 };
  let highest = -Infinity;
  errors.forEach((list, marginal) => {
    const factor = weights[marginal] * sharpness;
    for (let cell = 0; cell < list.length; cell++) {
      // The largest of scores with Gumbel's noise is drawn by that law.
      const score = factor * list[cell] - Math.log(-Math.log(1 - uniform(random)));
      if (score > highest) [highest, best] = [score, { marginal, cell }];
    }
  });
  return best;
};
