import { cellWalk, copyInto, stridesIn } from './cell-walk.js';

/** A table with its axes in another order; a new array. */
export const reordered = <Axis>(
  values: Float64Array,
  axes: readonly Axis[],
  sizes: readonly number[],
  into: readonly Axis[],
): Float64Array => {
  if (axes.every((axis, i) => axis === into[i])) return values.slice();
  const target = new Float64Array(values.length);
  const newSizes = into.map((axis) => sizes[axes.indexOf(axis)]);
  copyInto(cellWalk(sizes, stridesIn(axes, into, newSizes)), values, target);
  return target;
};
