import { declaredCells } from '../../domain/declared-cells.js';
import { cellsOf } from '../../domain/domain.js';
import { marginal } from '../../query/marginal.js';
import type { DesignDoor, DesignOptions } from './design-options.js';
import { sumOf } from './gaussian-parts.js';
import { squaredError } from './split-budget.js';
import { type Learnable, noiseOf } from './worth.js';

/** Parts for attributes on their own that are tried where noise is Laplace noise. */
const triedAlone = [0, 0.25, 0.5, 0.75, 1];

/**
 * Parts in proportion to the cube roots of cells, among attributes and among pairs, at the split between both that leaves least to be wrong. A pair tells its
 * attributes as well: precisions add.
 */
export const laplaceParts = (
  door: DesignDoor,
  learned: readonly Learnable[],
  groups: readonly (readonly number[])[],
  { share, records }: DesignOptions,
): readonly number[] => {
  const declared = declaredCells(door.domain);
  const cells = learned.map(({ attributes }) => cellsOf(declared, attributes));
  const isAlone = learned.map(({ attributes }) => attributes.length === 1);
  const rootsOf = (alone: boolean): number =>
    sumOf(cells.map((count, i) => (isAlone[i] === alone ? Math.cbrt(count) : 0)));
  const [ofAttributes, ofPairs] = [rootsOf(true), rootsOf(false)];
  if (ofPairs === 0) return cells.map((count) => Math.cbrt(count) / ofAttributes);
  const [{ scale }] = door.preview([marginal(...learned[0].attributes)], share);
  const options = triedAlone.map((alone) => {
    const parts = cells.map((count, i) =>
      isAlone[i] ? (alone * Math.cbrt(count)) / ofAttributes : ((1 - alone) * Math.cbrt(count)) / ofPairs,
    );
    const precisions = parts.map((part) => (part / scale) ** 2 / 2);
    const together = [...precisions];
    for (const [a, b, pair] of groups.filter((group) => group.length === 3)) {
      together[a] += (precisions[pair] * cells[a]) / cells[pair];
      together[b] += (precisions[pair] * cells[b]) / cells[pair];
    }
    const errors = learned.map((one, i) =>
      together[i] === 0 ? one.gap : squaredError({ gap: one.gap, noise: noiseOf(one, 1 / together[i], records) }, 1),
    );
    return {
      parts,
      error: groups.reduce((sum, group) => sum + Math.sqrt(group.reduce((all, i) => all + errors[i], 0)), 0),
    };
  });
  return options.reduce((best, one) => (one.error < best.error ? one : best)).parts;
};
