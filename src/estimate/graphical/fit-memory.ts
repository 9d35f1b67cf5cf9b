import { cellsOf, type Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { bytesText, limits } from '../../domain/limits.js';
import { listed } from '../../domain/listed.js';
import { junctionTree, treeSize } from '../../model/graphical/tree/junction-tree.js';
import type { Measurement } from '../../privacy/measurement.js';
import { attributesOf } from '../../query/answer.js';
import type { GraphicalOptions } from './options.js';
import { distinctCliques } from './targets.js';

/**
 * Bytes that a fit may take. A model of larger tables than a reader takes is not made: that is refused with the size, or, where an approximation is
 * allowed, the fit gets so little memory that it is one.
 */
export const fitMemory = (
  domain: Domain,
  measurements: readonly Measurement[],
  { memory = 2e9, approximate = false }: Pick<GraphicalOptions, 'memory' | 'approximate'>,
): number => {
  const cliques = distinctCliques(measurements.map(({ query }) => attributesOf(query)));
  const refuse = (bytes: number, attributes: readonly string[], next: string): never => {
    throw new InputError(
      `measurements: the tables of their model must fit in ${bytesText(limits.modelBytes)}, got a need of ${bytesText(bytes)} ` +
        `(${cellsOf(domain, attributes)} cells of ${listed(attributes)}); measure fewer or smaller marginals${next}`,
    );
  };
  // One that is too large alone is told before a tree is made of all: no approximation would divide it.
  for (const clique of cliques) {
    const bytes = 8 * cellsOf(domain, clique);
    if (bytes > limits.modelBytes) refuse(bytes, clique, '');
  }
  const { bytes, largest } = treeSize(junctionTree(domain, cliques));
  if (bytes <= limits.modelBytes) return memory;
  if (approximate) return Math.min(memory, limits.modelBytes);
  return refuse(bytes, largest.attributes, ', or allow an approximation');
};
