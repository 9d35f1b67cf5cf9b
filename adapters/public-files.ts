import { InputError } from '../src/domain/input-error.js';
import type { Schema } from '../src/domain/schema/schema.js';
import { type PublicsWay, publicsWay } from '../src/flow/publics.js';
import { assertDistinct } from './private/looks-private.js';

/** The public files of a release. */
export interface PublicFilesOptions {
  /** A public table of the same columns, or several, for mechanisms that need one. */
  readonly public?: string | readonly string[] | undefined;
  /** The table of the public households, where the public table has their persons alone. */
  readonly publicHouseholds?: string | undefined;
  /** What becomes of several: see `PublicsWay`. */
  readonly publics?: PublicsWay | undefined;
  /** What each of several counts for when they serve together; the same for all by default. */
  readonly publicWeights?: readonly number[] | undefined;
  /** A public table that plays the private one, for choosing among several. */
  readonly standIn?: string | undefined;
  /** The part of the budget that choosing spends where it is paid for; 0.1 by default. */
  readonly choosingShare?: number | undefined;
}

export const publicNames = ({ public: given }: PublicFilesOptions): readonly string[] =>
  given === undefined ? [] : typeof given === 'string' ? [given] : given;

/** Refuses what does not go together, and a file that is there twice; reads no table. The files to read: the public ones, then the stand-in, then that of the households. */
export const checkPublicNames = async (
  options: PublicFilesOptions,
  { twoLevel }: Pick<Schema, 'twoLevel'>,
): Promise<readonly string[]> => {
  const { publics, publicWeights, standIn, choosingShare } = options;
  const names = publicNames(options);
  const way = publicsWay({ tables: names.length, publics, hasStandIn: standIn !== undefined, choosingShare });
  if (publicWeights !== undefined && (way !== 'together' || publicWeights.length !== names.length))
    throw new InputError(
      `public weights: must be one for each of several public tables that serve together, got ${publicWeights.length} for ${names.length}${way === undefined || way === 'together' ? '' : `, and ${JSON.stringify(way)}`}`,
    );
  const { publicHouseholds } = options;
  if (publicHouseholds !== undefined && twoLevel === undefined)
    throw new InputError('public households: are for a schema with twoLevel, got one without; leave them out');
  if (publicHouseholds !== undefined && names.length !== 1)
    throw new InputError(
      `public households: need the one public table of their persons, got ${names.length === 0 ? 'none' : 'several'}; name it`,
    );
  const all = [...names, standIn, publicHouseholds].filter((file) => file !== undefined);
  for (const [i, file] of all.entries()) for (const other of all.slice(0, i)) await assertDistinct(file, other);
  return all;
};
