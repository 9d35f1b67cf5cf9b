import { type AskedPair, cellsOfPair } from '../domain/discover/asked-pair.js';
import { askedMaps, type Draft, isAsked, isAskedColumn, isLeftOut } from '../domain/discover/draft.js';
import { isRanged, ladderOf } from '../domain/discover/ladder.js';
import { amountShare } from '../privacy/accounting/amount.js';
import { type BudgetRequest, budgetOf } from '../privacy/accounting/budget.js';
import { decimal } from '../privacy/accounting/decimal.js';
import { countsSensitivity, noiseOf, valuesSensitivity } from '../privacy/discovery/discovering.js';
import { outerError } from '../privacy/discovery/plan-edges.js';
import { rowsForEntry } from '../privacy/discovery/plan-map.js';
import { thresholdFor, weightsUpTo } from '../privacy/discovery/unit-weights.js';
import { defaultNoise, noiseChargeFor, noiseIn } from '../privacy/noise/noise-kinds.js';
import { rational, rationalNumber } from '../privacy/rational.js';
import { selectionKinds } from '../privacy/selection/selection-kinds.js';
import { amountOf } from '../privacy/session/share.js';
import type { Relation } from '../query/relation.js';
import type { Unit } from '../query/unit.js';
import { mapTitle, pairOf } from '../release/discover/ask-maps.js';
import { sharesOf } from '../release/discover/discover-schema.js';
import { discoverShares, shareFor } from '../release/discover/share-for.js';
import { discoveryBudget } from './discover-release.js';

/** What would be asked of a private table to make its schema; from public things alone. */
export interface PlannedDiscovery {
  readonly share: number;
  /** Where it follows the number of rows and nobody said how many there are: up to this, and what is told of thresholds is for this much. */
  readonly mostShare?: number | undefined;
  readonly columns: readonly {
    readonly column: string;
    readonly ask: 'nothing' | 'left out' | 'type' | 'values' | 'edges';
  }[];
  /** A value is told when about so many units have it, if every column of unknown type turns out to be text; absent where no values are asked for. */
  readonly threshold?: number | undefined;
  /** Maps between columns that would be learned, and about how many rows a value needs to be in one; not known where its columns are not. */
  readonly maps: readonly { readonly map: string; readonly rows?: number | undefined }[];
  /** Edges need about so many rows to be better than chance; absent where none are asked for. */
  readonly rows?: number | undefined;
}

export interface PlanDiscoveryOptions {
  readonly draft: Draft;
  readonly budget: BudgetRequest;
  readonly unit: Unit;
  readonly relation?: Relation | undefined;
  readonly discoverShare?: number | undefined;
  /** About how many rows there are, as far as anybody says: what is private counts for nothing here. */
  readonly expectedRows?: number | undefined;
}

/** Plans a discovery. Nothing is opened. */
export const planDiscovery = ({
  draft,
  budget: request,
  unit,
  relation = 'add-remove',
  discoverShare,
  expectedRows,
}: PlanDiscoveryOptions): PlannedDiscovery => {
  const budget = budgetOf(discoveryBudget(draft, request));
  const columns = draft.attributes.map((spec) => ({
    column: spec.name,
    ask: isLeftOut(spec)
      ? ('left out' as const)
      : isAskedColumn(spec)
        ? ('type' as const)
        : !isAsked(spec)
          ? ('nothing' as const)
          : spec.type === 'category'
            ? ('values' as const)
            : ('edges' as const),
  }));
  const count = (...asks: readonly string[]): number => columns.filter(({ ask }) => asks.includes(ask)).length;
  const isOpen = draft.attributes.some((spec) => isAsked(spec) && spec.type !== 'category' && !isRanged(spec));
  const unknown = count('type') > 0;
  const restOf = (share: number): number =>
    sharesOf(
      share,
      { kinds: unknown, details: unknown, sizes: unknown || isOpen },
      discoverShare === undefined ? discoverShares.least : share,
    ).rest;
  const maps = askedMaps(draft);
  const all = count('type', 'values', 'edges') + maps.length;
  const texts = count('type', 'values');
  const k = unit.maxRecords;
  // If every column of unknown type turns out to be text, and its units have one value each.
  const thresholdOf = (share: number): number => {
    const amount = amountOf(budget.total, (restOf(share) * texts) / all);
    const { parameter } = noiseIn(noiseChargeFor('gaussian', amount, valuesSensitivity(relation), budget.currency));
    const granted = decimal(budget.thresholds!, 'thresholds');
    const delta = rational(granted.numerator, granted.denominator * 2n);
    const [weight] = weightsUpTo(texts).slice(-1);
    return Math.ceil(thresholdFor(parameter, delta, texts * k) / weight);
  };
  const rowsFor = (share: number): number => {
    const amount = amountOf(budget.total, restOf(share) / all);
    const epsilon = rationalNumber(selectionKinds.exponential.epsilonFor(amountShare(amount, 1n, 2n), budget.currency));
    const places = Math.max(
      ...draft.attributes.map((spec) => (isAsked(spec) && spec.type !== 'category' ? ladderOf(spec).length : 0)),
      unknown ? ladderOf({ name: '', type: 'number', edges: 'discover' }).length : 0,
    );
    return places === 0 ? 0 : Math.ceil(8 * outerError(epsilon, { places, maxRecords: k }));
  };
  const pairs = maps.map((map) => pairOf(map, draft.attributes));
  const entryRows = (pair: AskedPair, share: number): number => {
    const kind = defaultNoise[budget.currency];
    const size = rational(countsSensitivity('looks', kind, relation, unit));
    const charge = noiseChargeFor(kind, amountOf(budget.total, restOf(share) / all), size, budget.currency);
    return rowsForEntry(noiseOf(charge), { parents: cellsOfPair(pair) / pair.to.size, children: pair.to.size });
  };
  const findsMaps = (share: number, rows: number): boolean =>
    pairs.every((pair) => !pair || (cellsOfPair(pair) / pair.to.size) * entryRows(pair, share) <= rows);
  const reach = texts > 0 ? thresholdOf : undefined;
  const isKnown = discoverShare !== undefined || expectedRows !== undefined;
  const share =
    discoverShare ??
    (expectedRows === undefined
      ? discoverShares.least
      : shareFor({
          rows: expectedRows,
          reach,
          findsEdges: (own) => rowsFor(own) <= expectedRows,
          findsMaps: (own) => findsMaps(own, expectedRows),
        }));
  const told = isKnown ? share : discoverShares.most;
  return {
    share,
    ...(isKnown ? {} : { mostShare: discoverShares.most }),
    columns,
    threshold: reach?.(told),
    maps: maps.map((map, i) => ({ map: mapTitle(map), rows: pairs[i] && entryRows(pairs[i], told) })),
    rows: count('type', 'edges') > 0 ? rowsFor(told) : undefined,
  };
};
