import * as v from 'valibot';
import type { Domain } from '../domain/domain.js';
import { InputError } from '../domain/input-error.js';
import { factorsOf } from './factors.js';
import type { Query } from './query.js';

const integer = v.pipe(v.number(), v.safeInteger());

const block = v.variant('kind', [
  v.strictObject({ kind: v.literal('keep') }),
  v.strictObject({ kind: v.literal('sum') }),
  v.strictObject({ kind: v.literal('value'), cell: integer }),
  v.strictObject({ kind: v.literal('set'), cells: v.array(integer) }),
  v.strictObject({ kind: v.literal('prefix') }),
  v.strictObject({ kind: v.literal('ranges'), ranges: v.array(v.strictTuple([integer, integer])) }),
  v.strictObject({ kind: v.literal('regroup'), groups: v.array(integer), size: integer }),
  v.strictObject({ kind: v.literal('mean') }),
  v.strictObject({ kind: v.literal('moments'), count: integer }),
]);

/** The JSON form of a query: the query itself. Whether it fits a domain is for `parseQuery` to say. */
export const querySchema = v.variant('kind', [
  v.strictObject({ kind: v.literal('marginal'), attributes: v.array(v.string()) }),
  v.strictObject({
    kind: v.literal('factored'),
    factors: v.array(v.strictObject({ attribute: v.string(), block })),
  }),
]);

/** Checks the shape of parsed JSON; the first thing wrong with it becomes the message. */
export const parseShape = <T>(schema: v.GenericSchema<unknown, T>, json: unknown, subject: string): T => {
  const result = v.safeParse(schema, json, { abortEarly: true });
  if (result.success) return result.output;
  const [issue] = result.issues;
  const path = v.getDotPath(issue);
  const rule = issue.expected === null ? issue.message : `must be ${issue.expected}`;
  throw new InputError(`${path === null ? subject : `${subject} ${path}`}: ${rule}, got ${issue.received}`);
};

/** A query from parsed JSON, checked against the domain it is for. */
export const parseQuery = (json: unknown, domain: Domain): Query => {
  const query: Query = parseShape(querySchema, json, 'query');
  factorsOf(query, domain);
  return query;
};
