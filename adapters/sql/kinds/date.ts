import type { DateSpec } from '../../../src/domain/attribute/attribute.js';
import { type Period, parseDay } from '../../../src/domain/attribute/calendar.js';
import { firstPeriod, periodCount } from '../../../src/domain/attribute/kinds/date.js';
import { cellsBelow } from '../../../src/domain/attribute/open-ends.js';
import { type CellDialect, DAY, DAY_AND_TIME } from '../dialect.js';
import { isEmpty, orNull, type Part, type PartOptions } from './kind.js';

/** Calendar periods of a column of days, or of texts that begin with YYYY-MM-DD; a double is no day. */
export const datePart = (spec: DateSpec, options: PartOptions): Part | undefined => {
  const { cells, column, dialect, ask } = options;
  const namesDays = spec.nullValues?.some((text) => parseDay(text) !== undefined) ?? false;
  if (ask !== undefined && (column.kind === 'double' || namesDays)) return undefined;
  if (column.kind === 'double') {
    const [empty, unknown] = [orNull(cells.empty), orNull(cells.unknown)];
    const code = (_: string, x: string) =>
      `CASE WHEN ${x} IS NULL OR ${dialect.isNaN(x)} THEN ${empty} ELSE ${unknown} END`;
    return { raw: column.sql, parsed: dialect.toDouble(column.sql), code };
  }
  const text = dialect.text(column.sql);
  const first = firstPeriod(spec);
  const last = periodCount(spec) - 1;
  return {
    raw: column.sql,
    parsed: column.kind === 'date' ? dialect.day.ofColumn(column.sql) : dayOfText(dialect, text, ask === undefined),
    code: (raw, day) => {
      const period = `(${periodSql(dialect)[spec.by](day)} - ${first})`;
      const cell = `CASE WHEN ${period} < 0 THEN ${orNull(cells.below)} WHEN ${period} > ${last} THEN ${orNull(cells.above)} ELSE ${period} + ${cellsBelow(spec)} END`;
      const empty = `WHEN ${isEmpty(options, dialect.text(raw), spec.nullValues)} THEN ${orNull(cells.empty)}`;
      const dated = `WHEN ${day} IS NOT NULL THEN ${cell}`;
      // A day that means "empty" is one before it is a day.
      return `CASE ${namesDays ? `${empty} ${dated}` : `${dated} ${empty}`} ELSE ${ask?.(raw) ?? orNull(cells.unknown)} END`;
    },
  };
};

const dayOfText = (dialect: CellDialect, text: string, isWhole: boolean): string => {
  const trimmed = dialect.trim(text);
  const others = `WHEN ${dialect.matches(trimmed, DAY_AND_TIME)} THEN ${dialect.day.ofText(dialect.start(trimmed, 10))}`;
  return `CASE WHEN ${dialect.matches(text, DAY)} THEN ${dialect.day.ofText(text)} ${isWhole ? others : ''} END`;
};

// The same numbers as `periods` has. Weeks: days since a Monday far in the past, so that the quotient is a floor.
const periodSql = ({ day: of, quotient }: CellDialect): Readonly<Record<Period, (day: string) => string>> => ({
  year: of.year,
  quarter: (day) => `(${of.year(day)} * 4 + ${of.quarter(day)} - 1)`,
  month: (day) => `(${of.year(day)} * 12 + ${of.month(day)} - 1)`,
  week: (day) => `(${quotient(`(${of.number(day)} + 7000003)`, '7')} - 1000000)`,
  day: of.number,
});
