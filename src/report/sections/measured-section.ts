import type { Domain } from '../../domain/domain.js';
import { expectedError } from '../../privacy/expected-error.js';
import type { Measurement } from '../../privacy/measurement.js';
import { answerSize } from '../../query/answer.js';
import { describeQuery } from '../../query/describe-query.js';
import { recordUnit } from '../../query/record-unit.js';
import { residualPart } from '../../query/residual.js';
import { html, named } from '../html.js';
import { behind, paragraph, type Section, table } from '../layout.js';
import { count, percent, plural, significant } from '../number-text.js';
import { noiseText } from './noise-text.js';

/** Rows that are shown at once, and at all. */
const shown = 12;
const most = 2000;

/** What was measured and how noisy it is, the most precise first. */
export const measuredSection = (measurements: readonly Measurement[], domain: Domain, total: number): Section => {
  const rows = measurements
    .map(({ query, noise }) => ({
      what: describeQuery(query),
      answers: answerSize(query, domain),
      noise,
      error: (expectedError(noise) * Math.sqrt(residualPart(query, domain))) / recordUnit(query, domain),
    }))
    .sort((a, b) => a.error - b.error || a.answers - b.answers || (a.what < b.what ? -1 : a.what > b.what ? 1 : 0));
  const columns = [
    { title: 'what was counted' },
    { title: 'answers', number: true },
    { title: 'noise' },
    { title: 'expected error an answer', number: true },
    { title: 'of all records', number: true },
  ];
  const cells = rows.map(({ what, answers, noise, error }) => [
    named(what, 64),
    count(answers),
    noiseText(noise),
    `${significant(error)} records`,
    total > 0 ? percent(error / total) : '',
  ]);
  const answers = rows.reduce((sum, row) => sum + row.answers, 0);
  const [least, greatest] = [rows[0]?.error ?? 0, rows[rows.length - 1]?.error ?? 0];
  const rest = cells.slice(0, most);
  return {
    id: 'measured',
    title: 'What was measured',
    body:
      rows.length === 0
        ? paragraph('Nothing was measured: the release says what was public before.')
        : html`${paragraph(
            `${plural(rows.length, 'table')} of counts with ${plural(answers, 'answer')} in all were taken from the private table, and random noise was added to every answer.`,
            `The expected absolute error that this makes in one answer is ${least === greatest ? significant(least) : `from ${significant(least)} to ${significant(greatest)}`} records.`,
            'The model puts all of them together, so what it says is mostly more precise than a single measurement.',
          )}${table(columns, cells.slice(0, shown))}${
            rows.length > shown
              ? behind(
                  rows.length > most
                    ? `The ${count(most)} most precise measurements`
                    : `All ${plural(rows.length, 'measurement')}`,
                  table(columns, rest),
                )
              : undefined
          }`,
  };
};
