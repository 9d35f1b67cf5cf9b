/**
 * Where a ledger keeps its bytes: an append-only sequence that several processes may share. The rules that make it safe
 * are in `chain-writer.ts`; a store has only to keep its promises about order and durability.
 */
export interface LedgerStore {
  /** How errors call it, such as a path. */
  readonly name: string;
  /** Every byte from offset `from` to the present end. Rejects when the sequence is shorter than `from`. */
  read(from: number): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Adds the bytes at the end as one piece: nothing of another append comes between them. A failure may leave a beginning
   * of them behind, and then rejects.
   */
  append(bytes: Uint8Array<ArrayBuffer>): Promise<Appended>;
}

/** Bytes that every reader sees, and that a crash of the machine may still lose. */
export interface Appended {
  /** Resolves when they, and all before them, survive a crash of the machine. */
  sync(): Promise<void>;
  /** Must be called once, synced or not. */
  close(): Promise<void>;
}
