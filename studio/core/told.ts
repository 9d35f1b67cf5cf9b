import type { Draft, MakeReleaseOptions, Outside, PublicTable, Schema } from '../../src/index.js';

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
  /** What becomes of several public tables. */
  readonly publics: PublicsTold;
  /** The schema with what is to be asked of the private table, where anything is. */
  readonly draft: Draft | undefined;
}

/** Several public tables serve together, or one is chosen: for a part of the budget, or by the one that plays the private table. */
export type PublicsTold = 'together' | 'paid' | { readonly standIn: string };

/** The budget that is asked for. */
export const budgetAsked = ({ epsilon, delta }: Pick<Told, 'epsilon' | 'delta'>) =>
  delta === undefined ? { epsilon } : { epsilon, delta };

/** The public tables as a release takes them. */
export const publicsOf = (
  tables: readonly PublicTable[],
  told: PublicsTold,
): Pick<MakeReleaseOptions, 'publicTables' | 'publics' | 'standIn'> => {
  if (tables.length < 2) return { publicTables: tables };
  if (typeof told === 'string') return { publicTables: tables, publics: told };
  return {
    publicTables: tables.filter(({ name }) => name !== told.standIn),
    standIn: tables.find(({ name }) => name === told.standIn),
    publics: 'stand-in',
  };
};
