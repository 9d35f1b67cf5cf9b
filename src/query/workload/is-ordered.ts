import type { Attribute } from '../../domain/attribute/attribute.js';

/** Whether the order of an attribute's cells means something: numbers, dates, and categories declared ordered. */
export const isOrdered = ({ spec }: Attribute): boolean =>
  spec.type === 'category' ? spec.ordered === true : spec.type !== 'boolean';
