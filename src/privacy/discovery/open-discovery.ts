import { isCryptographic } from '../../random/cryptographic.js';
import type { RawSource } from '../../source/raw-source.js';
import type { PrivateSource } from '../../source/source.js';
import { webEntropy } from '../entropy.js';
import { exactPrimitives, type Primitives } from '../primitives.js';
import { countedWords } from '../session/journal/counted-words.js';
import { type RunOptions, runOn } from '../session/open-session.js';
import type { Session } from '../session/session.js';
import { discovering } from './discovering.js';
import type { DiscoveryDoor } from './discovery-door.js';

/** A door to columns whose schema is not known yet, and to the same table once it is, paid for from one budget. */
export interface Discovery extends DiscoveryDoor {
  /** The session that goes on when the schema is known, with what is left of the budget. Nothing more can be discovered then. */
  session(source: PrivateSource): Session;
  /** Ends it before there is a session; with a journal the release can be gone on with. */
  suspend(): Promise<void>;
  /** Ends it for good: what was not spent is given back. */
  end(): Promise<void>;
}

/** What a discovery opens: as a session does, with raw columns in the place of counts. */
export interface DiscoveryOptions extends RunOptions {
  readonly source: RawSource;
}

/** Opens the door to a private table of which nothing is known. Nothing is read or spent yet. */
export const openDiscovery = (options: DiscoveryOptions): Discovery => {
  const entropy = options.entropy ?? webEntropy();
  const { counted, drawn } = countedWords(entropy, options.journal);
  return discoveryOn(options, exactPrimitives(counted), !isCryptographic(entropy), drawn);
};

/** The same on given primitives: for tests that record and replay them. */
export const discoveryOn = (
  { source, ...options }: DiscoveryOptions,
  primitives: Primitives,
  predictable: boolean,
  drawn?: () => number,
): Discovery => {
  const run = runOn(source, options, primitives, predictable, drawn);
  const { relation, unit, account, running, budget } = run;
  const door = discovering({
    relation,
    unit,
    account,
    primitives,
    running,
    raw: source,
    thresholds: budget.thresholds,
  });
  return Object.freeze({
    ...door,
    session: run.session,
    suspend: () => (options.journal === undefined ? account.close() : account.suspend()),
    end: () => account.close(),
  });
};
