/** An iterative estimator between two iterations. */
export interface Method {
  /** One iteration. */
  advance(): Promise<void>;
  /** What is minimised, at the present point (smoothed, where the loss has corners). */
  readonly objective: number;
  /** Length of the gradient at the present point, in the geometry of the method; falls to 0 at the minimum. */
  readonly gradient: number;
  /** How far it has come: the sum of its movements in units of the shortest step, or the number of iterations. */
  readonly time: number;
  /** Figures of the loss (its `value`, `total` and `chi`) belong to the present point after this. */
  settle(): void;
  /** Kullback-Leibler divergence of the present distribution from that at the start. */
  divergence(): Promise<number>;
  /** The present point: log potentials of all factors, their marginals as proportions, and the number of records; new arrays. */
  result(): Promise<{ potentials: Float64Array; marginals: Float64Array; total: number }>;
  /** Takes note that the loss has changed. */
  refresh(): Promise<void>;
}
