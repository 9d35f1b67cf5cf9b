import { declaredCells } from '../../domain/declared-cells.js';
import { cellsOf, type Domain, sizesOf } from '../../domain/domain.js';
import type { Support } from '../../model/support/support.js';
import type { Budget } from '../../privacy/accounting/budget.js';
import type { Door } from '../../privacy/session/session.js';
import { marginal } from '../../query/marginal.js';
import type { Query } from '../../query/query.js';
import { residual } from '../../query/residual.js';
import { combinations } from '../../query/workload/combinations.js';
import { splitBudget, squaredError, type Telling } from './split-budget.js';
import { halfMean, type Learnable, learnables } from './worth.js';

/** What is measured together, and each query's part of what is spent on it. */
export interface Design {
  readonly queries: readonly Query[];
  readonly weights: readonly number[];
  /** Pairs among them, and the part of the budget that goes to attributes on their own. */
  readonly pairs: number;
  readonly alone: number;
}

/** What a design follows from: all of it public, or noisy. */
export interface DesignOptions {
  /** Of the budget. */
  readonly share: number;
  /** Records of the private table, about. */
  readonly records: number;
  /** Records that the public support was counted from. */
  readonly publicRecords: number;
  /** Cells of a pair at most. */
  readonly maxCells: number;
}

type DesignDoor = Pick<Door, 'domain' | 'preview'> & { readonly budget: Pick<Budget, 'currency'> };

/** Part of the budget for the number of records, before anything else: what noise means depends on it. */
export const totalPart = 0.02;
/** Part of the budget that attributes share whatever they promise: a public table may be farther off than anybody would think. */
const leastAlone = 0.1;
/** What pairs are taken to tell of their attributes, as a part of what they could: a fit that is stopped early does not use all of it. */
const toldPart = 0.7;
/** Part of what pairs get that goes by the cube roots of their cells, over all of them: which of them moved is not known either. */
const bySize = 1 / 2;
/** Pairs that get less than this together get nothing beyond what each is worth. */
const fewForPairs = 0.02;
/** A pair whose part is below this part of an equal one is not measured. */
const negligible = 0.02;
/** Parts for attributes on their own that are tried where noise is Laplace noise. */
const triedAlone = [0, 0.25, 0.5, 0.75, 1];

/** All attributes that have more than one cell, and all pairs of them of bounded size. */
export const setsOf = (domain: Domain, maxCells: number): (readonly string[])[] => {
  const names = domain.attributes.filter(({ size }) => size > 1).map(({ name }) => name);
  const pairs = [...combinations(names.length, 2)]
    .map(([a, b]) => [names[a], names[b]])
    .filter((pair) => cellsOf(domain, pair) <= maxCells);
  return [...names.map((name) => [name]), ...pairs];
};

/**
 * What to measure beside a public table: every attribute, and what pairs have beyond them, each with the part of the budget at which what is left to be
 * wrong is least: measuring pays where the public table is likely to be farther off than the noise. Small budgets go to attributes and to small pairs, large ones to all
 * pairs. Under zCDP these are residuals, each measured once; under pure epsilon, whose Laplace noise goes with no residual, marginals, of which
 * attributes have together the best of a few parts.
 */
export const designFor = (door: DesignDoor, prior: Support, options: DesignOptions): Design => {
  const { domain } = door;
  const sets = setsOf(domain, options.maxCells);
  const learned = learnables(prior, sets, options);
  const places = new Map(sets.flatMap((set, i) => (set.length === 1 ? [[set[0], i] as const] : [])));
  const pairs = sets.flatMap((set, i) => (set.length === 2 ? [[...set.map((name) => places.get(name)!), i]] : []));
  const paired = new Set(pairs.flat());
  const groups = [...pairs, ...[...places.values()].filter((i) => !paired.has(i)).map((i) => [i])];
  const parts =
    door.budget.currency === 'pure'
      ? laplaceParts(door, learned, groups, options)
      : gaussianParts(door, learned, groups, options);
  const kept = parts.flatMap((part, i) => (part > negligible / parts.length ? [i] : []));
  return {
    queries: kept.map((i) => queryOf(door, sets[i])),
    weights: kept.map((i) => parts[i]),
    pairs: kept.filter((i) => sets[i].length === 2).length,
    alone: parts.reduce((sum, part, i) => (sets[i].length === 1 ? sum + part : sum), 0),
  };
};

