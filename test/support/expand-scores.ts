import type { Scores } from '../../src/privacy/primitives.js';
import type { Crowd } from '../../src/privacy/selection/score-grid.js';

/** The scores of a crowd's members. */
export const membersOf = ({ most, times, scoreOf }: Crowd): number[] =>
  Array.from({ length: times }, (_, member) => scoreOf?.(member) ?? most);

/** The score of every candidate by its number; each must have one, and none of a crowd more than the crowd says. */
export const expandScores = ({ single, crowds, numberAt }: Scores): number[] => {
  const scores: number[] = [];
  const inOrder = [...single, ...crowds.flatMap(membersOf)];
  inOrder.forEach((score, position) => {
    const number = numberAt(position);
    if (scores[number] !== undefined) throw new Error(`candidate ${number} has two scores`);
    scores[number] = score;
  });
  if (scores.length !== inOrder.length) throw new Error('a candidate has no score');
  for (const crowd of crowds)
    if (membersOf(crowd).some((score) => score > crowd.most)) throw new Error('a member scores more than its crowd');
  return scores;
};
