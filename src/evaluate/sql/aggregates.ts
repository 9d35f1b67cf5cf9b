import type { Aggregate, AggregateOf } from '../../domain/sql/statement.js';
import type { Moments } from './moments.js';
import { cumulated, endsOf, largestPlace, leastPlace, percentileCont, percentileDisc, type Ranks } from './ranks.js';

/** What a model says of the records of an aggregate. */
export interface Told {
  readonly moments: () => Moments;
  readonly ranks: () => Ranks;
  /** All records, or households, selected or not. */
  readonly all: number;
  readonly groups: number;
}

/** All there is to know of an aggregate. */
export interface AggregateKind {
  /** What its arguments must have: any value, a number, or a place in an order. */
  readonly needs: 'value' | 'number' | 'order';
  /** Its numbers in every group; NaN where there is none. */
  readonly values: (told: Told, of: AggregateOf) => Float64Array;
  /** What its numbers cannot lie beyond. */
  readonly least: number;
  readonly most: number;
  /** Whether it tells how values spread, of which bins hide a part. */
  readonly spread?: boolean | undefined;
  /** Of what has a place in an order: which records its bounds are found by (`rankBounds`). */
  readonly rank?: 'share' | 'least' | 'largest' | undefined;
}

/** Nothing is the average of nobody. */
const unlessEmpty = (count: number, value: number): number => (count > 0 ? value : Number.NaN);

const counted = (factor: (all: number) => number): AggregateKind => ({
  needs: 'value',
  values: ({ moments, all }) => moments().count.map((count) => count * factor(all)),
  least: 0,
  most: Infinity,
});

const fromMoments = (value: (moments: Moments, group: number) => number, least: number): AggregateKind => ({
  needs: 'number',
  values: ({ moments }) => {
    const own = moments();
    return own.count.map((count, group) => unlessEmpty(count, value(own, group)));
  },
  least,
  most: Infinity,
});

const variance =
  (missing: number) =>
  ({ squares, count }: Moments, group: number): number =>
    count[group] > missing + 1e-9 ? squares[group] / (count[group] - missing) : Number.NaN;

const spread = (missing: number, root: boolean): AggregateKind => {
  const of = variance(missing);
  const value = (moments: Moments, group: number) => (root ? Math.sqrt(of(moments, group)) : of(moments, group));
  return { ...fromMoments(value, 0), spread: true };
};

const correlation = ({ squares, otherSquares, products }: Moments, group: number): number => {
  const scale = Math.sqrt(squares[group] * otherSquares[group]);
  return scale > 0 ? Math.max(-1, Math.min(1, products[group] / scale)) : Number.NaN;
};

const ranked = (
  rank: AggregateKind['rank'],
  value: (below: Float64Array, ranks: Ranks['values'], share: number) => number,
): AggregateKind => ({
  needs: 'order',
  values: ({ ranks, groups }, { share = 0 }) => {
    const own = ranks();
    return Float64Array.from({ length: groups }, (_, group) => value(cumulated(own, group), own.values, share));
  },
  least: -Infinity,
  most: Infinity,
  rank,
});

export const aggregateKinds: Readonly<Record<Aggregate, AggregateKind>> = {
  COUNT: counted(() => 1),
  SHARE: counted((all) => 1 / all),
  PERCENT: counted((all) => 100 / all),
  SUM: fromMoments(({ sum }, group) => sum[group], -Infinity),
  AVG: fromMoments(({ sum, count }, group) => sum[group] / count[group], -Infinity),
  VAR_POP: spread(0, false),
  VAR_SAMP: spread(1, false),
  STDDEV_POP: spread(0, true),
  STDDEV_SAMP: spread(1, true),
  CORR: { ...fromMoments(correlation, -1), most: 1, spread: true },
  PERCENTILE_CONT: ranked('share', (below, values, share) => percentileCont(share, below, values)),
  PERCENTILE_DISC: ranked('share', (below, values, share) => percentileDisc(share, below, values)),
  MIN: ranked('least', (below, values) => {
    const place = leastPlace(below);
    return place < 0 ? Number.NaN : endsOf(values, place)[0];
  }),
  MAX: ranked('largest', (below, values) => {
    const place = largestPlace(below);
    return place < 0 ? Number.NaN : endsOf(values, place)[1];
  }),
};
