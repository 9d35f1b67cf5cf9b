import type { TopLevelSpec } from 'vega-lite';
import { drawer } from '../../src/report/plots/draw.js';
import { plotFile } from '../../src/report/plots/plot-page.js';

/** One bar: a median over runs, and the range of the runs. */
export interface Bar {
  /** Where it stands along the axis, such as the name of a table. */
  readonly group: string;
  /** Which of a group's bars it is. */
  readonly series: string;
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

export interface BarPlot {
  /** What the picture shows, a line above it. */
  readonly caption: string;
  readonly panels: readonly { readonly title: string; readonly bars: readonly Bar[] }[];
  readonly axis: string;
}

/** Readable on light and on dark. */
const colours = ['#9aa5b1', '#4a8fc2', '#4d9e62'];

/** Panels in rows of two, bars side by side in groups on a logarithmic scale from a common floor, as an SVG of its own. */
export const barPlot = async ({ caption, panels, axis }: BarPlot): Promise<string> => {
  const all = panels.flatMap(({ bars }) => bars);
  const floor = Math.min(...all.map(({ least }) => least)) / 1.5;
  const most = Math.max(...all.map((bar) => bar.most)) * 1.2;
  const unique = (values: readonly string[]): string[] => [...new Set(values)];
  const groups = unique(all.map(({ group }) => group));
  const names = unique(all.map(({ series }) => series));
  const muted = { titleColor: 'var(--muted)', titleFontWeight: 'normal' as const };
  const scale = { type: 'log' as const, domain: [floor, most], nice: false };
  const x = {
    field: 'group',
    type: 'nominal' as const,
    scale: { domain: groups },
    axis: { ...muted, title: null, labelAngle: 0 },
  };
  const xOffset = { field: 'series', type: 'nominal' as const, scale: { domain: names } };
  const legend = { labelColor: 'var(--ink)', labelFontSize: 11, labelLimit: 240, title: null };
  const panel = ({ title, bars }: BarPlot['panels'][number]) => ({
    title: { text: title, color: 'var(--ink)', anchor: 'start' as const, fontSize: 12 },
    width: 330,
    height: 190,
    data: { values: bars.map((bar) => ({ ...bar, floor })) },
    encoding: { x, xOffset },
    layer: [
      {
        mark: { type: 'bar' as const },
        encoding: {
          y: {
            field: 'median',
            type: 'quantitative' as const,
            scale,
            axis: { ...muted, title: axis, format: '~g', tickCount: 5 },
          },
          y2: { field: 'floor' },
          fill: { field: 'series', type: 'nominal' as const, scale: { domain: names, range: colours }, legend },
        },
      },
      {
        mark: { type: 'rule' as const, stroke: 'var(--ink)' },
        encoding: { y: { field: 'least', type: 'quantitative' as const, scale }, y2: { field: 'most' } },
      },
    ],
  });
  const spec = {
    padding: 8,
    columns: 2,
    spacing: 24,
    concat: panels.map(panel),
    resolve: { legend: { fill: 'shared' } },
  };
  const draw = await drawer();
  return plotFile(await draw({ label: caption, spec: spec as TopLevelSpec }), { caption });
};
