import { declaredCells } from '../../domain/declared-cells.js';
import { cellsOf, type Domain, sizesOf } from '../../domain/domain.js';
import { residual } from '../../query/residual.js';
import type { DesignDoor, DesignOptions } from './design-options.js';
import { type Splittable, splitBudget, type Telling } from './split-budget.js';
import { type Learnable, noiseOf } from './worth.js';

/** Part of the budget that attributes share whatever they promise: a public table may be farther off than anybody would think. */
const leastAlone = 0.1;
/** What pairs are taken to tell of their attributes, as a part of what they could: a fit that is stopped early does not use all of it. */
const toldPart = 0.7;
/** Part of what pairs get that goes by the cube roots of their cells, over all of them: which of them moved is not known either. */
const bySize = 1 / 2;
/** Pairs that get less than this together get nothing beyond what each is worth. */
const fewForPairs = 0.02;

/** What residuals would cost, and what the public table is likely to be off by in each. */
export interface Weighable {
  /** Variances of their noise with the whole budget. */
  readonly variances: readonly number[];
  readonly members: readonly Splittable[];
}

export const weighable = (
  door: DesignDoor,
  learned: readonly Learnable[],
  { share, records }: DesignOptions,
): Weighable => {
  // Noise goes by sizes, and there may be tens of thousands of pairs of few sizes.
  const known = new Map<string, number>();
  const varianceOf = (set: readonly string[]): number => {
    const key = sizesOf(door.domain, set).join();
    if (!known.has(key)) known.set(key, door.preview([residual(...set)], share)[0].scale ** 2);
    return known.get(key)!;
  };
  const variances = learned.map(({ attributes }) => varianceOf(attributes));
  const members = learned.map((one, i) => ({ noise: noiseOf(one, variances[i], records), gap: one.gap }));
  return { variances, members };
};

/** Parts for the residuals of attributes and of pairs: `groups` holds each pair's attributes and itself. */
export const gaussianParts = (
  domain: Domain,
  learned: readonly Learnable[],
  groups: readonly (readonly number[])[],
  { variances, members }: Weighable,
): Float64Array => spreadBySize(domain, learned, splitBudget(members, groups, tellingsOf(learned, groups, variances)));

/**
 * The same parts for attributes together and for pairs together, spread more evenly: which of them moved is not known, and one whose shares are far from
 * equal may have moved most. Attributes share by their sizes alone.
 */
export const spreadBySize = (domain: Domain, learned: readonly Learnable[], parts: Float64Array): Float64Array => {
  const declared = declaredCells(domain);
  const roots = learned.map(({ attributes }) => Math.cbrt(cellsOf(declared, attributes)));
  const isAlone = learned.map(({ attributes }) => attributes.length === 1);
  const [ofAttributes, ofPairs] = [true, false].map((alone) => sumOf(roots.filter((_, i) => isAlone[i] === alone)));
  const found = parts.reduce((sum, part, i) => (isAlone[i] ? sum + part : sum), 0);
  const alone = ofPairs === 0 ? 1 : Math.max(found, leastAlone);
  const even = 1 - alone > fewForPairs ? bySize : 0;
  return parts.map((part, i) =>
    isAlone[i]
      ? (alone * roots[i]) / ofAttributes
      : (1 - alone) * (((1 - even) * part) / (1 - found) + (even * roots[i]) / ofPairs),
  );
};

/**
 * What pairs tell of their attributes. The residual of independent attributes is the product of what each has beyond equal shares, so where one moves, the
 * pair's moves by as much times that of the other.
 */
export const tellingsOf = (
  learned: readonly Learnable[],
  groups: readonly (readonly number[])[],
  variances: readonly number[],
): Telling[] =>
  groups.flatMap(([a, b, pair]) =>
    pair === undefined
      ? []
      : [
          { by: pair, about: a, rate: (toldPart * learned[b].uneven * variances[a]) / variances[pair] },
          { by: pair, about: b, rate: (toldPart * learned[a].uneven * variances[b]) / variances[pair] },
        ],
  );

export const sumOf = (numbers: readonly number[] | Float64Array): number => {
  let sum = 0;
  for (const each of numbers) sum += each;
  return sum;
};
