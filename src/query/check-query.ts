import type { Domain } from '../domain/domain.js';
import { factorsOf } from './factors.js';
import { holdingCells } from './holding.js';
import type { Query } from './query.js';

/** Throws an `InputError` unless the query fits the domain. */
export const checkQuery = (query: Query, domain: Domain): void => {
  if (query.kind === 'holding') holdingCells(query, domain);
  else factorsOf(query, domain);
};
