import type { Domain } from '../../src/domain/domain.js';
import type { Table } from '../../src/domain/table.js';
import { junctionTree, treeSize } from '../../src/model/graphical/tree/junction-tree.js';
import { answerSize, attributesOf } from '../../src/query/answer.js';
import { marginal } from '../../src/query/marginal.js';
import type { Query } from '../../src/query/query.js';
import { sampleMarginals } from '../../src/query/workload/sample-marginals.js';
import { type Workload, workloadOf } from '../../src/query/workload/workload.js';
import { seeded } from '../../src/random/seeded.js';
import { loadCodes } from '../data/load-codes.js';

/** The four tables of Private-PGM's Table 1. */
export const fourTables = ['titanic', 'adult', 'loans', 'stroke'] as const;
export type FourTable = (typeof fourTables)[number];

interface Facts {
  /** Queries of the paper's workload (Table 1). */
  readonly queries: number;
  /** Attributes that are numbers cut into bins: the workload asks for their prefixes. */
  readonly numeric: readonly string[];
}

const words = (text: string): string[] => text.trim().split(/\s+/);

/** What the codes alone do not tell. */
const factsOf: Readonly<Record<FourTable, Facts>> = {
  titanic: { queries: 4851, numeric: words('Age SibSp Parch Fare') },
  adult: { queries: 62_876, numeric: words('age fnlwgt capital-gain capital-loss hours-per-week') },
  loans: {
    queries: 362_201,
    numeric: words(`
      loan_amnt funded_amnt funded_amnt_inv int_rate installment annual_inc dti delinq_2yrs inq_last_6mths mths_since_last_delinq
      mths_since_last_record open_acc pub_rec revol_bal revol_util total_acc total_pymnt total_pymnt_inv total_rec_prncp total_rec_int
      total_rec_late_fee recoveries collection_recovery_fee last_pymnt_amnt delinq_amnt pub_rec_bankruptcies settlement_amount
      settlement_percentage settlement_term`),
  },
  stroke: {
    queries: 17_716,
    numeric: words(`
      AGE DALIVED DDEADD DMAJNCHD DPED DRSHD DRSISCD DRSUNKD DSIDED EXPD14 EXPD6 EXPDD FDEADD FLASTD FU1_COMP HOURLOCAL MINLOCAL ONDRUG
      RDELAY RSBP TD`),
  },
};

export const loadFour = (name: FourTable, data: string): Table => loadCodes(data, `pgm-four/${name}`);

/** A set of attributes as the paper asks it: prefixes of numbers, every value of the others (section 5.1). */
const paperQuery = (attributes: readonly string[], numeric: readonly string[]): Query =>
  attributes.some((name) => numeric.includes(name))
    ? {
        kind: 'factored',
        factors: attributes.map((attribute) => ({
          attribute,
          block: numeric.includes(attribute) ? { kind: 'prefix' } : { kind: 'keep' },
        })),
      }
    : marginal(...attributes);

/** Cells of the junction tree of all triples at most: fifteen random ones may need a tree that nobody can hold. */
const treeCells = 500_000;

/**
 * Fifteen random triples of attributes. Uniform ones have ten times as many queries as the paper counts, so triples are drawn among those with
 * at most five times the paper's queries for one, and the first seed is taken whose workload comes within a tenth of the paper's number and has
 * a junction tree that can be held. Only the domain enters.
 */
export const paperWorkload = (name: FourTable, domain: Domain): Workload & { readonly seed: number } => {
  const { queries, numeric } = factsOf[name];
  for (let seed = 1; seed < 100_000; seed++) {
    const drawn = sampleMarginals(domain, 3, 15, seeded(seed), { maxCells: (5 * queries) / 15 });
    const asked = drawn.queries.reduce((sum, { query }) => sum + answerSize(query, domain), 0);
    if (Math.abs(asked / queries - 1) > 0.1) continue;
    const sets = drawn.queries.map(({ query }) => attributesOf(query));
    if (treeSize(junctionTree(domain, sets)).cells > treeCells) continue;
    return { ...workloadOf(sets.map((set) => paperQuery(set, numeric))), seed };
  }
  throw new Error(`pgm-four: no seed gives a workload like the paper's for ${name}`);
};
