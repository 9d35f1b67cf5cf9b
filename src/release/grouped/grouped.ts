import { mended } from '../../domain/constraints/mended.js';
import type { Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import type { Running } from '../../domain/running.js';
import type { Table } from '../../domain/table.js';
import { estimateIde } from '../../estimate/ide/ide.js';
import { estimateReweighted } from '../../estimate/reweight/reweight.js';
import { type GroupRows, groupedModel } from '../../model/grouped-model.js';
import { priorOf } from '../../model/support/prior-of.js';
import type { Support } from '../../model/support/support.js';
import type { Threads } from '../../model/support/weighted-rows.js';
import type { Measurement } from '../../privacy/measurement.js';
import type { Door, Group, GroupKey, Session } from '../../privacy/session/session.js';
import type { Marginal } from '../../query/marginal.js';
import type { Random } from '../../random/random.js';
import type { Released } from '../released.js';
import { inAllGroups } from './in-all-groups.js';
import { checkKeys, keptGroups } from './kept-groups.js';
import { groupLevels } from './levels.js';
import { carryBack, rowClasses } from './row-classes.js';
import { drawRows, rowPool } from './row-pool.js';
import { groupedDefaults } from './settings.js';
import { type GroupWorkloadOptions, type GroupWorkloads, groupWorkloads } from './workloads.js';

/** How groups and regions are told apart, and what is measured in each. */
export interface GroupedOptions extends Running, Threads, GroupWorkloadOptions {
  /** The attributes whose combinations are the groups, such as district and year: all that the domain declares. */
  readonly groups: readonly string[];
  /** What makes a region of them: some of the same attributes, or declared mappings of them (a state from its districts). */
  readonly regions: readonly GroupKey[];
  /** For stopping rules, orders and draws: post-processing, so any generator will do. */
  readonly random: Random;
  /** How a prior is brought in line with measurements: validated reweighting (default), or IDE as in the paper. */
  readonly estimator?: GroupedEstimator | undefined;
  /** What to measure; by default chosen from the public table. */
  readonly workloads?: GroupWorkloads | undefined;
  /** Rows that stand for the distribution of a region, from which those of its groups are drawn; 8,192 by default. */
  readonly pool?: number | undefined;
  /** Rows that stand for the distribution of a group, at least; four times its records if that is more. 1,024 by default. */
  readonly draws?: number | undefined;
}

/** A noisy number of records, a whole number from 0, and noisy answers of a workload. */
interface Seen {
  readonly total: Measurement;
  readonly answers: readonly Measurement[];
}

/**
 * The contest pipeline (Tao, Bater, Machanavajjhala 2021, Algorithm 2): brings the public prior in line with each region, then the
 * region's result with each of its groups. Regions share half of the budget in parallel and so do groups; each spends half of
 * that on its number of records and half on its workload, a quarter of the whole each. All private acts come first.
 */
export const grouped = async (session: Session, given: Table, options: GroupedOptions): Promise<Released> => {
  const publicTable = mended(given);
  const {
    groups: keys,
    regions,
    estimator = 'reweight',
    pool = groupedDefaults.pool,
    draws = groupedDefaults.draws,
    random,
    signal,
    onProgress,
    threads,
    workers,
  } = options;
  check(session, publicTable, options);
  checkKeys(session.domain, keys);
  const levels = groupLevels(session.domain, keys, regions);
  const workloads = options.workloads ?? groupWorkloads(session, publicTable, levels, options);
  const prior = priorOf(withoutKeys(publicTable, keys));
  const above = await session.partition(regions, 1 / 2, (doors) => seeAll(doors, workloads.upper));
  const below = await session.partition(keys, 1 / 2, (doors) => seeAll(doors, workloads.lower));

  const run = { random, signal };
  const update: Estimate = estimators[estimator];
  const roots = [...new Set(workloads.lower.flatMap(({ attributes }) => attributes))];
  const modelled: GroupRows[] = [];
  for (let region = 0, done = 0; region < levels.regions; region++) {
    const members = below.flatMap((group, g) => (levels.regionOf[g] === region ? [{ ...group, g }] : []));
    if (members.length === 0) continue;
    const updated = await update(prior, above[region], { ...run, threads, workers });
    const { rows: pooled, support } = rowPool(updated, pool, random);
    // Marginals of the roots cannot tell rows of a class apart: fit classes, and carry the result back to rows.
    const classes = rowClasses(support, roots);
    for (const { g, key, ...seen } of members) {
      signal?.throwIfAborted();
      const { weights } = await update(classes.support, seen, { ...run, threads: 1, probes: groupProbes });
      const total = recordsOf(seen);
      const rows = drawRows(carryBack(support, classes, weights), Math.max(draws, 4 * total), random);
      modelled[g] = { key, total, rows: rows.map((row) => pooled[row]) };
      onProgress?.({ stage: 'estimate groups', done: ++done, total: levels.groups });
    }
  }
  const names = (list: readonly Marginal[]): string[][] => list.map(({ attributes }) => [...attributes]);
  return {
    model: groupedModel(session.domain, keys, prior, keptGroups(session.domain, keys, atLeastOne(modelled, below))),
    measurements: [...inAllGroups(above, regions), ...inAllGroups(below, keys)],
    notes: { estimator, groups: levels.groups, upper: names(workloads.upper), lower: names(workloads.lower) },
  };
};

/** Lines 2 and 4 of PRIOR_UPDATE in every group: a half of what the group may spend on each. */
const seeAll = async (
  doors: readonly Group[],
  workload: readonly Marginal[],
): Promise<(Seen & Pick<Group, 'key'>)[]> => {
  const seen = [];
  for (const door of doors) seen.push({ key: door.key, ...(await see(door, workload)) });
  return seen;
};

const see = async (door: Door, workload: readonly Marginal[]): Promise<Seen> => ({
  total: await door.total(1 / 2),
  answers: await door.measure(workload, 1 / 2),
});

/** Groups with one record in all, at least, so that rows can be drawn: where noise leaves none, in the group that it took least from. */
const atLeastOne = (groups: readonly GroupRows[], seen: readonly Seen[]): readonly GroupRows[] => {
  if (groups.some(({ total }) => total > 0)) return groups;
  const counts = seen.map(({ total }) => total.values[0]);
  const largest = counts.reduce((best, count, g) => (count > counts[best] ? g : best), 0);
  return groups.map((group, g) => (g === largest ? { ...group, total: 1 } : group));
};

/** Line 3 of PRIOR_UPDATE. */
const recordsOf = ({ total }: Seen): number => Math.max(0, Math.floor(total.values[0]));

interface EstimateRun extends Threads, Running {
  readonly random: Random;
  readonly probes?: number | undefined;
}

type Estimate = (prior: Support, seen: Seen, run: EstimateRun) => Promise<Support>;

/** Perturbed fits that judge where a group stops: few, since a group that stops a little early or late is one of many. */
const groupProbes = 2;

/** PRIOR_UPDATE without its measurements. Where no record was seen there is nothing to learn. */
export const estimators = {
  reweight: async (prior, seen, run) => {
    const total = recordsOf(seen);
    return total === 0 ? prior : (await estimateReweighted(prior, seen.answers, { ...run, total })).support;
  },
  ide: async (prior, seen, run) => {
    const total = recordsOf(seen);
    return total === 0 ? prior : (await estimateIde(prior, seen.answers, { ...run, total })).support;
  },
} satisfies Readonly<Record<string, Estimate>>;

export type GroupedEstimator = keyof typeof estimators;

const withoutKeys = ({ domain, columns, length }: Table, keys: readonly string[]): Table => {
  const kept = domain.attributes.flatMap(({ name }, index) => (keys.includes(name) ? [] : [index]));
  return {
    domain: { attributes: kept.map((index) => domain.attributes[index]) },
    length,
    columns: kept.map((index) => columns[index]),
  };
};

/** Everything that could go wrong later is refused before anything is spent. */
const check = ({ domain }: Session, table: Table, { groups, workloads, pool = 1, draws = 1 }: GroupedOptions): void => {
  const shape = (of: Domain): string => of.attributes.map(({ name, size }) => `${name} (${size})`).join(', ');
  if (shape(table.domain) !== shape(domain))
    throw new InputError(
      'public table: must have the attributes and cells of the private domain, got others; encode both by one schema',
    );
  for (const size of [pool, draws])
    if (!Number.isSafeInteger(size) || size < 1)
      throw new InputError(`pool and draws: must be positive integers, got ${size}`);
  for (const list of workloads === undefined ? [] : [workloads.upper, workloads.lower]) {
    if (list.length === 0) throw new InputError('workloads: must have a marginal at each level, got none');
    for (const name of list.flatMap(({ attributes }) => attributes))
      if (groups.includes(name) || !domain.attributes.some((attribute) => attribute.name === name))
        throw new InputError(
          `workloads: must name attributes that do not tell groups apart, got ${JSON.stringify(name)}`,
        );
  }
};
