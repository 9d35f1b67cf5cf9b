import { DOUBLE, type DuckDBConnection, DuckDBScalarFunction, UINTEGER, VARCHAR } from '@duckdb/node-api';
import type {
  Attribute,
  BooleanSpec,
  CategorySpec,
  DateSpec,
  NumericSpec,
} from '../../src/domain/attribute/attribute.js';
import { binCount, binEdges, isUnitBins } from '../../src/domain/attribute/bin-edges.js';
import { parseDay, periodNumber } from '../../src/domain/attribute/calendar.js';
import { valueCells } from '../../src/domain/attribute/cells.js';
import { BOOLEAN_TEXTS, columnEncoder, type Encoder, numericEnds } from '../../src/domain/attribute/column-encoder.js';
import { plainNumber } from '../../src/domain/attribute/plain-number.js';
import { type Outside, type OutsideCells, outsideCells } from '../../src/domain/schema/outside.js';
import { type BinSql, binSql } from './bin-sql.js';
import { double, literal } from './duckdb.js';
import { type Column, type SqlTable, valueSql } from './relation.js';

export interface CodesOptions {
  readonly outside?: Outside | undefined;
  readonly extra?: Readonly<Record<string, string>> | undefined;
}

/**
 * A query for the cells of some attributes, one column a0, a1, ... each of its narrowest type, NULL where the value has no
 * cell. It agrees with `columnEncoder` on every value: DuckDB computes the common forms, for which the agreement can be
 * argued (below), and hands every other value to the encoder itself, registered as a function of the connection. `outside` is
 * the rule for values that the attributes do not name; `extra` adds further columns, by name.
 */
export const codesSql = async (
  connection: DuckDBConnection,
  relation: SqlTable,
  attributes: readonly Attribute[],
  columns: readonly Column[],
  { outside = 'declared', extra = {} }: CodesOptions = {},
): Promise<string> => {
  const parts = await Promise.all(attributes.map((attribute, i) => partOf(connection, attribute, columns[i], outside)));
  const names = Object.keys(extra);
  const parsed = [
    ...parts.flatMap((part, i) => [`${part.raw} AS r${i}`, `${part.parsed} AS p${i}`]),
    ...names.map((name) => `${extra[name]} AS ${name}`),
  ];
  const guessed = parts.map(({ guess }, i) => `${guess?.(`p${i}`) ?? 'NULL'} AS g${i}`);
  const codes = parts.map(
    ({ code }, i) => `(${code(`r${i}`, `p${i}`, `g${i}`)})::${codeType(attributes[i].size)} AS a${i}`,
  );
  const list = (items: readonly string[]) => items.join(', ') || '1';
  return `SELECT ${list([...codes, ...names])} FROM (SELECT ${list(['*', ...guessed])} FROM (SELECT ${list(parsed)} FROM ${relation.sql}))`;
};

/** DuckDB's type for the codes of an attribute: the same width as `codeColumn`'s. */
const codeType = (size: number): string => (size <= 0x100 ? 'UTINYINT' : size <= 0x10000 ? 'USMALLINT' : 'UINTEGER');

/** Three projections, each computed once for a row: `raw` and `parsed`, from these a `guess`, and from all three the code. */
interface Part {
  readonly raw: string;
  readonly parsed: string;
  readonly guess?: ((parsed: string) => string) | undefined;
  readonly code: (raw: string, parsed: string, guess: string) => string;
}

let functions = 0;

const partOf = async (
  connection: DuckDBConnection,
  attribute: Attribute,
  column: Column,
  outside: Outside,
): Promise<Part> => {
  const { spec } = attribute;
  const cells = outsideCells(spec, outside);
  const name = `encode_${++functions}`;
  registerEncoder(connection, columnEncoder(attribute, outside), column, name);
  const fallback = (raw: string) => `${name}(${valueSql(column, raw)})`;
  switch (spec.type) {
    case 'category':
      return (await categoryPart(connection, spec, cells, column, name)) ?? general(column, fallback);
    case 'boolean':
      return booleanPart(spec, cells, column, fallback);
    case 'integer':
    case 'number':
      return numericPart(spec, cells, column, fallback);
    case 'date':
      return datePart(spec, cells, column, fallback);
  }
};

