import type { CellWeights } from '../domain/constraints/condition.js';
import { type Domain, sizesOf } from '../domain/domain.js';
import { InputError } from '../domain/input-error.js';
import { bytesText, limits } from '../domain/limits.js';
import { rowsAt } from '../domain/resample.js';
import { codeColumn, type Table } from '../domain/table.js';
import type { Random } from '../random/random.js';
import { uniform } from '../random/uniform.js';
import type { LogFactor } from './graphical/calibrate.js';
import { type GraphicalModel, graphicalModel } from './graphical/graphical-model.js';
import { reordered } from './graphical/reordered.js';
import { attributeOrder, junctionTree, treeSize } from './graphical/tree/junction-tree.js';
import type { Model } from './model.js';
import { reweighted } from './support/support.js';
import { type SupportModel, supportModel } from './support/support-model.js';

const isGraphical = (model: Model): model is GraphicalModel => 'kind' in model && model.kind === 'graphical';
const isSupport = (model: Model): model is SupportModel => 'kind' in model && model.kind === 'support';

/** Nothing that a model knows meets a condition. */
export const impossible = (): InputError =>
  new InputError(
    'condition: must be possible under the model, got one that no record of it meets; ask for something else',
  );

/**
 * A model of the records that meet a condition, each by its weight: by inference for a graphical model, which takes the condition in as further factors; by
 * the rows themselves for a weighted support; and for models of other kinds by drawing until there are enough, which
 * is refused where fewer than one record in `mostDraws` meets it. Exact in each case.
 */
export const conditioned = (model: Model, factors: readonly CellWeights[]): Model => {
  if (factors.length === 0) return model;
  if (isGraphical(model)) return withFactors(model, factors);
  if (isSupport(model)) return withWeights(model, factors);
  return byDrawing(model, factors);
};

const namesOf = (domain: Domain, { attributes }: CellWeights): string[] =>
  attributes.map((at) => domain.attributes[at].name);

const withFactors = (model: GraphicalModel, factors: readonly CellWeights[]): Model => {
  const { domain, total, tree } = model;
  const order = attributeOrder(domain);
  const evidence = factors.map((factor): LogFactor => {
    const names = namesOf(domain, factor);
    const attributes = order.filter((name) => names.includes(name));
    const logs = factor.weights.map(Math.log);
    return { attributes, potential: reordered(logs, names, sizesOf(domain, names), attributes) };
  });
  const wider = junctionTree(
    domain,
    [...tree.cliques, ...evidence].map(({ attributes }) => attributes),
  );
  const { bytes } = treeSize(wider);
  if (bytes > limits.modelBytes)
    throw new InputError(
      `condition: the model's tables with it must fit in ${bytesText(limits.modelBytes)}, got a need of ${bytesText(bytes)}; use a condition that joins fewer columns`,
    );
  /** One after the other, so that each one's probability given those before is known. */
  let [now, share] = [model, 1];
  for (const [i, factor] of factors.entries()) {
    const counts = now.marginal(namesOf(domain, factor));
    const sum = counts.reduce((all, count, cell) => all + count * factor.weights[cell], 0) / now.total;
    if (!(sum > 0)) throw impossible();
    share *= sum;
    now = graphicalModel(wider, [...model.factors, ...evidence.slice(0, i + 1)], total);
  }
  return graphicalModel(wider, now.factors, total * share);
};

const withWeights = ({ support, total }: SupportModel, factors: readonly CellWeights[]): Model => {
  const weightOf = weigher(support.domain, factors);
  const weights = support.weights.map((weight, row) => weight * weightOf(support, row));
  const share = weights.reduce((sum, weight) => sum + weight, 0);
  if (!(share > 0)) throw impossible();
  return supportModel(reweighted(support, weights), total * share);
};

/** Records that are drawn for one that meets a condition, at most. */
const mostDraws = 10_000;

const byDrawing = (model: Model, factors: readonly CellWeights[]): Model => {
  const weightOf = weigher(model.domain, factors);
  const sample = (rows: number, random: Random): Table => {
    const columns = model.domain.attributes.map(({ size }) => codeColumn(size, rows));
    let found = 0;
    for (let drawn = 0; found < rows; ) {
      if (drawn > mostDraws * (found + 1))
        throw new InputError(
          `condition: must be met by one record in ${mostDraws} or more of a model of this kind, got fewer; release by a graphical model or on public rows`,
        );
      const some = model.sample(Math.min(100_000, Math.max(1000, 2 * (rows - found))), random);
      const kept = Uint32Array.from({ length: some.length }, (_, row) => row).filter(
        (row) => uniform(random) < weightOf(some, row),
      );
      const part = rowsAt(some, kept.subarray(0, rows - found));
      for (const [a, column] of part.columns.entries()) columns[a].set(column, found);
      found += part.length;
      drawn += some.length;
    }
    return { domain: model.domain, length: rows, columns };
  };
  const refuse = (): never => {
    throw new InputError(
      'condition: a model of this kind gives rows that meet one and no answers; ask by SQL with WHERE',
    );
  };
  return { domain: model.domain, total: model.total, marginal: refuse, answer: refuse, sample };
};

/** What a row of a table counts for. */
const weigher = (
  domain: Domain,
  factors: readonly CellWeights[],
): ((table: Pick<Table, 'columns'>, row: number) => number) => {
  const sizes = factors.map(({ attributes }) => attributes.map((at) => domain.attributes[at].size));
  return ({ columns }, row) => {
    let weight = 1;
    for (const [f, { attributes, weights }] of factors.entries()) {
      let cell = 0;
      for (let i = 0; i < attributes.length; i++) cell = cell * sizes[f][i] + columns[attributes[i]][row];
      weight *= weights[cell];
    }
    return weight;
  };
};
