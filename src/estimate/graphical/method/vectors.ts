import type { Region } from '../../../kernel/arena.js';
import type { MarginalOracle } from '../../../model/graphical/oracle/oracle.js';

/** A vector of an oracle: the tables of all its factors, one after the other. */
export type Vector = Region<Float64Array>;

/** A distribution: log potentials, their marginals (proportions), and the logarithm of what normalises them. */
export interface Point {
  readonly potentials: Vector;
  readonly marginals: Vector;
  readonly logZ: number;
}

/** Arithmetic of whole vectors of an oracle. */
export interface Vectors {
  /** y += factor x. */
  add(factor: number, x: Vector, y: Vector): void;
  scale(x: Vector, factor: number): void;
  copy(from: Vector, to: Vector): void;
  /** target = a - b. */
  subtract(a: Vector, b: Vector, target: Vector): void;
  /** target = (1 - c) target + c from. */
  mix(target: Vector, c: number, from: Vector): void;
  clear(x: Vector): void;
  dot(a: Vector, b: Vector): number;
  /** The largest |a[i] - b[i]|. */
  distance(a: Vector, b: Vector): number;
  /** Kullback-Leibler divergence of a distribution from another; at least 0, whatever the rounding. */
  divergence(of: Point, from: Pick<Point, 'potentials' | 'logZ'>): number;
}

export const vectorsOf = ({ engine: { kernels }, length }: MarginalOracle): Vectors => {
  const add = (factor: number, x: Vector, y: Vector): void => kernels.axpy(factor, x.address, y.address, length);
  const scale = (x: Vector, factor: number): void => kernels.scale(x.address, factor, length);
  const clear = (x: Vector): void => kernels.clear(x.address, 8 * length);
  const dot = (a: Vector, b: Vector): number => kernels.dot(a.address, b.address, length);
  const copy = (from: Vector, to: Vector): void => {
    clear(to);
    add(1, from, to);
  };
  return {
    add,
    scale,
    copy,
    clear,
    dot,
    subtract: (a, b, target) => {
      copy(a, target);
      add(-1, b, target);
    },
    mix: (target, c, from) => {
      scale(target, 1 - c);
      add(c, from, target);
    },
    distance: (a, b) => kernels.maxDistance(a.address, b.address, length),
    divergence: ({ potentials, marginals, logZ }, from) =>
      Math.max(0, dot(marginals, potentials) - dot(marginals, from.potentials) - logZ + from.logZ),
  };
};
