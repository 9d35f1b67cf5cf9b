import type { BeyondEnd, PlannedEnd } from '../../src/index.js';
import type { Io } from '../command.js';
import { clip, count, dim, percent, table, yellow } from '../terminal/print.js';

/** Ends that are told; `--json` and the report have all of them. */
const most = 6;
/** A share beyond an end from which on the range of a schema is too narrow for the table. */
const many = 0.05;

const boundText = ({ bounds }: BeyondEnd): string =>
  bounds === undefined ? '' : `${percent(bounds[0])} to ${percent(bounds[1])}`;

/** What a release has beyond the ends of its schema, the most first; empty where no end is open. */
export const beyondText = (ends: readonly BeyondEnd[], io: Io): string => {
  if (ends.length === 0) return '';
  const sorted = [...ends].sort((a, b) => b.share - a.share);
  const lines = sorted
    .slice(0, most)
    .map((end) => [clip(end.attribute, 24, io.unicode), end.label, percent(end.share), boundText(end)]);
  const rest = ends.length - lines.length;
  const crowded = sorted.filter(({ share, bounds }) => (bounds?.[0] ?? share) >= many);
  return `${table(
    [
      { title: 'beyond the schema' },
      { title: '' },
      { title: 'share', align: 'right' },
      { title: '95% bounds', align: 'right' },
    ],
    lines,
    io,
  )}${rest > 0 ? dim(`... and ${count(rest)} more with less; --json lists all\n`, io) : ''}${
    crowded.length === 0
      ? ''
      : yellow(
          `The schema ends too early for ${[...new Set(crowded.map(({ attribute }) => attribute))].join(', ')}: nothing is known of how values go on there. A schema that reaches further would tell.\n`,
          io,
        )
  }\n`;
};

/** What a planned release will tell of values beyond the ends of its schema, and where it will tell nothing. */
export const plannedBeyondText = (
  ends: readonly PlannedEnd[],
  closed: readonly string[],
  expectedRows: number | undefined,
): string => {
  const names = [...new Set(ends.map(({ attribute }) => attribute))];
  const errors = ends.flatMap(({ error }) => (error === undefined ? [] : [error]));
  const worst = Math.max(...errors);
  const precision =
    errors.length === 0
      ? ''
      : `, within ${count(Math.ceil(worst))} records or better (95%)${expectedRows === undefined ? '' : `, ${percent(Math.min(1, worst / expectedRows))} of ${count(expectedRows)}`}`;
  const told =
    names.length === 0
      ? ''
      : `Values beyond the ends of ${listed(names)} have cells of their own, and the release tells how many there are${precision}.\n`;
  const untold =
    closed.length === 0
      ? ''
      : `Values beyond the ends of ${listed(closed)} are counted in the outermost cells, and nothing will tell how many: "open": "both" in the schema gives them cells of their own.\n`;
  return told + untold;
};

const listed = (names: readonly string[]): string =>
  names.length <= most ? names.join(', ') : `${names.slice(0, most).join(', ')} and ${names.length - most} more`;
