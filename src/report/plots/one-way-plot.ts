import type { TopLevelSpec } from 'vega-lite';
import { cut, visible } from '../html.js';
import { percent } from '../number-text.js';
import { densityOf } from './bar-density.js';
import { barText, fill, shareAxis, startOf, tall } from './bar-marks.js';
import { densitySpec } from './density-plot.js';
import type { Plot } from './draw.js';
import type { BarShare, OneWay } from './one-way.js';

/** Size of a plot in pixels, and the room beside it for labels. */
const wide = { plot: 200, left: 130, right: 46 };
const barHeight = 19;
/** From so many bars on, ordered values stand side by side. */
const manyBars = 13;

const valuesOf = (bars: readonly BarShare[]) =>
  bars.map((bar, i) => ({
    i,
    label: cut(bar.label, 19),
    name: visible(bar.label),
    share: bar.released,
    text: percent(bar.released),
    told: barText(bar),
    aside: bar.aside,
    prior: bar.prior,
    low: bar.bounds?.[0],
    high: bar.bounds?.[1],
    end: Math.max(bar.released, bar.prior ?? 0, bar.bounds?.[1] ?? 0),
  }));

/** The greatest share that the plot must hold, with a little room. */
const roomFor = (values: ReturnType<typeof valuesOf>): number => Math.max(...values.map(({ end }) => end), 1e-9) * 1.02;

/** Whether the bars of a plot stand side by side; then those that are no value in the order are told in words instead. */
const stands = ({ ordered, bars }: OneWay): boolean => ordered && bars.length >= manyBars;

/** A cell for values that are not listed, or for empty ones, that nobody uses: it is in the table and not in the plot. */
const isEmpty = ({ aside, released, prior = 0 }: BarShare): boolean => aside && released < 5e-5 && prior < 5e-5;

/** What a plot of standing bars leaves out. */
export const leftOut = (way: OneWay): readonly string[] => {
  const density = densityOf(way);
  if (density === undefined && !stands(way)) return [];
  const aside = way.bars.filter((bar) => bar.aside && !isEmpty(bar));
  return [...(density?.beside ?? []), ...aside].map(barText);
};

/** What heights are where bins are of unequal width. */
export const heightText = (way: OneWay): string | undefined => {
  const density = densityOf(way);
  return density && `bins of unequal width: areas are shares, heights shares per ${density.unitText}`;
};

/** Bars of released shares, a mark for each public share, and a line from bound to bound. */
export const oneWayPlot = (way: OneWay): Plot => {
  const { attribute, bars, distance } = way;
  const off = distance === undefined ? '' : `, ${percent(distance)} from the public table`;
  const density = densityOf(way);
  return {
    label: `Distribution of ${attribute.name} in ${bars.length} bars${off}; the table below has the numbers`,
    spec: density !== undefined ? densitySpec(density) : stands(way) ? standing(way) : lying(way),
  };
};

const lying = ({ bars }: OneWay): TopLevelSpec => {
  const values = valuesOf(bars.filter((bar) => !isEmpty(bar)));
  const y = { field: 'i', type: 'ordinal', axis: null } as const;
  const x = (field: string) => ({
    field,
    type: 'quantitative' as const,
    scale: { domain: [0, roomFor(values)] },
    axis: shareAxis,
  });
  return {
    autosize: { type: 'none' },
    padding: { left: wide.left, right: wide.right, top: 2, bottom: 20 },
    width: wide.plot,
    height: values.length * barHeight,
    data: { values },
    layer: [
      {
        mark: { type: 'bar', height: 11 },
        encoding: { y, x: x('share'), fill, description: { field: 'told' } },
      },
      {
        transform: [{ filter: 'isValid(datum.low)' }],
        mark: { type: 'rule', stroke: 'var(--bound)', strokeWidth: 1.5, aria: false },
        encoding: { y, x: x('low'), x2: { field: 'high' } },
      },
      {
        transform: [{ filter: 'isValid(datum.prior)' }],
        mark: { type: 'tick', thickness: 2.5, size: 15, opacity: 1, fill: 'var(--prior)', aria: false },
        encoding: { y, x: x('prior') },
      },
      {
        mark: { type: 'text', align: 'right', baseline: 'middle', x: -7 },
        encoding: { y, text: { field: 'label' }, description: { field: 'name' } },
      },
      {
        mark: {
          type: 'text',
          align: 'left',
          baseline: 'middle',
          dx: 5,
          fill: 'var(--muted)',
          fontSize: 10.5,
          aria: false,
        },
        encoding: { y, x: x('end'), text: { field: 'text' } },
      },
    ],
  };
};

const standing = ({ bars }: OneWay): TopLevelSpec => {
  const values = valuesOf(bars.filter(({ aside }) => !aside));
  const long = values.some(({ name }) => [...name].length > 7);
  const tags = values.map(({ name }) => cut(long ? startOf(name) : name, 10));
  const room = Math.max(...tags.map((tag) => tag.length)) * 6 + 12;
  const every = Math.max(1, Math.ceil((room * values.length) / tall.plot));
  const labels = tags.map((tag, i) => ({ i, tag })).filter(({ i }) => i % every === 0);
  const x = {
    field: 'i',
    type: 'ordinal',
    axis: null,
    scale: { paddingInner: values.length > 60 ? 0 : 0.15 },
  } as const;
  const y = (field: string) => ({
    field,
    type: 'quantitative' as const,
    scale: { domain: [0, roomFor(values)] },
    axis: shareAxis,
  });
  const band = tall.plot / values.length;
  return {
    autosize: { type: 'none' },
    padding: { left: tall.left, right: tall.right, top: 6, bottom: 20 },
    width: tall.plot,
    height: tall.height,
    data: { values },
    layer: [
      { mark: { type: 'bar' }, encoding: { x, y: y('share'), fill, description: { field: 'told' } } },
      {
        transform: [{ filter: 'isValid(datum.low)' }],
        mark: { type: 'rule', stroke: 'var(--bound)', strokeWidth: Math.min(1.25, band / 3), aria: false },
        encoding: { x, y: y('low'), y2: { field: 'high' } },
      },
      {
        transform: [{ filter: 'isValid(datum.prior)' }],
        mark: {
          type: 'tick',
          thickness: 2,
          size: Math.max(2, band * 0.95),
          opacity: 1,
          fill: 'var(--prior)',
          aria: false,
        },
        encoding: { x, y: y('prior') },
      },
      {
        data: { values: labels },
        mark: { type: 'text', baseline: 'top', y: tall.height + 6, fill: 'var(--muted)', fontSize: 10, aria: false },
        encoding: { x, text: { field: 'tag' } },
      },
    ],
  };
};
