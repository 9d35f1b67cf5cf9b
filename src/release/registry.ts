import { InputError } from '../domain/input-error.js';
import { nearest } from '../domain/nearest.js';
import type { Running } from '../domain/running.js';
import type { Support } from '../model/support.js';
import { checkWeightedRows, type Threads } from '../model/weighted-rows.js';
import type { Session } from '../privacy/session.js';
import { attributesOf } from '../query/answer.js';
import { pairsOrOneWays } from '../query/pairs-or-one-ways.js';
import type { Workload } from '../query/workload.js';
import type { Random } from '../random/random.js';
import { ideRelease } from './ide.js';
import { mwem } from './mwem.js';
import { pmwPub } from './pmw-pub.js';
import type { Released } from './released.js';
import { reweightRelease } from './reweight.js';

/** What a person may set of a mechanism. */
export type Setting = number | string | boolean;

export type Settings = Readonly<Record<string, Setting>>;

/** How a mechanism is run: threads, progress, and a generator for post-processing, which no privacy depends on. */
export interface MechanismRun extends Running, Threads {
  readonly random: Random;
}

/** One way to make a release, as programs and the command line find it. */
export interface Mechanism {
  readonly name: string;
  /** One line, without a full stop. */
  readonly summary: string;
  /** What it needs besides the session: the rows of a public table as a prior, or a domain small enough to list. */
  readonly needs: 'public-table' | 'small-domain';
  /** Everything that can be set, with its default. */
  readonly defaults: Settings;
  /** Runs it. `settings` hold a value for every default; the prior is there when it is needed. */
  readonly release: (
    session: Session,
    prior: Support | undefined,
    run: MechanismRun,
    settings: Settings,
  ) => Promise<Released>;
}

/** What the one-shot and the round-by-round mechanisms measure unless told in a program: pairs of attributes of bounded size. */
const pairs = ({ domain }: Session, { maxCells }: Settings): Workload => pairsOrOneWays(domain, Number(maxCells));

/** The workload, once it is known that the kernels can hold it with the prior's rows: nothing may be spent before that. */
const fittingPairs = (session: Session, prior: Support, settings: Settings): Workload => {
  const workload = pairs(session, settings);
  checkWeightedRows(
    prior,
    workload.queries.map(({ query }) => attributesOf(query)),
  );
  return workload;
};

/** 0 leaves the number of rounds to the mechanism. */
const roundsOf = ({ rounds }: Settings): { readonly rounds?: number } =>
  rounds === 0 ? {} : { rounds: Number(rounds) };

/** All mechanisms, the default one first. A mechanism joins by one entry. */
export const mechanisms: readonly Mechanism[] = [
  {
    name: 'reweight',
    summary: 'measures marginals once and reweights the public rows, as far as signal can be told from noise',
    needs: 'public-table',
    defaults: { maxCells: 20_000, iterations: 1000 },
    release: async (session, prior, run, settings) => {
      const workload = fittingPairs(session, prior!, settings);
      return reweightRelease(session, prior!, { ...run, workload, iterations: Number(settings.iterations) });
    },
  },
  {
    name: 'ide',
    summary: 'measures marginals once and fits the public rows to one after the other, by least divergence',
    needs: 'public-table',
    defaults: { maxCells: 20_000, epochs: 50 },
    release: async (session, prior, run, settings) => {
      const workload = fittingPairs(session, prior!, settings);
      return ideRelease(session, prior!, { ...run, workload, epochs: Number(settings.epochs) });
    },
  },
  {
    name: 'pmw-pub',
    summary: 'picks, round by round, a cell that the public rows serve badly, measures it, and reweights',
    needs: 'public-table',
    defaults: { maxCells: 20_000, rounds: 0 },
    release: (session, prior, run, settings) =>
      pmwPub(session, prior!, pairs(session, settings), { ...run, ...roundsOf(settings) }),
  },
  {
    name: 'mwem',
    summary: 'the same rounds on every cell of a small domain, from a uniform start; needs no public table',
    needs: 'small-domain',
    defaults: { maxCells: 20_000, rounds: 0 },
    release: (session, _prior, run, settings) =>
      mwem(session, pairs(session, settings), { ...run, ...roundsOf(settings) }),
  },
];

/** The mechanism of that name, or an `InputError` that lists what there is. */
export const mechanismNamed = (name: string): Mechanism => {
  const found = mechanisms.find((mechanism) => mechanism.name === name);
  if (found !== undefined) return found;
  const names = mechanisms.map((mechanism) => mechanism.name);
  const near = nearest(name, names);
  throw new InputError(
    `mechanism: must be one of ${names.join(', ')}, got ${JSON.stringify(name)}${near === undefined ? '' : `; did you mean ${near}?`}`,
  );
};

/** The defaults with what was set in their place; an unknown name or another type of value is an `InputError`. */
export const settingsOf = ({ name, defaults }: Mechanism, given: Settings): Settings => {
  for (const [key, value] of Object.entries(given)) {
    if (!Object.hasOwn(defaults, key))
      throw new InputError(
        `${name}: can be set ${Object.keys(defaults).join(', ') || 'nothing'}, got ${JSON.stringify(key)}`,
      );
    if (typeof value !== typeof defaults[key])
      throw new InputError(`${name}: ${key} must be a ${typeof defaults[key]}, got ${JSON.stringify(value)}`);
    const least = defaults[key] === 0 ? 0 : 1;
    if (typeof value === 'number' && !(Number.isSafeInteger(value) && value >= least))
      throw new InputError(`${name}: ${key} must be a whole number from ${least} on, got ${value}`);
  }
  return { ...defaults, ...given };
};
