import type { Scores } from '../../src/privacy/primitives.js';

/** The score of every candidate by its number; each must have one. */
export const expandScores = ({ single, crowds, numberAt }: Scores): number[] => {
  const inOrder = [...single, ...crowds.flatMap(({ score, times }) => new Array<number>(times).fill(score))];
  const scores: number[] = [];
  inOrder.forEach((score, position) => {
    const number = numberAt(position);
    if (scores[number] !== undefined) throw new Error(`candidate ${number} has two scores`);
    scores[number] = score;
  });
  if (scores.length !== inOrder.length) throw new Error('a candidate has no score');
  return scores;
};
