import type { DateSpec } from '../../../src/domain/attribute/attribute.js';
import { dayNumber, type Period, parseDay } from '../../../src/domain/attribute/calendar.js';
import { firstPeriod, periodCount } from '../../../src/domain/attribute/kinds/date.js';
import { cellsBelow } from '../../../src/domain/attribute/open-ends.js';
import { valueSql } from '../relation.js';
import { type DuckDBKind, isEmpty, orNull, type Part, type PartOptions } from './kind.js';

/** Calendar periods of a column of days, or of texts YYYY-MM-DD; other forms and years go to the encoder. */
const part = (spec: DateSpec, { cells, column, fallback }: PartOptions): Part | undefined => {
  if (column.kind === 'double' || spec.nullValues?.some((text) => parseDay(text) !== undefined)) return undefined;
  const text = valueSql(column);
  const first = firstPeriod(spec);
  const last = periodCount(spec) - 1;
  return {
    raw: column.sql,
    parsed:
      column.kind === 'date'
        ? `TRY_CAST(${column.sql} AS DATE)`
        : `CASE WHEN regexp_full_match(${text}, '[0-9]{4}-[0-9]{2}-[0-9]{2}') THEN TRY_CAST(${text} AS DATE) END`,
    code: (raw, day) => {
      const period = `(${periodSql[spec.by](day)} - ${first})`;
      const cell = `CASE WHEN ${period} < 0 THEN ${orNull(cells.below)} WHEN ${period} > ${last} THEN ${orNull(cells.above)} ELSE ${period} + ${cellsBelow(spec)} END`;
      return `CASE WHEN year(${day}) BETWEEN 1 AND 9999 THEN ${cell} WHEN ${isEmpty(valueSql(column, raw), spec.nullValues)} THEN ${orNull(cells.empty)} ELSE ${fallback(raw)} END`;
    },
  };
};

const daysSql = (day: string): string => `(${day} - DATE '1970-01-01')`;

// The same numbers as `periods` has. Weeks: days since a Monday far in the past, so that integer division is a floor.
const periodSql: Readonly<Record<Period, (day: string) => string>> = {
  year: (day) => `year(${day})`,
  quarter: (day) => `(year(${day}) * 4 + quarter(${day}) - 1)`,
  month: (day) => `(year(${day}) * 12 + month(${day}) - 1)`,
  week: (day) => `((${daysSql(day)} + 7000003) // 7 - 1000000)`,
  day: daysSql,
};

export const date: DuckDBKind<DateSpec> = {
  type: 'DATE',
  value: (value, { DuckDBDateValue }) => new DuckDBDateValue(dayNumber(parseDay(String(value))!)),
  part,
};
