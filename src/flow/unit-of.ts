import type { Schema } from '../domain/schema/schema.js';
import type { Unit } from '../query/unit.js';

/** Whom a release protects when nobody says: a household where the schema has them, what it declares, or a row. */
export const unitOf = ({ unit, twoLevel }: Schema): Unit => {
  if (twoLevel !== undefined) return { kind: 'household', column: twoLevel.key, maxRecords: twoLevel.maxSize };
  return unit === undefined
    ? { kind: 'row', maxRecords: 1 }
    : { kind: 'id', column: unit.id, maxRecords: unit.maxRecords };
};
