import { nearestAnswers } from '../../src/estimate/ide/nearest-answers.js';
import type { PartialWorkload } from '../../src/estimate/ide/workloads.js';
import type { Support } from '../../src/model/support/support.js';

/** Definition 3.1 as it is written, on a dense 0/1 matrix W_s (a row for each query, a column for each domain value). */
const definition31 = (p: readonly number[], w: readonly (readonly number[])[], y: ArrayLike<number>): number[] => {
  const dots = w.map((row) => row.reduce((sum, entry, j) => sum + entry * p[j], 0));
  const norms = w.map((row) => row.reduce((sum, entry) => sum + entry, 0));
  const owner = p.map((_, j) => w.findIndex((row) => row[j] > 0));
  const norm = Array.from(y).reduce((sum, value) => sum + value, 0);
  /** 1 - ||W_s p||_1, without its rounding. */
  const outside = p.reduce((sum, value, j) => (owner[j] < 0 ? sum + value : sum), 0);
  const uncounted = p.length - norms.reduce((sum, entries) => sum + entries, 0);
  return p.map((value, j) => {
    const i = owner[j];
    if (i >= 0) return dots[i] > 0 ? (value * y[i]) / dots[i] : y[i] / norms[i];
    return outside > 0 ? (value * (1 - norm)) / outside : (1 - norm) / uncounted;
  });
};

/** The dense matrix of a partial workload over the rows of a support. */
export const denseMatrix = (support: Support, { attributes, answers, memberOf }: PartialWorkload): number[][] => {
  const { domain, columns, length } = support;
  const parts = attributes.map((name) => domain.attributes.findIndex((attribute) => attribute.name === name));
  const member = Array.from({ length }, (_, row) =>
    parts.reduce((cell, at) => cell * domain.attributes[at].size + columns[at][row], 0),
  ).map((cell) => memberOf[cell]);
  return Array.from(answers, (_, answer) => member.map((of) => (of === answer ? 1 : 0)));
};

/** One update of Algorithm 1: lines 5 to 11. */
export const plainUpdate = (
  q: readonly number[],
  support: Support,
  workload: PartialWorkload,
  noisy: Float64Array,
): number[] => {
  const w = denseMatrix(support, workload);
  const held = w.map((row) => row.reduce((sum, entry) => sum + entry, 0));
  const current = w.map((row) => row.reduce((sum, entry, j) => sum + entry * q[j], 0));
  const covers = held.reduce((sum, count) => sum + count, 0) === q.length;
  return definition31(q, w, nearestAnswers(noisy, current, held, covers));
};
