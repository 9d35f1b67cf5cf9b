import { sumAnswers, taskCells, taskWork } from './answer-task.js';
import type { Generator } from './generator.js';
import { forwardCalls } from './network-calls.js';
import { divide, offsetsOf, onPieces, rowsOf, viewsOf, type Workplace } from './workplace.js';

/** Answers of all tasks: each by one thread, over the pieces of the batch in their order. */
export const scoring = (place: Workplace): Generator['answers'] => {
  const { needs, layout, pieces, pool } = place;
  const { shape, tasks, batch } = needs;
  const lists = shareOut(tasks.map(taskWork), pieces.length);
  const offsets = offsetsOf(tasks.map(taskCells));
  return async () => {
    await onPieces(place, (piece) => forwardCalls(shape, layout, piece));
    const calls = lists.map((list, l) =>
      list.flatMap((task) =>
        pieces.flatMap((piece, i) => {
          const { room, scratch } = pieces[l];
          const target = layout.scores.address + 4 * offsets[task];
          return sumAnswers(tasks[task], rowsOf(place, piece), { room, scratch, target, add: i > 0 });
        }),
      ),
    );
    await Promise.all(calls.map((list) => pool.run(list)));
    divide(layout.scores.view, batch);
    return viewsOf(layout.scores, offsets);
  };
};

/** Numbers of pieces of work in lists of about equal work: the largest first, each to the list with the least. */
const shareOut = (work: readonly number[], lists: number): number[][] => {
  const shared = Array.from({ length: lists }, () => ({ items: [] as number[], sum: 0 }));
  const order = work.map((_, i) => i).sort((a, b) => work[b] - work[a] || a - b);
  for (const item of order) {
    const list = shared.reduce((least, one) => (one.sum < least.sum ? one : least));
    list.items.push(item);
    list.sum += work[item];
  }
  return shared.map(({ items }) => items);
};
