import { type CodeColumn, codeColumn } from '../../domain/table.js';
import type { Random } from '../../random/random.js';
import { uniform } from '../../random/uniform.js';
import { contextCells, type SampleStep } from './sample-plan.js';

/** The columns of `rows` independent records. Each attribute by bisection of the cumulative conditional: about 30 ns a value. */
export const drawnColumns = (steps: readonly SampleStep[], rows: number, random: Random): CodeColumn[] => {
  const cells = new Uint32Array(rows);
  const columns: CodeColumn[] = [];
  for (const step of steps) {
    const { size } = step;
    const upTo = step.table().slice();
    for (let start = 0; start < upTo.length; start += size)
      for (let value = 1; value < size; value++) upTo[start + value] += upTo[start + value - 1];
    contextCells(step, columns, rows, cells);
    const column = codeColumn(size, rows);
    for (let row = 0; row < rows; row++) {
      const start = cells[row] * size;
      const point = uniform(random) * upTo[start + size - 1];
      // The first value whose cumulative probability lies above the point: one without probability is never that.
      let low = 0;
      let high = size - 1;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (upTo[start + middle] > point) high = middle;
        else low = middle + 1;
      }
      column[row] = low;
    }
    columns[step.attribute] = column;
  }
  return columns;
};
