import type { Domain } from '../../domain/domain.js';
import type { Marginal } from '../../query/marginal.js';
import type { MixtureRows } from '../../query/mixture.js';
import type { Query } from '../../query/query.js';
import type { Relation } from '../../query/relation.js';
import type { Unit } from '../../query/unit.js';
import type { Budget } from '../accounting/budget.js';
import type { NamedCells } from '../answers/named-cells.js';
import type { Measurement, Noise, NoisyError } from '../measurement.js';
import type { NoiseName } from '../noise/noise-kinds.js';
import type { SelectionMechanism } from '../selection/selection-kinds.js';
import type { Act } from './account/paid-run.js';
import type { PrivacyStatement } from './statement.js';

/**
 * A fraction of the session's budget, from 0 to 1. It is rounded down to a multiple of 1e-12, so that ten shares of 0.1, or
 * three of 1/3, always fit.
 */
export type Share = number;

/** How a measurement is shared among its queries. */
export interface MeasureOptions {
  /** Gaussian under a zCDP budget and Laplace under a pure one, unless said otherwise. */
  readonly noise?: NoiseName | undefined;
  /** How the share is divided among the queries; equal parts by default. */
  readonly weights?: readonly number[] | undefined;
}

/**
 * Something to choose: a query with public reference answers in records. Its score is `weight` times (distance of the exact
 * answers from the reference, minus `offset`): the candidate that the reference serves worst scores highest.
 * References are rounded to 1/256 record and weights to 1/1024 of the largest one, so that scores are exact. They are read
 * before anything is paid for.
 */
export interface Candidate {
  readonly query: Query;
  readonly reference: ArrayLike<number>;
  /** The answers that `reference` is about, from `nameCells`; the others have reference 0. All answers in order by default. */
  readonly cells?: NamedCells | undefined;
  /** How many records one unit of the reference stands for; 1 by default. */
  readonly scale?: number | undefined;
  /** From 0; 1 by default. */
  readonly weight?: number | undefined;
  /** In records, 0 by default. */
  readonly offset?: number | undefined;
  /**
   * Other public answers, in the units of the reference: what is scored is then how much nearer they are than the reference, as L1 distance. Such a
   * score moves twice as far. Only for `select` with the distance `l1`, and without `cells`.
   */
  readonly rival?: ArrayLike<number> | undefined;
}

/** How candidates are scored and drawn. */
export interface SelectOptions {
  /** Distance of a candidate's answers from its reference: their sum of absolute differences, or the largest one. */
  readonly distance?: 'l1' | 'largest' | undefined;
  readonly mechanism?: SelectionMechanism | undefined;
}

/** Two lists of attributes without a common one; the second may be empty. */
export interface Dependence {
  readonly of: readonly string[];
  readonly on: readonly string[];
}

/** How dependences are scored and drawn. */
export interface DependenceOptions {
  /**
   * A public bound on the number of records, such as a noisy number and a margin. It sets how much a record may count for: the
   * guarantee holds for any table. Where the number of records is public, it must not be below it.
   */
  readonly rows: number;
  readonly mechanism?: SelectionMechanism | undefined;
}

/** What answers are drawn from, and how often. */
export interface DrawOptions {
  /** Independent draws, which divide the share equally among them. */
  readonly draws: number;
}

/** Something to draw answers of: a query with public reference answers in records, for all of its answers in order. */
export interface Drawn extends Pick<Candidate, 'query' | 'reference' | 'scale'> {}

/** An answer that was drawn, and whether for being above its reference (1) or below (-1). */
export interface CellDraw {
  readonly candidate: number;
  readonly cell: number;
  readonly sign: 1 | -1;
}

/** Draws with their law, which is public once the references are. */
export interface CellDraws {
  readonly drawn: readonly CellDraw[];
  /** The natural logarithm of what one record more of (sign x (answer - reference)) multiplies a chance with. */
  readonly perRecord: number;
}

/**
 * What a mechanism may do with private rows, each act paid for before it happens. A mechanism says which queries and which
 * share of the budget; noise scales, sensitivities and charges are worked out here.
 */
