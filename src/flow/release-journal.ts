import type { Draft } from '../domain/discover/draft.js';
import { InputError } from '../domain/input-error.js';
import type { Schema } from '../domain/schema/schema.js';
import type { Rates } from '../kernel/calibrate.js';
import { randomName } from '../privacy/ledger/random-name.js';
import { sha256 } from '../privacy/ledger/sha256.js';
import type { Journal } from '../privacy/session/journal/journal.js';
import { randomSeed } from '../random/random-seed.js';
import type { KeepJournal } from './keep-journal.js';
import type { Fitted } from './within-limits.js';

/** What decides about every act of a release; not what is made of their answers. */
export interface ReleaseRequest {
  readonly schema: Schema | Draft;
  readonly configuration: unknown;
  /** How the mechanism was made to stay within limits, where there are some: a run that goes on keeps to it. */
  readonly fitted?: Fitted | undefined;
  /** The speed of the machine, where the mechanism is made to stay within limits after the beginning: a run that goes on keeps to it. */
  readonly rates?: Rates | undefined;
  /** The public tables as they were read. */
  readonly publics: readonly { readonly name: string; readonly columns: readonly ArrayLike<number>[] }[];
}

/** A digest of it: a release goes on only where it is the same. */
const digestOf = ({ schema, configuration, publics }: ReleaseRequest): string => {
  const tables = publics.map(({ name, columns }) => ({
    name,
    columns: columns.map((codes) => sha256(new Uint8Array(Uint32Array.from(codes).buffer))),
  }));
  return sha256(new TextEncoder().encode(JSON.stringify({ schema, configuration, tables })));
};

/** How the interrupted run was made to stay within limits, if it was. */
export const fittedBefore = (keep: KeepJournal | undefined): Fitted | undefined => keep?.found?.header.fitted;

/** How fast the machine was on which the interrupted run began, where that decides something. */
export const ratesBefore = (keep: KeepJournal | undefined): Rates | undefined => keep?.found?.header.rates;

/** The name and the seed of a release, and its journal: of the interrupted one that goes on, or new. */
export interface Begun {
  readonly release: string;
  readonly seed: number;
  readonly journal: Journal | undefined;
}

/** Begins a release, or finds where one goes on; `seed` is the one that was asked for. */
export const beginJournal = async (
  keep: KeepJournal | undefined,
  seed: number | undefined,
  asked: () => ReleaseRequest,
): Promise<Begun> => {
  if (keep === undefined) return { release: randomName(), seed: seed ?? randomSeed(), journal: undefined };
  const told = asked();
  const request = digestOf(told);
  const { found, how } = keep;
  if (found !== undefined) {
    const { header, entries } = found;
    if (header.request !== request || (seed !== undefined && seed !== header.seed))
      throw new InputError(
        `release: must be the one that was interrupted to go on, got other options or public tables; it was made by: ${header.how}`,
      );
    return { release: header.release, seed: header.seed, journal: { entries, append: keep.append } };
  }
  const begun = { release: randomName(), seed: seed ?? randomSeed() };
  const { fitted, rates } = told;
  const within = { ...(fitted === undefined ? {} : { fitted }), ...(rates === undefined ? {} : { rates }) };
  await keep.begin({ ...begun, request, how, ...within });
  return { ...begun, journal: { entries: [], append: keep.append } };
};
