import type { JobColumn } from './job.js';

/** A table whose middle axis is summed away. */
export interface JointStep {
  /** Byte offset of the table [outer][size][inner] among those of the joint. */
  readonly from: number;
  /** Whether the sums are a marginal's, and their byte offset: among all marginals' cells then, among the tables of the joint otherwise. */
  readonly isMarginal: boolean;
  readonly to: number;
  readonly outer: number;
  readonly size: number;
  readonly inner: number;
}

/** A table of several code columns, cells numbered row-major, the last column fastest, and marginals that are summed out of it. */
export interface Joint {
  readonly columns: readonly JobColumn[];
  readonly cells: number;
  /** Bytes of its tables: its own, at offset 0, and those between it and the marginals. */
  readonly bytes: number;
  /** In an order in which each reads what is there; no table but the joint's own and targets of steps is read. */
  readonly steps: readonly JointStep[];
  /** Where the joint is itself a marginal, and has no steps: the byte offset of its cells among all marginals'. */
  readonly place?: number | undefined;
}

const none = 0xffffffff;
const [headWords, columnWords, stepWords] = [6, 3, 6];

/** Bytes of a joint in memory. */
export const jointBytes = ({ columns, steps }: Joint): number =>
  4 * (headWords + columnWords * columns.length + stepWords * steps.length);

/** Writes a joint as the kernels read it. */
export const writeJoint = (words: Uint32Array, joint: Joint): void => {
  const { columns, steps, cells, bytes, place = none } = joint;
  words.set([jointBytes(joint), columns.length, steps.length, cells, bytes, place]);
  let at = headWords;
  for (const { address, bytes: width, size } of columns) {
    words.set([address, width, size], at);
    at += columnWords;
  }
  for (const { from, isMarginal, to, outer, size, inner } of steps) {
    words.set([from, Number(isMarginal), to, outer, size, inner], at);
    at += stepWords;
  }
};
