import type { KernelCall } from '../../kernel/kernels.js';
import { type BatchRows, type HeadColumns, oneHead, type Part, type Place, productOf } from './part.js';

/** Answers over a batch: for each cell of `left` and each of `right`, row-major, the sum over rows of their product. */
export interface AnswerTask {
  readonly left: Part;
  readonly right: Part;
}

export const taskCells = ({ left, right }: AnswerTask): number => left.cells * right.cells;

/** Elements a row that the parts of a task need. */
export const taskRoom = ({ left, right }: AnswerTask): number => left.room + right.room;

/** What a task takes for each row, in multiplications: tiles of the matrix product are 4 x 8, and both sides are packed. */
export const taskWork = ({ left, right }: AnswerTask): number =>
  left.work +
  right.work +
  4 * Math.ceil(left.cells / 4) * 8 * Math.ceil(right.cells / 8) +
  4 * (left.cells + right.cells);

/** The task of a product of parts, row-major in their order: cut in two where that takes least. */
export const cutTask = (parts: readonly Part[]): AnswerTask => {
  const cuts = Array.from({ length: Math.max(1, parts.length) }, (_, at) => ({
    left: productOf(parts.slice(0, at)),
    right: productOf(parts.slice(at)),
  }));
  return cuts.reduce((best, task) => (taskWork(task) < taskWork(best) ? task : best));
};

/** The task of a marginal: its heads in order. */
export const marginalTask = (heads: readonly HeadColumns[]): AnswerTask => cutTask(heads.map(oneHead));

const columnsOf = ({ address, stride }: Place): [number, number, number] => [address, stride, 1];
const transposed = ({ address, stride }: Place): [number, number, number] => [address, 1, stride];

/** Calls that put the sums over some rows at `target`, or add them to it: the last one, and before it those that make the parts. */
export const sumAnswers = (
  { left, right }: AnswerTask,
  on: BatchRows,
  { room, target, add, scratch }: { room: number; target: number; add: boolean; scratch: number },
): KernelCall[] => {
  const a = left.place(on, room);
  const b = right.place(on, room + 4 * on.rows * left.room);
  const product = [...transposed(a.value), ...columnsOf(b.value), target, right.cells];
  return [...a.forward, ...b.forward, ['gemm', ...product, left.cells, right.cells, on.rows, add ? 1 : 0, scratch]];
};

/** Calls that hand the gradient by the sums, at `gradient`, on to the heads' probabilities of some rows. */
export const pullAnswers = (
  { left, right }: AnswerTask,
  on: BatchRows,
  { room, gradient, scratch }: { room: number; gradient: number; scratch: number },
): KernelCall[] => {
  const a = left.place(on, room);
  const b = right.place(on, room + 4 * on.rows * left.room);
  const calls: KernelCall[] = [...a.forward, ...b.forward];
  if (a.gradient) {
    const { address, stride } = a.gradient;
    const product = [...columnsOf(b.value), gradient, 1, right.cells, address, stride];
    calls.push(['gemm', ...product, on.rows, left.cells, right.cells, a.shared ? 1 : 0, scratch]);
  }
  if (b.gradient) {
    const { address, stride } = b.gradient;
    const product = [...columnsOf(a.value), gradient, right.cells, 1, address, stride];
    calls.push(['gemm', ...product, on.rows, right.cells, left.cells, b.shared ? 1 : 0, scratch]);
  }
  return [...calls, ...a.backward, ...b.backward];
};
