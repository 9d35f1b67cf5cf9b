import type { Table } from '../../domain/table.js';
import type { WeightedHouseholds } from '../../model/households/weighted-households.js';

/** One answer of one of the queries. */
export interface AnswerPlace {
  /** Number of the query among those that the households were opened with. */
  readonly query: number;
  readonly cell: number;
}

/**
 * A histogram over listed households, A(x), while it is fitted. A query is scaled to be at most 1, so that persons count 1/M each where M is the largest
 * household ("Towards Differentially Private Query Release for Hierarchical Data", Algorithm 2): that is q^ below.
 */
export interface HouseholdWeights {
  readonly opened: WeightedHouseholds;
  /** Makes the weights sum to 1 and evaluates all queries. */
  refresh(): Promise<void>;
  /** q^(A) of one answer at present. */
  scaled(place: AnswerPlace): number;
  /** A(x) ~ A(x) exp(c q^(x)); the sums of all queries follow at the next `refresh`. */
  tilt(place: AnswerPlace, c: number): void;
  /** A copy of the weights at present, with sum 1. */
  distribution(): Float64Array;
}

/** What a query is divided by: persons by the most that a household has, households by 1. */
export const unitOf = (
  { table, queries }: Pick<WeightedHouseholds, 'queries'> & { readonly table: Pick<Table, 'domain'> },
  query: number,
): number => (queries[query].kind === 'holding' ? 1 : (table.domain.households?.maxSize ?? 1));

/** Starts at these weights, which need not sum to 1; they are copied. */
export const householdWeights = (opened: WeightedHouseholds, start: Float64Array): HouseholdWeights => {
  const weights = start.slice();
  let mass = 0;
  const normalise = (): void => {
    const sum = weights.reduce((all, weight) => all + weight, 0);
    for (let h = 0; h < weights.length; h++) weights[h] /= sum;
    mass = 1;
  };
  normalise();
  return {
    opened,
    refresh: async () => {
      // Sums that were followed through many updates lose digits: made anew here.
      normalise();
      await opened.scatter(weights);
    },
    scaled: ({ query, cell }) => {
      const { households, counts } = opened.inCell(query, cell);
      let sum = 0;
      for (let i = 0; i < households.length; i++) sum += counts[i] * weights[households[i]];
      return sum / (unitOf(opened, query) * mass);
    },
    tilt: ({ query, cell }, c) => {
      const { households, counts } = opened.inCell(query, cell);
      const unit = unitOf(opened, query);
      const factors = Float64Array.from({ length: unit + 1 }, (_, count) => Math.exp((c * count) / unit));
      for (let i = 0; i < households.length; i++) {
        const before = weights[households[i]];
        const after = before * factors[counts[i]];
        weights[households[i]] = after;
        mass += after - before;
      }
    },
    distribution: () => {
      normalise();
      return weights.slice();
    },
  };
};
