import type { CellDialect } from '../sql/dialect.js';
import { double, literal } from './duckdb.js';

/**
 * DuckDB's spelling. It runs in this process, so it can ask the encoder itself about odd texts, mends rows by functions of ours and keeps categories as an ENUM:
 * what engines elsewhere need for that is absent.
 */
export const duckdb: CellDialect = {
  literal,
  double,
  text: (value) => `${value}::VARCHAR`,
  toDouble: (value) => `${value}::DOUBLE`,
  matches: (text, pattern) => `regexp_full_match(${text}, ${literal(pattern)})`,
  trim: (text) => `trim(${text})`,
  start: (text, length) => `substr(${text}, 1, ${length})`,
  shortDouble: (text) => `TRY_CAST(${text} AS DOUBLE)`,
  isNaN: (x) => `isnan(${x})`,
  day: {
    ofColumn: (column) => inYears(`TRY_CAST(${column} AS DATE)`),
    ofText: (text) => inYears(`TRY_CAST(${text} AS DATE)`),
    year: (day) => `year(${day})`,
    month: (day) => `month(${day})`,
    quarter: (day) => `quarter(${day})`,
    number: (day) => `(${day} - DATE '1970-01-01')`,
  },
  quotient: (a, b) => `(${a} // ${b})`,
};

const inYears = (day: string): string => `CASE WHEN year(${day}) BETWEEN 1 AND 9999 THEN ${day} END`;
