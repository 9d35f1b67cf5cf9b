import type { ShapeAxis } from '../../../../kernel/table-shape.js';
import type { TableStep } from '../table-step.js';

/** The share of one thread in a step: its axes, and how far into each table it starts, in bytes. */
export interface StepPart {
  readonly axes: readonly ShapeAxis[];
  readonly a: number;
  readonly b: number;
  readonly target: number;
  readonly sums: number;
}

/** Parts of a step that may run at the same time. */
export interface StepSplit {
  readonly parts: readonly StepPart[];
  /** All parts add to the same sums, so that each needs sums of its own, added up afterwards. */
  readonly shared: boolean;
}

/** Bytes in a row that a part writes at least: threads that write to neighbouring cells take the memory out of each other's hands, and take several times as long as one alone. */
const apartBytes = 4096;

/** Bytes in a row that a part of an axis stands for in the tables that it writes, or reads where it writes none. */
const stretch = ({ length, a, b, target, sums }: ShapeAxis, count: number): number => {
  const written = [target, sums].filter((step) => step > 0);
  return Math.floor(length / count) * (written.length > 0 ? Math.min(...written) : Math.max(a, b));
};

/**
 * Splits a step along one axis: the outermost that is long enough and that the sums hold, so that no two parts write to the same
 * place and the result is the same to the last bit; or, where the sums hold no long axis, the longest. Undefined where parts would write among each other.
 */
export const splitStep = ({ axes, sums }: TableStep, count: number): StepSplit | undefined => {
  const fit = axes.filter((axis) => axis.length >= count && stretch(axis, count) >= apartBytes);
  const kept = fit.filter((axis) => !sums || axis.sums > 0);
  const longest = (list: readonly ShapeAxis[]): ShapeAxis | undefined =>
    list.reduce<ShapeAxis | undefined>((most, axis) => (most && most.length >= axis.length ? most : axis), undefined);
  const apart = kept.find(({ length }) => length >= 8 * count) ?? longest(kept);
  const axis = apart ?? longest(fit);
  if (axis === undefined) return undefined;
  const parts: StepPart[] = [];
  for (let part = 0; part < count; part++) {
    const from = Math.floor((axis.length * part) / count);
    const length = Math.floor((axis.length * (part + 1)) / count) - from;
    parts.push({
      axes: axes.map((each) => (each === axis ? { ...each, length } : each)),
      a: from * axis.a,
      b: from * axis.b,
      target: from * axis.target,
      sums: from * axis.sums,
    });
  }
  return { parts, shared: apart === undefined };
};