type Fallback = (raw: string) => string;

const general = ({ sql }: Column, fallback: Fallback): Part => ({ raw: sql, parsed: 'NULL', code: fallback });

const registerEncoder = (connection: DuckDBConnection, encode: Encoder, column: Column, name: string): void => {
  connection.registerScalarFunction(
    DuckDBScalarFunction.create({
      name,
      parameterTypes: [column.kind === 'double' ? DOUBLE : VARCHAR],
      returnType: UINTEGER,
      specialHandling: true, // so that it is also asked about NULL
      mainFunction: (_, input, output) => {
        const values = input.getColumnVector(0);
        for (let i = 0; i < input.rowCount; i++) {
          const code = encode(values.getItem(i));
          output.setItem(i, code < 0 ? null : code);
        }
        output.flush();
      },
    }),
  );
};

const orNull = (cell: number): string => (cell < 0 ? 'NULL' : String(cell));

// SQL text ends at a NUL, and half a surrogate pair has no UTF-8: such texts are left to the encoder.
const isPlain = (text: string): boolean => !/\0|\p{Surrogate}/u.test(text);

/** Texts are equal when their bytes are, in DuckDB and in the encoder alike; an ENUM is DuckDB's hash table of texts. */
const categoryPart = async (
  connection: DuckDBConnection,
  spec: CategorySpec,
  cells: OutsideCells,
  column: Column,
  name: string,
): Promise<Part | undefined> => {
  const labels = spec.other === undefined ? spec.values : [...spec.values, spec.other];
  const texts = [...new Set([...labels, '', ...(spec.nullValues ?? [])])];
  // A double's text is its shortest in JavaScript (1) and not in DuckDB (1.0).
  if (column.kind === 'double' || !texts.every(isPlain)) return undefined;
  await connection.run(`CREATE TEMP TYPE ${name}_texts AS ENUM (${texts.map(literal).join(', ')})`);
  const empty = orNull(cells.empty);
  return {
    raw: column.sql,
    parsed: `enum_code(TRY_CAST(${valueSql(column)} AS ${name}_texts))::UINTEGER`,
    code: (raw, at) =>
      `CASE WHEN ${at} < ${labels.length} THEN ${at} WHEN ${raw} IS NULL OR ${at} IS NOT NULL THEN ${empty} ELSE ${orNull(cells.unknown)} END`,
  };
};

// A call of the encoder costs a trip between threads, so the usual empty values are told here; texts that the encoder
// would trim before it looks are left to it.
const isEmpty = (text: string, nullValues: Iterable<string> = []): string => {
  const texts = ['', ...nullValues].filter((value) => value.trim() === value && isPlain(value));
  return `${text} IS NULL OR ${text} IN (${texts.map(literal).join(', ')})`;
};

const booleanPart = (spec: BooleanSpec, { empty }: OutsideCells, column: Column, fallback: Fallback): Part => {
  const nulls = new Set(spec.nullValues ?? []);
  const texts = (cell: number) =>
    [...BOOLEAN_TEXTS].filter(([text, of]) => of === cell && !nulls.has(text)).map(([text]) => literal(text));
  if (column.kind === 'double') return general(column, fallback);
  return {
    raw: column.sql,
    parsed: valueSql(column),
    code: (raw, text) =>
      `CASE WHEN ${isEmpty(text, nulls)} THEN ${orNull(empty)} WHEN ${text} IN (${texts(0).join(', ')}) THEN 0 WHEN ${text} IN (${texts(1).join(', ')}) THEN 1 ELSE ${fallback(raw)} END`,
  };
};

/**
 * Numbers. DuckDB and JavaScript both round a 64-bit integer, and a decimal text, to the nearest double; the texts let
 * through here have no exponent and few digits, so nothing overflows.
 */
