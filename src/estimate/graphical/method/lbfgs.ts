import type { MarginalOracle } from '../../../model/graphical/oracle/oracle.js';
import { curvatureMemory } from '../../lbfgs/curvature-memory.js';
import { type Vector, vectorsOf } from './vectors.js';

/** A function of potentials. */
export interface Objective {
  /** Its value. */
  value(potentials: Vector): Promise<number>;
  /** Overwrites `gradient` with its derivative at the potentials that `value` was last asked for. */
  slope(gradient: Vector): Promise<void>;
}

export interface Lbfgs {
  /** One iteration; false when no step lessens the value any more. */
  advance(): Promise<boolean>;
  readonly value: number;
  readonly potentials: Vector;
  readonly gradient: Vector;
  /** Euclidean length of the gradient. */
  readonly steepness: number;
  refresh(): Promise<void>;
}

/**
 * Limited-memory BFGS (Nocedal 1980) over the vectors of an oracle, with a backtracking line search (Armijo). `start` becomes the
 * present point and is overwritten. The first step moves no potential by more than 1.
 */
export const lbfgs = async (oracle: MarginalOracle, objective: Objective, start: Vector): Promise<Lbfgs> => {
  const vectors = vectorsOf(oracle);
  const { add, copy, dot } = vectors;
  let [here, there] = [start, oracle.vector()];
  let [slope, nextSlope] = [oracle.vector(), oracle.vector()];
  const direction = oracle.vector();
  const memory = curvatureMemory({ ...vectors, length: oracle.length, vector: () => oracle.vector() });
  let value = await objective.value(here);
  await objective.slope(slope);
  memory.forget(slope);

  /** Finds a direction; the slope along it, which is not negative when there is no way down. */
  const findDescent = (): number => {
    memory.findDirection(slope, direction);
    const descent = dot(direction, slope);
    if (descent < 0) return descent;
    memory.forget(slope);
    memory.findDirection(slope, direction);
    return dot(direction, slope);
  };
  /** Goes to the first point along the direction that gains enough: its value, or undefined when there is none. */
  const search = async (descent: number): Promise<number | undefined> => {
    let step = 1;
    for (let tries = 0; tries < 40; tries++) {
      copy(here, there);
      add(step, direction, there);
      const reached = await objective.value(there);
      if (reached <= value + 1e-4 * step * descent) return reached;
      // The parabola through both values and the slope says where to try next.
      const best = Number.isFinite(reached) ? (-descent * step) / (2 * ((reached - value) / step - descent)) : 0;
      step = Math.min(0.5 * step, Math.max(0.1 * step, best));
    }
    return undefined;
  };

  return {
    async advance() {
      const descent = findDescent();
      if (!(descent < 0)) return false;
      const reached = await search(descent);
      if (reached === undefined) {
        if (memory.empty) return false;
        memory.forget(slope);
        return true;
      }
      await objective.slope(nextSlope);
      memory.learn(here, there, slope, nextSlope);
      [here, there] = [there, here];
      [slope, nextSlope] = [nextSlope, slope];
      value = reached;
      return true;
    },
    get value() {
      return value;
    },
    get potentials() {
      return here;
    },
    get gradient() {
      return slope;
    },
    get steepness() {
      return Math.sqrt(dot(slope, slope));
    },
    async refresh() {
      value = await objective.value(here);
      await objective.slope(slope);
      memory.forget(slope);
    },
  };
};
