import type { Random } from '../../random/random.js';
import type { CellValue } from '../attribute/column-decoder.js';
import { kindOf } from '../attribute/kinds/kinds.js';
import type { Domain } from '../domain.js';
import { type Box, truthIn } from './box.js';
import { constraintsOf } from './constraints-of.js';
import { boxFiller } from './fill.js';

/** The value that a column has in a row whatever it would be drawn as, or undefined. */
type Pinned = (at: number, row: number) => CellValue | undefined;

/** Draws of all columns of a group, each by itself, before they are drawn together; one where fewer than this part of them are kept, as with sums. */
const apart = 16;
const leastLuck = 0.1;
/** Draws together before the one record is taken that is always found. */
const together = 4;

/**
 * Draws anew what breaks a constraint within its cells: overwrites values of rows, given with the cells they were drawn from. First each column by itself
 * again, which leaves the distribution within cells as it is but for what cannot be; where that does not help, the columns together.
 */
export const keptWithin = (
  domain: Domain,
  decoders: readonly ((cell: number) => CellValue)[],
  random: Random,
): ((columns: readonly ArrayLike<number>[], values: CellValue[][], pinnedAt: Pinned) => void) => {
  const constraints = constraintsOf(domain);
  if (constraints === undefined || constraints.groups.length === 0) return () => {};
  const { groups, boxOf, axes } = constraints;
  const drawings = domain.attributes.map(({ spec }, at) =>
    axes[at] === undefined ? undefined : kindOf(spec).drawing(spec, random),
  );
  const isWhole = (at: number): boolean => !axes[at]!.continuous;
  /** With how many draws of columns by themselves there were so far, and how many of them were kept. */
  const fillers = groups.map(({ attributes, violation }) => ({
    attributes,
    violation,
    fill: boxFiller(violation, isWhole),
    drawn: 0,
    kept: 0,
  }));

  /** The values of a row as a point of its box; the same object every time. */
  const point = { low: new Float64Array(domain.attributes.length), high: new Float64Array(domain.attributes.length) };
  const pointIn = ({ low, high, off }: Box, attributes: readonly number[], values: readonly CellValue[]): Box => {
    for (const [i, at] of attributes.entries()) {
      const x = off[at] === 0 ? drawings[at]?.read(values[i]) : undefined;
      point.low[at] = x ?? low[at];
      point.high[at] = x ?? high[at];
    }
    return { ...point, off };
  };

  const keepRow = (
    group: (typeof fillers)[number],
    codes: readonly number[],
    own: CellValue[],
    pinned: readonly boolean[],
  ): void => {
    const { attributes, violation, fill } = group;
    const cells = boxOf(attributes, codes);
    for (const [i, at] of attributes.entries())
      if (pinned[i] && cells.off[at] === 0)
        cells.low[at] = cells.high[at] = drawings[at]?.read(own[i]) ?? cells.low[at];
    // Most rows are decided by their cells.
    if (truthIn(violation, cells) !== 'open') return;
    const isKept = (): boolean => truthIn(violation, pointIn(cells, attributes, own)) !== true;
    const most = group.kept < leastLuck * group.drawn ? 1 : apart;
    let kept = isKept();
    for (let tries = 1; !kept && tries < most; tries++) {
      attributes.forEach((at, i) => {
        if (!pinned[i]) own[i] = decoders[at](codes[i]);
      });
      group.drawn++;
      kept = isKept();
    }
    group.drawn++;
    if (kept) group.kept++;
    let found: Float64Array | undefined;
    for (let tries = 0; !kept && found === undefined && tries < together; tries++) found = fill(cells, random);
    if (!kept) found ??= fill(cells);
    // None is found where the cells themselves are forbidden, which no row of a release has, and where given values leave none.
    if (found === undefined) return;
    for (const [i, at] of attributes.entries())
      if (cells.off[at] === 0 && !pinned[i]) own[i] = drawings[at]?.write(found[at]) ?? own[i];
  };

  return (columns, values, pinnedAt) => {
    const rows = columns[0]?.length ?? 0;
    for (const group of fillers)
      for (let row = 0; row < rows; row++) {
        const own = group.attributes.map((at) => values[at][row]);
        keepRow(
          group,
          group.attributes.map((at) => columns[at][row]),
          own,
          group.attributes.map((at) => pinnedAt(at, row) !== undefined),
        );
        for (const [i, at] of group.attributes.entries()) values[at][row] = own[i];
      }
  };
};
