import type { TopLevelSpec } from 'vega-lite';
import { cut, type Html, html, trusted, visible } from '../html.js';
import type { Plot } from './draw.js';

/** Values in rows and columns, drawn as coloured cells. */
export interface Heat {
  /** For those who cannot see it. */
  readonly label: string;
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  /** values[row][column]; NaN is left blank, what a row has not is not drawn. */
  readonly values: readonly ArrayLike<number>[];
  /** What a pointer reads on a cell. */
  readonly told: (row: number, column: number) => string;
  readonly colours: Colours;
  /** Width and height of a cell in pixels. */
  readonly cell: readonly [width: number, height: number];
}

/** Steps from `from` to `to`: of one colour from faint to strong, or of two from one end over nothing to the other. */
export interface Colours {
  readonly kind: 'growing' | 'two-sided';
  readonly from: number;
  readonly to: number;
}

/** Colours of a scale; the page has the properties --growing-0 ... and --two-sided-0 ... */
export const steps = 7;

const stepOf = (value: number, { from, to }: Colours): number =>
  to > from ? Math.max(0, Math.min(steps - 1, Math.floor(((value - from) / (to - from)) * steps))) : 0;

const stepColours = (kind: Colours['kind']): string[] =>
  Array.from({ length: steps }, (_, step) => `var(--${kind}-${step})`);

/** Names are cut to this, and have room for as many letters as the longest has. */
const mostLetters = 15;
/** Text needs this much. */
const lineHeight = 10;

export const heatPlot = ({ label, rows, columns, values, told, colours, cell: [width, height] }: Heat): Plot => {
  const cells = values.flatMap((row, r) =>
    Array.from(row, (value, c) => ({ r, c, value })).filter(({ value }) => !Number.isNaN(value)),
  );
  const names = (list: readonly string[], size: number) => {
    const every = Math.max(1, Math.ceil(lineHeight / size));
    return list
      .map((name, i) => ({ i, name: visible(name), text: cut(name, mostLetters) }))
      .filter(({ i }) => i % every === 0);
  };
  const domain = (list: readonly unknown[]) => list.map((_, i) => i);
  const x = { type: 'ordinal' as const, axis: null, scale: { domain: domain(columns), padding: 0 } };
  const y = { type: 'ordinal' as const, axis: null, scale: { domain: domain(rows), padding: 0 } };
  const font = Math.max(8, Math.min(10.5, Math.min(width, height)));
  const room = (list: readonly string[]): number =>
    10 + 0.62 * font * Math.max(3, ...list.map((name) => [...cut(name, mostLetters)].length));
  const spec: TopLevelSpec = {
    autosize: { type: 'none' },
    padding: { left: Math.ceil(room(rows)), right: 4, top: 2, bottom: Math.ceil(room(columns)) },
    width: width * columns.length,
    height: height * rows.length,
    layer: [
      {
        data: {
          values: cells.map(({ r, c, value }) => ({ r, c, step: stepOf(value, colours), told: visible(told(r, c)) })),
        },
        mark: { type: 'rect', stroke: 'var(--paper)', strokeWidth: width < 8 ? 0.5 : 1 },
        encoding: {
          x: { field: 'c', ...x },
          y: { field: 'r', ...y },
          fill: {
            field: 'step',
            type: 'ordinal',
            legend: null,
            scale: { domain: Array.from({ length: steps }, (_, step) => step), range: stepColours(colours.kind) },
          },
          description: { field: 'told' },
        },
      },
      {
        data: { values: names(rows, height) },
        mark: { type: 'text', align: 'right', baseline: 'middle', x: -5, fontSize: font },
        encoding: { y: { field: 'i', ...y }, text: { field: 'text' }, description: { field: 'name' } },
      },
      {
        data: { values: names(columns, width) },
        mark: {
          type: 'text',
          align: 'right',
          baseline: 'middle',
          angle: 270,
          y: height * rows.length + 5,
          fontSize: font,
        },
        encoding: { x: { field: 'i', ...x }, text: { field: 'text' }, description: { field: 'name' } },
      },
    ],
  };
  return { label, spec };
};

/** The colours of a heat map and the values at their ends. */
export const heatKey = ({ kind }: Colours, low: string, high: string): Html => {
  const swatches = stepColours(kind).map((colour) => trusted(`<i style="background:${colour}"></i>`));
  return html`<p class="key"><span>${low}</span> <span class="ramp" aria-hidden="true">${swatches}</span> <span>${high}</span></p>`;
};
