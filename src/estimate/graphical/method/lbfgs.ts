import type { Region } from '../../../kernel/arena.js';
import type { MarginalOracle } from '../../../model/graphical/oracle/oracle.js';

/** A function of potentials. */
export interface Objective {
  /** Its value. */
  value(potentials: Region<Float64Array>): Promise<number>;
  /** Overwrites `gradient` with its derivative at the potentials that `value` was last asked for. */
  slope(gradient: Region<Float64Array>): Promise<void>;
}

export interface Lbfgs {
  /** One iteration; false when no step lessens the value any more. */
  advance(): Promise<boolean>;
  readonly value: number;
  readonly potentials: Region<Float64Array>;
  readonly gradient: Region<Float64Array>;
  /** Euclidean length of the gradient. */
  readonly steepness: number;
  refresh(): Promise<void>;
}

/** Changes remembered at most, and bytes that they may take. */
const mostPairs = 10;
const mostBytes = 5e8;

/**
 * Limited-memory BFGS (Nocedal 1980) over the vectors of an oracle, with a backtracking line search (Armijo). `start` becomes the
 * present point and is overwritten. The first step moves no potential by more than 1.
 */
export const lbfgs = async (
  oracle: MarginalOracle,
  objective: Objective,
  start: Region<Float64Array>,
): Promise<Lbfgs> => {
  const { kernels } = oracle.engine;
  const { length } = oracle;
  const pairs = Math.max(3, Math.min(mostPairs, Math.floor(mostBytes / (16 * length + 1))));
  const dot = (a: Region<Float64Array>, b: Region<Float64Array>): number => kernels.dot(a.address, b.address, length);
  const add = (factor: number, x: Region<Float64Array>, y: Region<Float64Array>): void =>
    kernels.axpy(factor, x.address, y.address, length);
  const copy = (from: Region<Float64Array>, to: Region<Float64Array>): void => {
    kernels.clear(to.address, 8 * length);
    add(1, from, to);
  };
  interface Change {
    readonly s: Region<Float64Array>;
    readonly y: Region<Float64Array>;
    rho: number;
  }
  const free: Change[] = [];
  let held: Change[] = [];
  const take = (): Change => {
    if (held.length === pairs) free.push(held.shift()!);
    return free.pop() ?? { s: oracle.vector(), y: oracle.vector(), rho: 0 };
  };
  let here = start;
  let there = oracle.vector();
  let slope = oracle.vector();
  let nextSlope = oracle.vector();
  const direction = oracle.vector();
  const alphas = new Float64Array(pairs);
  let value = await objective.value(here);
  await objective.slope(slope);
  const zero = oracle.vector();
  const gentle = (): number => 1 / (kernels.maxDistance(slope.address, zero.address, length) || 1);
  let scale = gentle();

  /** Forgets what it believed of the curvature. */
  const forget = (): void => {
    free.push(...held);
    held = [];
    scale = gentle();
  };
  /** direction = -H slope, by the two-loop recursion. */
  const findDirection = (): void => {
    copy(slope, direction);
    for (let i = held.length - 1; i >= 0; i--) {
      alphas[i] = held[i].rho * dot(held[i].s, direction);
      add(-alphas[i], held[i].y, direction);
    }
    kernels.scale(direction.address, scale, length);
    for (let i = 0; i < held.length; i++)
      add(alphas[i] - held[i].rho * dot(held[i].y, direction), held[i].s, direction);
    kernels.scale(direction.address, -1, length);
  };

  return {
    async advance() {
      findDirection();
      let descent = dot(direction, slope);
      if (!(descent < 0)) {
        forget();
        findDirection();
        descent = dot(direction, slope);
        if (!(descent < 0)) return false;
      }
      let step = 1;
      let reached = Infinity;
      for (let tries = 0; ; tries++) {
        if (tries === 40) {
          if (held.length === 0) return false;
          forget();
          return true;
        }
        copy(here, there);
        add(step, direction, there);
        reached = await objective.value(there);
        if (reached <= value + 1e-4 * step * descent) break;
        // The parabola through both values and the slope says where to try next.
        const best = Number.isFinite(reached) ? (-descent * step) / (2 * ((reached - value) / step - descent)) : 0;
        step = Math.min(0.5 * step, Math.max(0.1 * step, best));
      }
      await objective.slope(nextSlope);
      const change = take();
      copy(there, change.s);
      add(-1, here, change.s);
      copy(nextSlope, change.y);
      add(-1, slope, change.y);
      const product = dot(change.s, change.y);
      const square = dot(change.y, change.y);
      if (product > 1e-12 * Math.sqrt(dot(change.s, change.s) * square)) {
        change.rho = 1 / product;
        scale = product / square;
        held.push(change);
      } else free.push(change);
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
      forget();
    },
  };
};
