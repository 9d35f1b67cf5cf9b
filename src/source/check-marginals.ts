import { cellsOf, type Domain } from '../domain/domain.js';
import { InputError } from '../domain/input-error.js';
import type { Counted } from '../query/holding.js';

const gigabytes = (bytes: number): string =>
  `${bytes < 1e12 ? (bytes / 1e9).toFixed(1) : (bytes / 1e9).toPrecision(3)} GB`;

/** Refuses marginals that name an attribute twice, or whose tables together (8 bytes a cell) go beyond `memoryLimit` bytes. */
export const checkMarginals = (domain: Domain, marginals: readonly Counted[], memoryLimit: number): void => {
  let bytes = 0;
  for (const { attributes } of marginals) {
    if (new Set(attributes).size < attributes.length)
      throw new InputError(`marginal: must name an attribute once, got ${JSON.stringify(attributes)}`);
    bytes += 8 * cellsOf(domain, attributes);
  }
  if (bytes > memoryLimit)
    throw new InputError(
      `counts: the tables must fit in ${gigabytes(memoryLimit)} of memory, got a need of ${gigabytes(bytes)}; ` +
        'ask for fewer or smaller marginals, or at most for some at a time',
    );
};
