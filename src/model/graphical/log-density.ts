import { type CountedRows, columnsOf } from '../../domain/count-rows.js';
import type { LogFactor } from './calibrate.js';

/** The sum of the factors at each row: the logarithm of its probability where the factors are those of a normalised density. */
export const logDensity = (
  factors: readonly LogFactor[],
  rows: Pick<CountedRows, 'domain' | 'columns' | 'length'>,
): Float64Array => {
  const logs = new Float64Array(rows.length);
  for (const { attributes, potential } of factors) {
    const parts = columnsOf(rows, attributes);
    for (let row = 0; row < rows.length; row++) {
      let cell = 0;
      for (const { column, size } of parts) cell = cell * size + column[row];
      logs[row] += potential[cell];
    }
  }
  return logs;
};
