import type { Outside, Schema } from '../../src/index.js';

/** Everything that a person has said about a release: small, plain, kept between visits. */
export interface Told {
  readonly schema: Schema;
  readonly outside: Outside;
  /** Decimals, as typed. */
  readonly epsilon: string;
  /** Undefined for pure differential privacy. */
  readonly delta: string | undefined;
  /** The total of the ledger, where the table has none yet. */
  readonly allowance: string | undefined;
  /** What the person expects the number of private records to be: said, never looked up. */
  readonly expectedRows: number | undefined;
  readonly mechanism: string;
  readonly title: string | undefined;
  /** For drawing rows; random unless told. */
  readonly seed: number | undefined;
  /** Noise from a seed protects nobody: for tests, with a ledger of its own. */
  readonly unsafeSeed: number | undefined;
}

/** The budget that is asked for. */
export const budgetAsked = ({ epsilon, delta }: Pick<Told, 'epsilon' | 'delta'>) =>
  delta === undefined ? { epsilon } : { epsilon, delta };
