import type { Charge } from '../../accounting/charge.js';

/** A group of a partition: the reservation of the partition, and the group's number. */
export interface InGroup {
  readonly partition: number;
  readonly group: number;
}

/**
 * What a release has done so far, beside its ledger. `begin` is durable before noise is drawn for an act and `done` before anybody sees
 * what came of it: so an act with both can be had again for nothing, one with the first alone is lost, and one with neither has
 * drawn nothing.
 */
export type JournalEntry =
  | {
      readonly kind: 'begin';
      readonly what: string;
      readonly charges: readonly Charge[];
      /** The act's own reservation in the ledger, or the group whose partition has one. */
      readonly at: number | InGroup;
    }
  /** The end of the last act that began in the same place. */
  | {
      readonly kind: 'done';
      readonly at: number | InGroup;
      readonly values: readonly Float64Array[];
      /** Words of seeded noise drawn so far. */
      readonly drawn?: number | undefined;
    }
  /** A partition was opened under this reservation. */
  | { readonly kind: 'partition'; readonly what: string; readonly most: string; readonly at: number };

/** Keeps what was paid for, so that an interrupted release can go on. All of it is private already: noisy, and paid for. */
export interface Journal {
  /** What an earlier run of the same release left, in order; nothing for a new one. */
  readonly entries: readonly JournalEntry[];
  /** Durable when it comes back. */
  append(entry: JournalEntry): Promise<void>;
}
