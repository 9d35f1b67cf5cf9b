import { cellsOf } from '../../domain/domain.js';
import type { Running } from '../../domain/running.js';
import type { Table } from '../../domain/table.js';
import { eachInTurn, inTurns } from '../../domain/turns.js';
import { drawRows } from '../../model/model.js';
import type { Support } from '../../model/support/support.js';
import { supportModel } from '../../model/support/support-model.js';
import type { Measurement } from '../../privacy/measurement.js';
import { mostPairCells } from '../../query/workload/pairs-or-one-ways.js';
import { seeded } from '../../random/seeded.js';
import { varianceOf } from '../total/estimate-total.js';
import { mostLooked } from './model-cliques.js';
import {
  mostAttributes,
  mostPartRows,
  openStage,
  type RehearsedRows,
  rehearsalDraws,
  type StaticErrors,
} from './rehearsal.js';
import type { Widening } from './widening.js';

/** Parts of the weight that are tried. */
const tried = [0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.97];
/** Splits of the public table. */
const stages = 2;
/** A model's cliques may have as many cells as the public table has records, or so many times fewer. */
const sizesBelow = [1, 8];
/** What is cheaper, such as no drawn rows, is taken where its squared error is within this of the least. */
const tie = 1.01;
/** Rows drawn where fewer do as well, as a part of those that may be. */
const fewerRows = 1 / 4;
/** Public records below which parts of them say too little, and the weight of drawn rows there. */
const fewestRecords = 500;
const lambdaOfFew = 0.9;
/** Fits of a split as a rule: no drawn rows, the weight that is best before a fit for each size, one on each side of the best, and fewer rows. */
const usualTrials = 6;
/** Any seed would do. The same each time, so that equal measurements and public rows give an equal prior. */
const seed = 1;

/** What is known of a release, and how it runs. */
export interface ChooseWideningOptions extends Running {
  /** Rows that may be drawn. */
  readonly draws: number;
  /** Records that the public rows were counted from. */
  readonly records: number;
  /** Number of private records, where it is public. */
  readonly total?: number | undefined;
}

/**
 * How far a public support is to be widened, found on public rows alone: one part of them, with rows of a model of it, predicts another part from
 * measurements with the release's noise. Costs a bounded number of small fits (`choosingWork`).
 */
export const chooseWidening = async (
  prior: Support,
  measurements: readonly Measurement[],
  { draws, records, total, ...running }: ChooseWideningOptions,
): Promise<Widening> => {
  const most = Math.min(mostPairCells, records);
  // Where every cell of the domain has a row there is none to add.
  if (prior.length === cellsOf(prior.domain, namesOf(prior))) return { lambda: 0, rows: 0, cliqueCells: most, records };
  if (records < fewestRecords) return { lambda: lambdaOfFew, rows: draws, cliqueCells: most, records };
  const random = seeded(seed);
  const table = await drawRows(supportModel(prior, 1), Math.min(records, 3 * mostPartRows), random, running);
  const size = total ?? fittedTotal(prior, measurements);
  const each = <T, R>(list: readonly T[], make: (one: T) => R): Promise<R[]> =>
    inTurns(eachInTurn(list, make), running);
  const opened = await each(Array(stages).fill(table), (whole: Table) =>
    openStage(whole, measurements, size, random, { ...running, mostCliqueCells: most }),
  );
  const drawn = (cliqueCells: number, part: number) => each(opened, (stage) => stage.draw(cliqueCells, part));
  let done = 0;
  const fittedAt = (rows: readonly RehearsedRows[], i: number): Promise<number> => {
    running.onProgress?.({ stage: 'widen', done: done++, expected: usualTrials });
    return summed(rows, tried[i]);
  };
  const sizes = [];
  for (const below of sizesBelow) {
    const cliqueCells = Math.max(1, Math.floor(most / below));
    const rows = await drawn(cliqueCells, 1);
    const start = nearest(bestBefore(rows.map(({ errors }) => errors)));
    sizes.push({ cliqueCells, rows, start, error: await fittedAt(rows, start) });
  }
  const { cliqueCells, rows, start, error } = sizes.reduce((a, b) => (b.error < a.error ? b : a));

  const found = new Map([[start, error]]);
  const errorAt = async (i: number): Promise<number> => {
    if (!found.has(i)) found.set(i, await fittedAt(rows, i));
    return found.get(i)!;
  };
  // Errors rise on both sides of the best weight, so it is found by going down from where the best before a fit is.
  let best = start;
  await errorAt(0);
  for (const way of [1, -1])
    while (tried[best + way] !== undefined && (await errorAt(best + way)) < (await errorAt(best))) best += way;
  const [least, without] = [await errorAt(best), await errorAt(0)];
  const lambda = without <= tie * least ? 0 : tried[best];
  if (lambda === 0) return { lambda, rows: 0, cliqueCells, records };
  const fewer = await drawn(cliqueCells, fewerRows);
  const doesFewer = (await fittedAt(fewer, best)) <= tie * least;
  return {
    lambda: scaled(lambda, opened[0].records / records),
    rows: Math.ceil(draws * (doesFewer ? fewerRows : 1)),
    cliqueCells,
    records,
  };
};

