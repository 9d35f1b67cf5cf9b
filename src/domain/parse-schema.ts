import { checkSchema } from './check-schema.js';
import type { Domain } from './domain.js';
import { domainOf } from './domain-of.js';
import type { Schema } from './schema.js';
import { parseShape, schemaShape } from './schema-shape.js';

/**
 * Reads a schema from parsed JSON and checks it completely. Whatever is unknown, missing or contradicts itself is an
 * `InputError` with one sentence. The result is a deep-frozen copy.
 */
export const parseSchema = (json: unknown): Schema => {
  const schema: Schema = parseShape(schemaShape, json, 'schema');
  checkSchema(schema);
  return schema;
};

/** The domain of all attributes of a schema. */
export const domainFromSchema = (schema: Schema): Domain => domainOf(schema.attributes);