const queryOf = ({ budget }: DesignDoor, set: readonly string[]): Query =>
  budget.currency === 'pure' ? marginal(...set) : residual(...set);

/** Square of the total variation distance that noise of a variance in every cell makes of a residual. */
const noiseOf = ({ cells, part }: Learnable, variance: number, records: number): number =>
  part * variance * ((halfMean * cells) / records) ** 2;

const gaussianParts = (
  door: DesignDoor,
  learned: readonly Learnable[],
  groups: readonly (readonly number[])[],
  { share, records }: DesignOptions,
): readonly number[] => {
  // Noise goes by sizes, and there may be tens of thousands of pairs of few sizes.
  const known = new Map<string, number>();
  const varianceOf = (set: readonly string[]): number => {
    const key = sizesOf(door.domain, set).join();
    if (!known.has(key)) known.set(key, door.preview([queryOf(door, set)], share)[0].scale ** 2);
    return known.get(key)!;
  };
  const variances = learned.map(({ attributes }) => varianceOf(attributes));
  const members = learned.map((one, i) => ({ noise: noiseOf(one, variances[i], records), gap: one.gap }));
  const parts = splitBudget(members, groups, tellingsOf(learned, groups, variances));
  return [...spreadBySize(door.domain, learned, parts)];
};

/**
 * The same parts for attributes together and for pairs together, spread more evenly: which of them moved is not known, and one whose shares are far from
 * equal may have moved most. Attributes share by their sizes alone.
 */
const spreadBySize = (domain: Domain, learned: readonly Learnable[], parts: Float64Array): Float64Array => {
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
const tellingsOf = (
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

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

/**
 * Parts in proportion to the cube roots of cells, among attributes and among pairs, at the split between both that leaves least to be wrong. A pair tells its
 * attributes as well: precisions add.
 */
const laplaceParts = (
  door: DesignDoor,
  learned: readonly Learnable[],
  groups: readonly (readonly number[])[],
  { share, records }: DesignOptions,
): readonly number[] => {
  const declared = declaredCells(door.domain);
  const cells = learned.map(({ attributes }) => cellsOf(declared, attributes));
  const isAlone = learned.map(({ attributes }) => attributes.length === 1);
  const rootsOf = (alone: boolean): number =>
    sumOf(cells.map((count, i) => (isAlone[i] === alone ? Math.cbrt(count) : 0)));
  const [ofAttributes, ofPairs] = [rootsOf(true), rootsOf(false)];
  if (ofPairs === 0) return cells.map((count) => Math.cbrt(count) / ofAttributes);
  const [{ scale }] = door.preview([queryOf(door, learned[0].attributes)], share);
  const options = triedAlone.map((alone) => {
    const parts = cells.map((count, i) =>
      isAlone[i] ? (alone * Math.cbrt(count)) / ofAttributes : ((1 - alone) * Math.cbrt(count)) / ofPairs,
    );
    const precisions = parts.map((part) => (part / scale) ** 2 / 2);
    const together = [...precisions];
    for (const [a, b, pair] of groups.filter((group) => group.length === 3)) {
      together[a] += (precisions[pair] * cells[a]) / cells[pair];
      together[b] += (precisions[pair] * cells[b]) / cells[pair];
    }
    const errors = learned.map((one, i) =>
      together[i] === 0 ? one.gap : squaredError({ gap: one.gap, noise: noiseOf(one, 1 / together[i], records) }, 1),
    );
    return {
      parts,
      error: groups.reduce((sum, group) => sum + Math.sqrt(group.reduce((all, i) => all + errors[i], 0)), 0),
    };
  });
  return options.reduce((best, one) => (one.error < best.error ? one : best)).parts;
};
