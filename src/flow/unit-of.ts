import type { Schema } from '../domain/schema/schema.js';
import type { Unit } from '../query/unit.js';

/** Whom a release protects when nobody says: what the schema declares, or a row. */
export const unitOf = ({ unit }: Schema): Unit =>
  unit === undefined ? { kind: 'row', maxRecords: 1 } : { kind: 'id', column: unit.id, maxRecords: unit.maxRecords };
