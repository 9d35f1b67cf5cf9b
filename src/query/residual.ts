import type { Domain } from '../domain/domain.js';
import { InputError } from '../domain/input-error.js';
import { neededFactors } from './factors.js';
import type { FactoredQuery, Query } from './query.js';

/**
 * The residual of some attributes (Xiao, He, Zhang, Kifer 2023): what their marginal has and no smaller marginal does, in records. It is the
 * marginal with the mean taken out along each axis; the residuals of all subsets, each spread evenly, sum to the marginal.
 *
 * @example
 * ```ts
 * const interaction = residual('region', 'sex');
 * ```
 */
export const residual = (...attributes: readonly string[]): FactoredQuery => ({
  kind: 'factored',
  factors: attributes.map((attribute) => ({ attribute, block: { kind: 'centre' } })),
});

/** The sizes of the attributes of a residual; undefined for all other queries. One that is a residual in part is refused. */
export const residualSizes = (query: Query, domain: Domain): number[] | undefined => {
  if (query.kind !== 'factored') return undefined;
  const factors = neededFactors(query, domain);
  const centres = factors.filter(({ block }) => block.kind === 'centre');
  if (centres.length === 0) return undefined;
  const other = factors.find(({ block }) => block.kind !== 'centre');
  if (other !== undefined)
    throw new InputError(
      `query: a centre block goes with others of its kind only, got ${other.block.kind} of ${JSON.stringify(other.attributes[0])} beside it; a residual has a centre block for each of its attributes`,
    );
  return centres.map(({ size }) => size);
};

/**
 * The part of noise, drawn independently for every cell, that is left in the answers: the mean variance of an answer when every cell has
 * variance one, and so the dimensions that the answers have for each answer. For a residual prod (1 - 1/n); 1 for all other queries.
 */
export const residualPart = (query: Query, domain: Domain): number =>
  residualSizes(query, domain)?.reduce((product, size) => product * (1 - 1 / size), 1) ?? 1;
