import type { Domain } from '../domain/domain.js';
import { InputError } from '../domain/input-error.js';
import { factorsOf, multiplyFactors, neededFactors } from './factors.js';
import type { Query } from './query.js';

/** Answers saturate here. Half of the exact doubles are left free, so that integer noise added to one is exact too. */
export const answerLimit = 2 ** 52;

/** Rows of each factor, in the order of the factors: answers are row-major over this shape. */
export const answerShape = (query: Query, domain: Domain): number[] => factorsOf(query, domain).map(({ rows }) => rows);

/** Number of answers (a double: a query nobody can answer may have 1e100). */
export const answerSize = (query: Query, domain: Domain): number =>
  answerShape(query, domain).reduce((product, rows) => product * rows, 1);

/** The attributes whose marginal, row-major in this order, suffices to answer the query. */
export const attributesOf = (query: Query): string[] =>
  query.kind === 'marginal'
    ? [...query.attributes]
    : query.factors.filter(({ block }) => block.kind !== 'sum').map(({ attribute }) => attribute);

/**
 * The query's answers from the counts of the marginal of `attributesOf(query)`, as a new array. Cost: about one pass
 * over the counts for each factor; no matrix is built.
 *
 * On non-negative integer counts every answer below `answerLimit` is exact, and a larger one is returned as
 * `answerLimit`: all matrix entries are non-negative integers, so an intermediate value that a double cannot hold only
 * ever feeds answers beyond the limit. Saturating is 1-Lipschitz in each answer, so it raises no sensitivity, whereas
 * an error would tell something about the private counts.
 */
export const answerFrom = (query: Query, domain: Domain, counts: Float64Array): Float64Array => {
  const factors = neededFactors(query, domain);
  const cells = factors.reduce((product, { size }) => product * size, 1);
  if (counts.length !== cells)
    throw new InputError(`answerFrom: the marginal of the query has ${cells} cells, got ${counts.length} counts`);
  const answers = multiplyFactors(factors, counts, 'apply');
  for (let i = 0; i < answers.length; i++) if (answers[i] > answerLimit) answers[i] = answerLimit;
  return answers;
};
