import { InputError } from '../domain/input-error.js';
import type { NamedTable } from './check-public.js';
import { checkNames, type PublicTable } from './public-table.js';

/**
 * What becomes of several public tables: all of them serve `together`, as one support; or the one on which the mechanism errs least with a
 * public `stand-in` for the private table, which is free; or the one of least best mixture error, which is `paid` for.
 */
export const publicsWays = ['together', 'stand-in', 'paid'] as const;

export type PublicsWay = (typeof publicsWays)[number];

/** The public tables of a release. */
export interface PublicsOptions {
  readonly publicTable?: PublicTable | undefined;
  /** Several of them, in the place of `publicTable`. */
  readonly publicTables?: readonly PublicTable[] | undefined;
  /** What becomes of several; `stand-in` where there is one, else `together`. */
  readonly publics?: PublicsWay | undefined;
  /** A public table that plays the private one, for choosing among several. */
  readonly standIn?: NamedTable | undefined;
  /** The part of the budget that choosing spends where it is paid for; 0.1 by default. */
  readonly choosingShare?: number | undefined;
}

/** What choosing among public tables spends, where it is paid for, unless told. */
export const defaultChoosingShare = 0.1;

/** The public tables that were given. */
export const givenPublics = ({ publicTable, publicTables }: PublicsOptions): readonly PublicTable[] => {
  if (publicTable !== undefined && publicTables !== undefined)
    throw new InputError('public tables: must be one or a list, got both; put all of them into the list');
  return publicTables ?? (publicTable === undefined ? [] : [publicTable]);
};

/** How several public tables are told to come to one, as far as it is known without reading them. */
export interface ToldPublics {
  readonly tables: number;
  readonly publics?: PublicsWay | undefined;
  readonly hasStandIn: boolean;
  readonly choosingShare?: number | undefined;
}

/** The way that is meant; undefined where there is nothing to choose. Refuses what does not go together. */
export const publicsWay = ({ tables, publics, hasStandIn, choosingShare }: ToldPublics): PublicsWay | undefined => {
  const way = publics ?? (hasStandIn ? 'stand-in' : 'together');
  if (tables < 2) {
    if (publics !== undefined || hasStandIn)
      throw new InputError(
        `public tables: must be several for ${publics === undefined ? 'a stand-in' : JSON.stringify(publics)} to choose among, got ${tables === 0 ? 'none' : 'one'}; name another, or leave ${publics === undefined ? 'the stand-in' : 'it'} out`,
      );
    return undefined;
  }
  if ((way === 'stand-in') !== hasStandIn)
    throw new InputError(
      hasStandIn
        ? `stand-in: is for choosing by it, got ${JSON.stringify(way)}; leave one of them out`
        : 'stand-in: choosing by one needs a public table that plays the private one, got none; name one',
    );
  if (choosingShare !== undefined && way !== 'paid')
    throw new InputError(
      `share: is for choosing among public tables for a price, got ${JSON.stringify(way)}; leave it out`,
    );
  const share = choosingShare ?? defaultChoosingShare;
  if (!(share > 0 && share < 1)) throw new InputError(`share: must be above 0 and below 1, got ${share}`);
  return way;
};

/** The same of tables that are there. */
export const wayOf = (options: PublicsOptions): PublicsWay | undefined => {
  const tables = givenPublics(options);
  const { publics, standIn, choosingShare } = options;
  const all = standIn === undefined ? tables : [...tables, standIn];
  if (all.length > 1) checkNames(all);
  return publicsWay({ tables: tables.length, publics, hasStandIn: standIn !== undefined, choosingShare });
};
