import { cellAt } from '../cell-index.js';
import type { Domain } from '../domain.js';
import { truthIn } from './box.js';
import type { CellWeights } from './condition.js';
import { constraintsOf } from './constraints-of.js';
import { boxFiller } from './fill.js';

/** A value of a column, as its cell and its place on the line. */
export interface GivenValue {
  readonly cell: number;
  readonly at: number;
}

/**
 * Which cells can go with given values: of columns that constraints compare within their cells, the combinations in which other values
 * can be found for these. Cells alone say it of all others.
 */
export const cellsWith = (domain: Domain, given: ReadonlyMap<number, GivenValue>): CellWeights[] => {
  const constraints = constraintsOf(domain);
  if (constraints === undefined) return [];
  const { groups, boxOf, axes } = constraints;
  const touched = groups.filter(({ attributes }) => attributes.some((place) => given.has(place)));
  return touched.map(({ attributes, violation }) => {
    const fill = boxFiller(violation, (place) => !axes[place]!.continuous);
    const sizes = attributes.map((place) => domain.attributes[place].size);
    const weights = new Float64Array(sizes.reduce((product, size) => product * size, 1));
    const codes = attributes.map((place) => given.get(place)?.cell ?? 0);
    for (;;) {
      const box = boxOf(attributes, codes);
      for (const place of attributes) {
        const value = given.get(place);
        if (value !== undefined) box.low[place] = box.high[place] = value.at;
      }
      const truth = truthIn(violation, box);
      const isPossible = truth === 'open' ? fill(box) !== undefined : truth !== true;
      if (isPossible) weights[cellAt(codes, sizes)] = 1;
      let axis = sizes.length - 1;
      for (; axis >= 0; axis--) {
        if (given.has(attributes[axis])) continue;
        if (++codes[axis] < sizes[axis]) break;
        codes[axis] = 0;
      }
      if (axis < 0) return { attributes, weights };
    }
  });
};
