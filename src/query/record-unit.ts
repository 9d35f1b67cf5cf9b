import type { Domain } from '../domain/domain.js';
import { kindOf } from './block/block-kinds.js';
import { neededFactors } from './factors.js';
import type { Query } from './query.js';

/**
 * What one record counts at most in an answer of a query of written-out integers, whose unit is anybody's choice: an error of so much is
 * an error of one record. 1 for all other queries, whose answers are in units that people know.
 */
export const recordUnit = (query: Query, domain: Domain): number =>
  query.kind === 'holding'
    ? 1
    : neededFactors(query, domain)
        .filter(({ block }) => block.kind === 'matrix')
        .map(({ block, size }) => kindOf(block).entries(block, size))
        .reduce((product, [low, high]) => product * Math.max(1, high, -low), 1);
