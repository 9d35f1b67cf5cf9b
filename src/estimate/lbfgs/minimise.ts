import { curvatureMemory, type VectorSpace } from './curvature-memory.js';

/** A function of a list of numbers: returns its value and overwrites `gradient` with its derivative there. */
export type Differentiable = (point: Float64Array, gradient: Float64Array) => number;

const plainSpace = (length: number): VectorSpace<Float64Array> => ({
  length,
  vector: () => new Float64Array(length),
  add: (factor, x, y) => {
    for (let i = 0; i < length; i++) y[i] += factor * x[i];
  },
  scale: (x, factor) => {
    for (let i = 0; i < length; i++) x[i] *= factor;
  },
  copy: (from, to) => to.set(from),
  subtract: (a, b, target) => {
    for (let i = 0; i < length; i++) target[i] = a[i] - b[i];
  },
  dot: (a, b) => {
    let sum = 0;
    for (let i = 0; i < length; i++) sum += a[i] * b[i];
    return sum;
  },
  distance: (a, b) => {
    let most = 0;
    for (let i = 0; i < length; i++) most = Math.max(most, Math.abs(a[i] - b[i]));
    return most;
  },
});

export interface Minimum {
  readonly point: Float64Array;
  readonly value: number;
}

/**
 * A point where no step along an L-BFGS direction gains more than a part `tolerance` of the value in ten iterations, or the one after
 * `iterations`; a backtracking line search (Armijo). Values must be positive or infinite.
 */
export const minimise = (
  differentiable: Differentiable,
  start: Float64Array,
  { iterations = 1000, tolerance = 1e-6 }: { readonly iterations?: number; readonly tolerance?: number } = {},
): Minimum => {
  const space = plainSpace(start.length);
  let [here, there]: Float64Array[] = [start.slice(), space.vector()];
  let [slope, nextSlope] = [space.vector(), space.vector()];
  const direction = space.vector();
  const memory = curvatureMemory(space);
  let value = differentiable(here, slope);
  memory.forget(slope);

  const search = (descent: number): number | undefined => {
    for (let step = 1, tries = 0; tries < 30; tries++) {
      space.copy(here, there);
      space.add(step, direction, there);
      const reached = differentiable(there, nextSlope);
      if (reached <= value + 1e-4 * step * descent) return reached;
      const best = Number.isFinite(reached) ? (-descent * step) / (2 * ((reached - value) / step - descent)) : 0;
      step = Math.min(0.5 * step, Math.max(0.1 * step, best));
    }
    return undefined;
  };

  let before = value;
  for (let iteration = 1; iteration <= iterations; iteration++) {
    memory.findDirection(slope, direction);
    const descent = space.dot(direction, slope);
    const reached = descent < 0 ? search(descent) : undefined;
    if (reached === undefined) {
      if (memory.empty) break;
      memory.forget(slope);
      continue;
    }
    memory.learn(here, there, slope, nextSlope);
    [here, there] = [there, here];
    [slope, nextSlope] = [nextSlope, slope];
    value = reached;
    if (iteration % 10 === 0) {
      if (before - value < tolerance * value) break;
      before = value;
    }
  }
  return { point: here, value };
};
