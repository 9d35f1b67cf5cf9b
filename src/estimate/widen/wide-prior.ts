import { rowsKept } from '../../domain/constraints/mended.js';
import type { Table } from '../../domain/table.js';
import { logDensity } from '../../model/graphical/log-density.js';
import { distinctRows } from '../../model/support/distinct-rows.js';
import { joinedTable } from '../../model/support/joined.js';
import { redrawSupport } from '../../model/support/redraw-weights.js';
import { reweighted, type Support } from '../../model/support/support.js';
import type { Random } from '../../random/random.js';
import { type GraphicalPrior, graphicalPrior } from '../graphical/prior/prior.js';
import { cliquesFor } from './model-cliques.js';
import { drawnFirst, type Widening } from './widening.js';

/*
 * The one place where supports are widened: whoever has other rows to add to a prior (of bins that no public record is in, say) adds them by `withRows`.
 *
 * The prior is p = (1 - lambda) public + lambda g, where g is a graphical model of the public records. Its second part is carried by rows
 * drawn from g, and later from models of fitted weights as well: of a row x that came c(x) times among R_1 draws from g_1 = g, R_2 from g_2, ...
 * the weight is in proportion to c(x) g(x) / sum_k R_k g_k(x) (importance sampling with the balance heuristic, Veach and Guibas
 * 1995). So p stays what it is, whatever measurements had a say in where the rows lie.
 */

/** A public prior, and rows beside it. */
export interface WidePrior {
  readonly support: Support;
  /** The same rows, weighted as another sample of public records might have weighted them. */
  again(random: Random): Support;
  /** The same prior on more rows, which lie where the fitted weights do. */
  towards(fitted: Support, rows: number, random: Random): WidePrior;
  /** The prior with other rows beside it, each with this weight before all are normalised; rows that are there already gain it. */
  withRows(rows: Table, weight: number): WidePrior;
}

/** A model that rows were drawn from. */
interface Proposal {
  readonly model: GraphicalPrior;
  readonly draws: number;
}

interface Parts {
  /** The public rows, and what their weights are behind all else. */
  readonly given: Support;
  readonly widening: Widening;
  /** Of the public records; the first of the proposals where there are any. */
  readonly proposals: readonly Proposal[];
  /** Distinct rows: the public ones first, in their order. */
  readonly rows: Table;
  /** How often each row was drawn, from all proposals. */
  readonly draws: Float64Array;
  /** Weight that rows have beside it all. */
  readonly own: Float64Array;
}

/** The public rows alone, until something is added. */
const narrow = (given: Support, widening: Widening): Parts => ({
  given,
  widening,
  proposals: [],
  rows: given,
  draws: new Float64Array(given.length),
  own: new Float64Array(given.length),
});

/** Widens a support by the first part of the rows that it may draw; with lambda 0, by none. The others are for `towards`. */
export const widePrior = (given: Support, widening: Widening, random: Random): WidePrior => {
  const parts = narrow(given, widening);
  if (widening.lambda === 0) return priorOf(parts);
  const { records, cliqueCells } = widening;
  const model = graphicalPrior(given.domain, given, { cliques: cliquesFor(given, cliqueCells), records });
  return priorOf(drawn(parts, { model, draws: Math.ceil(drawnFirst * widening.rows) }, random));
};

const priorOf = (parts: Parts): WidePrior => {
  const { given, rows } = parts;
  const { records, cliqueCells } = parts.widening;
  return {
    support: supportWith(parts, given.weights, parts.proposals[0]?.model),
    again: (random) => {
      const other = redrawSupport(given, random);
      const [first] = parts.proposals;
      const cliques = first?.model.cliques;
      return supportWith(parts, other.weights, cliques && graphicalPrior(given.domain, other, { cliques, records }));
    },
    towards: (fitted, draws, random) => {
      if (parts.proposals.length === 0) return priorOf(parts);
      const model = graphicalPrior(given.domain, fitted, { cliques: cliquesFor(fitted, cliqueCells), records });
      return priorOf(drawn(parts, { model, draws }, random));
    },
    withRows: (others, weight) => {
      const more = joined(parts, others, new Float64Array(others.length));
      const own = new Float64Array(more.rows.length);
      const { counts } = distinctRows(
        joinedTable([rows, others]),
        Float64Array.from({ length: rows.length + others.length }, (_, row) =>
          row < rows.length ? parts.own[row] : weight,
        ),
      );
      own.set(counts);
      return priorOf({ ...more, own });
    },
  };
};

/** With rows that a model gives. */
const drawn = (parts: Parts, proposal: Proposal, random: Random): Parts => {
  // What the constraints of the domain forbid is left out, and the rest carries the model's distribution of what is allowed.
  const table = rowsKept(proposal.model.model.sample(proposal.draws, random));
  return {
    ...joined(parts, table, new Float64Array(table.length).fill(1)),
    proposals: [...parts.proposals, proposal],
  };
};

/** With other rows, which were drawn so often. */
const joined = (parts: Parts, others: Table, times: Float64Array): Parts => {
  const { domain } = parts.given;
  const all = new Float64Array(parts.rows.length + others.length);
  all.set(parts.draws);
  all.set(times, parts.rows.length);
  const { columns, length, counts } = distinctRows(joinedTable([parts.rows, others]), all);
  const own = new Float64Array(length);
  own.set(parts.own);
  return { ...parts, rows: { domain, columns, length }, draws: counts, own };
};

/** The prior that goes with weights of the public rows and with a model of them. */
const supportWith = (
  { given, widening: { lambda }, proposals, rows, draws, own }: Parts,
  weights: Float64Array,
  model: GraphicalPrior | undefined,
): Support => {
  if (rows === given) return { ...given, weights };
  const part = model === undefined ? new Float64Array(rows.length) : carried(proposals, rows, draws, model);
  const of = model === undefined ? 0 : lambda;
  return reweighted(
    { domain: given.domain, columns: rows.columns, length: rows.length, weights: part },
    part.map((weight, row) => of * weight + own[row] + (row < given.length ? (1 - of) * weights[row] : 0)),
  );
};

/** The weights, with sum 1, by which drawn rows carry a model's distribution. */
const carried = (
  proposals: readonly Proposal[],
  rows: Table,
  draws: Float64Array,
  { model }: GraphicalPrior,
): Float64Array => {
  const goal = logDensity(model.factors, rows);
  const sources = proposals.map((one) => logDensity(one.model.model.factors, rows));
  const weights = draws.map((count, row) =>
    count === 0
      ? 0
      : count / proposals.reduce((sum, one, k) => sum + one.draws * Math.exp(sources[k][row] - goal[row]), 0),
  );
  const sum = weights.reduce((all, weight) => all + weight, 0);
  return weights.map((weight) => weight / sum);
};
