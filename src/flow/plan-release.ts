import type { Among } from '../bundle/among.js';
import { brokenRows } from '../domain/constraints/mended.js';
import { InputError } from '../domain/input-error.js';
import { halves, resampled } from '../domain/resample.js';
import type { Running } from '../domain/running.js';
import type { Outside } from '../domain/schema/outside.js';
import type { Table } from '../domain/table.js';
import { inTurns } from '../domain/turns.js';
import { type PlannedEnd, plannedEnds } from '../evaluate/beyond-ends.js';
import type { Contestant, Judgement } from '../evaluate/compare-mechanisms.js';
import { machineRates } from '../kernel/calibrate.js';
import type { Threads } from '../model/support/weighted-rows.js';
import { amountToNumber, formatAmount } from '../privacy/accounting/amount.js';
import { type Budget, type BudgetRequest, budgetOf } from '../privacy/accounting/budget.js';
import { seeded } from '../random/seeded.js';
import { type RankedMechanism, ranking } from '../release/choose-mechanism.js';
import type { AnyMechanism } from '../release/mechanism.js';
import { assumedRows, type Plan, type PublicFacts } from '../release/plan.js';
import type { Settings } from '../release/settings.js';
import type { Judged } from './check-public.js';
import { compareTables } from './compare-tables.js';
import { type Forecast, forecastOf } from './forecast.js';
import type { MakeReleaseOptions } from './make-release.js';
import type { MechanismChoice } from './named-mechanism.js';
import { type Prepared, prepareRelease } from './prepare-release.js';
import { type PublicFactsOptions, publicFacts } from './public-facts.js';
import type { PublicsOptions } from './publics.js';
import type { Start } from './start.js';
import type { RunLimits } from './within-limits.js';

/** What a release would be told. */
export interface PlanReleaseOptions extends PublicFactsOptions, Running, Omit<PublicsOptions, 'publicTable'> {
  /** A public table of the same columns, if there is one. */
  readonly publicTable?: Table | undefined;
  /** For a rehearsal, and for choosing by a stand-in. */
  readonly threads?: Threads | undefined;
  /** As in `MakeReleaseOptions`: a release that has them fits replicates at a time, and so it is forecast. */
  readonly fitters?: MakeReleaseOptions['fitters'];
  readonly mechanism?: MechanismChoice;
  readonly settings?: Settings | ((mechanism: AnyMechanism) => Settings) | undefined;
  /** Replicates for bounds, 0 for none; the mechanism's own number by default. */
  readonly bootstrap?: number | undefined;
  /** Synthetic rows; as many as private ones are expected by default. */
  readonly rows?: number | undefined;
  /** Seconds that a record takes to reach the disk on which acts would be recorded, for the forecast; 0 by default. */
  readonly syncSeconds?: number | undefined;
  /** What the run may take, by its forecast. */
  readonly limits?: RunLimits | undefined;
  /** Run the mechanism on the public table in place of the private one, to see its errors and time. */
  readonly rehearse?: boolean | undefined;
}

/** A release that has not been made. */
export interface PlannedRelease {
  readonly mechanism: AnyMechanism;
  readonly settings: Settings;
  /** Why the mechanism was chosen, in a sentence; absent when it was named. */
  readonly why?: string | undefined;
  readonly ranked: readonly RankedMechanism[];
  readonly plan: Plan;
  readonly facts: PublicFacts;
  /** The name of what it would start from, where that is known. */
  readonly start?: string | undefined;
  /** How several public tables come to one, where that is free. */
  readonly among?: Among | undefined;
  /** The tables that a release would choose among, and the part of its budget for it, where that is paid for. */
  readonly choosing?: { readonly share: number; readonly tables: readonly Judged[] } | undefined;
  /** What would become of values that the schema does not name. */
  readonly outside: Outside;
  /** Where the schema has open ends, and how precisely the release would tell what lies beyond them. */
  readonly beyond: readonly PlannedEnd[];
  /** How often the fit is repeated for bounds, beside the fit itself. */
  readonly replicates: number;
  /** How long it would take on this machine, and how much memory. */
  readonly forecast: Forecast;
  /** What was given up to stay within limits. */
  readonly gaveUp: readonly string[];
  readonly rehearsal?: Rehearsal | undefined;
}

/** What one run showed in which one half of the public table played the private table and the other half the public one. */
export interface Rehearsal extends Pick<Contestant, 'error' | 'largest' | 'seconds'> {
  /** Rows drawn, with replacement, to play the private table. */
  readonly rows: number;
  readonly pairs: number;
  /** The half that played the public table, as it is. */
  readonly asIs: Judgement;
}

/**
 * Plans a release from public facts: which mechanism, what it would measure with which noise, how long it would take. The
 * private table is not opened, nor is its ledger.
 *
 * @example
 * ```ts
 * const { mechanism, plan } = await planRelease({ schema: wholeSchema, budget: { epsilon: 1, delta: 1e-9 } });
 * console.log(mechanism.name, plan.steps.length);
 * ```
 */
