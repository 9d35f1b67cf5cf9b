import type { ContestOutcome, Judgement } from '../../src/evaluate/compare-mechanisms.js';
import type { Spread } from '../../src/evaluate/spread.js';
import { html } from '../../src/report/html.js';
import { figure, table as htmlTable, list, paragraph, type Section } from '../../src/report/layout.js';
import { contestPlot } from '../../src/report/plots/contest-plot.js';
import type { drawer } from '../../src/report/plots/draw.js';
import { plotFile, plotPage } from '../../src/report/plots/plot-page.js';
import type { Io } from '../command.js';
import { bold, count, table } from '../terminal/print.js';

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
const epsilonOf = ({ budget }: ContestOutcome['contestants'][number]): string => String(budget.epsilon ?? budget.rho);

const standInNote = (comparison: Comparison): string =>
  `${comparison.standIn} plays the private table (${count(comparison.rows)} rows). It is treated as public: the errors are exact, and no ledger is touched.`;

/** The lines of the table: mechanisms by budget, then the two that every release is measured by. */
const lines = (comparison: Comparison, unicode = true): string[][] => {
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
      epsilonOf(contestant),
      spread(contestant.error, unicode),
      spread(contestant.largest, unicode),
      contestant.seconds.mean.toFixed(1),
    ]),
    ...(comparison.asIs ? [level(`publish ${comparison.public ?? 'the public table'} as it is`, comparison.asIs)] : []),
    level('another sample of the same size', comparison.sample),
  ];
};

const headings = [
  { title: 'mechanism' },
  { title: 'epsilon', align: 'right' },
  { title: 'mean error', align: 'right' },
  { title: 'largest error of a cell', align: 'right' },
  { title: 'seconds', align: 'right' },
] as const;

export const comparisonJson = (comparison: Comparison): string =>
  `${JSON.stringify({ treatedAsPublic: comparison.standIn, ...comparison }, null, 2)}\n`;

/** Where a mechanism first beats publishing the public table, for a sentence. */
const advice = ({ contestants, asIs }: Comparison): string => {
  if (asIs === undefined || contestants.length === 0) return '';
  const better = contestants.filter(({ error }) => error.mean < asIs.error.mean);
  if (better.length === 0) return 'No mechanism came closer than the public table as it is.\n';
  const least = better.reduce((a, b) => (Number(epsilonOf(b)) < Number(epsilonOf(a)) ? b : a));
  return `The least epsilon that came closer than the public table as it is: ${epsilonOf(least)}, with ${least.mechanism}.\n`;
};

export const comparisonText = (comparison: Comparison, io: Io): string => {
  const left = comparison.unable.map(({ mechanism, why }) => `${mechanism} could not run: ${why}\n`).join('');
  return `${bold(standInNote(comparison), io)}

${table(headings, lines(comparison, io.unicode), io)}
Errors are total variation distances over ${count(comparison.pairs)} pairs of attributes, means of ${comparison.runs} ${comparison.runs === 1 ? 'run' : 'runs'}${comparison.runs < 2 ? '' : ', with standard deviations'}; delta ${comparison.delta ?? '0'}.
${advice(comparison)}${left}`;
};

type Draw = Awaited<ReturnType<typeof drawer>>;

export const comparisonSvg = async (comparison: Comparison, draw: Draw): Promise<string> =>
  plotFile(await draw(contestPlot(comparison)), {
    caption: `Releases of ${comparison.standIn}, which is public: mean error over ${comparison.pairs} pairs of attributes`,
  });

export const comparisonHtml = async (comparison: Comparison, draw: Draw): Promise<string> => {
  const numbers = headings.map(({ title, ...rest }) => ({ title, number: 'align' in rest }));
  const sections: Section[] = [
    {
      id: 'plot',
      title: 'Error by epsilon',
      body: figure('contest', await draw(contestPlot(comparison)), html``),
    },
    { id: 'table', title: 'In numbers', body: htmlTable(numbers, lines(comparison)) },
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
    title: `Mechanisms on ${comparison.standIn}`,
    lead: standInNote(comparison),
    sections,
  });
};
