import type { Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { needsPublic, unable, unlessRefused } from '../fit.js';
import { entry } from '../mechanism.js';
import { estimators, type GroupedEstimator, grouped } from './grouped.js';
import { checkKeys } from './kept-groups.js';
import { groupLevels } from './levels.js';
import { planGrouped } from './plan.js';
import { type GroupedSettings, groupedDefaults, keysOf } from './settings.js';

const estimatorNamed = (name: string): GroupedEstimator => {
  if (!Object.hasOwn(estimators, name))
    throw new InputError(
      `estimator: must be one of ${Object.keys(estimators).join(', ')}, got ${JSON.stringify(name)}`,
    );
  return name as GroupedEstimator;
};

/** Refuses settings that cannot work. */
const checkSettings = (domain: Domain, settings: GroupedSettings): void => {
  const { keys, regions } = keysOf(settings);
  groupLevels(domain, keys, regions);
  checkKeys(domain, keys);
  estimatorNamed(settings.estimator);
};

export const groupedEntry = entry<GroupedSettings>({
  name: 'grouped',
  summary:
    'measures every region and every group in it, and fits the public rows to both; for tables of many small groups',
  needs: 'public-table',
  defaults: groupedDefaults,
  mostlyGaussian: () => true,
  required: ['keys'],
  lighter: [
    { setting: 'pool', least: 512, what: 'groups draw on fewer rows' },
    { setting: 'draws', least: 64, what: 'each group has fewer rows' },
  ],
  fits: ({ prior, workload, domain }, settings) => {
    if (prior === undefined) return needsPublic;
    if (workload !== undefined) return unable('it chooses what to measure from the public table; give it no workload');
    if (settings.keys === '') return unable('it must be told the attributes that make its groups, as its keys');
    return unlessRefused(
      () => checkSettings(domain, settings),
      () => ({ score: 0.6, why: `its groups are told apart by ${settings.keys}` }),
    );
  },
  plan: planGrouped,
  release: async (session, _prior, run, { estimator, ...settings }) => {
    const { keys: groups, regions } = keysOf(settings);
    if (run.publicTable === undefined) throw new InputError('public table: grouped needs its rows, got none');
    return grouped(session, run.publicTable, {
      ...run,
      ...settings,
      groups,
      regions,
      estimator: estimatorNamed(estimator),
    });
  },
});
