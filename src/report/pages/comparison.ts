import type { ContestOutcome, Judgement } from '../../evaluate/compare-mechanisms.js';
import type { Spread } from '../../evaluate/spread.js';
import { checkTitle } from '../check-title.js';
import { html } from '../html.js';
import { figure, list, paragraph, type Section, table } from '../layout.js';
import { count } from '../number-text.js';
import { contestPlot } from '../plots/contest-plot.js';
import { drawer } from '../plots/draw.js';
import { plotFile, plotPage } from '../plots/plot-page.js';

/** A contest and what it was between. */
export interface Comparison extends ContestOutcome {
  readonly standIn: string;
  readonly rows: number;
  readonly public?: string | undefined;
  readonly runs: number;
  readonly delta?: string | undefined;
}

const share = (value: number): string => `${(100 * value).toFixed(value < 0.0995 ? 2 : 1)}%`;
const spread = ({ mean, deviation, runs }: Spread, unicode = true): string =>
  runs < 2 ? share(mean) : `${share(mean)} ${unicode ? '±' : '+-'} ${share(deviation)}`;
/** The epsilon of a run, as it was asked for. */
export const epsilonText = ({ budget }: ContestOutcome['contestants'][number]): string =>
  String(budget.epsilon ?? budget.rho);

/** What a reader must know first: which table played the private one, and that it is public. */
export const comparisonNote = (comparison: Comparison): string =>
  `${comparison.standIn} plays the private table (${count(comparison.rows)} rows). It is treated as public: the errors are exact, and no ledger is touched.`;

/** The lines of the table: mechanisms by budget, then the two that every release is measured by. */
export const comparisonLines = (comparison: Comparison, unicode = true): string[][] => {
  const level = (name: string, { error, largest }: Judgement): string[] => [
    name,
    '',
    spread(error, unicode),
    spread(largest, unicode),
    '',
  ];
  return [
    ...comparison.contestants.map((contestant) => [
      contestant.mechanism,
      epsilonText(contestant),
      spread(contestant.error, unicode),
      spread(contestant.largest, unicode),
      contestant.seconds.mean.toFixed(1),
    ]),
    ...(comparison.asIs ? [level(`publish ${comparison.public ?? 'the public table'} as it is`, comparison.asIs)] : []),
    level('another sample of the same size', comparison.sample),
  ];
};

/** What the columns of these lines are; all but the first are numbers. */
export const comparisonHeadings = ['mechanism', 'epsilon', 'mean error', 'largest error of a cell', 'seconds'] as const;

/** A comparison as a picture of its own. */
export const comparisonSvg = async (comparison: Comparison): Promise<string> =>
  plotFile(await (await drawer())(contestPlot(comparison)), {
    caption: `Releases of ${comparison.standIn}, which is public: mean error over ${comparison.pairs} pairs of attributes`,
  });

/** A comparison as a page that needs nothing from outside. */
export const comparisonHtml = async (comparison: Comparison, title?: string): Promise<string> => {
  checkTitle(title);
  const draw = await drawer();
  const numbers = comparisonHeadings.map((title, i) => ({ title, number: i > 0 }));
  const sections: Section[] = [
    {
      id: 'plot',
      title: 'Error by epsilon',
      body: figure('contest', await draw(contestPlot(comparison)), html``),
    },
    { id: 'table', title: 'In numbers', body: table(numbers, comparisonLines(comparison)) },
    ...(comparison.unable.length === 0
      ? []
      : [
          {
            id: 'unable',
            title: 'Mechanisms that could not run',
            body: list(comparison.unable.map(({ mechanism, why }) => `${mechanism}: ${why}`)),
          },
        ]),
    {
      id: 'meaning',
      title: 'What the numbers are',
      body: paragraph(
        'Errors are total variation distances of pairs of attributes from the stand-in: the share of records that would have to change cells.',
        'A release that errs more than the public table as it is was not worth its budget; one that comes near another sample of the same size could hardly be better.',
      ),
    },
  ];
  return plotPage({
    kind: 'Comparison of mechanisms',
    title: title ?? `Mechanisms on ${comparison.standIn}`,
    lead: comparisonNote(comparison),
    sections,
  });
};
