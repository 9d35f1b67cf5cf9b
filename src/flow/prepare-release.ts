import type { Among } from '../bundle/among.js';
import { InputError } from '../domain/input-error.js';
import type { Running } from '../domain/running.js';
import { inTurns } from '../domain/turns.js';
import { machineRates, type Rates } from '../kernel/calibrate.js';
import type { Threads } from '../model/support/weighted-rows.js';
import type { Budget } from '../privacy/accounting/budget.js';
import { pairsOrOneWays } from '../query/workload/pairs-or-one-ways.js';
import type { Workload } from '../query/workload/workload.js';
import { fitting } from '../release/asked-workload.js';
import { countedRequest } from '../release/counted-request.js';
import { givenMarginals } from '../release/marginals-of.js';
import type { PublicFacts } from '../release/plan.js';
import { type ReleaseRequest, settingsFor } from './check-release.js';
import type { MechanismChoice } from './named-mechanism.js';
import { type PublicFactsOptions, publicFacts } from './public-facts.js';
import { type PublicStart, type PublicTable, together, weightsOf } from './public-table.js';
import { defaultChoosingShare, givenPublics, type PublicsOptions, type PublicsWay, wayOf } from './publics.js';
import { rankByStandIn } from './rank-by-stand-in.js';
import { resolveMechanism } from './resolve-mechanism.js';
import type { Start } from './start.js';
import { type Fitted, type RunLimits, withinLimits } from './within-limits.js';

/** What a release is told that its beginning depends on. */
export interface PrepareOptions extends PublicFactsOptions, PublicsOptions, Running, Threads {
  readonly mechanism?: MechanismChoice;
  readonly settings?: ReleaseRequest['settings'];
  /** The part of the budget that the mechanism has, where another part was spent before; all of it by default. */
  readonly part?: number | undefined;
  /** Replicates for bounds, 0 for none; the mechanism's own number by default. */
  readonly bootstrap?: number | undefined;
  /** Synthetic rows; as many as the private ones are expected to be by default. */
  readonly rows?: number | undefined;
  /** The ledger's budget, which says how its releases are counted; that of a new one by default. */
  readonly counted?: Budget | undefined;
  /** Seconds that a record takes to reach the disk on which acts are recorded, for the forecast; 0 by default. */
  readonly syncSeconds?: number | undefined;
  /** What the run may take, by its forecast. */
  readonly limits?: RunLimits | undefined;
  /** How the run that goes on was made to stay within them: a machine is not as fast every time. */
  readonly fitted?: Fitted | undefined;
  /** The speed of the machine by which that is done; measured by default. */
  readonly rates?: Rates | undefined;
}

/** How a release begins, as far as it can be known for free. */
export interface Prepared {
  /** One, or those that the session is to choose among. */
  readonly starts: readonly Start[];
  /** How several public tables came to one. */
  readonly among?: Among | undefined;
  /** What is paid for to choose among the starts, where there are several. */
  readonly choosing?: { readonly share: number; readonly workload: Workload } | undefined;
}

/**
 * Everything of a release that depends on public things alone: what it starts from and by which mechanism. Where public tables are chosen
 * by a stand-in it runs the mechanism there; nothing private is opened, and what cannot be done is refused.
 */
export const prepareRelease = async (options: PrepareOptions): Promise<Prepared> => {
  const way = wayOf(options);
  const given = givenPublics(options);
  if (way !== undefined && options.schema.twoLevel !== undefined)
    throw new InputError(
      'public tables: must be one where the schema has twoLevel, got several; join them, or name one',
    );
  return way === undefined ? { starts: [await startOf(options, given[0])] } : preparing[way](options, given);
};

const startOf = async (
  options: PrepareOptions,
  publicTable: PublicStart | undefined,
  part: number | undefined = options.part,
): Promise<Start> => {
  const known = publicFacts({ ...options, part }, publicTable?.table, publicTable?.prior);
  const resolved = await resolveMechanism(options.mechanism, options.settings, known, options);
  const settings = settingsFor(resolved.mechanism, options.settings);
  const replicates = options.bootstrap ?? resolved.mechanism.replicates ?? 0;
  const budget = countedRequest(
    options.budget,
    { ...resolved, settings, attributes: known.domain.attributes.length },
    options.counted,
  );
  const facts =
    budget.accounting === options.budget.accounting
      ? known
      : publicFacts({ ...options, budget, part }, publicTable?.table, publicTable?.prior);
  const start = { publicTable, facts, ...resolved, settings, budget, replicates };
  if (options.limits === undefined) return start;
  const { rows, threads = 2, syncSeconds, limits, signal } = options;
  const within = async (): Promise<Fitted> =>
    inTurns(withinLimits({ ...start, rows, threads, syncSeconds }, limits, options.rates ?? (await machineRates())), {
      signal,
    });
  return { ...start, ...(options.fitted ?? (await within())) };
};

const startsOf = async (
  tables: readonly PublicTable[],
  start: (table: PublicTable) => Promise<Start>,
): Promise<Start[]> => {
  const starts: Start[] = [];
  for (const table of tables) starts.push(await start(table));
  return starts;
};

const fileOf = ({ name, table }: Pick<PublicTable, 'name' | 'table'>) => ({ file: name, rows: table.length });

type Prepare = (options: PrepareOptions, tables: readonly PublicTable[]) => Promise<Prepared>;

const preparing: { readonly [Way in PublicsWay]: Prepare } = {
  together: async (options, tables) => {
    const weights = weightsOf(tables);
    return {
      starts: [await startOf(options, together(tables))],
      among: { way: 'together', tables: tables.map((table, t) => ({ ...fileOf(table), weight: weights[t] })) },
    };
  },
  'stand-in': async (options, tables) => {
    const starts = await startsOf(tables, (table) => startOf(options, table));
    const { choice, among } = await rankByStandIn(starts, options.standIn!, options);
    return { starts: [starts[choice]], among };
  },
  paid: async (options, tables) => {
    const share = options.choosingShare ?? defaultChoosingShare;
    // Errors are measured with Laplace noise, which costs less in rho; a ledger that counts gdp already takes it at its price there.
    const accounting = options.counted?.currency === 'gdp' ? ('gdp' as const) : ('zcdp' as const);
    const budget = options.budget.delta === undefined ? options.budget : { accounting, ...options.budget };
    const starts = await startsOf(tables, (table) => startOf({ ...options, budget }, table, 1 - share));
    const workload = errorsOf(starts[0].facts);
    for (const { facts } of starts) fitting(workload, facts.prior!);
    return { starts, choosing: { share, workload } };
  },
};

/** What mixture errors are about: the marginals that were asked for, or pairs of attributes. */
const errorsOf = ({ domain, workload }: PublicFacts): Workload => {
  try {
    return workload === undefined ? pairsOrOneWays(domain) : givenMarginals(workload, 'a best mixture error');
  } catch (error) {
    if (error instanceof InputError)
      throw new InputError(`public tables: cannot be chosen among for a price: ${error.message}`);
    throw error;
  }
};
