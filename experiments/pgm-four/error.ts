import type { Table } from '../../src/domain/table.js';
import { supportOf } from '../../src/model/support/support.js';
import { supportModel } from '../../src/model/support/support-model.js';
import type { Query } from '../../src/query/query.js';
import type { Workload } from '../../src/query/workload/workload.js';

/** Answers of a query in records. */
export type Answers = (query: Query) => Float64Array;

const l1 = (values: Float64Array, of: (value: number, i: number) => number): number =>
  values.reduce((sum, value, i) => sum + Math.abs(of(value, i)), 0);

/** The paper's error (section 5.1): the mean over triples of ||W mu - W mu^||_1 / (2 ||W mu||_1). */
export const workloadError = (table: Table, { queries }: Workload): ((answers: Answers) => number) => {
  const truth = supportModel(supportOf(table), table.length);
  const exact = queries.map(({ query }) => truth.answer(query));
  const sizes = exact.map((answers) => l1(answers, (value) => value));
  return (answers) =>
    queries.reduce((sum, { query }, q) => {
      const own = answers(query);
      return sum + l1(exact[q], (value, i) => value - own[i]) / (2 * sizes[q]) / queries.length;
    }, 0);
};
