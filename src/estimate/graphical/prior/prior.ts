import { type CountedRows, countRows } from '../../../domain/count-rows.js';
import { cellsOf, type Domain, indexOf, sizesOf } from '../../../domain/domain.js';
import { InputError } from '../../../domain/input-error.js';
import type { Table } from '../../../domain/table.js';
import type { LogFactor } from '../../../model/graphical/calibrate.js';
import { addFrom, cellWalk, stridesIn, sumInto } from '../../../model/graphical/cell-walk.js';
import { type GraphicalModel, graphicalModel } from '../../../model/graphical/graphical-model.js';
import { type JunctionTree, junctionTree } from '../../../model/graphical/tree/junction-tree.js';
import type { Support } from '../../../model/support/support.js';
import { type PriorCliqueOptions, priorCliques } from './cliques.js';

/** A graphical model of public data that fits start from, and stay near where measurements say little. */
export interface GraphicalPrior {
  /** Attributes of each factor; they are among the cliques of every fit from this prior. */
  readonly cliques: readonly (readonly string[])[];
  /** Of one record: its marginals are proportions. */
  readonly model: GraphicalModel;
}

/** How large a graphical model of a public table may grow. */
export interface PriorOptions extends PriorCliqueOptions {
  /** Cliques to use instead of those that the public data suggest; they are enlarged until they form a tree. */
  readonly cliques?: readonly (readonly string[])[] | undefined;
  /**
   * How many records of independent attributes are mixed into the public ones, so that nothing is impossible; by default the number
   * that lets the other rows predict each public row best.
   */
  readonly smoothing?: number | undefined;
  /** How many records a support was counted from: it is taken for as many as it has rows unless told. */
  readonly records?: number | undefined;
}

/**
 * Public rows with a weight each, which add up to the number of records. A support does not know how many records its distinct rows were
 * counted from: taken for as many as it has rows, it is smoothed a little more than its table would be.
 */
const rowsOf = (
  domain: Domain,
  data: Table | Support,
  given: number | undefined,
): CountedRows & { readonly records: number } => {
  if (data.length === 0) throw new InputError('public table: must have at least one row, got none');
  const columns = domain.attributes.map(({ name, size }) => {
    const index = indexOf(data.domain, name);
    const own = data.domain.attributes[index].size;
    if (own !== size)
      throw new InputError(`public table, attribute ${name}: must have ${size} cells as the private one, got ${own}`);
    return data.columns[index];
  });
  if (!('weights' in data)) return { domain, columns, length: data.length, records: data.length };
  // Rows that nobody saw tell nothing of how attributes go together; smoothing is for what they stand for.
  const length = data.seen?.rows ?? data.length;
  const records = given ?? length;
  const own = data.weights.subarray(0, length);
  const sum = own.reduce((all, weight) => all + weight, 0);
  return { domain, columns, weights: own.map((weight) => (weight * records) / sum), length, records };
};

/**
 * A model of a public table or support: cliques of attributes that tell about each other, within limits of size, and the potentials
 * that give the public marginals of these, smoothed. The cliques form a junction tree, so the potentials have a closed form:
 * log marginal of each clique less that of its separator. Costs a pass over the rows for each pair of attributes.
 */
export const graphicalPrior = (domain: Domain, data: Table | Support, options: PriorOptions = {}): GraphicalPrior => {
  const rows = rowsOf(domain, data, options.records);
  const { records } = rows;
  const chosen = options.cliques ?? priorCliques(domain, rows.columns, rows.length, perRow(rows), options);
  const tree = junctionTree(domain, chosen);
  const independent = new Map(
    domain.attributes.map(({ name, size }) => [
      name,
      countRows(rows, [name]).map((count) => (count + 0.5) / (records + 0.5 * size)),
    ]),
  );
  const tables = tree.cliques.map(({ attributes }) => ({
    counts: countRows(rows, attributes),
    base: productOf(domain, attributes, independent),
  }));
  const smoothing = options.smoothing ?? bestSmoothing(tables, records);
  const marginals = tables.map(({ counts, base }) =>
    counts.map((count, cell) => (count + smoothing * base[cell]) / (records + smoothing)),
  );
  const factors = treePotentials(tree, marginals);
  return { cliques: factors.map(({ attributes }) => attributes), model: graphicalModel(tree, factors, 1) };
};

/** Weights that add up to the number of rows. */
const perRow = ({ weights, length, records }: CountedRows & { readonly records: number }): Float64Array | undefined =>
  records === length ? weights : weights?.map((weight) => (weight * length) / records);

/** Probabilities of all cells under independence. */
const productOf = (
  domain: Domain,
  attributes: readonly string[],
  single: ReadonlyMap<string, Float64Array>,
): Float64Array => {
  const logs = new Float64Array(cellsOf(domain, attributes));
  for (const name of attributes)
    addFrom(
      cellWalk(sizesOf(domain, attributes), stridesIn(attributes, [name], sizesOf(domain, [name]))),
      logs,
      single.get(name)!.map(Math.log),
    );
  return logs.map(Math.exp);
};

/** Of powers of 2, the smoothing under which each row is best predicted by all others, clique by clique. */
const bestSmoothing = (
  tables: readonly { readonly counts: Float64Array; readonly base: Float64Array }[],
  rows: number,
): number => {
  let best = { smoothing: 1, score: Number.NEGATIVE_INFINITY };
  for (let smoothing = 1 / 16; smoothing <= rows; smoothing *= 2) {
    let score = 0;
    for (const { counts, base } of tables)
      for (let cell = 0; cell < counts.length; cell++)
        if (counts[cell] > 0)
          score +=
            counts[cell] *
            Math.log((Math.max(0, counts[cell] - 1) + smoothing * base[cell]) / (Math.max(0, rows - 1) + smoothing));
    if (score > best.score) best = { smoothing, score };
  }
  return best.smoothing;
};

/** The potentials of the model on a tree that has these marginals of its cliques (which agree on separators). */
const treePotentials = ({ domain, cliques }: JunctionTree, marginals: readonly Float64Array[]): LogFactor[] =>
  cliques.map(({ attributes, separator }, clique) => {
    const sizes = sizesOf(domain, attributes);
    const walk = cellWalk(sizes, stridesIn(attributes, separator, sizesOf(domain, separator)));
    const shared = new Float64Array(cellsOf(domain, separator));
    sumInto(walk, marginals[clique], shared);
    const potential = marginals[clique].map(Math.log);
    addFrom(
      walk,
      potential,
      shared.map((value) => -Math.log(value)),
    );
    return { attributes, potential };
  });
