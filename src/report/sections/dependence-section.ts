import { type Html, html, named } from '../html.js';
import { behind, figure, paragraph, type Section, table } from '../layout.js';
import { count, plural } from '../number-text.js';
import type { Plot } from '../plots/draw.js';
import { type Colours, type Heat, heatKey, heatPlot } from '../plots/heat-plot.js';
import type { Dependence } from './dependence.js';

/** Attributes in a map; of more, those that depend most on others. */
const mostAttributes = 40;
/** Pairs in the tables. */
const mostRows = 12;
const mostTableRows = 400;

/** The colours of a difference reach to this at least, so that what is hardly there looks it. */
const leastReach = 0.21;

interface Pair {
  readonly i: number;
  readonly j: number;
  readonly released: number;
  readonly prior?: number | undefined;
}

const pairsOf = (released: Dependence, prior?: Dependence): Pair[] =>
  released.values.flatMap((row, i) =>
    Array.from(row, (value, j) => ({ i, j, released: value, prior: prior?.values[i][j] })).filter(
      (pair) => !Number.isNaN(pair.released),
    ),
  );

/** The attributes of the map, in the order of the table. */
const chosen = ({ names, values }: Dependence): number[] => {
  if (names.length <= mostAttributes) return names.map((_, i) => i);
  const strongest = names.map((_, i) =>
    names.reduce((most, __, j) => {
      const value = i === j ? 0 : values[Math.max(i, j)][Math.min(i, j)];
      return value > most ? value : most;
    }, 0),
  );
  return names
    .map((_, i) => i)
    .sort((a, b) => strongest[b] - strongest[a] || a - b)
    .slice(0, mostAttributes)
    .sort((a, b) => a - b);
};

const two = (value: number): string => value.toFixed(2);
const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`;

/** Maps of Cramér's V in the release, in the public table, and of the difference. */
export const dependenceSection = async (
  released: Dependence,
  prior: Dependence | undefined,
  draw: (plot: Plot) => Promise<Html>,
): Promise<Section> => {
  const shown = chosen(released);
  const names = shown.map((i) => released.names[i]);
  const size = Math.max(10, Math.min(26, Math.floor(370 / names.length)));
  const growing: Colours = { kind: 'growing', from: 0, to: 1 };
  const pairs = pairsOf(released, prior);
  const differences = pairs.flatMap(({ released: a, prior: b }) => (b === undefined ? [] : [Math.abs(a - b)]));
  const widest = Math.max(leastReach, ...differences);
  const twoSided: Colours = { kind: 'two-sided', from: -widest, to: widest };
  const map = async (
    id: string,
    title: string,
    colours: Colours,
    of: (i: number, j: number) => number,
    text: (value: number) => string,
    key: Html,
  ): Promise<Html> => {
    const values = shown.map((i, row) => shown.slice(0, row).map((j) => of(i, j)));
    const heat: Heat = {
      label: `${title}: Cramér’s V of ${plural(pairs.length, 'pair')} of attributes; the table below has the numbers`,
      rows: names,
      columns: names,
      values,
      told: (row, column) => `${names[row]} and ${names[column]}: ${text(values[row][column])}`,
      colours,
      cell: [size, size],
    };
    return html`<div><h3>${title}</h3>${figure(id, await draw(heatPlot(heat)), key)}</div>`;
  };
  const ofReleased = (i: number, j: number): number => released.values[i][j];
  const strength = heatKey(growing, 'independent 0', '1 determined');
  const maps = [await map('plot-dependence-released', 'In the release', growing, ofReleased, two, strength)];
  if (prior !== undefined) {
    const ofPrior = (i: number, j: number): number => prior.values[i][j];
    const ofBoth = (i: number, j: number): number => ofReleased(i, j) - ofPrior(i, j);
    const change = heatKey(twoSided, `weaker ${signed(-widest)}`, `${signed(widest)} stronger`);
    maps.push(
      await map('plot-dependence-public', 'In the public table', growing, ofPrior, two, strength),
      await map('plot-dependence-difference', 'Release less public table', twoSided, ofBoth, signed, change),
    );
  }
  return {
    id: 'dependence',
    title: 'How attributes go together',
    body: html`${paragraph(
      'Each cell is a pair of attributes; the colour is Cramér’s V: 0 where one says nothing about the other, 1 where it determines it, corrected for the dependence that chance alone would show.',
      released.names.length > mostAttributes
        ? `Of ${plural(released.names.length, 'attribute')} the maps show the ${mostAttributes} that depend most on others.`
        : undefined,
      ...sampledWords(released, prior),
    )}<div class="maps">${maps}${notablePairs(released, pairs, prior !== undefined)}</div>${behind('Numbers', allPairs(released, pairs))}`,
  };
};

const sampledWords = (released: Dependence, prior?: Dependence): string[] => [
  ...(released.sampled === undefined
    ? []
    : [`The release’s values are from ${count(released.sampled)} rows drawn from the model.`]),
  ...(prior?.sampled === undefined ? [] : [`The public table’s are from ${count(prior.sampled)} of its rows.`]),
];

const columnsOf = (withPrior: boolean) => [
  { title: 'pair' },
  { title: 'released', number: true },
  ...(withPrior
    ? [
        { title: 'public', number: true },
        { title: 'change', number: true },
      ]
    : []),
];

const rowOf = ({ names }: Dependence, { i, j, released, prior }: Pair) => [
  named(`${names[j]} × ${names[i]}`, 40),
  two(released),
  ...(prior === undefined ? [] : [two(prior), signed(released - prior)]),
];

/** Pairs that changed most, or are strongest where there is nothing to compare with. */
const notablePairs = (released: Dependence, pairs: readonly Pair[], withPrior: boolean): Html => {
  const weight = (pair: Pair): number =>
    pair.prior === undefined ? pair.released : Math.abs(pair.released - pair.prior);
  const rows = [...pairs]
    .sort((a, b) => weight(b) - weight(a))
    .slice(0, mostRows)
    .map((pair) => rowOf(released, pair));
  return html`<div class="pairs"><h3>${withPrior ? 'Pairs that changed most' : 'Strongest pairs'}</h3>${table(columnsOf(withPrior), rows)}<p class="small narrow">${remark}</p></div>`;
};

/** A strength is never negative, so errors raise weak ones: replicates share that, and cannot tell it. */
const remark =
  'Noise, and weights on rows, make weak pairs look more dependent than they are, by some hundredths and more where the release moved far from the public table: a change below 0.1 need not be real.';

const allPairs = (released: Dependence, pairs: readonly Pair[]): Html => {
  const rows = [...pairs]
    .sort((a, b) => b.released - a.released)
    .slice(0, mostTableRows)
    .map((pair) => rowOf(released, pair));
  const caption =
    pairs.length > mostTableRows ? `The ${mostTableRows} strongest of ${count(pairs.length)} pairs` : undefined;
  return table(columnsOf(pairs.some(({ prior }) => prior !== undefined)), rows, caption);
};
