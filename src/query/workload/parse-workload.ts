import * as v from 'valibot';
import type { Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { parseShape } from '../../domain/schema/parse-shape.js';
import { checkQuery } from '../check-query.js';
import { querySchema } from '../parse-query.js';
import type { Workload } from './workload.js';

/** The JSON form of a workload. */
export const workloadShape = v.strictObject({
  queries: v.array(
    v.strictObject({ query: querySchema, weight: v.optional(v.pipe(v.number(), v.finite(), v.gtValue(0)), 1) }),
  ),
});

/** A workload from parsed JSON, `{ "queries": [{ "query": ..., "weight": 1 }, ...] }`, checked against its domain. */
export const parseWorkload = (json: unknown, domain: Domain): Workload => {
  const workload: Workload = parseShape(workloadShape, json, 'workload');
  if (workload.queries.length === 0) throw new InputError('workload: queries must hold at least one query, got none');
  for (const { query } of workload.queries) checkQuery(query, domain);
  return workload;
};
