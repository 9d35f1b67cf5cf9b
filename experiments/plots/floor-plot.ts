import type { TopLevelSpec } from 'vega-lite';
import { drawer } from '../../src/report/plots/draw.js';
import { plotFile } from '../../src/report/plots/plot-page.js';

/** Errors over budgets in one setting, with the floor that no weighting of the public rows goes below. */
export interface FloorPanel {
  readonly title: string;
  /** Error of the public table as it is: a level line. */
  readonly asIs: number;
  /** Best mixture error: all below it is shaded. */
  readonly floor: number;
  readonly points: readonly {
    readonly series: string;
    readonly epsilon: number;
    readonly error: number;
    readonly standardError: number;
  }[];
}

export interface FloorPlot {
  /** What the picture shows, a line above it. */
  readonly caption: string;
  readonly panels: readonly FloorPanel[];
}

/** Readable on light and on dark; shapes differ too, for those who tell colours apart badly. */
const colours = ['#4a8fc2', '#d0702a', '#4d9e62'];
const shapes = ['circle', 'square', 'triangle-up'];

/** Panels side by side in rows of two, on common logarithmic scales, as an SVG of its own. */
export const floorPlot = async ({ caption, panels }: FloorPlot): Promise<string> => {
  const all = panels.flatMap(({ asIs, floor, points }) => [asIs, floor, ...points.map(({ error }) => error)]);
  const [least, most] = [Math.min(...all) / 1.5, Math.max(...all) * 1.3];
  const epsilons = [...new Set(panels.flatMap(({ points }) => points.map(({ epsilon }) => epsilon)))].sort(
    (a, b) => a - b,
  );
  const [first, last] = [epsilons[0] / 1.15, epsilons[epsilons.length - 1] * 1.15];
  const names = [...new Set(panels.flatMap(({ points }) => points.map(({ series }) => series)))];
  const muted = { titleColor: 'var(--muted)', titleFontWeight: 'normal' as const };
  const x = (field: string) => ({
    field,
    type: 'quantitative' as const,
    scale: { type: 'log' as const, domain: [first, last], nice: false },
    axis: { ...muted, title: 'epsilon', values: epsilons, format: '~g', grid: false },
  });
  const y = (field: string) => ({
    field,
    type: 'quantitative' as const,
    scale: { type: 'log' as const, domain: [least, most], nice: false },
    axis: { ...muted, title: 'largest error of a cell', format: '~g', tickCount: 5 },
  });
  const legend = { labelColor: 'var(--ink)', labelFontSize: 11, labelLimit: 240, title: null, symbolStrokeWidth: 2 };
  const stroke = { field: 'series', type: 'nominal' as const, scale: { domain: names, range: colours }, legend };
  const panel = ({ title, asIs, floor, points }: FloorPanel) => {
    const levels = [
      { name: 'public as it is', error: asIs },
      { name: 'best mixture error', error: floor },
    ];
    const drawn = points.map((point) => ({
      ...point,
      low: Math.max(point.error - point.standardError, least),
      high: point.error + point.standardError,
    }));
    return {
      title: {
        text: title,
        color: 'var(--ink)',
        fontSize: 12,
        fontWeight: 'normal' as const,
        anchor: 'start' as const,
      },
      width: 300,
      height: 220,
      layer: [
        {
          data: { values: [{ from: first, to: last, low: least, high: floor }] },
          mark: { type: 'rect' as const, fill: 'var(--grid)', opacity: 0.8 },
          encoding: { x: x('from'), x2: { field: 'to' }, y: y('low'), y2: { field: 'high' } },
        },
        {
          data: { values: levels },
          mark: { type: 'rule' as const, stroke: 'var(--muted)', strokeDash: [5, 4] },
          encoding: { y: y('error') },
        },
        {
          data: { values: levels.map((level) => ({ ...level, at: last })) },
          mark: {
            type: 'text' as const,
            align: 'right' as const,
            baseline: 'bottom' as const,
            dx: -4,
            dy: -2,
            fill: 'var(--muted)',
            fontSize: 10.5,
          },
          encoding: { x: x('at'), y: y('error'), text: { field: 'name' } },
        },
        {
          data: { values: drawn },
          mark: { type: 'rule' as const, strokeWidth: 1.2 },
          encoding: { x: x('epsilon'), y: y('low'), y2: { field: 'high' }, stroke },
        },
        {
          data: { values: drawn },
          mark: { type: 'line' as const, strokeWidth: 2 },
          encoding: { x: x('epsilon'), y: y('error'), stroke },
        },
        {
          data: { values: drawn },
          mark: { type: 'point' as const, size: 50, filled: true, opacity: 1 },
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
    columns: 2,
    resolve: { legend: { stroke: 'shared', fill: 'shared', shape: 'shared' } },
  };
  const draw = await drawer();
  return plotFile(await draw({ label: caption, spec }), { caption });
};
