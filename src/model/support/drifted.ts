import type { Table } from '../../domain/table.js';
import { normal } from '../../random/normal.js';
import type { Random } from '../../random/random.js';
import { uniform, uniformInteger } from '../../random/uniform.js';
import type { Support } from './support.js';

/** Standard deviation of the logarithm of a cell's weight: about how far census tables move in three years. */
const driftScale = 0.1;

/**
 * Rows that have moved away from where they were, as a sample of so many records would show them: every cell of every attribute gets a random
 * weight. For rehearsals in which one part of a public table plays a private one: parts differ by chance alone, a private table by more.
 */
export const drifted = (table: Table, records: number, random: Random): Support => {
  const moves = table.domain.attributes.map(({ size }) =>
    Float64Array.from({ length: size }, () => driftScale * normal(random)),
  );
  const logs = Float64Array.from({ length: table.length }, (_, row) =>
    table.columns.reduce((sum, column, a) => sum + moves[a][column[row]], 0),
  );
  const weights = logs.map((log) => Math.exp(log));
  const drawn = records < table.length ? drawnCounts(weights, Math.round(records), random) : weights;
  const sum = drawn.reduce((all, weight) => all + weight, 0);
  return { domain: table.domain, length: table.length, columns: table.columns, weights: drawn.map((one) => one / sum) };
};

/** How often each row comes among so many that are drawn by these weights. */
const drawnCounts = (weights: Float64Array, draws: number, random: Random): Float64Array => {
  const counts = new Float64Array(weights.length);
  const most = weights.reduce((max, weight) => Math.max(max, weight), 0);
  for (let done = 0; done < draws; ) {
    const row = uniformInteger(random, weights.length);
    if (uniform(random) * most > weights[row]) continue;
    counts[row]++;
    done++;
  }
  return counts;
};
