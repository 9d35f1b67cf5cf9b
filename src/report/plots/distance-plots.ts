import type { TopLevelSpec } from 'vega-lite';
import type { MarginalDistance } from '../../evaluate/compare-marginals.js';
import { cut, visible } from '../html.js';
import { percent } from '../number-text.js';
import type { Plot } from './draw.js';
import { type Colours, heatPlot } from './heat-plot.js';

/** Bars of the distances of single attributes, the farthest first. */
export const attributeDistancePlot = (ways: readonly MarginalDistance[]): Plot => {
  const values = [...ways]
    .sort((a, b) => b.distance - a.distance)
    .map(({ attributes: [name], distance }, i) => ({
      i,
      label: cut(name, 19),
      name: visible(name),
      distance,
      text: percent(distance),
      told: visible(`${name}: ${percent(distance)} apart`),
    }));
  const y = { field: 'i', type: 'ordinal', axis: null } as const;
  const x = {
    field: 'distance',
    type: 'quantitative' as const,
    scale: { domain: [0, Math.max(1e-9, ...values.map(({ distance }) => distance)) * 1.02] },
    axis: { format: '~%', tickCount: 4 },
  };
  const spec: TopLevelSpec = {
    autosize: { type: 'none' },
    padding: { left: 124, right: 52, top: 2, bottom: 20 },
    width: 320,
    height: values.length * 19,
    data: { values },
    layer: [
      {
        mark: { type: 'bar', height: 11, fill: 'var(--released)' },
        encoding: { y, x, description: { field: 'told' } },
      },
      {
        mark: { type: 'text', align: 'right', baseline: 'middle', x: -7 },
        encoding: { y, text: { field: 'label' }, description: { field: 'name' } },
      },
      {
        mark: { type: 'text', align: 'left', baseline: 'middle', dx: 5, fill: 'var(--muted)', fontSize: 10.5 },
        encoding: { y, x, text: { field: 'text' } },
      },
    ],
  };
  return { label: `How far ${values.length} attributes are apart, one bar each`, spec };
};

/** The scale of a heat map of these distances. */
export const distanceColours = (ways: readonly MarginalDistance[]): Colours => ({
  kind: 'growing',
  from: 0,
  to: Math.max(1e-9, ...ways.map(({ distance }) => distance)),
});

/** A heat map of the distances of pairs of attributes; pairs that were not compared are blank. */
export const pairDistancePlot = (names: readonly string[], pairs: readonly MarginalDistance[]): Plot => {
  const found = new Map(pairs.map(({ attributes, distance }) => [JSON.stringify(attributes), distance]));
  const at = (row: number, column: number): number =>
    found.get(JSON.stringify([names[column], names[row]])) ??
    found.get(JSON.stringify([names[row], names[column]])) ??
    Number.NaN;
  const size = Math.max(6, Math.min(26, Math.floor(620 / names.length)));
  return heatPlot({
    label: `How far pairs of ${names.length} attributes are apart`,
    rows: names.slice(1),
    columns: names.slice(0, -1),
    values: names.slice(1).map((_, r) => Float64Array.from({ length: r + 1 }, (_, c) => at(r + 1, c))),
    told: (r, c) => `${names[r + 1]} and ${names[c]}: ${percent(at(r + 1, c))} apart`,
    colours: distanceColours(pairs),
    cell: [size, Math.max(10, Math.min(size, 20))],
  });
};
