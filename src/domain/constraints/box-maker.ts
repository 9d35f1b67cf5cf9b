import { type Axis, withinReach } from '../sql/axis.js';
import { type Box, EMPTY_PLACE, OTHER_PLACE } from './box.js';
import { below } from './fill.js';

/** The boxes of cells of some columns, by the axes of all; columns that are not among them are empty. */
export const boxMaker =
  (axes: readonly (Axis | undefined)[]) =>
  (attributes: readonly number[], codes: ArrayLike<number>): Box => {
    const low = new Float64Array(axes.length);
    const high = new Float64Array(axes.length);
    const off = new Uint8Array(axes.length).fill(EMPTY_PLACE);
    attributes.forEach((at, i) => {
      const axis = axes[at]!;
      const { edges, continuous, declared, null: empty } = axis;
      const code = codes[i];
      if (code >= edges.length - 1) {
        off[at] = code === empty ? EMPTY_PLACE : OTHER_PLACE;
        return;
      }
      off[at] = 0;
      // Open ends go as far as they are taken to reach; what a number's upper one begins with is the last bin's.
      const [from, to] = withinReach(axis, edges[code], edges[code + 1]);
      low[at] = continuous && edges[code + 1] === Infinity && from === declared[1] ? -below(-from) : from;
      high[at] = continuous ? below(to) : to - 1;
    });
    return { low, high, off };
  };
