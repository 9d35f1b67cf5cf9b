import { limits } from '../domain/limits.js';
import { rowBytes } from '../domain/table.js';
import { atOnce, type Turns } from '../domain/turns.js';
import { normal } from '../random/normal.js';
import type { Random } from '../random/random.js';
import { uniform } from '../random/uniform.js';
import { type HouseholdSupportModel, householdSupportModel } from './households/household-support-model.js';
import { type Answering, type AnyModel, type HouseholdModel, type Model, modelsHouseholds } from './model.js';
import { reweighted, supporting } from './support/support.js';
import { type SupportModel, supportModel } from './support/support-model.js';

/** Draws that a table of clumps has at least: with fewer, small cells are empty in all of them, and nothing is learned. */
export const fewestDraws = 100;

/** Rows drawn at most of a model that is no support: fewer where there are hundreds of attributes. */
const mostRows = ({ domain }: Answering): number =>
  Math.min(1_000_000, Math.floor(limits.redrawnBytes / rowBytes(domain)));

/**
 * A table that the model might have been of: as many records as it has, drawn from it independently. Drawn row by row where the model is a
 * weighted support, so that the result shares its rows; from `sample` otherwise, at most a million of them, which scatter more than
 * all would. Records come in clumps of so many equal ones, so that a cell of m records scatters by the root of m times `clump`.
 */
export const redraw = (model: AnyModel, random: Random, clump = 1): Answering =>
  atOnce(redrawing(model, random, clump));

/** The same in turns. */
export function* redrawing(model: AnyModel, random: Random, clump = 1): Turns<Answering> {
  return modelsHouseholds(model) ? redrawHouseholds(model, random, clump) : yield* redrawRows(model, random, clump);
}

function* redrawRows(model: Model, random: Random, clump: number): Turns<Model> {
  if ('kind' in model && model.kind === 'support') {
    const { support, total } = model as SupportModel;
    const counts = support.weights.map((weight) => poisson((weight * total) / clump, random));
    return counts.some((count) => count > 0) ? supportModel(reweighted(support, counts), total) : model;
  }
  const rows = Math.min(mostRows(model), Math.max(1, Math.round(model.total / clump)));
  const table = model.sampling === undefined ? model.sample(rows, random) : yield* model.sampling(rows, random);
  yield;
  return supportModel(yield* supporting(table), model.total);
}

/** The same of households, each with all its persons. */
const redrawHouseholds = (model: HouseholdModel, random: Random, clump: number): HouseholdModel => {
  const { householdTotal } = model;
  if ('kind' in model && model.kind === 'households') {
    const { support } = model as HouseholdSupportModel;
    const counts = support.weights.map((weight) => poisson((weight * householdTotal) / clump, random));
    const all = counts.reduce((sum, count) => sum + count, 0);
    const { table } = support;
    return all > 0
      ? householdSupportModel({ table, weights: counts.map((count) => count / all) }, householdTotal)
      : model;
  }
  const most = Math.floor(mostRows(model) / (model.domain.households?.maxSize ?? 1));
  const count = Math.min(most, Math.max(1, Math.round(householdTotal / clump)));
  const table = model.households(count, random);
  return householdSupportModel({ table, weights: new Float64Array(count).fill(1 / count) }, householdTotal);
};

/** A draw from Poisson's law; beyond a mean of 50 from the normal law that it is then close to. */
const poisson = (mean: number, random: Random): number => {
  if (mean > 50) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(random)));
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = uniform(random); product > limit; product *= uniform(random)) count++;
  return count;
};
