import { indexOf } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import type { Table } from '../../domain/table.js';
import { type Marginal, marginal } from '../../query/marginal.js';
import type { Information } from './mutual-information.js';

export interface RootOptions {
  /** The group of every row of the public table. */
  readonly groupOf: Uint32Array;
  /** The region of every row: the prior of a group will have its region's proportions. */
  readonly regionOf: Uint32Array;
  /** Two attributes may both be measured below this mutual information, in natural logarithms. */
  readonly threshold: number;
  /** Standard deviation of an answer when `queries` one-way marginals share the budget, in records. */
  readonly deviation: (queries: number) => number;
}

/**
 * One-way marginals of nearly independent attributes (IDE paper, 4.2: "roots in the graphical model"), chosen for what they would
 * tell about groups of the size and variety of the public ones: an attribute's cells differ from the region's proportions by tau
 * records (root mean square over the public groups), and measuring with noise sigma leaves an error of about
 * tau sigma / sqrt(tau^2 + sigma^2). What it tells carries over to others by the part I(a;b)/H(b) of their entropy. Each further
 * marginal raises sigma for all, so there is a best number of them. At least one is chosen.
 */
export const rootWorkload = (table: Table, information: Information, options: RootOptions): Marginal[] => {
  const { threshold, deviation } = options;
  const { names, between, entropy } = information;
  if (!(threshold > 0)) throw new InputError(`threshold: must be a positive mutual information, got ${threshold}`);
  const spread = names.map((name) => spreadOverGroups(table, name, options));
  const reach = names.map((_, a) =>
    names.reduce((sum, _, b) => sum + (a === b ? 1 : entropy[b] > 0 ? between[a][b] / entropy[b] : 0), 0),
  );
  const gain = (a: number, sigma: number): number =>
    reach[a] * spread[a].reduce((sum, tau) => sum + (tau > 0 ? tau * (1 - sigma / Math.hypot(tau, sigma)) : 0), 0);
  const chosen: number[] = [];
  let best = 0;
  for (;;) {
    const sigma = deviation(chosen.length + 1);
    const [next] = names
      .map((_, a) => a)
      .filter((a) => chosen.every((b) => a !== b && between[a][b] < threshold))
      .sort((a, b) => gain(b, sigma) - gain(a, sigma));
    if (next === undefined) break;
    const together = [...chosen, next].reduce((sum, a) => sum + gain(a, sigma), 0);
    if (chosen.length > 0 && together <= best) break;
    best = together;
    chosen.push(next);
  }
  return chosen.map((a) => marginal(names[a]));
};

/** For each cell of an attribute, how far public groups are from their region's proportions: root mean square, in records. */
const spreadOverGroups = (table: Table, name: string, { groupOf, regionOf }: RootOptions): Float64Array => {
  const { size } = table.domain.attributes[indexOf(table.domain, name)];
  const column = table.columns[indexOf(table.domain, name)];
  const regions = new Map<number, Float64Array>();
  const groups = new Map<number, { counts: Float64Array; region: number }>();
  for (let row = 0; row < table.length; row++) {
    const region = regionOf[row];
    if (!regions.has(region)) regions.set(region, new Float64Array(size));
    if (!groups.has(groupOf[row])) groups.set(groupOf[row], { counts: new Float64Array(size), region });
    regions.get(region)![column[row]]++;
    groups.get(groupOf[row])!.counts[column[row]]++;
  }
  const squares = new Float64Array(size);
  for (const { counts, region } of groups.values()) {
    const whole = regions.get(region)!;
    const part = sum(counts) / sum(whole);
    for (let cell = 0; cell < size; cell++) squares[cell] += (counts[cell] - part * whole[cell]) ** 2;
  }
  return squares.map((square) => Math.sqrt(square / groups.size));
};

const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);
