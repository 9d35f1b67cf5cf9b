/*
 * The cells of a product of attributes are numbered row-major: the last attribute runs fastest. Loops over millions of cells or rows
 * (kernels and their twins, `cell-walk`, `uniform-support`, `round-contexts`, IDE's workloads) do the same sums in place.
 */

/** The distance between neighbouring cells of each axis. */
export const stridesOf = (sizes: readonly number[]): number[] => {
  const strides = new Array<number>(sizes.length);
  let stride = 1;
  for (let axis = sizes.length - 1; axis >= 0; axis--) {
    strides[axis] = stride;
    stride *= sizes[axis];
  }
  return strides;
};

/** The code that a cell has on each axis. */
export const codesAt = (cell: number, sizes: readonly number[]): number[] => {
  const codes = new Array<number>(sizes.length);
  for (let rest = cell, axis = sizes.length - 1; axis >= 0; axis--) {
    codes[axis] = rest % sizes[axis];
    rest = Math.floor(rest / sizes[axis]);
  }
  return codes;
};

/** The cell that has these codes. */
export const cellAt = (codes: ArrayLike<number>, sizes: readonly number[]): number =>
  sizes.reduce((cell, size, axis) => cell * size + codes[axis], 0);
