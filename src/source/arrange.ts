import { stridesOf } from '../domain/cell-index.js';

/**
 * Copies the counts of a table over attributes in ascending order into an f64 table over the same attributes in the
 * order asked for. `order[i]` is the place, among the ascending ones, of the i-th attribute asked for.
 */
export const arrange = (
  words: Uint32Array | Float64Array,
  start: number,
  sizes: readonly number[],
  order: readonly number[],
): Float64Array => {
  const cells = sizes.reduce((product, size) => product * size, 1);
  if (order.every((place, i) => place === i)) return new Float64Array(words.subarray(start, start + cells));
  const target = new Float64Array(cells);
  const strides = stridesOf(sizes);
  const steps = order.map((place) => strides[place]);
  const limits = order.map((place) => sizes[place]);
  const last = order.length - 1;
  const position = new Array<number>(order.length).fill(0);
  let source = start;
  for (let i = 0; i < cells; ) {
    for (let j = 0; j < limits[last]; j++) target[i++] = words[source + j * steps[last]];
    for (let axis = last - 1; axis >= 0; axis--) {
      source += steps[axis];
      if (++position[axis] < limits[axis]) break;
      source -= steps[axis] * limits[axis];
      position[axis] = 0;
    }
  }
  return target;
};
