import type { Dialect } from '../sql/dialect.js';

/** Spark's spelling, which Sail and Databricks share: for a session in UTC. Casts are tried, since in its ANSI mode those that fail stop a query. */
export const spark: Dialect = {
  name: 'Spark',
  literal: (text) => literal(text),
  identifier: (name) => `\`${name.replaceAll('`', '``')}\``,
  double: (value) => double(value),
  text: (value) => `CAST(${value} AS STRING)`,
  toDouble: (value) => `CAST(${value} AS DOUBLE)`,
  toInteger: (value, bits) => `CAST(${value} AS ${bits === 64 ? 'BIGINT' : 'INT'})`,
  matches: (text, pattern) => `(${text} RLIKE ${literal(`\\A(?:${pattern})\\z`)})`,
  trim: (text) => `trim(BOTH ${literal(whiteSpace)} FROM ${text})`,
  start: (text, length) => `substring(${text}, 1, ${length})`,
  shortDouble: (text) => `try_cast(${text} AS DOUBLE)`,
  plainDouble: (text) => `try_cast(${text} AS DOUBLE)`,
  isNaN: (x) => `isnan(${x})`,
  // Its floor is a whole number of 64 bits, where doubles beyond would end.
  floor: (x) => `CASE WHEN abs(${x}) < ${double(2 ** 52)} THEN CAST(floor(${x}) AS DOUBLE) ELSE ${x} END`,
  lookup: (text, numbers) => {
    const entries = [...numbers];
    if (entries.length === 0) return 'CAST(NULL AS INT)';
    if (entries.length <= SHORT_LIST)
      return `CASE ${text} ${entries.map(([key, number]) => `WHEN ${literal(key)} THEN ${number}`).join(' ')} END`;
    const keys = entries.map(([key]) => literal(key)).join(', ');
    return `element_at(map_from_arrays(array(${keys}), array(${entries.map(([, number]) => number).join(', ')})), ${text})`;
  },
  at: (place, numbers) => `element_at(array(${Array.from(numbers).join(', ')}), CAST(${place} + 1 AS INT))`,
  day: {
    ofColumn: (column) => inYears(`CAST(${column} AS DATE)`),
    ofText: (text) => inYears(`try_cast(${text} AS DATE)`),
    year: (day) => `year(${day})`,
    quarter: (day) => `quarter(${day})`,
    month: (day) => `month(${day})`,
    number: (day) => `datediff(${day}, DATE '1970-01-01')`,
  },
  clamped: (x, least, greatest) => `least(greatest(${x}, ${least}), ${greatest})`,
  quotient: (a, b) => `((${a}) DIV (${b}))`,
  joined: (texts) => `concat(${texts.join(', ')})`,
  sha256: (text) => `sha2(${text}, 256)`,
  fence: '',
  setsAtOnce: 60,
  isFasterApart: true,
  // Every row once for each joint table, with one number for the table and the cell: its GROUPING SETS would copy all columns into each of these rows.
  counts: (columns, from) => {
    const keys = columns.map(({ name }, i) => `CAST(${name} AS BIGINT) + ${i * PLACE}`);
    return columns.length === 1
      ? `SELECT 0, CAST(${columns[0].name} AS BIGINT), count(*) FROM ${from} GROUP BY ${columns[0].name}`
      : `SELECT CAST(k DIV ${PLACE} AS INT), k % ${PLACE}, count(*) FROM (SELECT explode(array(${keys.join(', ')})) AS k FROM ${from}) AS cells GROUP BY k`;
  },
};

/** Sail, which computes column by column. */
export const sail: Dialect = { ...spark, name: 'Sail', countsFirst: true };

/** Cells that a joint table has at most where a query counts several. */
const PLACE = 2 ** 31;

/** Up to so many texts are compared one after the other. */
const SHORT_LIST = 12;

const inYears = (day: string): string => `CASE WHEN year(${day}) BETWEEN 1 AND 9999 THEN ${day} END`;

const literal = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const double = (value: number): string => `CAST('${value}' AS DOUBLE)`;

/** What `String.prototype.trim` takes away (ECMA-262, WhiteSpace and LineTerminator). */
const whiteSpace =
  '\t\n\u000b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';
