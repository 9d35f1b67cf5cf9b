import type { Cover } from '../../src/query/joint/cover.js';
import { bitsFor, type CodesOptions, cellSql, partOf } from './codes-sql.js';
import type { Dialect } from './dialect.js';
import { columnNamed, type SqlTable } from './sql-table.js';

/** Bits of a number that stands for several small integers at once, without a sign. */
const ROOM = 62;

/**
 * Numbers of rows by the cells of a joint table: a query with the columns `cell` and `n`, which first counts rows by one number for all values as they stand, and computes cells
 * of these numbers, of which there are few, in the place of rows. Undefined where columns are not of small integers that fit into one number together: no two rows of
 * different values may have the same one, whatever the columns hold.
 */
export const packedSql = (
  dialect: Dialect,
  relation: SqlTable,
  { domain, outside }: Pick<CodesOptions, 'domain' | 'outside'>,
  { attributes }: Cover,
): string | undefined => {
  const digits = attributes.map((at) => {
    const attribute = domain.attributes[at];
    const { bits = ROOM, kind } = columnNamed(relation, attribute.name);
    const part = partOf(dialect, relation, attribute, outside);
    const half = 2 ** (bits - 1);
    // A NULL that has a cell is one number more; one that has none comes out as no cell.
    const isNumbered = part.hasEmpty === true;
    const usable = kind === 'integer' && bits <= 16 && part.parsed === undefined;
    return { at, part, half, isNumbered, usable, radix: 2 * half + (isNumbered ? 1 : 0) };
  });
  const room = digits.reduce((product, { radix }) => product * radix, 1);
  if (digits.length === 0 || digits.some(({ usable }) => !usable) || room > 2 ** ROOM) return undefined;
  const key = digits.reduce((sum, { part, isNumbered, half, radix }) => {
    const value = isNumbered ? `coalesce(${part.raw}, ${half})` : part.raw;
    return sum === '' ? dialect.toInteger(value, 64) : `(${sum} * ${radix} + ${value})`;
  }, '');
  /** The number of the least values together, which is below zero. */
  const least = digits.reduce((sum, { half, radix }) => sum * BigInt(radix) + BigInt(half), 0n);
  const values = digits.map(({ at, half, isNumbered, radix }, i) => {
    const below = digits.slice(i + 1).reduce((product, one) => product * BigInt(one.radix), 1n);
    const digit = `(${dialect.quotient(`(k + ${least})`, String(below))} % ${radix} - ${half})`;
    return `${dialect.toInteger(isNumbered ? `nullif(${digit}, ${half})` : digit, 32)} AS r${at}`;
  });
  const codes = digits.map(
    ({ at, part }) =>
      `${dialect.toInteger(part.code(`r${at}`, '', ''), bitsFor(domain.attributes[at].size))} AS a${at}`,
  );
  const cell = cellSql(
    attributes,
    attributes.map((at) => domain.attributes[at].size),
  );
  const counted = `SELECT k, count(*) AS m FROM (SELECT ${key} AS k FROM ${relation.sql}) AS packed GROUP BY k`;
  const unpacked = `SELECT ${values.join(', ')}, m FROM (${counted}) AS counted`;
  const coded = `SELECT ${codes.join(', ')}, m FROM (${unpacked}) AS unpacked`;
  return `SELECT cell, sum(m) AS n FROM (SELECT ${cell} AS cell, m FROM (${coded}) AS codes) AS cells GROUP BY cell`;
};
