/** Sums over some answers that every round t adds to Z_t, and what they add to the slopes; z_tq = eta (t y_q - h_tq). */
export interface Part {
  /** Adds, for every round, sum_q (exp z_tq + exp -z_tq). */
  addSums(y: Float64Array, sums: Float64Array): void;
  /** Adds sum_t factors_t (exp z_tq - exp -z_tq) for every answer. */
  addSlopes(y: Float64Array, factors: Float64Array, slopes: Float64Array): void;
}
