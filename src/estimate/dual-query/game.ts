import type { Query } from '../../query/query.js';

/** One round of DualQuery: queries that were drawn, and the record that answers them best. Public. */
export interface DualQueryRound {
  /** Numbers of the answers that were drawn, among those of all queries, and the sign of each draw. */
  readonly drawn: readonly { readonly answer: number; readonly sign: 1 | -1 }[];
  /** Log-odds of a record more in these draws: eta (t - 1) / n in round t, and 0 in the first, which is uniform. */
  readonly perRecord: number;
  /** Cell numbers in the order of the domain. */
  readonly record: readonly number[];
}

/** What DualQuery leaves (Private-PGM, Algorithm 4): the input of both of its estimators. */
export interface DualQueryGame {
  readonly queries: readonly Query[];
  /** Number of records, public or noisy, that answers were compared with. */
  readonly total: number;
  readonly rounds: readonly DualQueryRound[];
}