export const planRelease = async (options: PlanReleaseOptions): Promise<PlannedRelease> => {
  const { onProgress, signal, threads } = options;
  const given = options.publicTable && { name: 'public table', table: options.publicTable };
  const { starts, among, choosing } = await prepareRelease({
    ...options,
    publicTable: given,
    threads: threads?.threads,
    workers: threads?.workers,
  });
  const [{ publicTable, facts: known, mechanism, settings, why, ranked, replicates, gaveUp }] = starts;
  const fit = mechanism.fits(known, settings);
  if (!fit.able) throw new InputError(`mechanism: ${mechanism.name} cannot make this release: ${fit.why}`);
  const rehearsal = options.rehearse
    ? await rehearse(known, publicTable?.table, mechanism, settings, { onProgress, signal, threads })
    : undefined;
  const tuned = await mechanism.tune?.(known, settings, { onProgress, signal, ...threads });
  const drawn = mechanism.plan(known, tuned?.settings ?? settings);
  const remarks = [
    ...countedRemark(known.budget),
    ...drawn.remarks,
    ...(tuned?.remarks ?? []),
    ...brokenRemark(publicTable?.table),
  ];
  const plan = { ...drawn, remarks };
  const drawsRows = mechanism.drawsRows?.(settings) ?? true;
  return {
    mechanism,
    settings,
    ranked: ranked ?? (await inTurns(ranking(known), { signal })),
    plan: choosing === undefined ? plan : withChoosing(plan, starts, choosing),
    facts: publicFacts({ ...options, budget: starts[0].budget }, publicTable?.table, publicTable?.prior),
    start: choosing === undefined ? publicTable?.name : undefined,
    among,
    choosing: choosing && { share: choosing.share, tables: starts.map(judgedOf) },
    outside: options.outside ?? 'declared',
    beyond: plannedEnds(known.domain, plan.steps),
    replicates,
    gaveUp: gaveUp ?? [],
    forecast: forecastOf(
      {
        ...{ facts: known, plan, replicates, drawsRows },
        ...{ rows: options.rows, threads: threads?.threads ?? 2, syncSeconds: options.syncSeconds },
        oneByOne: options.limits?.bytes !== undefined || options.fitters === undefined,
      },
      await machineRates(),
    ),
    why,
    rehearsal,
  };
};

const judgedOf = ({ publicTable }: Start): Judged => ({ name: publicTable!.name, rows: publicTable!.table.length });

/** How a release of Gaussian noise alone is counted, and what it depends on. */
const countedRemark = ({ currency, epsilon, delta }: Budget): string[] => {
  if (currency !== 'gdp') return [];
  const total = (accounting: 'zcdp' | 'gdp') =>
    amountToNumber(budgetOf({ epsilon: formatAmount(epsilon!), delta: delta!, accounting }).total);
  const more = 100 * (Math.sqrt(total('gdp') / total('zcdp')) - 1);
  return [
    `It is counted by the exact loss of Gaussian noise (gdp), as a new ledger is; if the table's ledger counts rho since its first release, there is ${more.toFixed(1)}% more noise.`,
  ];
};

/** What is to be known of public rows that break constraints. */
const brokenRemark = (table: Table | undefined): string[] => {
  const broken = table === undefined ? 0 : brokenRows(table);
  if (broken === 0) return [];
  return [
    `${broken.toLocaleString('en-US')} of ${table!.length.toLocaleString('en-US')} public rows break a constraint of the schema, and serve as the nearest rows that keep all.`,
  ];
};

/** The plan with what is paid for to choose a public table before. */
const withChoosing = (
  plan: Plan,
  starts: readonly Start[],
  { share, workload }: NonNullable<Prepared['choosing']>,
): Plan => ({
  ...plan,
  steps: [
    {
      act: 'measure',
      what: `how well the rows of a public table can be weighted, over ${workload.queries.length} marginals`,
      answers: 1,
      times: starts.length,
    },
    ...plan.steps,
  ],
  remarks: [
    `Which of ${starts.length} public tables serves is chosen for ${100 * share}% of the budget; what is planned here is for ${starts[0].publicTable!.name} and the rest, and may differ for another.`,
    ...plan.remarks,
  ],
});

/** Any seed would do: nothing private is near. */
const rehearsalSeed = 1;

/** What the mechanism has of the budget, as one would ask for it. */
const requestOf = ({ currency, total }: Budget): BudgetRequest =>
  currency === 'pure' ? { epsilon: formatAmount(total) } : { rho: formatAmount(total) };

const rehearse = async (
  facts: PublicFacts,
  table: Table | undefined,
  mechanism: AnyMechanism,
  settings: Settings,
  running: Running & { readonly threads: Threads | undefined },
): Promise<Rehearsal> => {
  if (table === undefined || table.length < 2)
    throw new InputError('rehearse: needs a public table of two rows or more to play the private one, got none', {
      kind: 'rehearse-public',
    });
  if (facts.unit.maxRecords > 1)
    throw new InputError(
      'rehearse: can rehearse the protection of rows, got a unit of several rows; leave one of them out',
      { kind: 'option', name: 'rehearse' },
    );
  if (mechanism.level === 'households')
    throw new InputError('rehearse: can rehearse a release of rows, got households; leave it out', {
      kind: 'option',
      name: 'rehearse',
    });
  const random = seeded(rehearsalSeed);
  const [first, publicTable] = halves(table, random);
  const rows = assumedRows(facts);
  const { contestants, asIs, pairs, unable } = await compareTables({
    ...running,
    threads: running.threads ?? {},
    standIn: resampled(first, rows, random),
    publicTable,
    mechanisms: [mechanism],
    settings: () => settings,
    workload: facts.workload,
    budgets: [requestOf(facts.budget)],
    runs: 1,
    relation: facts.relation,
    seed: rehearsalSeed,
  });
  if (contestants.length === 0)
    throw new InputError(`rehearse: ${unable[0].why}`, { kind: 'option', name: 'rehearse' });
  const { error, largest, seconds } = contestants[0];
  return { rows, pairs, error, largest, seconds, asIs: asIs! };
};
