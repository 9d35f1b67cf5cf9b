import { InputError } from '../domain/input-error.js';
import type { Running } from '../domain/running.js';
import { inTurns, type Turns } from '../domain/turns.js';
import { sizeShares } from '../model/households/size-shares.js';
import type { HouseholdModel } from '../model/model.js';
import type { Counted } from '../query/holding.js';
import { householdWorkload } from '../query/workload/household-workload.js';
import type { Random } from '../random/random.js';

/** Which sets of attributes are compared. */
export interface CompareHouseholdsOptions extends Running {
  /** Queries with more cells are left out; 100,000 by default. */
  readonly maxCells?: number | undefined;
  /** Of more sets than this with one number of household attributes among them, so many are drawn; 1,000 by default. */
  readonly most?: number | undefined;
  readonly random: Random;
}

/** How far apart the answers of one kind of queries are, as shares of households or of persons. */
export interface LevelErrors {
  /** Attributes of a query. */
  readonly way: number;
  readonly queries: number;
  readonly answers: number;
  readonly mean: number;
  readonly largest: number;
  /** The attributes of the query with the largest error. */
  readonly where: readonly string[];
}

/** How two distributions of households compare, at both levels. */
export interface HouseholdComparison {
  /** Households that hold somebody in a cell. */
  readonly households: readonly LevelErrors[];
  readonly persons: readonly LevelErrors[];
  /** Shares of households with 1, 2, ... persons. */
  readonly sizes: readonly { readonly first: number; readonly second: number }[];
}

/**
 * Compares two distributions of households by both queries of all sets of one, two and three attributes: errors are those of single answers, as proportions, as in
 * "Towards Differentially Private Query Release for Hierarchical Data". Exact, so it is for what is public or synthetic.
 */
export const compareHouseholds = async (
  first: HouseholdModel,
  second: HouseholdModel,
  { maxCells = 100_000, most = 1000, random, signal, onProgress }: CompareHouseholdsOptions,
): Promise<HouseholdComparison> => {
  const { domain } = first;
  if (JSON.stringify(domain) !== JSON.stringify(second.domain))
    throw new InputError('compare: both sides must be over one domain, got two; read both by one schema');
  const within = domain.attributes.map(({ name }) => name);
  const ways = [1, 2, 3].filter((way) => way <= within.length);
  const errors: { readonly households: LevelErrors; readonly persons: LevelErrors }[] = [];
  for (const [done, way] of ways.entries()) {
    onProgress?.({ stage: 'compare households', done, total: ways.length });
    const { queries } = householdWorkload(domain, { attributes: way, within, maxCells, sets: most, random });
    const of = (kind: Counted['kind']): Promise<LevelErrors> => {
      const own = queries.flatMap(({ query }) => (query.kind === kind ? [query as Counted] : []));
      return inTurns(errorsOf(first, second, way, own), { signal });
    };
    errors.push({ households: await of('holding'), persons: await of('marginal') });
  }
  const [a, b] = [sizeShares(first), sizeShares(second)];
  const compared = ({ queries }: LevelErrors): boolean => queries > 0;
  return {
    households: errors.map(({ households }) => households).filter(compared),
    persons: errors.map(({ persons }) => persons).filter(compared),
    sizes: Array.from(a, (share, i) => ({ first: share, second: b[i] })),
  };
};

function* errorsOf(
  first: HouseholdModel,
  second: HouseholdModel,
  way: number,
  queries: readonly Counted[],
): Turns<LevelErrors> {
  let [answers, sum, largest] = [0, 0, -1];
  let where: readonly string[] = [];
  for (const query of queries) {
    yield;
    const [a, b] = [first, second].map((side) => {
      const all = query.kind === 'holding' ? side.householdTotal : side.total;
      return side.answer(query).map((answer) => answer / Math.max(1e-9, all));
    });
    answers += a.length;
    a.forEach((share, cell) => {
      const error = Math.abs(share - b[cell]);
      sum += error;
      if (error > largest) [largest, where] = [error, query.attributes];
    });
  }
  return {
    way,
    queries: queries.length,
    answers,
    mean: sum / Math.max(1, answers),
    largest: Math.max(0, largest),
    where,
  };
}
