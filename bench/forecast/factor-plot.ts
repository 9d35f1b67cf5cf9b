/** How far a forecast was off: the time by the clock, processor time and memory that it took, over what was foretold. */
export interface Factor {
  readonly name: string;
  readonly time: number;
  readonly processor: number;
  readonly memory: number;
  readonly threads: number;
}

const [left, right, line, top] = [330, 20, 18, 40];
const width = 760;
/** The axis goes from a quarter to four times what was foretold. */
const [least, most] = [1 / 4, 4];
const at = (factor: number): number => {
  const inside = Math.min(most, Math.max(least, factor));
  return left + ((width - left - right) * Math.log(inside / least)) / Math.log(most / least);
};

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** A line for each shape, with points for time (round) and memory (square), one thread (hollow) and two (filled); within a factor of two is shaded. */
export const factorPlot = (factors: readonly Factor[]): string => {
  const names = [...new Set(factors.map(({ name }) => name))];
  const height = top + line * names.length + 30;
  const ticks = [0.25, 0.5, 1, 2, 4]
    .map(
      (tick) =>
        `<line x1="${at(tick)}" x2="${at(tick)}" y1="${top - 6}" y2="${height - 28}" stroke="#ccc"/><text x="${at(tick)}" y="${height - 12}" text-anchor="middle">${tick}</text>`,
    )
    .join('');
  const mark = ({ name, threads }: Factor, value: number, isTime: boolean): string => {
    const [x, y] = [at(value), top + line * (names.indexOf(name) + 0.5)];
    const colour = isTime ? '#1f6fb4' : '#c4601d';
    const paint = `stroke="${colour}" fill="${threads === 1 ? 'white' : colour}"`;
    const title = `<title>${escaped(name)}, ${isTime ? 'time' : 'memory'}, ${threads === 1 ? 'one thread' : `${threads} threads`}: ${value.toFixed(2)}</title>`;
    return isTime
      ? `<circle cx="${x}" cy="${y}" r="4" ${paint}>${title}</circle>`
      : `<rect x="${x - 3.5}" y="${y - 3.5}" width="7" height="7" ${paint}>${title}</rect>`;
  };
  const marks = factors.map((factor) => `${mark(factor, factor.memory, false)}${mark(factor, factor.time, true)}`);
  const labels = names.map(
    (name, i) => `<text x="${left - 8}" y="${top + line * (i + 0.5) + 4}" text-anchor="end">${escaped(name)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11">
<title>What releases took over what was forecast</title>
<rect x="${at(0.5)}" y="${top - 6}" width="${at(2) - at(0.5)}" height="${height - top - 22}" fill="#eef4ea"/>
<text x="${left}" y="20">taken / forecast: time (round), memory (square); one thread hollow, two filled</text>
${ticks}${labels.join('')}${marks.join('')}
</svg>
`;
};
