import { limits } from '../../domain/limits.js';
import { rowBytes } from '../../domain/table.js';
import { normal } from '../../random/normal.js';
import type { Random } from '../../random/random.js';
import { uniform } from '../../random/uniform.js';
import type { HouseholdSupportModel } from '../households/household-support-model.js';
import { householdSupportModel } from '../households/household-support-model.js';
import { type Answering, type AnyModel, type HouseholdModel, type Model, modelsHouseholds } from '../model.js';
import { reweighted, type Support, supportOf } from './support.js';
import { type SupportModel, supportModel } from './support-model.js';

/** Rows drawn at most of a model that is no support: fewer where there are hundreds of attributes. */
const mostRows = ({ domain }: Answering): number =>
  Math.min(1_000_000, Math.floor(limits.redrawnBytes / rowBytes(domain)));

/**
 * A table that the model might have been of: as many records as it has, drawn from it independently. Drawn row by row where the model is a
 * weighted support, so that the result shares its rows; from `sample` otherwise, at most a million of them, which scatter more than
 * all would.
 */
export const redraw = (model: AnyModel, random: Random): Answering =>
  modelsHouseholds(model) ? redrawHouseholds(model, random) : redrawRows(model, random);

const redrawRows = (model: Model, random: Random): Model => {
  if ('kind' in model && model.kind === 'support') {
    const { support, total } = model as SupportModel;
    const counts = support.weights.map((weight) => poisson(weight * total, random));
    return counts.some((count) => count > 0) ? supportModel(reweighted(support, counts), total) : model;
  }
  const rows = Math.min(mostRows(model), Math.max(1, Math.round(model.total)));
  return supportModel(supportOf(model.sample(rows, random)), model.total);
};

/** The same of households, each with all its persons. */
const redrawHouseholds = (model: HouseholdModel, random: Random): HouseholdModel => {
  const { householdTotal } = model;
  if ('kind' in model && model.kind === 'households') {
    const { support } = model as HouseholdSupportModel;
    const counts = support.weights.map((weight) => poisson(weight * householdTotal, random));
    const all = counts.reduce((sum, count) => sum + count, 0);
    const { table } = support;
    return all > 0
      ? householdSupportModel({ table, weights: counts.map((count) => count / all) }, householdTotal)
      : model;
  }
  const most = Math.floor(mostRows(model) / (model.domain.households?.maxSize ?? 1));
  const count = Math.min(most, Math.max(1, Math.round(householdTotal)));
  const table = model.households(count, random);
  return householdSupportModel({ table, weights: new Float64Array(count).fill(1 / count) }, householdTotal);
};

/**
 * The public rows as another sample of the same kind might have weighted them (the Bayesian bootstrap, Rubin 1981): each record's weight is
 * drawn from the exponential law. A row of the least weight counts as one record. No row vanishes, as it would in a sample.
 */
export const redrawSupport = (support: Support, random: Random): Support =>
  reweighted(support, redrawWeights(support.weights, random));

/** The same for weights of whatever things, of which those of the least weight count as one; their sum is another. */
export const redrawWeights = (weights: Float64Array, random: Random): Float64Array => {
  const least = weights.reduce((min, weight) => (weight > 0 && weight < min ? weight : min), 1);
  return weights.map((weight) => (weight > 0 ? exponentials(weight / least, random) : 0));
};

/** The sum of `count` exponential draws, to the nearest whole count; of many, from the normal law. */
const exponentials = (count: number, random: Random): number => {
  if (count > 50) return Math.max(1e-9, count + Math.sqrt(count) * normal(random));
  let sum = 0;
  for (let i = 0; i < Math.round(count); i++) sum -= Math.log(1 - uniform(random));
  return Math.max(1e-9, sum);
};

/** A draw from Poisson's law; beyond a mean of 50 from the normal law that it is then close to. */
const poisson = (mean: number, random: Random): number => {
  if (mean > 50) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(random)));
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = uniform(random); product > limit; product *= uniform(random)) count++;
  return count;
};
