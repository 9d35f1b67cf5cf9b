import { countRows } from '../../domain/count-rows.js';
import { cellsOf } from '../../domain/domain.js';
import type { Support } from '../../model/support/support.js';

/** Cells that are kept for later rounds, 80 MB of them; others are counted again. */
const mostKept = 1e7;

/** The marginals of public rows as parts of one. */
export const publicAnswers = (rows: Support): ((attributes: readonly string[]) => Float64Array) => {
  const sum = rows.weights.reduce((all, weight) => all + weight, 0);
  const kept = new Map<string, Float64Array>();
  let cells = 0;
  return (attributes) => {
    const key = JSON.stringify(attributes);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const parts = countRows(rows, attributes).map((weight) => weight / sum);
    cells += cellsOf(rows.domain, attributes);
    if (cells <= mostKept) kept.set(key, parts);
    return parts;
  };
};
