import { outsideCells } from '../../src/domain/schema/outside.js';
import type { Cover } from '../../src/query/joint/cover.js';
import { type CodesOptions, cellSql, jointBits } from './codes-sql.js';
import type { Dialect } from './dialect.js';
import { sqlPart } from './kinds/kinds.js';
import { columnNamed, type SqlTable } from './sql-table.js';

/** Bits of a number that stands for several small integers at once, without a sign. */
const ROOM = 62;

/** A column's values as a digit: from `-half` to `half - 1`, and `half` for a NULL that has a cell. */
interface Digit {
  readonly sql: string;
  readonly half: number;
  readonly radix: number;
}

/**
 * Numbers of rows by the cells of a joint table: a query with the columns `cell` and `n`, which first counts rows by one number for all values as they stand, and computes cells
 * of these numbers, of which there are few, in the place of rows. Undefined where columns are not of small integers that fit into one number together: no two rows of
 * different values may have the same one, whatever the columns hold.
 */
export const packedSql = (
  dialect: Dialect,
  relation: SqlTable,
  { domain, outside }: Pick<CodesOptions, 'domain' | 'outside'>,
  { attributes, cells }: Cover,
): string | undefined => {
  const digits = attributes.map((at) => {
    const { spec, name } = domain.attributes[at];
    const column = columnNamed(relation, name);
    const { bits = ROOM, kind } = column;
    const others = outsideCells(spec, outside);
    // A NULL that has a cell is one number more; one that has none makes the whole number NULL, which comes out as no cell.
    const isNumbered = others.empty >= 0;
    const part = sqlPart(spec, { dialect, column: { ...column, isNeverNull: !isNumbered }, cells: others })!;
    const half = 2 ** (bits - 1);
    const usable = kind === 'integer' && bits <= 16 && part.parsed === undefined;
    const sql = isNumbered ? `coalesce(${part.raw}, ${half})` : part.raw;
    return { at, part, sql, half, isNumbered, usable, radix: 2 * half + (isNumbered ? 1 : 0) };
  });
  const room = digits.reduce((product, { radix }) => product * radix, 1);
  if (digits.length === 0 || digits.some(({ usable }) => !usable) || room > 2 ** ROOM) return undefined;
  const shifted = `(k + ${-leastOf(digits)})`;
  const values = digits.map(({ at, half, isNumbered, radix }, i) => {
    const below = digits.slice(i + 1).reduce((product, one) => product * BigInt(one.radix), 1n);
    const above = below === 1n ? shifted : dialect.quotient(shifted, String(below));
    const digit = `${i === 0 ? above : `${above} % ${radix}`} - ${half}`;
    return `${isNumbered ? `nullif(${digit}, ${half})` : digit} AS r${at}`;
  });
  const codes = digits.map(({ at, part }) => `${part.code(`r${at}`, '', '')} AS a${at}`);
  const cell = cellSql(
    attributes,
    attributes.map((at) => domain.attributes[at].size),
  );
  const counted = `SELECT k, count(*) AS m FROM (SELECT ${keySql(dialect, digits)} AS k FROM ${relation.sql}) AS packed GROUP BY k`;
  const unpacked = `SELECT ${values.join(', ')}, k, m FROM (${counted}) AS counted`;
  const coded = `SELECT ${codes.join(', ')}, k, m FROM (${unpacked}) AS unpacked`;
  const known = dialect.toInteger(`CASE WHEN k IS NOT NULL THEN ${cell} END`, jointBits(cells));
  return `SELECT cell, sum(m) AS n FROM (SELECT ${known} AS cell, m FROM (${coded}) AS codes) AS cells GROUP BY cell`;
};

/** The number of the least values together, which is below zero; the greatest is at most as far from it. */
const leastOf = (digits: readonly Digit[]): bigint =>
  digits.reduce((sum, { half, radix }) => sum * BigInt(radix) - BigInt(half), 0n);

/**
 * One number for several digits. It is computed for every row and joint table, so as few steps of it as can be are of 64 bits: digits are put together in numbers of 32 bits
 * as far as they go, and these in one.
 */
const keySql = (dialect: Dialect, digits: readonly Digit[]): string => {
  const groups: Digit[][] = [];
  for (const digit of digits) {
    const last = groups.at(-1);
    if (last !== undefined && -leastOf([...last, digit]) < 2n ** 31n) last.push(digit);
    else groups.push([digit]);
  }
  return groups.reduce((sum, group) => {
    const own = group.map(({ sql }) => sql).reduce((head, sql, i) => `(${head} * ${group[i].radix} + ${sql})`);
    const radix = group.reduce((product, digit) => product * BigInt(digit.radix), 1n);
    return sum === '' ? dialect.toInteger(own, 64) : `(${sum} * ${radix} + ${own})`;
  }, '');
};
