import type { Query } from '../../query/query.js';
import type { Unit } from '../../query/unit.js';
import { rational } from '../rational.js';
import type { GaussianTerms } from './gaussian.js';
import type { NoiseName } from './noise-kinds.js';

/**
 * What is known of how answers to a query move, beyond how far: that they do so by rows, each as a unit of one row would move them, and in which steps. Not of a
 * query about households as wholes, which do not move by rows. Under gdp a charge holds it, since a plan is told by its own losses (docs/gdp.md).
 */
export const gaussianDetails = (
  query: Query,
  kind: NoiseName,
  { maxRecords }: Pick<Unit, 'maxRecords'>,
  residual?: readonly number[] | undefined,
): Pick<GaussianTerms, 'records' | 'grid'> => {
  if (kind !== 'gaussian') return {};
  const records = maxRecords > 1 && query.kind !== 'holding' ? { records: rational(maxRecords) } : {};
  const grid = residual && { grid: rational(residual.reduce((product, size) => product * BigInt(size), 1n)) };
  return { ...records, ...grid };
};
