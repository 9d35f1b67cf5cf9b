import type { Dialect } from '../sql/dialect.js';

/** Trino's spelling. Its numbers are Java's, which rounds texts as JavaScript does. */
export const trino: Dialect = {
  name: 'Trino',
  literal: (text) => literal(text),
  identifier: (name) => `"${name.replaceAll('"', '""')}"`,
  double: (value) => double(value),
  text: (value) => `CAST(${value} AS varchar)`,
  toDouble: (value) => `CAST(${value} AS double)`,
  toInteger: (value, bits) => `TRY_CAST(${value} AS ${bits === 64 ? 'bigint' : 'integer'})`,
  matches: (text, pattern) => `regexp_like(${text}, ${literal(`\\A(?:${pattern})\\z`)})`,
  trim: (text) => `trim(BOTH ${literal(whiteSpace)} FROM ${text})`,
  start: (text, length) => `substr(${text}, 1, ${length})`,
  shortDouble: (text) => `TRY_CAST(${text} AS double)`,
  plainDouble: (text) => `TRY_CAST(${text} AS double)`,
  isNaN: (x) => `is_nan(${x})`,
  lookup: (text, numbers) => {
    if (numbers.size === 0) return 'CAST(NULL AS integer)';
    const keys = [...numbers.keys()].map(literal).join(', ');
    return `element_at(MAP(ARRAY[${keys}], ARRAY[${[...numbers.values()].join(', ')}]), ${text})`;
  },
  at: (place, numbers) => `element_at(ARRAY[${Array.from(numbers).join(', ')}], ${place} + 1)`,
  reached: (x, edges) => `width_bucket(${x}, ARRAY[${Array.from(edges, double).join(', ')}])`,
  day: {
    ofColumn: (column) => inYears(`TRY_CAST(${column} AS date)`),
    ofText: (text) => inYears(`TRY_CAST(${text} AS date)`),
    year: (day) => `year(${day})`,
    quarter: (day) => `quarter(${day})`,
    month: (day) => `month(${day})`,
    number: (day) => `date_diff('day', DATE '1970-01-01', ${day})`,
  },
  quotient: (a, b) => `(${a} / ${b})`,
  joined: (texts) => texts.join(' || '),
  sha256: (text) => `sha256(to_utf8(${text}))`,
  fence: '',
  setsAtOnce: 60,
  // Every row once for each joint table, with one number for the table and the cell: its GROUPING SETS would hash all columns of each of these rows.
  counts: (columns, from) => {
    const keys = columns.map(({ name }, i) => `CAST(${name} AS bigint) + ${i * PLACE}`);
    return columns.length === 1
      ? `SELECT 0, ${columns[0].name}, count(*) FROM ${from} GROUP BY ${columns[0].name}`
      : `SELECT k / ${PLACE}, k % ${PLACE}, count(*) FROM ${from} CROSS JOIN UNNEST(ARRAY[${keys.join(', ')}]) AS cells(k) GROUP BY k`;
  },
};

/** Cells that a joint table has at most where a query counts several. */
const PLACE = 2 ** 31;

const inYears = (day: string): string => `CASE WHEN year(${day}) BETWEEN 1 AND 9999 THEN ${day} END`;

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const double = (value: number): string => {
  if (Number.isFinite(value)) return `DOUBLE '${value}'`;
  return value > 0 ? 'infinity()' : '(-infinity())';
};

/** What `String.prototype.trim` takes away (ECMA-262, WhiteSpace and LineTerminator). */
const whiteSpace =
  '\t\n\u000b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';
