import type { Running } from '../domain/running.js';
import type { Table } from '../domain/table.js';
import { bestMixture } from '../estimate/multiplicative-weights/best-mixture.js';
import { supportOf } from '../model/support/support.js';
import { supportModel } from '../model/support/support-model.js';
import type { Threads } from '../model/support/weighted-rows.js';
import { mostPairCells, pairsOrOneWays } from '../query/workload/pairs-or-one-ways.js';
import type { Random } from '../random/random.js';
import { marginalsOf } from '../release/marginals-of.js';
import { type Judged, type NamedTable, priorsOf } from './check-public.js';

export interface ComparePublicTablesOptions extends Running, Threads {
  /** A public table that stands for the private one. */
  readonly against: Table;
  readonly publicTables: readonly NamedTable[];
  readonly random: Random;
  /** Pairs of attributes with more cells are left out; `mostPairCells` by default. */
  readonly maxCells?: number | undefined;
}

/** How a public table compares with a public validation table. Errors are proportions, of the worst cell. */
export interface ComparedPublicTable extends Judged {
  readonly asIs: number;
  /** Under the best weighting of its rows that was found, and a bound below which no weighting comes. */
  readonly mixture: number;
  readonly bound: number;
}

/** Judges public tables against a public validation table that stands for the private one: exact, and free. */
export const comparePublicTables = async (options: ComparePublicTablesOptions): Promise<ComparedPublicTable[]> => {
  const { against, publicTables, maxCells = mostPairCells } = options;
  const truth = supportModel(supportOf(against), 1);
  const marginals = marginalsOf(pairsOrOneWays(against.domain, maxCells));
  const answers = marginals.map((query) => truth.answer(query));
  const compared: ComparedPublicTable[] = [];
  for (const { prior, ...judged } of priorsOf(publicTables)) {
    const model = supportModel(prior, 1);
    const worst = (query: (typeof marginals)[number], m: number): number =>
      model.answer(query).reduce((most, share, cell) => Math.max(most, Math.abs(share - answers[m][cell])), 0);
    const asIs = marginals.reduce((most, query, m) => Math.max(most, worst(query, m)), 0);
    const { error, bound } = await bestMixture(prior, marginals, answers, options);
    compared.push({ ...judged, asIs, mixture: Math.min(asIs, error), bound: Math.max(0, bound) });
  }
  return compared;
};
