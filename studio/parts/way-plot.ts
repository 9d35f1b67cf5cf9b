import { html, nothing, svg, type TemplateResult } from 'lit-html';
import type { ShownWay } from '../core/look.js';
import type { Words } from '../words.js';

/** One bar of a picture. */
interface Bar {
  readonly label: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly public: number | undefined;
}

/** Bars in a column of names, at most; beyond them an order is drawn as a skyline, and names are folded. */
const mostNamed = 12;

const barsOf = ({ labels, values, low, high, public: open }: ShownWay): Bar[] =>
  labels.map((label, i) => ({ label, value: values[i], low: low[i], high: high[i], public: open?.[i] }));

/** The largest cells by name; what is left is one bar without bounds. */
const folded = (bars: readonly Bar[], rest: string): Bar[] => {
  if (bars.length <= mostNamed) return [...bars];
  const sorted = [...bars].sort((one, other) => other.value - one.value);
  const kept = sorted.slice(0, mostNamed - 1);
  const others = sorted.slice(mostNamed - 1);
  const sum = (of: (bar: Bar) => number): number => others.reduce((all, bar) => all + of(bar), 0);
  const hasPublic = others.every((bar) => bar.public !== undefined);
  return [
    ...kept,
    {
      label: `${rest} (${others.length})`,
      value: sum(({ value }) => value),
      low: Number.NaN,
      high: Number.NaN,
      public: hasPublic ? sum((bar) => bar.public!) : undefined,
    },
  ];
};

const topOf = (bars: readonly Bar[]): number =>
  Math.max(1e-9, ...bars.flatMap(({ value, high, public: open }) => [value, Number.isNaN(high) ? 0 : high, open ?? 0]));

const shortened = (label: string): string => (label.length > 18 ? `${label.slice(0, 17)}…` : label);

/** One attribute of a release: bars with bounds, the public table as marks. */
export const wayPlot = (way: ShownWay, words: Words, percent: (share: number) => string): TemplateResult => {
  const all = barsOf(way);
  const isSkyline = way.ordered > mostNamed;
  const spoken = [...all]
    .sort((one, other) => other.value - one.value)
    .slice(0, 4)
    .map(({ label, value }) => `${label} ${percent(value)}`)
    .join(', ');
  return isSkyline
    ? skyline(all, `${way.name}: ${spoken}`)
    : lying(folded(all, words.look.rest), `${way.name}: ${spoken}`, percent);
};

/** Names with lying bars. */
const lying = (bars: readonly Bar[], label: string, percent: (share: number) => string): TemplateResult => {
  const top = topOf(bars);
  const [left, width, line] = [118, 152, 21];
  const x = (share: number): number => left + (width * share) / top;
  return html`<svg class="way" viewBox="0 0 330 ${bars.length * line + 4}" role="img" aria-label=${label}>
    ${bars.map((bar, i) => {
      const y = i * line + 4;
      return svg`<text class="name" x=${left - 8} y=${y + 11} text-anchor="end">${shortened(bar.label)}</text>
        <rect class="released" x=${left} y=${y + 2} width=${Math.max(0.5, x(bar.value) - left)} height="11" />
        ${Number.isNaN(bar.low) ? nothing : svg`<line class="bound" x1=${x(bar.low)} x2=${x(bar.high)} y1=${y + 7.5} y2=${y + 7.5} />`}
        ${bar.public === undefined ? nothing : svg`<rect class="public" x=${x(bar.public) - 1.25} y=${y - 0.5} width="2.5" height="16" />`}
        <text class="value" x="328" y=${y + 11} text-anchor="end">${percent(bar.value)}</text>`;
    })}
  </svg>`;
};

/** About how wide a letter of a tick is. */
const tickLetter = 5.8;

/** Many cells in an order: standing bars side by side, the public table as a stepped line. */
const skyline = (bars: readonly Bar[], label: string): TemplateResult => {
  const top = topOf(bars);
  const width = 322 / bars.length;
  const y = (share: number): number => 132 - (126 * share) / top;
  const hasPublic = bars[0].public !== undefined;
  const steps = bars
    .map(({ public: open = 0 }, i) => `${i === 0 ? 'M' : 'L'}${4 + i * width},${y(open)}H${4 + (i + 1) * width}`)
    .join('');
  const every = Math.max(1, Math.ceil(bars.length / 5));
  let end = 0;
  const ticks = bars.flatMap((bar, i) => {
    const x = 4 + i * width;
    if (i % every !== 0 || x < end) return [];
    const text = shortened(bar.label);
    end = x + tickLetter * text.length + 8;
    return [{ x, text }];
  });
  return html`<svg class="way" viewBox="0 0 330 152" role="img" aria-label=${label}>
    ${bars.map(({ value, low, high }, i) => {
      const x = 4 + i * width;
      return svg`<rect class="released" x=${x} y=${y(value)} width=${Math.max(0.4, width - (width > 4 ? 1 : 0.15))} height=${132 - y(value)} />
        ${Number.isNaN(low) || width < 2.2 ? nothing : svg`<line class="bound" x1=${x + width / 2} x2=${x + width / 2} y1=${y(low)} y2=${y(high)} />`}`;
    })}
    ${hasPublic ? svg`<path class="public-line" d=${steps} />` : nothing}
    ${ticks.map(({ x, text }) => svg`<text class="tick" x=${x} y="147">${text}</text>`)}
  </svg>`;
};
