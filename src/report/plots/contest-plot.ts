import type { TopLevelSpec } from 'vega-lite';
import type { ContestOutcome } from '../../evaluate/compare-mechanisms.js';
import { visible } from '../html.js';
import { percent } from '../number-text.js';
import type { Plot } from './draw.js';

/** Readable on light and on dark; shapes differ too, for those who tell colours apart badly. */
const colours = ['#4a8fc2', '#d0702a', '#4d9e62', '#9d72bd', '#c05a6b', '#8a8f2f', '#5aa3a8'];
const shapes = ['circle', 'square', 'triangle-up', 'diamond', 'cross', 'triangle-down', 'stroke'];

/** The epsilon of a budget, or its rho, as a number. */
const budgetNumber = ({ epsilon, rho }: ContestOutcome['contestants'][number]['budget']): number =>
  Number(epsilon ?? rho);

const pointsOf = (contestants: ContestOutcome['contestants']) =>
  contestants.map(({ mechanism, budget, error }) => ({
    mechanism,
    budget: budgetNumber(budget),
    error: error.mean,
    low: Math.max(error.mean - error.deviation, error.mean / 2),
    high: error.mean + error.deviation,
    told: visible(`${mechanism} at ${budgetNumber(budget)}: ${percent(error.mean)}, over ${error.runs} runs`),
  }));

/** The lines that every release is measured by. */
const levelsOf = ({ asIs, sample }: Pick<ContestOutcome, 'asIs' | 'sample'>) =>
  [
    { name: 'the public table as it is', error: asIs?.error.mean ?? 0 },
    { name: 'another sample of the same size', error: sample.error.mean },
  ].filter(({ error }) => error > 0);

const titled = { titleColor: 'var(--muted)', titleFontWeight: 'normal' } as const;
const legend = { labelColor: 'var(--ink)', labelFontSize: 11, title: null, symbolStrokeWidth: 2 };

/** An axis of numbers on a logarithmic scale. */
const logarithmic = (domain: number[], axis: { readonly title: string; readonly format: string }) => {
  const scale = { type: 'log' as const, domain, nice: false };
  return <More extends object>(field: string, more: More) =>
    ({ field, type: 'quantitative', scale, axis: { ...titled, ...axis, ...more } }) as const;
};

/**
 * Errors of mechanisms over budgets, both on logarithmic scales, with bars of one standard deviation; beside them the public
 * table as it is and another sample of the same size as level lines.
 */
export const contestPlot = ({ contestants, asIs, sample, pairs }: ContestOutcome): Plot => {
  // What is exactly right has no place on a logarithmic scale; the table beside the plot has it.
  const points = pointsOf(contestants.filter(({ error }) => error.mean > 0));
  const levels = levelsOf({ asIs, sample });
  const names = [...new Set(points.map(({ mechanism }) => mechanism))];
  const budgets = [...new Set(points.map(({ budget }) => budget))].sort((a, b) => a - b);
  const all = [...points.flatMap(({ low, high }) => [low, high]), ...levels.map(({ error }) => error)];
  const [first, last] = budgets.length === 0 ? [1, 1] : [budgets[0] / 1.25, budgets[budgets.length - 1] * 1.25];
  const byBudget = logarithmic([first, last], { title: 'epsilon', format: '~g' });
  const byError = logarithmic([Math.min(1, ...all) * 0.85, Math.max(1e-6, ...all) * 1.18], {
    title: 'mean total variation distance',
    format: '~%',
  });
  const x = (field: string) => byBudget(field, { values: budgets, grid: false });
  const y = (field: string) => byError(field, { tickCount: 5 });
  const nominal = { field: 'mechanism', type: 'nominal' } as const;
  const stroke = { ...nominal, scale: { domain: names, range: colours }, legend };
  const spec: TopLevelSpec = {
    padding: 8,
    width: 460,
    height: 280,
    layer: [
      {
        data: { values: levels },
        mark: { type: 'rule', stroke: 'var(--muted)', strokeDash: [5, 4] },
        encoding: { y: y('error') },
      },
      {
        data: { values: levels.map((level) => ({ ...level, at: first })) },
        mark: { type: 'text', align: 'left', baseline: 'bottom', dx: 4, dy: -3, fill: 'var(--muted)', fontSize: 10.5 },
        encoding: { x: x('at'), y: y('error'), text: { field: 'name' } },
      },
      {
        data: { values: points },
        mark: { type: 'rule', strokeWidth: 1.2 },
        encoding: { x: x('budget'), y: y('low'), y2: { field: 'high' }, stroke },
      },
      {
        data: { values: points },
        mark: { type: 'line', strokeWidth: 2 },
        encoding: { x: x('budget'), y: y('error'), stroke },
      },
      {
        data: { values: points },
        mark: { type: 'point', size: 60, filled: true, opacity: 1 },
        encoding: {
          x: x('budget'),
          y: y('error'),
          fill: stroke,
          shape: { ...nominal, scale: { domain: names, range: shapes }, legend },
          description: { field: 'told' },
        },
      },
    ],
    resolve: { legend: { stroke: 'shared', fill: 'shared', shape: 'shared' } },
  };
  return { label: `Mean error over ${pairs} pairs of attributes, by mechanism and epsilon`, spec };
};
