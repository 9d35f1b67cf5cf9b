import type { Domain } from '../domain/domain.js';
import { kindOf } from './block/block-kinds.js';
import { neededFactors } from './factors.js';
import type { Query } from './query.js';

/**
 * A query as a linear map of real numbers, for estimates that use it again and again: checked and prepared once. (Exact answers of counts
 * are `answerFrom`'s, which also knows what to do with counts that a double does not hold.)
 */
export interface LinearMap {
  /** Q x, from the cells of the marginal of `attributesOf(query)`; may be the argument itself. */
  apply(cells: Float64Array): Float64Array;
  /** Q^T r, to the cells of that marginal; may be the argument itself. */
  transpose(answers: Float64Array): Float64Array;
  /** Whether the answers are the cells themselves. */
  readonly isIdentity: boolean;
}

export const linearMap = (query: Query, domain: Domain): LinearMap => {
  const needed = neededFactors(query, domain);
  const factors = needed.map(({ block, size, rows }) => {
    const kind = kindOf(block);
    const plain = {
      apply: (values: Float64Array, outer: number, inner: number) => kind.apply(block, size, values, outer, inner),
      transpose: (values: Float64Array, outer: number, inner: number) =>
        kind.transpose(block, size, values, outer, inner),
    };
    return { size, rows, ...(kind.prepare?.(block, size) ?? plain) };
  });
  return {
    isIdentity: needed.every(({ block }) => block.kind === 'keep'),
    apply: (cells) => {
      let [values, outer, inner] = [cells, 1, cells.length];
      for (const { size, rows, apply } of factors) {
        inner /= size;
        values = apply(values, outer, inner);
        outer *= rows;
      }
      return values;
    },
    transpose: (answers) => {
      let [values, outer, inner] = [answers, 1, answers.length];
      for (const { size, rows, transpose } of factors) {
        inner /= rows;
        values = transpose(values, outer, inner);
        outer *= size;
      }
      return values;
    },
  };
};