const numericPart = (spec: NumericSpec, cells: OutsideCells, column: Column, fallback: Fallback): Part => {
  const bins = isUnitBins(spec) ? unitBins(spec) : binSql(binEdges(spec));
  if (bins === undefined || column.kind === 'boolean') return general(column, fallback);
  const text = valueSql(column);
  const empty = orNull(cells.empty);
  const { first, last } = numericEnds(spec);
  const nullTexts = (spec.nullValues ?? []).filter((value) => plainNumber(value) === undefined);
  const nulls = new Set((spec.nullValues ?? []).map(plainNumber).filter((value) => value !== undefined));
  const typed = column.kind === 'integer' || column.kind === 'double';
  // A fraction is unknown among integers; only where such values are clipped and have no null cell is its place worked out.
  const fraction = (raw: string) => (spec.null !== true && cells.unknown >= 0 ? fallback(raw) : orNull(cells.unknown));
  return {
    raw: column.sql,
    parsed: typed
      ? `${column.sql}::DOUBLE`
      : `CASE WHEN regexp_full_match(${text}, '-?[0-9]{1,18}(\\.[0-9]{0,18})?') THEN TRY_CAST(${text} AS DOUBLE) END`,
    guess: bins.guess,
    code: (raw, x, guess) =>
      [
        typed
          ? `CASE WHEN ${x} IS NULL OR isnan(${x}) THEN ${empty}`
          : `CASE WHEN ${x} IS NULL THEN CASE WHEN ${isEmpty(valueSql(column, raw), nullTexts)} THEN ${empty} ELSE ${fallback(raw)} END`,
        nulls.size > 0 ? `WHEN ${x} IN (${[...nulls].map(double).join(', ')}) THEN ${empty}` : '',
        spec.type === 'integer' && column.kind !== 'integer' ? `WHEN ${x} <> trunc(${x}) THEN ${fraction(raw)}` : '',
        // Where a rule keeps what is beyond the ends, the bins below clamp by themselves.
        cells.below < 0 ? `WHEN ${x} < ${double(first)} OR ${x} > ${double(last)} THEN NULL` : '',
        `ELSE ${bins.bin(x, guess)} END`,
      ].join(' '),
  };
};

const unitBins = (spec: NumericSpec): BinSql => ({
  guess: () => 'NULL',
  bin: (x) => `greatest(${double(0)}, least(${double(binCount(spec) - 1)}, ${x} - ${double(spec.min!)}))`,
});

/** Calendar periods of a column of days, or of texts YYYY-MM-DD; other forms and years go to the encoder. */
const datePart = (spec: DateSpec, cells: OutsideCells, column: Column, fallback: Fallback): Part => {
  if (column.kind === 'double' || spec.nullValues?.some((text) => parseDay(text) !== undefined))
    return general(column, fallback);
  const text = valueSql(column);
  const first = periodNumber(spec.by, parseDay(spec.min)!);
  const last = valueCells(spec) - 1;
  return {
    raw: column.sql,
    parsed:
      column.kind === 'date'
        ? `TRY_CAST(${column.sql} AS DATE)`
        : `CASE WHEN regexp_full_match(${text}, '[0-9]{4}-[0-9]{2}-[0-9]{2}') THEN TRY_CAST(${text} AS DATE) END`,
    code: (raw, day) => {
      const period = `(${periodSql(spec.by, day)} - ${first})`;
      const cell =
        cells.below < 0
          ? `CASE WHEN ${period} BETWEEN 0 AND ${last} THEN ${period} END`
          : `greatest(0, least(${last}, ${period}))`;
      return `CASE WHEN year(${day}) BETWEEN 1 AND 9999 THEN ${cell} WHEN ${isEmpty(valueSql(column, raw), spec.nullValues)} THEN ${orNull(cells.empty)} ELSE ${fallback(raw)} END`;
    },
  };
};

// The same numbers as `periodNumber`. Weeks: days since a Monday far in the past, so that integer division is a floor.
const periodSql = (by: DateSpec['by'], day: string): string => {
  const days = `(${day} - DATE '1970-01-01')`;
  switch (by) {
    case 'year':
      return `year(${day})`;
    case 'quarter':
      return `(year(${day}) * 4 + quarter(${day}) - 1)`;
    case 'month':
      return `(year(${day}) * 12 + month(${day}) - 1)`;
    case 'week':
      return `((${days} + 7000003) // 7 - 1000000)`;
    case 'day':
      return days;
  }
};
