import type { Domain } from '../domain/domain.js';
import type { Running } from '../domain/running.js';
import type { Holding } from '../query/holding.js';
import type { Marginal } from '../query/marginal.js';
import type { Unit } from '../query/unit.js';

/**
 * Someone who can count private rows. The counts are exact, so only a `Session` may hold a source: everything else
 * receives the session and pays.
 */
export interface PrivateSource {
  readonly domain: Domain;
  readonly unit: Unit;
  /** A stable name of the private dataset for its ledger; it must not derive from the rows. */
  readonly dataset: string;
  /**
   * Exact counts of every marginal, in one pass over the rows or few; each array is row-major over its marginal's cells. Whoever tells progress tells
   * the same of any rows.
   */
  counts(marginals: readonly Marginal[], running?: Running): Promise<Float64Array[]>;
  /** Exact numbers of households, in the same way; a source without it has no households to count. */
  readonly holdings?: ((queries: readonly Holding[], running?: Running) => Promise<Float64Array[]>) | undefined;
  /** Number of units, which is public under `replace-one` only: a session reads it for that relation alone. */
  units(): Promise<number>;
  /**
   * True when rows beyond the unit's bound were chosen by a generator that somebody could predict: what is released from it is
   * then marked like noise from a seed.
   */
  readonly seeded: boolean;
  /** False once it was closed: its session then refuses, whatever it has counted before. */
  isOpen(): boolean;
}
