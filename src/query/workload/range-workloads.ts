import { isOrdered } from '../../domain/attribute/cells.js';
import type { Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import type { Random } from '../../random/random.js';
import { attributesOf } from '../answer.js';
import { factorsOf } from '../factors.js';
import { marginal } from '../marginal.js';
import { type FactoredQuery, factored, prefix, type Query } from '../query.js';
import { choices, type MarginalOptions } from './all-marginals.js';
import { sampleMarginals } from './sample-marginals.js';
import { type Workload, workloadOf } from './workload.js';

const maxRanges = 10_000_000;

/** Every range of cells of one attribute as one query: s (s + 1) / 2 answers for s cells, by start and then by end. */
export const allRanges = (domain: Domain, attribute: string): FactoredQuery => {
  choices(domain, 1, [attribute]);
  const { size } = domain.attributes.find(({ name }) => name === attribute)!;
  const count = (size * (size + 1)) / 2;
  if (count > maxRanges)
    throw new InputError(
      `ranges of ${JSON.stringify(attribute)}: at most ${maxRanges}, got ${count}; use prefix instead`,
    );
  const ranges: [number, number][] = [];
  for (let low = 0; low < size; low++) for (let high = low; high < size; high++) ranges.push([low, high]);
  return factored({ [attribute]: { kind: 'ranges', ranges } });
};

/** One prefix query for each of the attributes; by default for all whose order means something. */
export const prefixWorkload = (domain: Domain, attributes?: readonly string[]): Workload => {
  const names = attributes ?? domain.attributes.filter(isOrdered).map(({ name }) => name);
  if (names.length === 0) throw new InputError('prefix workload: no attribute is ordered; name the attributes to use');
  const queries = names.map(prefix);
  for (const query of queries) factorsOf(query, domain);
  return workloadOf(queries);
};

/** The query of some attributes that keeps unordered ones and takes ordered ones as prefixes. */
const orderedQuery = (domain: Domain, attributes: readonly string[]): Query => {
  const ordered = new Set(domain.attributes.filter(isOrdered).map(({ name }) => name));
  if (!attributes.some((attribute) => ordered.has(attribute))) return marginal(...attributes);
  return {
    kind: 'factored',
    factors: attributes.map((attribute) => ({
      attribute,
      block: ordered.has(attribute) ? { kind: 'prefix' } : { kind: 'keep' },
    })),
  };
};

/** Which triples are taken, and how large. */
export interface TripleOptions extends MarginalOptions {
  /** Number of attribute triples. Default 15. */
  readonly count?: number | undefined;
}

/**
 * The workload of the experiments in Private-PGM, section 5: random attribute triples, without replacement, on which
 * categorical attributes are unit queries and ordered ones prefixes.
 */
export const tripleWorkload = (
  domain: Domain,
  random: Random,
  { count = 15, ...options }: TripleOptions = {},
): Workload =>
  workloadOf(
    sampleMarginals(domain, 3, count, random, options).queries.map(({ query }) =>
      orderedQuery(domain, attributesOf(query)),
    ),
  );
