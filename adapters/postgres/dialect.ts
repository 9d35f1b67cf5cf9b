import type { Dialect } from '../sql/dialect.js';

/** PostgreSQL's spelling, for a session with `standard_conforming_strings` and a database in UTF-8. */
export const postgres: Dialect = {
  name: 'PostgreSQL',
  literal: (text) => literal(text),
  identifier: (name) => `"${name.replaceAll('"', '""')}"`,
  double: (value) => double(value),
  // A collation may take different bytes for equal; this one does not.
  text: (value) => `((${value})::text COLLATE "C")`,
  toDouble: (value) => `(${value})::float8`,
  toInteger: (value, bits) => `(${value})::int${bits === 64 ? 8 : 4}`,
  matches: (text, pattern) => matches(text, pattern),
  trim: (text) => `btrim(${text}, ${whiteSpace})`,
  start: (text, length) => `left(${text}, ${length})`,
  shortDouble: (text) => `(${text})::float8`,
  plainDouble: (text) => plainDouble(text),
  isNaN: (x) => `(${x} = 'NaN'::float8)`,
  lookup: (text, numbers) => {
    const entries = [...numbers];
    if (entries.length === 0) return 'NULL::int4';
    if (entries.length <= SHORT_LIST)
      return `CASE ${text} ${entries.map(([key, number]) => `WHEN ${literal(key)} THEN ${number}`).join(' ')} END`;
    // The keys of a constant object are sorted once, by their bytes.
    return `(${literal(JSON.stringify(Object.fromEntries(entries)))}::jsonb ->> ${text})::int4`;
  },
  at: (place, numbers) => `(${literal(`{${Array.from(numbers).join()}}`)}::int4[])[${place} + 1]`,
  reached: (x, edges) => `width_bucket(${x}, ${literal(`{${edges.join()}}`)}::float8[])`,
  day: {
    ofColumn: (column) => {
      const day = `(${column})::date`;
      return `CASE WHEN ${day} BETWEEN DATE '0001-01-01' AND DATE '9999-12-31' THEN ${day} END`;
    },
    ofText: (text) => {
      const [y, m, d] = ['1, 4', '6, 2', '9, 2'].map((part) => `substr(${text}, ${part})::int4`);
      const length = `CASE WHEN ${m} IN (4, 6, 9, 11) THEN 30 WHEN ${m} <> 2 THEN 31 WHEN ${y} % 4 = 0 AND (${y} % 100 <> 0 OR ${y} % 400 = 0) THEN 29 ELSE 28 END`;
      return `CASE WHEN ${y} >= 1 AND ${m} BETWEEN 1 AND 12 AND ${d} BETWEEN 1 AND ${length} THEN make_date(${y}, ${m}, ${d}) END`;
    },
    year: (day) => `extract(year FROM ${day})::int4`,
    quarter: (day) => `extract(quarter FROM ${day})::int4`,
    month: (day) => `extract(month FROM ${day})::int4`,
    number: (day) => `(${day} - DATE '1970-01-01')`,
  },
  quotient: (a, b) => `(${a} / ${b})`,
  joined: (texts) => texts.join(' || '),
  sha256: (text) => `sha256(convert_to(${text}, 'UTF8'))`,
  // A subquery with an OFFSET is not taken apart by the planner. As a text it is a constant from the start, by which the planner knows that several processes may run it.
  fence: " OFFSET '0'",
  // GROUPING takes 31 columns.
  setsAtOnce: 31,
  counts: (joint, from) => {
    const columns = joint.map(({ name }) => name);
    const list = columns.join(', ');
    const places = columns.map((_, i) => `WHEN ${2 ** columns.length - 1 - 2 ** (columns.length - 1 - i)} THEN ${i}`);
    const sets = columns.map((column) => `(${column})`).join(', ');
    return `SELECT CASE GROUPING(${list}) ${places.join(' ')} END, coalesce(${list}), count(*) FROM ${from} GROUP BY GROUPING SETS (${sets})`;
  },
};

/** Up to so many texts are compared one after the other. */
const SHORT_LIST = 12;

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const double = (value: number): string => `'${value}'::float8`;

const matches = (text: string, pattern: string): string => `(${text} ~ ${literal(`^(?:${pattern})$`)})`;

/** What `String.prototype.trim` takes away (ECMA-262, WhiteSpace and LineTerminator). */
const whiteSpace = `E'\\t\\n\\u000b\\f\\r \\u00a0\\u1680\\u2000\\u2001\\u2002\\u2003\\u2004\\u2005\\u2006\\u2007\\u2008\\u2009\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff'`;

/** Halfway between the largest double and the next power of two: from here on a number rounds to infinity, ... */
const BEYOND = `${2n ** 1024n - 2n ** 970n}::numeric`;
/** ... and half of the least double, 2^-1075: up to here it rounds to zero. */
const NOTHING = `'${5n ** 1075n}e-1075'::numeric`;

/**
 * A cast to float8 stops where a number is too large or too small for it, and one to numeric beyond some 131,000 digits. So exponents of more than four digits are decided by
 * their sign, the others by an exact comparison. A number of 6,000 characters is none.
 */
const plainDouble = (text: string): string => {
  const exponent = `coalesce(substring(${text} FROM '[eE][+-]?0*([0-9]*)$'), '')`;
  const infinity = `CASE WHEN ${text} LIKE '-%' THEN ${double(-Infinity)} ELSE ${double(Infinity)} END`;
  const number = `(${text})::numeric`;
  return [
    `CASE WHEN length(${text}) >= 6000 THEN NULL`,
    `WHEN length(${exponent}) > 4 THEN CASE WHEN ${text} ~ '^[+-]?[0.]*[eE]' OR ${text} ~ '[eE]-' THEN ${double(0)} ELSE ${infinity} END`,
    `WHEN abs(${number}) >= ${BEYOND} THEN ${infinity} WHEN abs(${number}) <= ${NOTHING} THEN ${double(0)} ELSE (${text})::float8 END`,
  ].join(' ');
};
