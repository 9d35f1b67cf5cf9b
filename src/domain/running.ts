/** How far a long piece of work has come. Never derived from unnoised private values. */
export interface Progress {
  /** What is being done, such as "encode". */
  readonly stage: string;
  /** Units of work done, out of `total` when it is known. */
  readonly done: number;
  readonly total?: number | undefined;
  /** How many units there will be by what is known so far, where `total` is not: it may move. From noisy and public things alone. */
  readonly expected?: number | undefined;
}

/** Options that everything long takes. */
export interface Running {
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** When it aborts, the work stops soon and rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}
