/** Values in rows and columns, to be drawn as coloured cells. */
export interface HeatMap {
  readonly title: string;
  readonly rowLabels: readonly string[];
  /** What the columns are, such as "88 PUMAs of Illinois". */
  readonly columns: string;
  /** values[row][column]; a cell without a value is undefined. */
  readonly values: readonly (readonly (number | undefined)[])[];
  /** The values at the two ends of the colours; values beyond take the end's. */
  readonly from: number;
  readonly to: number;
}

/** Light to dark, evenly spaced in lightness; read the other way round on a dark page, so that more always stands out more. */
const colours = ['#eaf3fb', '#cfe3f4', '#a9cde9', '#7db2db', '#5395c8', '#3177ae', '#1b588d', '#0d3a66'];
const cell = { width: 8, height: 16 };
const margin = { left: 44, top: 30, bottom: 44 };

const quoted = (text: string): string =>
  text.replace(/[&<>"]/g, (letter) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[letter] ?? letter);

/** An SVG of its own, readable on light and dark pages: one path for each colour, so hundreds of cells stay small. */
export const heatMap = ({ title, rowLabels, columns, values, from, to }: HeatMap): string => {
  const bins = colours.length;
  const paths = colours.map(() => '');
  values.forEach((row, r) => {
    row.forEach((value, c) => {
      if (value === undefined) return;
      const bin = Math.max(0, Math.min(bins - 1, Math.floor(((value - from) / (to - from)) * bins)));
      paths[bin] += `M${margin.left + c * cell.width} ${margin.top + r * cell.height}h7v15h-7z`;
    });
  });
  const wide = Math.max(...values.map((row) => row.length));
  const width = Math.max(margin.left + wide * cell.width + 8, 420);
  const bottom = margin.top + values.length * cell.height;
  const style = [
    'text{font:11px system-ui,sans-serif;fill:#222}',
    ...colours.map((colour, bin) => `.c${bin}{fill:${colour}}`),
    '@media(prefers-color-scheme:dark){text{fill:#ddd}',
    ...colours.map((_, bin) => `.c${bin}{fill:${colours[bins - 1 - bin]}}`),
    '}',
  ].join('');
  const legend = colours
    .map((_, bin) => `<rect class="c${bin}" x="${margin.left + bin * 16}" y="${bottom + 20}" width="16" height="10"/>`)
    .join('');
  const label = (x: number, y: number, text: string, anchor = 'start'): string =>
    `<text x="${x}" y="${y}" text-anchor="${anchor}">${quoted(text)}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${bottom + margin.bottom}" role="img">`,
    `<title>${quoted(title)}</title><style>${style}</style>`,
    label(margin.left, 16, title),
    ...rowLabels.map((text, r) => label(margin.left - 6, margin.top + r * cell.height + 12, text, 'end')),
    ...paths.map((path, bin) => (path === '' ? '' : `<path class="c${bin}" d="${path}"/>`)),
    label(margin.left, bottom + 14, columns),
    legend,
    label(margin.left + bins * 16 + 6, bottom + 29, `${from} to ${to}`),
    '</svg>',
    '',
  ]
    .filter((line, i, lines) => line !== '' || i === lines.length - 1)
    .join('\n');
};
