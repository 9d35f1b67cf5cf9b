import type { MarginalOracle } from '../../../model/graphical/oracle/oracle.js';
import { type Vector, type Vectors, vectorsOf } from './vectors.js';

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

/** Changes remembered at most, and bytes that they may take. */
const mostPairs = 10;
const mostBytes = 5e8;

/** What is believed of the curvature: the last changes of the point and of the slope with it. */
const curvatureMemory = (oracle: MarginalOracle, { add, copy, dot, scale, subtract, distance }: Vectors) => {
  interface Change {
    /** Of the point, and of the slope. */
    readonly s: Vector;
    readonly y: Vector;
    /** 1 / <s, y>. */
    rho: number;
  }
  const most = Math.max(3, Math.min(mostPairs, Math.floor(mostBytes / (16 * oracle.length + 1))));
  const alphas = new Float64Array(most);
  const zero = oracle.vector();
  const free: Change[] = [];
  let held: Change[] = [];
  let factor = 1;
  const take = (): Change => {
    if (held.length === most) free.push(held.shift()!);
    return free.pop() ?? { s: oracle.vector(), y: oracle.vector(), rho: 0 };
  };
  return {
    get empty() {
      return held.length === 0;
    },
    /** Forgets everything: the next step along this slope moves no potential by more than 1. */
    forget: (slope: Vector): void => {
      free.push(...held);
      held = [];
      factor = 1 / (distance(slope, zero) || 1);
    },
    /** direction = -H slope, by the two-loop recursion. */
    findDirection: (slope: Vector, direction: Vector): void => {
      copy(slope, direction);
      for (let i = held.length - 1; i >= 0; i--) {
        alphas[i] = held[i].rho * dot(held[i].s, direction);
        add(-alphas[i], held[i].y, direction);
      }
      scale(direction, factor);
      for (let i = 0; i < held.length; i++)
        add(alphas[i] - held[i].rho * dot(held[i].y, direction), held[i].s, direction);
      scale(direction, -1);
    },
    /** Remembers how the slope changed with the point, unless that says nothing. */
    learn: (here: Vector, there: Vector, slope: Vector, nextSlope: Vector): void => {
      const change = take();
      subtract(there, here, change.s);
      subtract(nextSlope, slope, change.y);
      const product = dot(change.s, change.y);
      const square = dot(change.y, change.y);
      if (product > 1e-12 * Math.sqrt(dot(change.s, change.s) * square)) {
        change.rho = 1 / product;
        factor = product / square;
        held.push(change);
      } else free.push(change);
    },
  };
};

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
  const memory = curvatureMemory(oracle, vectors);
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
