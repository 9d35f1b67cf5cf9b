import { answerSize, attributesOf } from '../query/answer.js';
import { describeQuery } from '../query/describe-query.js';
import type { Workload } from '../query/workload/workload.js';
import type { Plan, PublicFacts } from './plan.js';

export interface OneShotWork {
  /** Each query's part of the budget. */
  readonly parts: readonly number[];
  /** How often the fit goes over all rows in all marginals, roughly. */
  readonly passes: number;
  /** Numbers held for each public row, besides its cell in every marginal. */
  readonly vectors: number;
  /** Rows that are drawn beside the public ones at most, and how many fits there are with them. */
  readonly drawn?: { readonly rows: number; readonly fits: number } | undefined;
  /** Rows in marginals that are gone over before the fit. */
  readonly beforehand?: number | undefined;
}

/** Nanoseconds for one row in one marginal, on two threads. */
const passTime = 1.2;

/** The plan of a mechanism that measures a workload at once with the whole budget and fits the public rows to the answers. */
export const planOneShot = (facts: PublicFacts, workload: Workload, work: OneShotWork): Plan => {
  const { domain, prior } = facts;
  const queries = workload.queries.map(({ query }) => query);
  const noise = facts.preview(queries, 1, { weights: work.parts });
  const steps = queries.map((query, i) => ({
    act: 'measure' as const,
    what: describeQuery(query),
    query,
    answers: answerSize(query, domain),
    times: 1,
    noise: noise[i],
  }));
  const cells = steps.reduce((sum, { answers }) => sum + answers, 0);
  const { drawn = { rows: 0, fits: 1 }, beforehand = 0 } = work;
  const rows = (prior?.length ?? 0) + drawn.rows;
  const marginals = new Set(queries.map((query) => JSON.stringify(attributesOf(query)))).size;
  return {
    steps,
    memory: rows * (4 * marginals + 8 * work.vectors) + 32 * cells,
    seconds:
      0.2 + (work.passes * (rows * marginals * passTime + cells * 4) * drawn.fits + beforehand * passTime) * 1e-9,
    remarks: [],
  };
};
