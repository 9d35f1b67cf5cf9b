import { kindOf } from '../../domain/attribute/kinds/kinds.js';
import { significant } from '../number-text.js';
import type { BarShare, OneWay } from './one-way.js';

/** A bar that is a stretch of its attribute's line. */
export type SpanBar = BarShare & { readonly span: readonly [from: number, to: number] };

/** Bars of unequal width: what is drawn is the share of a stretch of one width, so that areas are shares. */
export interface Density {
  readonly bars: readonly SpanBar[];
  /** Stretches without an end, or so long that the others would vanish beside them: they are told in words. */
  readonly beside: readonly BarShare[];
  /** Heights are shares of so much of the line: the width of the narrowest bar. */
  readonly unit: number;
  /** The unit in words: "18", "31 days". */
  readonly unitText: string;
}

/** Widths that differ by less are equal to the eye, and months are: 31 days are 1.11 times 28. */
const equal = 1.2;
/** The narrowest bar must not be less than this part of the plot while an end takes many times the usual width. */
const narrowest = 1 / 100;
const manyTimes = 6;

const widthOf = ({ span: [from, to] }: SpanBar): number => to - from;

/** The bars without the ends that would leave no room for the others. */
const roomy = (bars: readonly SpanBar[]): readonly SpanBar[] => {
  const widths = bars.map(widthOf);
  const usual = [...widths].sort((a, b) => a - b)[Math.floor(widths.length / 2)];
  const whole = widths.reduce((sum, width) => sum + width, 0);
  const [first, last] = [widths[0], widths[widths.length - 1]];
  if (bars.length < 3 || Math.min(...widths) >= whole * narrowest || Math.max(first, last) < usual * manyTimes)
    return bars;
  return roomy(first > last ? bars.slice(1) : bars.slice(0, -1));
};

/**
 * How to draw bars of unequal width; undefined where widths are equal, or nothing is known of them. Bins of equal ratios are equal on
 * the axis that they were made for, and stay shares.
 */
export const densityOf = ({ attribute: { spec }, bars }: OneWay): Density | undefined => {
  if ('scale' in spec && spec.scale === 'log') return undefined;
  const spans = bars.filter((bar): bar is SpanBar => bar.span !== undefined);
  const closed = spans.filter((bar) => Number.isFinite(widthOf(bar)));
  if (closed.length < 2) return undefined;
  const drawn = roomy(closed);
  const widths = drawn.map(widthOf);
  const unit = Math.min(...widths);
  if (Math.max(...widths) <= unit * equal && drawn.length === closed.length) return undefined;
  const { unit: counted } = kindOf(spec).line;
  return {
    bars: drawn,
    beside: spans.filter((bar) => !drawn.includes(bar)),
    unit,
    unitText: counted === undefined ? significant(unit) : `${significant(unit)} ${counted}`,
  };
};
