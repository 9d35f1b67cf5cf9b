import type { Draft, Schema } from '../../src/index.js';

/** The text of a schema file: an attribute a line, so that it can be read, compared and edited. */
export const schemaText = (schema: Schema | Draft): string => {
  const { attributes, ...head } = schema;
  const lines = attributes.map((spec) => `    ${JSON.stringify(spec)}`).join(',\n');
  const top = JSON.stringify(head, null, 2).replace(/\n\}$/, '');
  return `${top},\n  "attributes": [\n${lines}\n  ]\n}\n`;
};
