/** Vectors of one length, and what is done with them. */
export interface VectorSpace<V> {
  readonly length: number;
  /** A new vector of zeros. */
  vector(): V;
  /** y += factor x. */
  add(factor: number, x: V, y: V): void;
  scale(x: V, factor: number): void;
  copy(from: V, to: V): void;
  /** target = a - b. */
  subtract(a: V, b: V, target: V): void;
  dot(a: V, b: V): number;
  /** The largest |a[i] - b[i]|. */
  distance(a: V, b: V): number;
}

/** What is believed of the curvature: the last changes of the point and of the slope with it. */
export interface CurvatureMemory<V> {
  readonly empty: boolean;
  /** Forgets everything: the next step along this slope moves no number by more than 1. */
  forget(slope: V): void;
  /** direction = -H slope, by the two-loop recursion. */
  findDirection(slope: V, direction: V): void;
  /** Remembers how the slope changed with the point, unless that says nothing. */
  learn(here: V, there: V, slope: V, nextSlope: V): void;
}

/** Changes remembered at most, and bytes that they may take. */
const mostPairs = 10;
const mostBytes = 5e8;

/** The memory of limited-memory BFGS (Nocedal 1980) over any vectors. */
export const curvatureMemory = <V>({
  length,
  vector,
  add,
  copy,
  dot,
  scale,
  subtract,
  distance,
}: VectorSpace<V>): CurvatureMemory<V> => {
  interface Change {
    /** Of the point, and of the slope. */
    readonly s: V;
    readonly y: V;
    /** 1 / <s, y>. */
    rho: number;
  }
  const most = Math.max(3, Math.min(mostPairs, Math.floor(mostBytes / (16 * length + 1))));
  const alphas = new Float64Array(most);
  const zero = vector();
  const free: Change[] = [];
  let held: Change[] = [];
  let factor = 1;
  const take = (): Change => {
    if (held.length === most) free.push(held.shift()!);
    return free.pop() ?? { s: vector(), y: vector(), rho: 0 };
  };
  return {
    get empty() {
      return held.length === 0;
    },
    forget: (slope: V): void => {
      free.push(...held);
      held = [];
      factor = 1 / (distance(slope, zero) || 1);
    },
    findDirection: (slope: V, direction: V): void => {
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
    learn: (here: V, there: V, slope: V, nextSlope: V): void => {
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
