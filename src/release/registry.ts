import { cellsOf } from '../domain/domain.js';
import { InputError } from '../domain/input-error.js';
import { nearest } from '../domain/nearest.js';
import type { Running } from '../domain/running.js';
import { graphicalPrior } from '../estimate/graphical/prior/prior.js';
import { defaultEpochs } from '../estimate/ide/ide.js';
import { defaultIterations } from '../estimate/reweight/reweight.js';
import type { Support } from '../model/support/support.js';
import { checkWeightedRows, type Threads } from '../model/support/weighted-rows.js';
import type { Door, Session } from '../privacy/session/session.js';
import { attributesOf } from '../query/answer.js';
import { mostPairCells, pairsOrOneWays } from '../query/workload/pairs-or-one-ways.js';
import type { Workload } from '../query/workload/workload.js';
import type { Random } from '../random/random.js';
import { aim } from './aim/aim.js';
import { planAim } from './aim/plan.js';
import { aimDefaults, aimWorkload, givenAimWorkload } from './aim/workload.js';
import { ide } from './ide/ide.js';
import { givenIdeWorkload, ideMeasures, ideWorkload } from './ide/workload.js';
import { givenMarginals } from './marginals-of.js';
import { mwem } from './mwem/mwem.js';
import { defaultDomainCells } from './mwem/uniform-support.js';
import type { Fit, Plan, PublicFacts } from './plan.js';
import { planOneShot } from './plan-one-shot.js';
import { pmwPub } from './pmw-pub/pmw-pub.js';
import { directError, publicFit } from './public-fit.js';
import type { Released } from './released.js';
import { reweight, reweightParts } from './reweight/reweight.js';
import { planRounds } from './rounds/plan-rounds.js';

/** What a person may set of a mechanism. */
export type Setting = number | string | boolean;

export type Settings = Readonly<Record<string, Setting>>;

/** How a mechanism is run: threads, progress, and a generator for post-processing, which no privacy depends on. */
export interface MechanismRun extends Running, Threads {
  readonly random: Random;
  /** What the release should answer well; the mechanism's own default where nobody says. */
  readonly workload?: Workload | undefined;
}

/**
 * One way to make a release, as programs and the command line find it: choosing, dry runs, releases, reports and comparisons all
 * go through this entry.
 */
export interface Mechanism {
  readonly name: string;
  /** One line, without a full stop. */
  readonly summary: string;
  /** What it needs besides the session: the rows of a public table as a prior, a domain small enough to list, or nothing. */
  readonly needs: 'public-table' | 'small-domain' | 'nothing';
  /** Everything that can be set, with its default. */
  readonly defaults: Settings;
  /** Bootstrap replicates that a release makes unless told: as many as cost no more time than the release, or none. */
  readonly replicates?: number | undefined;
  /** How well it is placed to make a release, by public facts. Cheap: nothing is estimated. */
  readonly fits: (facts: PublicFacts) => Fit;
  /** What `release` would do with these settings, by public facts; the facts fit. */
  readonly plan: (facts: PublicFacts, settings: Settings) => Plan;
  /** Runs it. `settings` hold a value for every default; the prior is there when there is a public table. */
  readonly release: (
    session: Session,
    prior: Support | undefined,
    run: MechanismRun,
    settings: Settings,
  ) => Promise<Released>;
}

/** What a mechanism may know of what to answer well: the domain, and the workload where one was given. */
interface Asked extends Pick<Door, 'domain'> {
  readonly workload?: Workload | undefined;
}

/** What the one-shot and the round-by-round mechanisms measure unless told: pairs of attributes of bounded size. */
const pairs = ({ domain, workload }: Asked, { maxCells }: Settings): Workload =>
  workload ?? pairsOrOneWays(domain, Number(maxCells));

/** The same for rounds, which choose among the cells of marginals. */
const cellsToChoose = (asked: Asked, settings: Settings, mechanism: string): Workload =>
  asked.workload === undefined ? pairs(asked, settings) : givenMarginals(asked.workload, mechanism);

