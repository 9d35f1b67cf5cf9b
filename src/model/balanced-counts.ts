import type { Turns } from '../domain/turns.js';
import type { Random } from '../random/random.js';
import { shuffle } from '../random/shuffle.js';
import { uniformInteger } from '../random/uniform.js';
import { roundedCounts } from './rounded-counts.js';

/** Weighted rows: codes by attribute, with how many codes each may have. */
export interface BalancedRows {
  readonly columns: readonly ArrayLike<number>[];
  readonly sizes: readonly number[];
  /** With sum 1. */
  readonly weights: Float64Array;
}

/** Cells of all marginals that are kept in balance, cells of rows that are looked up in all, rounds of proposals, and rows in a turn. */
const mostCells = 2 ** 21;
const mostVisits = 2e8;
const mostRounds = 16;
const turn = 2 ** 8;

/** Rounds of proposals in practice. */
const usualRounds = 6;

/** Lookups of cells that balancing so many rows takes, about: half of them are rounded up, and may change places in each round. */
export const balancingVisits = (attributes: number, rows: number): number =>
  Math.min(mostVisits, (usualRounds * rows * attributes * (attributes + 1)) / 4);

/** Marginals of one or two attributes, each with the place of its first cell among all: attributes and their strides by marginal. */
interface Marginals {
  readonly first: Uint16Array;
  readonly second: Uint16Array;
  readonly stride: Uint32Array;
  readonly start: Uint32Array;
  readonly cells: number;
}

/** All single attributes, and pairs from the smallest on, as far as cells and time reach. */
const chosenMarginals = (sizes: readonly number[], rows: number): Marginals => {
  const pairs = sizes.flatMap((size, a) => sizes.slice(a + 1).map((other, i) => [a, a + 1 + i, size * other] as const));
  pairs.sort((p, q) => p[2] - q[2]);
  const most = Math.max(sizes.length, Math.floor(mostVisits / (4 * Math.max(1, rows))));
  const chosen: (readonly [number, number, number])[] = [];
  let cells = 0;
  for (const one of [...sizes.map((size, a) => [a, a, size] as const), ...pairs]) {
    if (chosen.length >= most || cells + one[2] > mostCells) break;
    chosen.push(one);
    cells += one[2];
  }
  const start = new Uint32Array(chosen.length);
  for (let m = 1; m < chosen.length; m++) start[m] = start[m - 1] + chosen[m - 1][2];
  return {
    first: Uint16Array.from(chosen, ([a]) => a),
    second: Uint16Array.from(chosen, ([, b]) => b),
    // A single attribute counts once: its other place adds nothing.
    stride: Uint32Array.from(chosen, ([a, b]) => (a === b ? 0 : sizes[b])),
    start,
    cells,
  };
};

/**
 * Whole numbers with sum `total`, each within one of `total` times its row's weight, by which the counts of single attributes and of pairs are near those of the
 * weights: systematic sampling first, and then rows that were rounded up change places with rows that were rounded down, proposed by what rounding took from them,
 * wherever the squared deviations of all those counts together fall.
 */
export function* balancedCounts(
  { columns, sizes, weights }: BalancedRows,
  total: number,
  random: Random,
): Turns<Uint32Array> {
  const counts = roundedCounts(weights, total, random);
  const length = weights.length;
  const left = Float64Array.from(weights, (weight) => total * weight - Math.floor(total * weight));
  const isUp = Uint8Array.from(counts, (count, row) => (count > Math.floor(total * weights[row]) ? 1 : 0));
  const up: number[] = [];
  for (let row = 0; row < length; row++) if (isUp[row] === 1) up.push(row);
  const whole = left.reduce((sum, part) => sum + part, 0);
  if (up.length === 0 || whole < 0.5) return counts;
  const { first, second, stride, start, cells } = chosenMarginals(sizes, length);
  const marginals = first.length;
  const into = new Uint32Array(marginals);
  const out = new Uint32Array(marginals);
  const look = (row: number, places: Uint32Array): void => {
    for (let m = 0; m < marginals; m++) {
      const code = columns[first[m]][row];
      places[m] = start[m] + (stride[m] === 0 ? code : code * stride[m] + columns[second[m]][row]);
    }
  };
  /** What each cell has above its due. */
  const above = new Float64Array(cells);
  for (let row = 0; row < length; row++) {
    if (row % turn === 0) yield;
    const due = counts[row] - total * weights[row];
    if (due === 0) continue;
    look(row, into);
    for (let m = 0; m < marginals; m++) above[into[m]] += due;
  }
  const chances = left.map((part) => part / whole);
  let visits = 0;
  for (let round = 0; round < mostRounds && visits < mostVisits; round++) {
    const proposed: number[] = [];
    roundedCounts(chances, up.length, random).forEach((times, row) => {
      if (times > 0 && isUp[row] === 0) proposed.push(row);
    });
    let accepted = 0;
    for (const [p, row] of shuffle(proposed, random).entries()) {
      if (p % turn === 0) yield;
      const place = uniformInteger(random, up.length);
      const other = up[place];
      look(row, into);
      look(other, out);
      let change = 0;
      for (let m = 0; m < marginals; m++) if (into[m] !== out[m]) change += above[into[m]] - above[out[m]] + 1;
      if (change >= 0) continue;
      for (let m = 0; m < marginals; m++) {
        above[into[m]]++;
        above[out[m]]--;
      }
      counts[row]++;
      counts[other]--;
      isUp[row] = 1;
      isUp[other] = 0;
      up[place] = row;
      accepted++;
    }
    visits += 2 * proposed.length * marginals;
    // Few proposals still help: what is left is the grain of whole rows.
    if (accepted * 200 < proposed.length) break;
  }
  return counts;
}
