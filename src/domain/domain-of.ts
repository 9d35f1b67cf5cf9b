import type { AttributeSpec } from './attribute/attribute.js';
import { sizeOf } from './attribute/cells.js';
import { checkAttribute, checkAttributes } from './attribute/check-attribute.js';
import type { Domain } from './domain.js';
import { InputError } from './input-error.js';
import { parseShape } from './schema/parse-shape.js';
import { attributeShape } from './schema/schema-shape.js';

/**
 * The domain that some attribute declarations span, in their order; each is checked and copied, and the result is
 * deep-frozen plain data.
 *
 *     domainOf([{ name: 'age', type: 'integer', min: 0, max: 99, bins: 10 }]).attributes[0].size // 10
 */
export const domainOf = (specs: readonly AttributeSpec[]): Domain => {
  checkAttributes(specs, 'domain');
  const names = new Set<string>();
  const attributes = specs.map((given, index) => {
    const spec: AttributeSpec = parseShape(attributeShape, given, `attribute ${index + 1}`);
    const subject = `attribute ${JSON.stringify(spec.name)}`;
    checkAttribute(spec, subject);
    if (names.has(spec.name)) throw new InputError(`${subject}: names must differ, got this one twice`);
    names.add(spec.name);
    return Object.freeze({ name: spec.name, size: sizeOf(spec), spec });
  });
  return Object.freeze({ attributes: Object.freeze(attributes) });
};
