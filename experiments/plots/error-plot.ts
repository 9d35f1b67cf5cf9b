import type { TopLevelSpec } from 'vega-lite';
import { drawer } from '../../src/report/plots/draw.js';
import { plotFile } from '../../src/report/plots/plot-page.js';

/** Errors over budgets in one setting, and errors that no budget enters. */
export interface ErrorPanel {
  readonly title: string;
  readonly levels: readonly { readonly name: string; readonly error: number }[];
  readonly points: readonly {
    readonly series: string;
    readonly epsilon: number;
    readonly error: number;
    readonly standardError: number;
  }[];
}

export interface ErrorPlot {
  /** What the picture shows, a line above it. */
  readonly caption: string;
  readonly panels: readonly ErrorPanel[];
}

/** Readable on light and on dark; shapes differ too, for those who tell colours apart badly. */
const colours = ['#4a8fc2', '#d0702a', '#4d9e62', '#9a6fb8', '#b0894a'];
const shapes = ['circle', 'square', 'triangle-up', 'diamond', 'cross'];

/** Panels in rows of four, each on its own logarithmic scale of errors, as an SVG of its own. */
export const errorPlot = async ({ caption, panels }: ErrorPlot): Promise<string> => {
  const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];
  const epsilons = unique(panels.flatMap(({ points }) => points.map(({ epsilon }) => epsilon))).sort((a, b) => a - b);
  const [first, last] = [epsilons[0] / 1.15, epsilons[epsilons.length - 1] * 1.15];
  const names = unique(panels.flatMap(({ points }) => points.map(({ series }) => series)));
  const muted = { titleColor: 'var(--muted)', titleFontWeight: 'normal' as const };
  const x = (field: string) => ({
    field,
    type: 'quantitative' as const,
    scale: { type: 'log' as const, domain: [first, last], nice: false },
    axis: { ...muted, title: 'epsilon', values: epsilons, format: '~g', grid: false },
  });
  const legend = { labelColor: 'var(--ink)', labelFontSize: 11, labelLimit: 280, title: null, symbolStrokeWidth: 2 };
  const stroke = { field: 'series', type: 'nominal' as const, scale: { domain: names, range: colours }, legend };
  const panel = ({ title, levels, points }: ErrorPanel) => {
    const all = [...levels, ...points].map(({ error }) => error);
    const [least, most] = [Math.min(...all) / 1.4, Math.max(...all) * 1.3];
    const y = (field: string) => ({
      field,
      type: 'quantitative' as const,
      scale: { type: 'log' as const, domain: [least, most], nice: false },
      axis: { ...muted, title: null, format: '~g', tickCount: 5 },
    });
    const drawn = points.map((point) => ({
      ...point,
      low: Math.max(point.error - point.standardError, least),
      high: point.error + point.standardError,
    }));
    const data = { values: drawn };
    const text = { align: 'right' as const, baseline: 'bottom' as const, dx: -4, dy: -2, fontSize: 10 };
    return {
      title: {
        text: title,
        color: 'var(--ink)',
        fontSize: 12,
        fontWeight: 'normal' as const,
        anchor: 'start' as const,
      },
      width: 210,
      height: 190,
      layer: [
        {
          data: { values: levels.map((level) => ({ ...level, at: last })) },
          mark: { type: 'rule' as const, stroke: 'var(--muted)', strokeDash: [5, 4] },
          encoding: { y: y('error') },
        },
        {
          data: { values: levels.map((level) => ({ ...level, at: last })) },
          mark: { type: 'text' as const, ...text, fill: 'var(--muted)' },
          encoding: { x: x('at'), y: y('error'), text: { field: 'name' } },
        },
        {
          data,
          mark: { type: 'rule' as const, strokeWidth: 1.2 },
          encoding: { x: x('epsilon'), y: y('low'), y2: { field: 'high' }, stroke },
        },
        {
          data,
          mark: { type: 'line' as const, strokeWidth: 2 },
          encoding: { x: x('epsilon'), y: y('error'), stroke },
        },
        {
          data,
          mark: { type: 'point' as const, size: 45, filled: true, opacity: 1 },
          encoding: {
            x: x('epsilon'),
            y: y('error'),
            fill: stroke,
            shape: { field: 'series', type: 'nominal' as const, scale: { domain: names, range: shapes }, legend },
          },
        },
      ],
    };
  };
  const spec: TopLevelSpec = {
    padding: 8,
    concat: panels.map(panel),
    columns: 4,
    resolve: { scale: { y: 'independent' }, legend: { stroke: 'shared', fill: 'shared', shape: 'shared' } },
  };
  const draw = await drawer();
  return plotFile(await draw({ label: caption, spec }), { caption });
};
