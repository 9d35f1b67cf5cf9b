import type { AskedPair } from '../../domain/discover/asked-pair.js';
import type { AskedDate, AskedNumeric } from '../../domain/discover/draft.js';
import type { Look } from '../../domain/discover/looks.js';
import type { Relation } from '../../query/relation.js';
import type { Unit } from '../../query/unit.js';
import type { SharedValues } from '../../source/raw-source.js';
import type { Passed } from '../primitives.js';
import type { Share } from '../session/session.js';
import type { NoiseOf } from './plan-map.js';

/** Noisy counts, and the standard deviation of their noise. */
export interface NoisyCounts {
  readonly counts: Float64Array;
  readonly deviation: number;
}

/** Noisy counts of combinations of cells, the determined one running fastest, and their noise. */
export interface NoisyTogether {
  readonly counts: Float64Array;
  readonly noise: NoiseOf;
}

/** How values are asked for. */
export interface ValuesOptions {
  /** The part, 1/parts, of half of the budget's delta for thresholds that this act takes: as many acts again can be lost. */
  readonly parts: number;
}

/** How edges are asked for. */
export interface EdgesOptions {
  /** About how many rows the column has, from a noisy count: decides how many edges can be had. */
  readonly rows: number;
  /** At most so many bins. */
  readonly bins: number;
}

/**
 * What may be asked of private columns before there is a schema, each act paid for before anything is read. It tells of values what passes a
 * threshold, and of numbers and dates public cells with noise or places on a public ladder; docs/discovery.md has the proofs.
 */
export interface DiscoveryDoor {
  readonly relation: Relation;
  readonly unit: Unit;
  /** Number of records, with noise (exact and free where the relation makes it public). */
  total(share: Share): Promise<NoisyCounts>;
  /** Of each column, how many values are in each of the public cells that are asked about, with noise. */
  looks(asked: readonly Look[], share: Share): Promise<NoisyCounts[]>;
  /** The values of several columns that enough units have, but for those that are known; what a unit counts is divided among its values. */
  values(columns: SharedValues['columns'], share: Share, options: ValuesOptions): Promise<readonly Passed[]>;
  /** About how many units must have a value for it to be told, in one round, where they have one in each of so many columns: from public things alone. */
  reachFor(columns: number, share: Share): number;
  /** In how many rounds values of so many columns are best asked for, where there are about so many rows: from public things alone. */
  roundsFor(columns: number, share: Share, rows: number): number;
  /** Places on the ladder of a column (`ladderOf`), increasing: first and last edge, and quantiles between them. */
  edges(spec: AskedNumeric | AskedDate, share: Share, options: EdgesOptions): Promise<readonly number[]>;
  /** How often cells of columns stand together, with noise: a marginal of each pair. */
  together(pairs: readonly AskedPair[], share: Share): Promise<NoisyTogether[]>;
  /** Whether the entry of a value with about so many rows would be kept in the map of a pair: from public things alone. */
  findsMap(pair: AskedPair, share: Share, rows: number): boolean;
  /** Whether the edges that would be found are better than chance: from public things alone. */
  findsEdges(spec: AskedNumeric | AskedDate, share: Share, options: EdgesOptions): boolean;
}