/** The workload, once it is known that the kernels can hold it with the prior's rows: nothing may be spent before that. */
const fitting = (workload: Workload, prior: Support): Workload => {
  checkWeightedRows(
    prior,
    workload.queries.map(({ query }) => attributesOf(query)),
  );
  return workload;
};

const fittingPairs = (asked: Asked, prior: Support, settings: Settings): Workload =>
  fitting(pairs(asked, settings), prior);

const ideQueries = ({ domain, workload }: Asked, prior: Support, { measure, maxCells }: Settings): Workload =>
  fitting(
    workload === undefined ? ideWorkload(prior, String(measure), Number(maxCells)) : givenIdeWorkload(workload, domain),
    prior,
  );

const modelBytes = ({ modelMegabytes }: Settings): number => 1e6 * Number(modelMegabytes);

const candidateSets = ({ domain, workload }: Asked, settings: Settings): Workload =>
  workload === undefined
    ? aimWorkload(domain, { degree: Number(settings.degree), maxCells: Number(settings.maxCells) })
    : givenAimWorkload(workload, domain, modelBytes(settings));

/** How well a mechanism is placed, unless it cannot take what it is asked: then the refusal is the reason. */
const unlessRefused = (check: () => unknown, otherwise: () => Fit): Fit => {
  try {
    check();
  } catch (error) {
    if (error instanceof InputError) return unable(error.message);
    throw error;
  }
  return otherwise();
};

/** 0 leaves the number of rounds to the mechanism. */
const roundsOf = ({ rounds }: Settings): { readonly rounds?: number | undefined } =>
  rounds === 0 ? {} : { rounds: Number(rounds) };

const unable = (why: string): Fit => ({ able: false, score: 0, why });

const needsPublic = 'it needs a public table, and there is none';

const wholeDomain = ({ domain }: Pick<Door, 'domain'>): number =>
  cellsOf(
    domain,
    domain.attributes.map(({ name }) => name),
  );

/**
 * A measurement error of single attributes, as total variation, from which on a budget tells so little that even a thin public
 * table is the better source.
 */
const hopeless = 0.5;

const pairDefaults = { maxCells: mostPairCells };

