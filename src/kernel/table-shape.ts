/** One axis of a shape: its length, and how far each table moves along it, in bytes; 0 repeats or sums away. */
export interface ShapeAxis {
  readonly length: number;
  /** Steps of the two operands, of the target and of the sums. Along the last axis each is 0 or 8. */
  readonly a: number;
  readonly b: number;
  readonly target: number;
  readonly sums: number;
}

/** Words of a shape in memory. */
export const shapeWords = (axes: number): number => 1 + 5 * axes;

/** Writes a shape as the kernels read it, outermost axis first; there are at least two axes (of length 1 where need be). */
export const writeShape = (words: Uint32Array, axes: readonly ShapeAxis[]): void => {
  words[0] = axes.length;
  axes.forEach(({ length, a, b, target, sums }, index) => {
    words.set([length, a, b, target, sums], 1 + 5 * index);
  });
};
