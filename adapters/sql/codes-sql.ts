import type { Attribute } from '../../src/domain/attribute/attribute.js';
import { constraintsOf } from '../../src/domain/constraints/constraints-of.js';
import { type MendStep, sizesIn } from '../../src/domain/constraints/mending.js';
import type { Domain } from '../../src/domain/domain.js';
import { type Outside, outsideCells } from '../../src/domain/schema/outside.js';
import type { Dialect, JointColumn } from './dialect.js';
import type { Part } from './kinds/kind.js';
import { sqlPart } from './kinds/kinds.js';
import { columnNamed, type SqlTable } from './sql-table.js';

export interface CodesOptions {
  readonly domain: Domain;
  readonly outside: Outside;
  /** The attributes whose cells are wanted, by number. */
  readonly attributes: readonly number[];
  /** Further columns, by name. */
  readonly extra?: Readonly<Record<string, string>> | undefined;
  /** Whether rows that break a constraint are left as they are, for whoever mends them later. */
  readonly unmended?: boolean | undefined;
}

/**
 * A query for the cells of some attributes, a column a0, a1, ... each by the number of its attribute, NULL where a value has no cell. It agrees with
 * `columnEncoder` on every value, and with `mendedBy` on every row whose values have cells.
 */
export const codesSql = (dialect: Dialect, relation: SqlTable, options: CodesOptions): string => {
  const { domain, outside, extra = {} } = options;
  const steps = options.unmended ? [] : stepsOf(domain);
  const needed = withParents(options.attributes, domain, steps);
  const parts = needed.map((at) => partOf(dialect, relation, domain.attributes[at], outside));
  const names = Object.keys(extra);
  const projected = [
    ...parts.flatMap(({ raw, parsed }, i) => [
      `${raw} AS r${needed[i]}`,
      ...(parsed === undefined ? [] : [`${parsed} AS p${needed[i]}`]),
    ]),
    ...names.map((name) => `${extra[name]} AS ${name}`),
  ];
  const guessed = parts.flatMap((part, i) => (part.guess ? [`${part.guess(`p${needed[i]}`)} AS g${needed[i]}`] : []));
  const codes = parts.map(({ code }, i) => {
    const at = needed[i];
    return `${dialect.toInteger(code(`r${at}`, `p${at}`, `g${at}`), bitsFor(domain.attributes[at].size))} AS a${at}`;
  });
  // Columns as they are need not be kept from being written out again.
  const fence = parts.every(({ parsed }) => parsed === undefined) ? '' : dialect.fence;
  const from = `(SELECT ${['1 AS one', ...projected].join(', ')} FROM ${relation.sql}${fence}) AS projected`;
  const after =
    guessed.length === 0 ? from : `(SELECT ${['*', ...guessed].join(', ')} FROM ${from}${dialect.fence}) AS guessed`;
  const sql = `SELECT ${['one', ...codes, ...names].join(', ')} FROM ${after}${dialect.fence}`;
  return mendedSql(dialect, sql, { domain, steps, needed, names });
};

/** The bits of an integer that numbers so many cells. */
export const bitsFor = (cells: number): 8 | 16 | 32 | 64 => {
  if (cells <= 2 ** 8) return 8;
  // The last number of 16 bits is kept for what is no cell.
  if (cells < 2 ** 16) return 16;
  return cells <= 2 ** 31 ? 32 : 64;
};

/** The bits of an integer that numbers the cells of a joint table. */
export const jointBits = (cells: number): JointColumn['bits'] => {
  const bits = bitsFor(cells);
  return bits === 8 ? 16 : bits;
};

/** Whether the cells of some attributes are so cheap that they may be computed several times: a few comparisons of integers each. */
export const areCheap = (
  dialect: Dialect,
  relation: SqlTable,
  { domain, outside, attributes }: CodesOptions,
): boolean =>
  constraintsOf(domain) === undefined &&
  attributes.every((at) => partOf(dialect, relation, domain.attributes[at], outside).parsed === undefined);

/** Those of some attributes, by number, whose columns may hold a value that has no cell. */
export const mayLackCells = (
  dialect: Dialect,
  relation: SqlTable,
  { domain, outside, attributes }: CodesOptions,
): number[] =>
  attributes.filter((at) => {
    const attribute = domain.attributes[at];
    const hasAll = Object.values(outsideCells(attribute.spec, outside)).every((cell) => cell >= 0);
    return !hasAll && partOf(dialect, relation, attribute, outside).isTotal !== true;
  });

/** The SQL for an attribute's cells. */
const partOf = (dialect: Dialect, relation: SqlTable, attribute: Attribute, outside: Outside): Part => {
  const { spec } = attribute;
  const column = columnNamed(relation, attribute.name);
  // A dialect of an engine that computes every cell has a part for every attribute.
  return sqlPart(spec, { dialect, column, cells: outsideCells(spec, outside) })!;
};

const stepsOf = (domain: Domain): readonly MendStep[] => constraintsOf(domain)?.mending ?? [];

/** Attributes and those that decide how they are mended, in ascending order. */
const withParents = (
  attributes: readonly number[],
  domain: Domain,
  steps: readonly MendStep[] = stepsOf(domain),
): number[] => {
  const needed = new Set(attributes);
  for (const { attribute, parents } of steps.toReversed())
    if (needed.has(attribute)) for (const parent of parents) needed.add(parent);
  return [...needed].sort((a, b) => a - b);
};

/** The same query with rows that break no constraint: one step after the other, as in memory. */
export const mendedSql = (
  dialect: Dialect,
  codes: string,
  {
    domain,
    steps = stepsOf(domain),
    needed,
    names,
  }: {
    readonly domain: Domain;
    readonly steps?: readonly MendStep[];
    /** The attributes that it has, by number. */
    readonly needed: readonly number[];
    /** Its further columns. */
    readonly names: readonly string[];
  },
): string => {
  let sql = codes;
  for (const step of steps) {
    if (!needed.includes(step.attribute)) continue;
    const sizes = sizesIn(domain, step);
    const place = cellSql([...step.parents, step.attribute], sizes);
    const columns = needed.map((at) =>
      at === step.attribute ? `${dialect.at(place, step.becomes)} AS a${at}` : `a${at}`,
    );
    sql = `SELECT ${['one', ...columns, ...names].join(', ')} FROM (${sql}) AS codes${dialect.fence}`;
  }
  return sql;
};

/** The cell of some attributes together, row-major; NULL where one has none. */
export const cellSql = (attributes: readonly number[], sizes: readonly number[]): string =>
  attributes.reduce((sum, at, i) => (i === 0 ? `a${at}` : `(${sum} * ${sizes[i]} + a${at})`), '0');
