import type { Random } from '../../random/random.js';
import type { CellValue } from '../attribute/column-decoder.js';
import type { Drawing } from '../attribute/kinds/kind.js';
import { kindOf } from '../attribute/kinds/kinds.js';
import type { Domain } from '../domain.js';
import { type Box, truthIn } from './box.js';
import { constraintsOf } from './constraints-of.js';
import { fillBox } from './fill.js';

/** Draws of all columns of a group, each by itself, before they are drawn together: nearly all rows are done with the first. */
const apart = 16;
/** Draws together before the one record is taken that is always found. */
const together = 8;

/**
 * Draws anew what breaks a constraint within its cells: overwrites values of rows, given with the cells they were drawn from. First each column by itself
 * again, which leaves the distribution within cells as it is but for what cannot be; where that does not help, the columns together.
 */
export const keptWithin = (
  domain: Domain,
  decoders: readonly ((cell: number) => CellValue)[],
  random: Random,
): ((columns: readonly ArrayLike<number>[], values: CellValue[][]) => void) => {
  const constraints = constraintsOf(domain);
  if (constraints === undefined || constraints.groups.length === 0) return () => {};
  const { groups, boxOf, axes } = constraints;
  const drawings = domain.attributes.map(({ spec }, at) =>
    axes[at] === undefined ? undefined : kindOf(spec).drawing(spec, random),
  );
  const isWhole = (at: number): boolean => !axes[at]!.continuous;
  return (columns, values) => {
    const rows = columns[0]?.length ?? 0;
    for (const { attributes, violation } of groups)
      for (let row = 0; row < rows; row++) {
        const codes = attributes.map((at) => columns[at][row]);
        const cells = boxOf(attributes, codes);
        // Most rows are decided by their cells.
        if (truthIn(violation, cells) !== 'open') continue;
        const pointOf = (): Box => pointIn(cells, attributes, drawings, (at) => values[at][row]);
        let tries = 0;
        while (truthIn(violation, pointOf()) === true && tries++ < apart)
          attributes.forEach((at, i) => {
            values[at][row] = decoders[at](codes[i]);
          });
        if (truthIn(violation, pointOf()) !== true) continue;
        let found: Float64Array | undefined;
        for (let i = 0; i < together && found === undefined; i++)
          found = fillBox(cells, { violation, isWhole, random });
        found ??= fillBox(cells, { violation, isWhole });
        if (found === undefined) continue; // cells that no row has
        for (const at of attributes)
          if (cells.off[at] === 0 && drawings[at] !== undefined) values[at][row] = drawings[at].write(found[at]);
      }
  };
};

/** The values of a row as a point of its box. */
const pointIn = (
  { low, high, off }: Box,
  attributes: readonly number[],
  drawings: readonly (Drawing | undefined)[],
  valueAt: (at: number) => CellValue,
): Box => {
  const [from, to] = [low.slice(), high.slice()];
  for (const at of attributes) {
    const drawing = drawings[at];
    if (off[at] !== 0 || drawing === undefined) continue;
    const x = drawing.read(valueAt(at))!;
    from[at] = x;
    to[at] = x;
  }
  return { low: from, high: to, off };
};
