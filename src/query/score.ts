import type { Domain } from '../domain/domain.js';
import type { Query } from './query.js';
import type { Relation } from './relation.js';
import { sensitivity } from './sensitivity.js';

/** How the error of reference answers is summed up for selection: the sum of absolute errors, or the largest of them. */
export type Score = 'l1' | 'largest';

/** The score of a query's exact answers against public reference answers of the same length. */
export const scoreOf = (score: Score, answers: Float64Array, reference: Float64Array): number => {
  let total = 0;
  for (let i = 0; i < answers.length; i++) {
    const error = Math.abs(answers[i] - reference[i]);
    total = score === 'l1' ? total + error : Math.max(total, error);
  }
  return total;
};

/**
 * How far the score can move between neighbours, whatever the reference: by the triangle inequality no more than the
 * answers move in the same norm, and as much when the reference is the answers themselves. Multiply by a candidate's weight.
 */
export const scoreSensitivity = (
  score: Score,
  query: Query,
  domain: Domain,
  relation: Relation,
  maxRecords: number,
): number => {
  const { l1, lInf } = sensitivity(query, domain, relation, maxRecords);
  return score === 'l1' ? l1 : lInf;
};
