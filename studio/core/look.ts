import { cellLabels, isOrdered, valueCells } from '../../src/advanced.js';
import { type Answering, type BoundsSource, boundsOf, holding, marginal } from '../../src/index.js';

/** One attribute of a release, cell by cell, beside the public table: shares of all records, or of all households where it describes them. */
export interface ShownWay {
  readonly name: string;
  readonly ofHome: boolean;
  readonly labels: readonly string[];
  /** How many of them, from the first on, are in an order that means something; 0 where none are. */
  readonly ordered: number;
  readonly values: readonly number[];
  /** NaN where no bound is known. */
  readonly low: readonly number[];
  readonly high: readonly number[];
  readonly public: readonly number[] | undefined;
  /** The part of records that would have to change cells for one distribution to become the other. */
  readonly distance: number | undefined;
  /** Cells in which the public share lies outside the release's 95% bounds: where noise alone does not explain the difference. */
  readonly beyond: number | undefined;
}

/** Two attributes together. */
export interface ShownPair {
  readonly names: readonly [string, string];
  readonly labels: readonly [readonly string[], readonly string[]];
  /** Shares, row by row. */
  readonly values: readonly number[];
}

const shares = (values: ArrayLike<number>, total: number): number[] => Array.from(values, (value) => value / total);

/** Every attribute of an opened release; `counts` are the public table's records by attribute and cell. */
export function* lookedAt(
  source: BoundsSource,
  counts: readonly (readonly number[])[] | undefined,
): Generator<ShownWay> {
  const { model } = source;
  const { covers = () => true } = model as { covers?: (names: readonly string[]) => boolean };
  for (const [a, attribute] of model.domain.attributes.entries()) {
    const { name } = attribute;
    if (!covers([name])) continue;
    const ofHome = model.domain.households?.attributes.includes(name) ?? false;
    const total = ofHome ? homesOf(model) : model.total;
    const { values, low, high } = boundsOf(source, ofHome ? holding(name) : marginal(name));
    const own = shares(values, total);
    const [below, above] = [shares(low, total), shares(high, total)];
    const all = counts?.[a];
    const sum = all?.reduce((one, other) => one + other, 0) ?? 0;
    const other = all === undefined || sum === 0 ? undefined : shares(all, sum);
    yield {
      name,
      ofHome,
      labels: cellLabels(attribute),
      ordered: isOrdered(attribute) ? valueCells(attribute.spec) : 0,
      values: own,
      low: below,
      high: above,
      public: other,
      distance: other && own.reduce((part, value, i) => part + Math.abs(value - other[i]), 0) / 2,
      beyond: other?.filter((share, i) => share < below[i] || share > above[i]).length,
    };
  }
}

const homesOf = (model: Answering): number =>
  (model as Answering & { readonly householdTotal?: number }).householdTotal ?? model.total;

/** Cells of a pair that a page draws at most. */
const mostPairCells = 4096;

export const lookedAtPair = ({ model }: BoundsSource, names: readonly [string, string]): ShownPair | undefined => {
  const attributes = names.map((name) => model.domain.attributes.find((one) => one.name === name));
  const [first, second] = attributes;
  if (first === undefined || second === undefined || first.size * second.size > mostPairCells) return undefined;
  return {
    names,
    labels: [cellLabels(first), cellLabels(second)],
    values: shares(model.answer(marginal(...names)), model.total),
  };
};