/** All mechanisms; which one is the default is for `chooseMechanism` to say. A mechanism joins by one entry. */
export const mechanisms: readonly Mechanism[] = [
  {
    name: 'reweight',
    summary: 'measures marginals once and reweights the public rows, as far as signal can be told from noise',
    needs: 'public-table',
    defaults: { ...pairDefaults, iterations: defaultIterations },
    replicates: 8,
    fits: (facts) => {
      const { prior } = facts;
      if (prior === undefined) return unable(needsPublic);
      return unlessRefused(
        () => fittingPairs(facts, prior, pairDefaults),
        () => {
          const { verdict, why } = publicFit(facts);
          if (verdict === 'fits') return { able: true, score: 0.9, why };
          if (directError(facts) > hopeless)
            return {
              able: true,
              score: 0.7,
              why: `${why}, but the budget is too small to measure the table without it`,
            };
          return { able: true, score: 0.3, why: `${why}, which can still be reweighted` };
        },
      );
    },
    plan: (facts, settings) => {
      const workload = fittingPairs(facts, facts.prior!, settings);
      const passes = Math.min(Number(settings.iterations), 120) * 6;
      return planOneShot(facts, workload, { parts: reweightParts(facts.domain, workload), passes, vectors: 24 });
    },
    release: async (session, prior, run, settings) => {
      const workload = fittingPairs({ domain: session.domain, workload: run.workload }, prior!, settings);
      return reweight(session, prior!, { ...run, workload, iterations: Number(settings.iterations) });
    },
  },
  {
    name: 'ide',
    summary: 'measures marginals once and fits the public rows to one after the other, by least divergence',
    needs: 'public-table',
    defaults: { measure: ideMeasures[0], ...pairDefaults, epochs: defaultEpochs },
    fits: (facts) =>
      facts.prior === undefined
        ? unable(needsPublic)
        : unlessRefused(
            () => facts.workload && givenIdeWorkload(facts.workload, facts.domain),
            () => ({ able: true, score: 0.1, why: 'it can run on the public table' }),
          ),
    plan: (facts, settings) => {
      const workload = ideQueries(facts, facts.prior!, settings);
      const parts = workload.queries.map(({ weight }) => weight);
      return planOneShot(facts, workload, { parts, passes: Number(settings.epochs) * 8, vectors: 12 });
    },
    release: async (session, prior, run, settings) => {
      const workload = ideQueries({ domain: session.domain, workload: run.workload }, prior!, settings);
      return ide(session, prior!, { ...run, workload, epochs: Number(settings.epochs) });
    },
  },
  {
    name: 'pmw-pub',
    summary: 'picks, round by round, a cell that the public rows serve badly, measures it, and reweights',
    needs: 'public-table',
    defaults: { ...pairDefaults, rounds: 0 },
    fits: (facts) =>
      facts.prior === undefined
        ? unable(needsPublic)
        : unlessRefused(
            () => cellsToChoose(facts, pairDefaults, 'pmw-pub'),
            () => ({ able: true, score: 0.2, why: 'it runs on the public table, in less memory than reweight' }),
          ),
    plan: (facts, settings) =>
      planRounds(facts, cellsToChoose(facts, settings, 'pmw-pub'), {
        rows: facts.prior!.length,
        ...roundsOf(settings),
      }),
    release: (session, prior, run, settings) =>
      pmwPub(session, prior!, cellsToChoose({ domain: session.domain, workload: run.workload }, settings, 'pmw-pub'), {
        ...run,
        ...roundsOf(settings),
      }),
  },
  {
    name: 'mwem',
    summary: 'the same rounds on every cell of a small domain, from a uniform start; needs no public table',
    needs: 'small-domain',
    defaults: { ...pairDefaults, rounds: 0 },
    fits: (facts) => {
      const cells = wholeDomain(facts);
      const size = cells > 1e15 ? cells.toExponential(1) : cells.toLocaleString('en-US');
      if (cells > defaultDomainCells)
        return unable(
          `it lists the whole domain, at most ${defaultDomainCells.toLocaleString('en-US')} cells, and this one has ${size}`,
        );
      return unlessRefused(
        () => cellsToChoose(facts, pairDefaults, 'mwem'),
        () => ({
          able: true,
          score: 0.4,
          why: `${publicFit(facts).why}, and the ${size} cells of the domain can all be held`,
        }),
      );
    },
    plan: (facts, settings) =>
      planRounds(facts, cellsToChoose(facts, settings, 'mwem'), { rows: wholeDomain(facts), ...roundsOf(settings) }),
    release: (session, _prior, run, settings) =>
      mwem(session, cellsToChoose({ domain: session.domain, workload: run.workload }, settings, 'mwem'), {
        ...run,
        ...roundsOf(settings),
      }),
  },
  {
    name: 'aim',
    summary:
      'picks, round by round, a marginal that a graphical model answers badly, and fits it anew; public table optional',
    needs: 'nothing',
    replicates: 8,
    defaults: aimDefaults,
    fits: (facts) => {
      const { verdict, why } = publicFit(facts);
      return unlessRefused(
        () => facts.workload && candidateSets(facts, aimDefaults),
        () => ({
          able: true,
          score: 0.5,
          why: verdict === 'none' ? `${why}, and a graphical model can hold a domain of any size` : why,
        }),
      );
    },
    plan: (facts, settings) => planAim(facts, candidateSets(facts, settings), modelBytes(settings)),
    release: (session, prior, run, settings) =>
      aim(session, {
        ...run,
        workload: candidateSets({ domain: session.domain, workload: run.workload }, settings),
        modelBytes: modelBytes(settings),
        iterations: Number(settings.iterations),
        ...(prior && { prior: graphicalPrior(session.domain, prior) }),
      }),
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
