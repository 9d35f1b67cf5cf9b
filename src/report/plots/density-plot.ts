import type { TopLevelSpec } from 'vega-lite';
import { cut } from '../html.js';
import type { Density } from './bar-density.js';
import { barText, fill, shareAxis, startOf, tall } from './bar-marks.js';

/** Bars as wide as their stretch and as high as their share of a stretch of one width: areas are shares. */
export const densitySpec = ({ bars, unit }: Density): TopLevelSpec => {
  const values = bars.map((bar) => {
    const [from, to] = bar.span;
    const high = (share: number): number => (share * unit) / (to - from);
    return {
      from,
      to,
      middle: (from + to) / 2,
      share: high(bar.released),
      told: barText(bar),
      prior: bar.prior === undefined ? undefined : high(bar.prior),
      low: bar.bounds && high(bar.bounds[0]),
      high: bar.bounds && high(bar.bounds[1]),
    };
  });
  const [begin, end] = [values[0].from, values[values.length - 1].to];
  const room = Math.max(1e-9, ...values.flatMap(({ share, prior = 0, high = 0 }) => [share, prior, high])) * 1.02;
  const along = (field: string) => ({
    field,
    type: 'quantitative' as const,
    axis: null,
    scale: { domain: [begin, end], nice: false, zero: false },
  });
  const up = (field: string) => ({
    field,
    type: 'quantitative' as const,
    axis: shareAxis,
    scale: { domain: [0, room] },
  });
  return {
    autosize: { type: 'none' },
    padding: { left: tall.left, right: tall.right, top: 6, bottom: 20 },
    width: tall.plot,
    height: tall.height,
    data: { values },
    layer: [
      {
        mark: { type: 'rect', stroke: 'var(--paper)', strokeWidth: bars.length > 60 ? 0 : 1 },
        encoding: {
          x: along('from'),
          x2: { field: 'to' },
          y: up('share'),
          y2: { datum: 0 },
          fill: { value: fill.value },
          description: { field: 'told' },
        },
      },
      {
        transform: [{ filter: 'isValid(datum.low)' }],
        mark: { type: 'rule', stroke: 'var(--bound)', strokeWidth: 1.25, aria: false },
        encoding: { x: along('middle'), y: up('low'), y2: { field: 'high' } },
      },
      {
        transform: [{ filter: 'isValid(datum.prior)' }],
        mark: { type: 'rule', stroke: 'var(--prior)', strokeWidth: 2, aria: false },
        encoding: { x: along('from'), x2: { field: 'to' }, y: up('prior') },
      },
      {
        data: { values: tagsOf(bars, begin, end) },
        mark: { type: 'text', baseline: 'top', y: tall.height + 6, fill: 'var(--muted)', fontSize: 10, aria: false },
        encoding: { x: along('from'), text: { field: 'tag' } },
      },
    ],
  };
};

/** Where bars begin, and where the last one ends if that is a number: as many as there is room for. */
const tagsOf = (bars: Density['bars'], begin: number, end: number): readonly { from: number; tag: string }[] => {
  const tags = bars.map(({ span: [from], label }) => ({ from, tag: cut(startOf(label), 10) }));
  const isNumber = bars.every(({ span: [from], label }) => Number(startOf(label)) === from);
  const all = isNumber ? [...tags, { from: end, tag: String(end) }] : tags;
  const kept: { from: number; tag: string }[] = [];
  let free = Number.NEGATIVE_INFINITY;
  for (const { from, tag } of all) {
    const half = tag.length * 3 + 3;
    // A long number at the very end moves in.
    const at = Math.min(((from - begin) / (end - begin)) * tall.plot, tall.plot + tall.right - half);
    if (at - half < free) continue;
    kept.push({ from: begin + (at / tall.plot) * (end - begin), tag });
    free = at + half;
  }
  return kept;
};
