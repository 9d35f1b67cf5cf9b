import type { GroupKey } from '../../privacy/session/session.js';
import { answerSize } from '../../query/answer.js';
import { describeQuery } from '../../query/describe-query.js';
import { type Marginal, marginal } from '../../query/marginal.js';
import { assumedRows, type Plan, type PlannedStep, type PublicFacts } from '../plan.js';
import { counting, rowsFit, times } from '../work.js';
import { byGroup } from './in-all-groups.js';
import { groupLevels } from './levels.js';
import { type GroupedSettings, keysOf } from './settings.js';
import { groupWorkloads } from './workloads.js';

/** Part of the budget of each of the four acts: numbers of records and workloads, by region and by group. */
const part = 1 / 4;

/** Passes over the public rows of a region for one fit, and script to fit one group on its pool. */
const regionPasses = 400;
const groupSteps = 1e6;

/** The plan of the contest pipeline: what is measured in all regions, then in all groups, stated for the whole table. */
export const planGrouped = (facts: PublicFacts, settings: GroupedSettings): Plan => {
  const { domain } = facts;
  const { keys, regions } = keysOf(settings);
  const levels = groupLevels(domain, keys, regions);
  const { upper, lower } = groupWorkloads(facts, facts.publicTable!, levels, settings);
  const measured = (queries: readonly Marginal[], by: readonly GroupKey[]): PlannedStep[] => {
    const all = queries.map((query) => byGroup(query, by));
    const noise = facts.preview(all, part);
    return all.map((query, i) => ({
      act: 'measure',
      what: queries[i].attributes.length === 0 ? `number of records by ${describeQuery(query)}` : describeQuery(query),
      query,
      answers: answerSize(query, domain),
      times: 1,
      noise: noise[i],
    }));
  };
  const rows = facts.prior!.length;
  return {
    steps: [[upper, regions] as const, [lower, keys] as const].flatMap(([workload, by]) => [
      ...measured([marginal()], by),
      ...measured(workload, by),
    ]),
    memory: rows * (4 * upper.length + 200) + levels.groups * (4 * settings.draws + 200) + settings.pool * 400,
    work: [
      counting(assumedRows(facts), upper.length + lower.length, levels.groups * lower.length),
      times(levels.regions, rowsFit('regions', { rows, marginals: upper.length, passes: regionPasses })),
      { stage: 'groups', amounts: { steps: levels.groups * groupSteps } },
    ],
    range: [0.3, 3],
    remarks: [
      `${levels.groups.toLocaleString('en-US')} groups in ${levels.regions.toLocaleString('en-US')} regions: a row is in one of each, so all of them together cost what one costs.`,
    ],
  };
};
