import type { Dialect } from '../sql/dialect.js';

/** ClickHouse's spelling, for queries with the settings of `connection.ts`. */
export const clickhouse: Dialect = {
  name: 'ClickHouse',
  literal: (text) => literal(text),
  identifier: (name) => `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``,
  double: (value) => double(value),
  text: (value) => `CAST(${value} AS Nullable(String))`,
  toDouble: (value) => `CAST(${value} AS Nullable(Float64))`,
  // What cannot be NULL stays so, and is counted faster; so are fewer bits.
  toInteger: (value, bits) => `${bits <= 16 ? 'toUInt' : 'toInt'}${bits}(${value})`,
  matches: (text, pattern) => `match(${text}, ${literal(`\\A(?:${pattern})\\z`)})`,
  trim: (text) =>
    `replaceRegexpOne(replaceRegexpOne(${text}, ${literal(`\\A${whiteSpace}+`)}, ''), ${literal(`${whiteSpace}+\\z`)}, '')`,
  start: (text, length) => `substringUTF8(${text}, 1, ${length})`,
  shortDouble: (text) => `toFloat64OrNull(${text})`,
  plainDouble: (text) => plainDouble(text),
  isNaN: (x) => `isNaN(${x})`,
  lookup: (text, numbers) => {
    if (numbers.size === 0) return 'CAST(NULL AS Nullable(Int32))';
    const keys = [...numbers.keys()].map(literal).join(', ');
    const found = `transform(assumeNotNull(${text}), [${keys}], CAST([${[...numbers.values()].join()}] AS Array(Int32)), toInt32(-1))`;
    return `if(${text} IS NULL, NULL, nullIf(${found}, -1))`;
  },
  at: (place, numbers) => `CAST([${Array.from(numbers).join()}] AS Array(Int32))[${place} + 1]`,
  // Found by halving; a tree of comparisons as large takes it long to understand.
  reached: (x, edges) => {
    const list = `[${Array.from(edges, double).join(', ')}]`;
    return `if(${x} < ${double(edges[0])}, 0, indexOfAssumeSorted(${list}, roundDown(assumeNotNull(${x}), ${list})))`;
  },
  // Its days reach from 1900 to 2299 only: a day is held as the number that its digits make, 20140331.
  day: {
    ofColumn: (column) => `CAST(toYYYYMMDD(${column}) AS Nullable(Int32))`,
    ofText: (text) => {
      const [y, m, d] = ['1, 4', '6, 2', '9, 2'].map((part) => `toInt32OrNull(substring(${text}, ${part}))`);
      const length = `multiIf(${m} IN (4, 6, 9, 11), 30, ${m} != 2, 31, ${y} % 4 = 0 AND (${y} % 100 != 0 OR ${y} % 400 = 0), 29, 28)`;
      return `if(${y} >= 1 AND ${m} BETWEEN 1 AND 12 AND ${d} BETWEEN 1 AND ${length}, ${y} * 10000 + ${m} * 100 + ${d}, NULL)`;
    },
    year: (day) => `intDiv(${day}, 10000)`,
    quarter: (day) => `intDiv(${monthOf(day)} + 2, 3)`,
    month: (day) => monthOf(day),
    // Days before a day of the years 0 to 9999, counted from March, when leap days are at the end (Hinnant, days_from_civil).
    number: (day) => {
      const year = `(intDiv(${day}, 10000) - (${monthOf(day)} <= 2))`;
      const inYear = `(intDiv(153 * ((${monthOf(day)} + 9) % 12) + 2, 5) + ${day} % 100 - 1)`;
      return `toInt32(${year} * 365 + intDiv(${year}, 4) - intDiv(${year}, 100) + intDiv(${year}, 400) + ${inYear} - 719468)`;
    },
  },
  // Takes less time than to compare every value.
  clamped: (x, least, greatest) => `least(greatest(${x}, ${least}), ${greatest})`,
  quotient: (a, b) => `intDiv(${a}, ${b})`,
  joined: (texts) => texts.join(' || '),
  sha256: (text) => `SHA256(${text})`,
  fence: '',
  setsAtOnce: 60,
  counts: (columns, from) => {
    const names = columns.map(({ name }) => name);
    const places = names.map((_, i) => `${2n ** BigInt(names.length) - 1n - 2n ** BigInt(names.length - 1 - i)}, ${i}`);
    const sets = names.map((name) => `(${name})`).join(', ');
    // Columns that a row of the answer is not about are 0 in it. Numbers of 16 bits that cannot be NULL are counted in a plain list, not by hashing.
    const plain = columns.map(
      ({ name, bits }) => `ifNull(${name}, ${bits === 16 ? 'toUInt16(65535)' : '-1'}) AS ${name}`,
    );
    return `SELECT caseWithExpression(grouping(${names.join(', ')}), ${places.join(', ')}, -1), ${names.join(' + ')}, count() FROM (SELECT ${plain.join(', ')} FROM ${from}) AS plain GROUP BY GROUPING SETS (${sets})`;
  },
};

const monthOf = (day: string): string => `(intDiv(${day}, 100) % 100)`;

const literal = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** With an exponent a constant is a double, and the nearest one; without, it may be an integer. */
const double = (value: number): string => {
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  const text = String(value);
  return text.includes('e') ? text : `${text}e0`;
};

/** What `String.prototype.trim` takes away (ECMA-262, WhiteSpace and LineTerminator). */
const whiteSpace =
  '[\\t\\n\\x0b\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}]';

/** Its reader of numbers knows no plus, and has no number for what is beyond the doubles: the exponent's sign decides there, unless all digits are 0. */
const plainDouble = (text: string): string => {
  const unsigned = `replaceRegexpOne(${text}, '\\\\A\\\\+', '')`;
  const isNothing = `match(${text}, '\\\\A[+-]?[0.]*([eE].*)?\\\\z') OR match(${text}, '[eE]-')`;
  const infinity = `if(startsWith(${text}, '-'), -inf, inf)`;
  return `coalesce(toFloat64OrNull(${unsigned}), if(${isNothing}, 0, ${infinity}))`;
};