export interface Door {
  readonly domain: Domain;
  readonly relation: Relation;
  readonly unit: Unit;
  /** The part of the budget that is not spent, from 0 to 1, rounded down to a multiple of 1e-12. */
  readonly remaining: Share;
  /** Number of records, with noise (exact and free where the relation makes it public). */
  total(share: Share): Promise<Measurement>;
  /** Noisy answers of the queries, in their order. */
  measure(queries: readonly Query[], share: Share, options?: MeasureOptions): Promise<Measurement[]>;
  /** The noise that `measure` would add with the same arguments. Reads nothing and spends nothing. */
  preview(queries: readonly Query[], share: Share, options?: MeasureOptions): Noise[];
  /** Privately picks a candidate with a high score: its index. */
  select(candidates: readonly Candidate[], share: Share, options?: SelectOptions): Promise<number>;
  /** Privately picks a single answer that is far from its reference, among all answers of all candidates. */
  selectCell(
    candidates: readonly Candidate[],
    share: Share,
    options?: Pick<SelectOptions, 'mechanism'>,
  ): Promise<{ readonly candidate: number; readonly cell: number }>;
  /** Privately picks two lists of attributes that depend on each other: the index of one whose mutual information times the number of records is high. */
  selectDependence(candidates: readonly Dependence[], share: Share, options: DependenceOptions): Promise<number>;
  /**
   * Independent draws of a single answer and a sign, by the exponential mechanism with the score sign x (answer - reference): answers
   * far above their references are drawn with 1, answers far below with -1. References are rounded to 1/65,536 record.
   */
  drawCells(candidates: readonly Drawn[], share: Share, options: DrawOptions): Promise<CellDraws>;
  /** The `perRecord` that `drawCells` would have on candidates with these queries. Reads nothing and spends nothing. */
  previewDraws(queries: readonly Query[], share: Share, options: DrawOptions): number;
  /** The largest error of the references, over all answers of all candidates, with Laplace noise. Weights do not enter. */
  largestError(candidates: readonly Candidate[], share: Share): Promise<NoisyError>;
  /**
   * The best mixture error (PMW-Pub, Definition 2.1), with Laplace noise: the least largest error that any weighting of these
   * public rows with sum `total` has on all cells of the marginals. For small problems only: it is exact.
   */
  bestMixtureError(rows: MixtureRows, marginals: readonly Marginal[], total: number, share: Share): Promise<NoisyError>;
}

/** An attribute that splits the rows into groups: by its cells, or by a declared mapping of its cells to groups. */
export type GroupKey =
  | string
  | { readonly attribute: string; readonly groups: readonly number[]; readonly size: number };

/** The rows of one group; its `domain` leaves out the attributes that define the groups. */
export interface Group extends Door {
  /** The group's cell or mapped number for each key. */
  readonly key: readonly number[];
}

/** The one door to a private table. */
export interface Session extends Door {
  readonly dataset: string;
  readonly budget: Budget;
  /**
   * Splits the rows into all groups that the domain declares, empty ones too, and lets `body` spend `share` on *each* of
   * them, at the price of one: a unit's rows are bounded over all groups together, so what it can reveal in several groups
   * is no more than what it can reveal in one (docs/privacy.md). `remaining` of a group counts from `share`.
   */
  partition<T>(by: readonly GroupKey[], share: Share, body: (groups: readonly Group[]) => Promise<T>): Promise<T>;
  /** The name of what comes of this session, in the ledger and in the bundle: 32 hexadecimal digits. */
  readonly release: string;
  /** What has been paid so far, act by act, as the ledger has it. Public. */
  acts(): readonly Act[];
  /** What has been spent so far and what it guarantees; an open partition counts with all that it may spend. */
  statement(): PrivacyStatement;
  /**
   * Ends the session: acts under way are waited for, later ones are refused, and what was set aside and not spent goes back to
   * the ledger. A session that is never closed leaves it reserved.
   */
  close(): Promise<void>;
  /**
   * Ends a session that has a journal and leaves its run open in the ledger, so that another session with that journal can go on where
   * this one stopped. Without a journal it is `close`.
   */
  suspend(): Promise<void>;
}
