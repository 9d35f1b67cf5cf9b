/** Sums over some answers that every round t adds to Z_t, and what they add to the slopes; z_tq = eta (t y_q - h_tq). */
export interface Part {
  /** Takes the answers; what follows is about them. */
  set(y: Float64Array): void;
  /** Adds, for every round, sum_q (exp z_tq + exp -z_tq). */
  addSums(sums: Float64Array): void;
  /** Sets sum_t factors_t (exp z_tq - exp -z_tq) for every answer. */
  slopes(factors: Float64Array): Float64Array;
}
