import type { KernelCall } from '../../kernel/kernels.js';
import { sumAnswers, taskCells, taskWork } from './answer-task.js';
import type { Generator } from './generator.js';
import type { Piece } from './layout.js';
import { forwardCalls } from './network-calls.js';
import { divide, offsetsOf, onPieces, rowsOf, viewsOf, type Workplace } from './workplace.js';

/** Answers of all tasks: each by one thread, over the pieces of the batch in their order. */
export const scoring = (place: Workplace): Generator['answers'] => {
  const { needs, layout, pieces, pool } = place;
  const { shape, tasks, batch } = needs;
  const offsets = offsetsOf(tasks.map(taskCells));
  /** What a task takes on one piece of the batch, in the memory of a list. */
  const callsOf = (task: number, { room, scratch }: Piece, piece: Piece): KernelCall[] => {
    const target = layout.scores.address + 4 * offsets[task];
    return sumAnswers(tasks[task], rowsOf(place, piece), { room, scratch, target, add: piece.index > 0 });
  };
  const groups = together(tasks.map((_, task) => callsOf(task, pieces[0], pieces[0]).slice(0, -1)));
  const work = groups.map((group) => group.reduce((sum, task) => sum + taskWork(tasks[task]), 0));
  /** Parts that tasks of a group have in common are made for the first of them, and stay where they are for the others. */
  const groupCalls = (group: readonly number[], list: Piece): KernelCall[] =>
    pieces.flatMap((piece) => group.flatMap((task, nth) => callsOf(task, list, piece).slice(nth === 0 ? 0 : -1)));
  /** Made once: the same calls serve every scoring. */
  const allCalls = (): KernelCall[][] =>
    shareOut(work, pieces.length).map((list, l) => list.flatMap((group) => groupCalls(groups[group], pieces[l])));
  let calls: KernelCall[][] | undefined;
  return async () => {
    await onPieces(place, (piece) => forwardCalls(shape, layout, piece));
    calls ??= allCalls();
    await Promise.all(calls.map((list) => pool.run(list)));
    divide(layout.scores.view, batch);
    return viewsOf(layout.scores, offsets);
  };
};

/** Places of lists of calls: equal lists together, those without any alone. */
const together = (lists: readonly (readonly KernelCall[])[]): number[][] => {
  const groups = new Map<string, number[]>();
  for (const [place, calls] of lists.entries()) {
    const key = calls.length > 0 ? calls.join(';') : `${place}`;
    const group = groups.get(key);
    if (group) group.push(place);
    else groups.set(key, [place]);
  }
  return [...groups.values()];
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
