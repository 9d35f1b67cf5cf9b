import * as v from 'valibot';
import type { Domain } from '../domain/domain.js';
import { InputError } from '../domain/input-error.js';
import type { Block } from './block/block.js';
import { integer } from './block/block-kind.js';
import { blockKinds } from './block/block-kinds.js';
import { checkQuery } from './check-query.js';
import type { Query } from './query.js';

const block = v.variant(
  'kind',
  Object.entries(blockKinds).map(([kind, { fields }]) => v.strictObject({ kind: v.literal(kind), ...fields })),
  // The kinds' types say that these are the fields of blocks; a list made of a record no longer does.
) as unknown as v.GenericSchema<unknown, Block>;

/** The JSON form of a query: the query itself. Whether it fits a domain is for `parseQuery` to say. */
export const querySchema = v.variant('kind', [
  v.strictObject({ kind: v.literal('marginal'), attributes: v.array(v.string()) }),
  v.strictObject({ kind: v.literal('holding'), attributes: v.array(v.string()), cell: v.optional(integer) }),
  v.strictObject({
    kind: v.literal('factored'),
    factors: v.array(v.strictObject({ attribute: v.string(), block })),
  }),
  v.strictObject({
    kind: v.literal('dense'),
    attributes: v.array(v.string()),
    rows: v.array(v.array(integer)),
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
  checkQuery(query, domain);
  return query;
};
