import { pullAnswers, sumAnswers, taskCells } from './answer-task.js';
import type { Generator } from './generator.js';
import { backwardCalls, forwardCalls } from './network-calls.js';
import { headColumns } from './network-shape.js';
import { divide, offsetsOf, onPieces, rowsOf, viewsOf, type Workplace } from './workplace.js';

/** Adam's rates, as Kingma and Ba have them. */
const [beta1, beta2, least] = [0.9, 0.999, 1e-8];

/** Training: answers of some tasks, a sum for each piece of the batch, and steps of Adam by the gradients of all pieces. */
export const stepping = (place: Workplace): Pick<Generator, 'forward' | 'gradients' | 'step' | 'restart'> => {
  const { needs, layout, pieces, engine } = place;
  const { shape, tasks, batch, trainCells } = needs;
  let used: readonly number[] = [];
  let offsets = [0];
  let steps = 0;

  /** One step of Adam, a part of the parameters for each list. */
  const adam = async (rate: number): Promise<void> => {
    const { length } = layout.parameters;
    const corrected = [rate / (1 - beta1 ** steps), 1 / Math.sqrt(1 - beta2 ** steps)];
    await onPieces(place, ({ index }) => {
      const from = Math.floor((length * index) / pieces.length);
      const part = Math.floor((length * (index + 1)) / pieces.length) - from;
      const at = (region: { readonly address: number }): number => region.address + 4 * from;
      const gradient = [at(layout.parameterGradients), length, pieces.length];
      const memory = [at(layout.first), at(layout.second)];
      return [['adam', at(layout.parameters), ...gradient, ...memory, ...corrected, beta1, beta2, least, part]];
    });
  };
  const restart = (): void => {
    layout.first.view.fill(0);
    layout.second.view.fill(0);
    steps = 0;
  };
  restart();

  return {
    restart,
    forward: async (which) => {
      const ends = offsetsOf(which.map((task) => taskCells(tasks[task])));
      const cells = ends[which.length];
      if (cells > trainCells) throw new RangeError(`generator: a step may have ${trainCells} cells, got ${cells}`);
      [used, offsets] = [which, ends];
      await onPieces(place, (piece) => [
        ...forwardCalls(shape, layout, piece),
        ...which.flatMap((task, i) => {
          const target = layout.sums.address + 4 * (piece.index * trainCells + ends[i]);
          return sumAnswers(tasks[task], rowsOf(place, piece), { ...piece, target, add: false });
        }),
      ]);
      engine.kernels.sumRows(layout.sums.address, trainCells, pieces.length, cells, layout.answers.address);
      divide(layout.answers.view.subarray(0, cells), batch);
      return viewsOf(layout.answers, ends);
    },
    gradients: () => viewsOf(layout.answerGradients, offsets),
    step: async (rate, active) => {
      // Answers are means, and what the kernels go back through are sums.
      divide(layout.answerGradients.view.subarray(0, offsets[used.length]), batch);
      await onPieces(place, (piece) => {
        const on = rowsOf(place, piece);
        return [
          ['clear', on.gradients.address, 4 * piece.rows * headColumns(shape)],
          ...active.flatMap((i) => {
            const gradient = layout.answerGradients.address + 4 * offsets[i];
            return pullAnswers(tasks[used[i]], on, { ...piece, gradient });
          }),
          ...backwardCalls(shape, layout, piece),
        ];
      });
      steps++;
      await adam(rate);
    },
  };
};
