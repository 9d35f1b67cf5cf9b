import { openCells } from '../domain/attribute/cells.js';
import type { Domain } from '../domain/domain.js';
import type { CodeColumn } from '../domain/table.js';
import { expectedError } from '../privacy/expected-error.js';
import { marginal } from '../query/marginal.js';
import { assumedRows, type PublicFacts } from './plan.js';

/** How well a public table can serve as a prior, as far as public things tell. */
export interface PublicFit {
  readonly verdict: 'none' | 'thin' | 'fits';
  /** A clause such as "the public table has 7,244 rows, which use 98% of the cells of its attributes". */
  readonly why: string;
}

/** Fewer rows, or households, than this say too little about how attributes go together. */
const fewestRows = 50;
/** The mean over attributes of the part of their cells that some public row has must reach this. */
const leastCoverage = 0.5;

const percent = (share: number): string => `${Math.floor(100 * share)}%`;

/**
 * Whether a public table can carry a release: it must have rows enough, and use the cells that the schema declares, since a
 * mixture of its rows can say nothing about a value that none of them has. Whether it is *like* the private table
 * is not public: `check-public` pays for that answer.
 */
export const publicFit = ({ domain, prior, publicRows }: PublicFacts): PublicFit => {
  if (prior === undefined) return { verdict: 'none', why: 'there is no public table' };
  return coverageFit(domain, prior.columns, publicRows ?? prior.length, 'rows');
};

/** The same for public households. */
export const publicHouseholdsFit = ({ domain, publicHouseholds }: PublicFacts): PublicFit => {
  if (publicHouseholds === undefined) return { verdict: 'none', why: 'there are no public households' };
  return coverageFit(domain, publicHouseholds.columns, publicHouseholds.offsets.length - 1, 'households');
};

const coverageFit = (domain: Domain, columns: readonly CodeColumn[], count: number, of: string): PublicFit => {
  // Nobody expects public rows beyond the ends that were learned from them.
  const used = domain.attributes.map(({ size, spec }, index) => {
    const open = openCells(spec);
    const found = new Set(columns[index]);
    for (const cell of open) found.delete(cell);
    return found.size / (size - open.length);
  });
  const coverage = used.reduce((sum, share) => sum + share, 0) / used.length;
  const found = `the public table has ${count.toLocaleString('en-US')} ${of}, which use ${percent(coverage)} of the cells of the attributes`;
  if (count >= fewestRows && coverage >= leastCoverage) return { verdict: 'fits', why: found };
  const least = domain.attributes[used.indexOf(Math.min(...used))];
  const thin =
    count < fewestRows
      ? `only ${count} ${of}`
      : `values for only ${percent(coverage)} of the cells, least of ${least.name}`;
  return { verdict: 'thin', why: `the public table has ${thin}` };
};

/**
 * Mean total variation distance to expect of the single attributes when the whole budget measured nothing else, from noise
 * alone: near 1 means that the budget cannot measure a table of the assumed size without help.
 */
export const directError = (facts: PublicFacts): number => {
  const queries = facts.domain.attributes.map(({ name }) => marginal(name));
  const noise = facts.preview(queries, 1);
  const errors = noise.map((one, i) =>
    Math.min(1, (facts.domain.attributes[i].size * expectedError(one)) / 2 / assumedRows(facts)),
  );
  return errors.reduce((sum, error) => sum + error, 0) / errors.length;
};
