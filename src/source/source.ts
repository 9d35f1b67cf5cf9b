import type { Domain } from '../domain/domain.js';
import { InputError } from '../domain/input-error.js';
import type { Marginal } from '../query/marginal.js';

/**
 * Whom the guarantee protects: one row, or everything that one value of an id column contributes, which the source has
 * cut to at most `maxRecords` rows when it loaded them.
 */
export type Unit =
  | { readonly kind: 'row'; readonly maxRecords: 1 }
  | { readonly kind: 'id'; readonly column: string; readonly maxRecords: number };

/** Throws an `InputError` when a unit has no bound that could be kept. */
export const checkUnit = ({ maxRecords }: Unit): void => {
  if (!Number.isSafeInteger(maxRecords) || maxRecords < 1)
    throw new InputError(`unit.maxRecords: must be a positive integer, got ${maxRecords}`);
};

/**
 * Someone who can count private rows. The counts are exact, so only a `Session` may hold a source: everything else
 * receives the session and pays.
 */
export interface PrivateSource {
  readonly domain: Domain;
  readonly unit: Unit;
  /** A stable name of the private dataset for its ledger; it must not derive from the rows. */
  readonly dataset: string;
  /** Exact counts of every marginal, in one pass over the rows; each array is row-major over its marginal's cells. */
  counts(marginals: readonly Marginal[], options?: { signal?: AbortSignal | undefined }): Promise<Float64Array[]>;
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
