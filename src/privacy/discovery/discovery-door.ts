import type { AskedDate, AskedNumeric } from '../../domain/discover/draft.js';
import type { Relation } from '../../query/relation.js';
import type { Unit } from '../../query/unit.js';
import type { Passed } from '../primitives.js';
import type { Share } from '../session/session.js';

/** Noisy counts, and the standard deviation of their noise. */
export interface NoisyCounts {
  readonly counts: Float64Array;
  readonly deviation: number;
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

/** Places on the ladder of a column (`ladderOf`): the first and the last edge, and those between, increasing. */
export interface FoundEdges {
  readonly edges: readonly number[];
  /** Whether there was enough to go by: otherwise the places are little more than chance. */
  readonly certain: boolean;
}

/**
 * What may be asked of private columns before there is a schema, each act paid for before anything is read. It tells of values what passes a
 * threshold, and of numbers and dates places on a public ladder; docs/discovery.md has the proofs.
 */
export interface DiscoveryDoor {
  readonly relation: Relation;
  readonly unit: Unit;
  /** Number of records, with noise (exact and free where the relation makes it public). */
  total(share: Share): Promise<NoisyCounts>;
  /** Of each column, how many values have each of the public `forms`, with noise. */
  forms(columns: readonly string[], share: Share): Promise<NoisyCounts[]>;
  /** The values of a column that enough units have. */
  values(column: string, share: Share, options: ValuesOptions): Promise<readonly Passed[]>;
  /** First and last edge, and quantiles between them. */
  edges(spec: AskedNumeric | AskedDate, share: Share, options: EdgesOptions): Promise<FoundEdges>;
}
