import { stridesOf } from '../../domain/cell-index.js';

/**
 * A walk through the cells of a table in their order, beside the cells of another table that they map to: `offsets` says where
 * each run of `inner` cells begins in the other table, `stride` how far it moves from cell to cell within a run. Projections,
 * broadcasts and permutations are all walks.
 */
export interface CellWalk {
  readonly offsets: Uint32Array;
  readonly inner: number;
  readonly stride: number;
}

/** For each axis of a table its stride in another table, 0 where the other has no such axis. Axes are told apart by `===`. */
export const stridesIn = <Axis>(
  axes: readonly Axis[],
  other: readonly Axis[],
  otherSizes: readonly number[],
): number[] => {
  const strides = stridesOf(otherSizes);
  return axes.map((axis) => {
    const place = other.indexOf(axis);
    return place < 0 ? 0 : strides[place];
  });
};

/** The walk through a table of `sizes` whose axes have the given strides in the other table. Costs 4 bytes a run. */
export const cellWalk = (sizes: readonly number[], strides: readonly number[]): CellWalk => {
  // Neighbouring axes that move as one are one.
  const merged: { size: number; stride: number }[] = [];
  sizes.forEach((size, axis) => {
    if (size === 1) return;
    const last = merged.at(-1);
    if (last !== undefined && last.stride === strides[axis] * size) {
      last.size *= size;
      last.stride = strides[axis];
    } else merged.push({ size, stride: strides[axis] });
  });
  const { size: inner, stride } = merged.pop() ?? { size: 1, stride: 1 };
  const offsets = new Uint32Array(merged.reduce((runs, { size }) => runs * size, 1));
  let filled = 1;
  // From the outermost axis on, in place: from the end, so that nothing is overwritten before it is read.
  for (const { size, stride: step } of merged) {
    for (let run = filled - 1; run >= 0; run--)
      for (let cell = size - 1; cell >= 0; cell--) offsets[run * size + cell] = offsets[run] + cell * step;
    filled *= size;
  }
  return { offsets, inner, stride };
};

/** other[cell's place] += values[cell]. */
export const sumInto = ({ offsets, inner, stride }: CellWalk, values: Float64Array, other: Float64Array): void => {
  let from = 0;
  for (let run = 0; run < offsets.length; run++) {
    let to = offsets[run];
    if (stride === 0) {
      let sum = 0;
      for (let i = 0; i < inner; i++) sum += values[from++];
      other[to] += sum;
    } else
      for (let i = 0; i < inner; i++) {
        other[to] += values[from++];
        to += stride;
      }
  }
};

/** other[cell's place] = the larger of it and values[cell]. */
export const maxInto = ({ offsets, inner, stride }: CellWalk, values: Float64Array, other: Float64Array): void => {
  let from = 0;
  for (let run = 0; run < offsets.length; run++) {
    let to = offsets[run];
    for (let i = 0; i < inner; i++) {
      if (values[from] > other[to]) other[to] = values[from];
      from++;
      to += stride;
    }
  }
};

/** values[cell] += other[cell's place]. */
export const addFrom = ({ offsets, inner, stride }: CellWalk, values: Float64Array, other: Float64Array): void => {
  let at = 0;
  for (let run = 0; run < offsets.length; run++) {
    let from = offsets[run];
    for (let i = 0; i < inner; i++) {
      values[at++] += other[from];
      from += stride;
    }
  }
};

/** values[cell] *= other[cell's place]. */
export const scaleFrom = ({ offsets, inner, stride }: CellWalk, values: Float64Array, other: Float64Array): void => {
  let at = 0;
  for (let run = 0; run < offsets.length; run++) {
    let from = offsets[run];
    for (let i = 0; i < inner; i++) {
      values[at++] *= other[from];
      from += stride;
    }
  }
};

/** values[cell] = exp(values[cell] - other[cell's place]). */
export const expFrom = ({ offsets, inner, stride }: CellWalk, values: Float64Array, other: Float64Array): void => {
  let at = 0;
  for (let run = 0; run < offsets.length; run++) {
    let from = offsets[run];
    for (let i = 0; i < inner; i++) {
      values[at] = Math.exp(values[at] - other[from]);
      at++;
      from += stride;
    }
  }
};

/** other[cell's place] = values[cell]. */
export const copyInto = ({ offsets, inner, stride }: CellWalk, values: Float64Array, other: Float64Array): void => {
  let from = 0;
  for (let run = 0; run < offsets.length; run++) {
    let to = offsets[run];
    for (let i = 0; i < inner; i++) {
      other[to] = values[from++];
      to += stride;
    }
  }
};
