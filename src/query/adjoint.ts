import type { Domain } from '../domain/domain.js';
import { InputError } from '../domain/input-error.js';
import { multiplyFactors, neededFactors } from './factors.js';
import type { Query } from './query.js';

/**
 * Q^T r: carries a residual of the query's answers back to the cells of the marginal of `attributesOf(query)`, as a new
 * array: the gradient of a loss of the answers with respect to the marginal. Cost as `answerFrom`.
 */
export const adjoint = (query: Query, domain: Domain, residual: Float64Array): Float64Array => {
  const factors = neededFactors(query, domain);
  const answers = factors.reduce((product, { rows }) => product * rows, 1);
  if (residual.length !== answers)
    throw new InputError(`adjoint: the query has ${answers} answers, got a residual of ${residual.length}`);
  return multiplyFactors(factors, residual, 'transpose');
};
