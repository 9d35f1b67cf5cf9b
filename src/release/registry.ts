import { InputError } from '../domain/input-error.js';
import { nearest } from '../domain/nearest.js';
import type { Running } from '../domain/running.js';
import type { Support } from '../model/support.js';
import { checkWeightedRows, type Threads } from '../model/weighted-rows.js';
import type { Session } from '../privacy/session.js';
import { attributesOf } from '../query/answer.js';
import { pairsOrOneWays } from '../query/pairs-or-one-ways.js';
import type { Random } from '../random/random.js';
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

/** All mechanisms, the default one first. A mechanism joins by one entry. */
export const mechanisms: readonly Mechanism[] = [
  {
    name: 'reweight',
    summary: 'measures marginals once and reweights the public rows, as far as signal can be told from noise',
    needs: 'public-table',
    defaults: { maxCells: 20_000, iterations: 1000 },
    release: async (session, prior, run, settings) => {
      const workload = pairsOrOneWays(session.domain, Number(settings.maxCells));
      checkWeightedRows(
        prior!,
        workload.queries.map(({ query }) => attributesOf(query)),
      );
      return reweightRelease(session, prior!, { ...run, workload, iterations: Number(settings.iterations) });
    },
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
    if (typeof value !== typeof defaults[key] || (typeof value === 'number' && !Number.isFinite(value)))
      throw new InputError(`${name}: ${key} must be a ${typeof defaults[key]}, got ${JSON.stringify(value)}`);
  }
  return { ...defaults, ...given };
};
