import type { Scores } from '../../src/privacy/primitives.js';
import type { Unscored } from '../../src/privacy/selection/score-grid.js';

/** The scores of the members of an unscored group. */
export const membersOf = ({ most, times, scoreOf }: Unscored): number[] =>
  Array.from({ length: times }, (_, member) => scoreOf?.(member) ?? most);

/** The score of every candidate by its number; each must have one, and no member of an unscored group more than its bound. */
export const expandScores = ({ single, unscored, numberAt }: Scores): number[] => {
  const scores: number[] = [];
  const inOrder = [...single, ...unscored.flatMap(membersOf)];
  inOrder.forEach((score, position) => {
    const number = numberAt(position);
    if (scores[number] !== undefined) throw new Error(`candidate ${number} has two scores`);
    scores[number] = score;
  });
  if (scores.length !== inOrder.length) throw new Error('a candidate has no score');
  for (const group of unscored)
    if (membersOf(group).some((score) => score > group.most)) throw new Error('a member scores more than its bound');
  return scores;
};