/** What choosing goes over, for forecasts. */
export interface ChoosingWork {
  /** Fits, of which not all are needed as a rule, of so many rows and attributes each. */
  readonly fits: number;
  readonly rows: number;
  readonly attributes: number;
  /** Rows that are looked at for every pair of all attributes, to find which of them tell about each other. */
  readonly looked: number;
}

/** For a public table of so many records and attributes. */
export const choosingWork = (records: number, attributes: number): ChoosingWork => {
  const own = Math.min(mostPartRows, records);
  return {
    fits: stages * usualTrials,
    rows: own + rehearsalDraws,
    attributes: Math.min(mostAttributes, attributes),
    looked: stages * own + 2 * Math.min(mostLooked, records),
  };
};

const namesOf = ({ domain }: Support): string[] => domain.attributes.map(({ name }) => name);

const summed = async (rows: readonly RehearsedRows[], lambda: number): Promise<number> => {
  let sum = 0;
  for (const one of rows) sum += await one.fitted(lambda);
  return sum;
};

/**
 * The weight of drawn rows for a table of more records than the part that it was found on. The error of public shares falls with their number,
 * that of a model's form does not: the ratio of the weights is that of the errors, so it falls as well.
 */
const scaled = (lambda: number, part: number): number => (lambda * part) / (1 - lambda + lambda * part);

/** The best weight before any fit. */
const bestBefore = (errors: readonly StaticErrors[]): number => {
  const [product, spread] = (['product', 'spread'] as const).map((which) =>
    errors.reduce((sum, one) => sum + one[which], 0),
  );
  return spread > 0 ? Math.min(1, Math.max(0, -product / spread)) : 0;
};

const nearest = (lambda: number): number =>
  tried.reduce((best, one, i) => (Math.abs(one - lambda) < Math.abs(tried[best] - lambda) ? i : best), 0);

/** Measurements that are looked at for the number of records: enough for a rehearsal. */
const mostAsked = 500;

/** The number of records at which public shares fit noisy answers best. */
const fittedTotal = (prior: Support, all: readonly Measurement[]): number => {
  const step = Math.max(1, all.length / mostAsked);
  const measurements = Array.from({ length: Math.min(all.length, mostAsked) }, (_, i) => all[Math.floor(i * step)]);
  const model = supportModel(prior, 1);
  let product = 0;
  let square = 0;
  for (const measurement of measurements) {
    const variance = varianceOf(measurement);
    model.answer(measurement.query).forEach((share, i) => {
      product += (share * measurement.values[i]) / variance;
      square += share ** 2 / variance;
    });
  }
  return Math.max(1, product / square);
};
