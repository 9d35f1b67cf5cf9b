import { drowning, isDrowned } from '../evaluate/drowning.js';
import { attributesIn } from '../query/answer.js';
import { assumedRows, type Plan, type PublicFacts } from '../release/plan.js';

/**
 * A sentence where the noise of a plan drowns most of what it measures, with what to do about it; undefined where it does not. By the number of
 * records that is expected, or assumed: nothing private enters.
 */
export const drownedIn = ({
  plan,
  facts,
}: {
  readonly plan: Plan;
  readonly facts: PublicFacts;
}): string | undefined => {
  const records = assumedRows(facts);
  const measured = plan.steps.flatMap(({ act, noise, ...step }) =>
    act === 'measure' && noise !== undefined && step.answers > 1 ? [{ noise, ...step }] : [],
  );
  const found = drowning(measured, facts.domain, records);
  if (!isDrowned(found)) return undefined;
  const { all, lost } = found;
  const several = measured.some(({ query }) => query === undefined || attributesIn(query).length > 1);
  const { length } = facts.domain.attributes;
  const ways = [
    ...(length > 2 ? ['release fewer columns'] : []),
    ...(several
      ? ['measure attributes one by one (a workload of single attributes)', 'use coarser bins']
      : ['use coarser bins']),
    'allow a larger epsilon',
  ];
  const known = facts.expectedRows === undefined ? ' (assumed: nobody said how many there are)' : '';
  return `The noise drowns what is measured: in ${lost === all ? 'all' : `${Math.floor((100 * lost) / all)}% of the`} ${all.toLocaleString('en-US')} measured marginals it would put more than half of ${records.toLocaleString('en-US')} ${facts.domain.households === undefined ? 'records' : 'households'}${known} into wrong cells${facts.prior === undefined && facts.publicHouseholds === undefined ? '' : ', so that the release would say what the public table says'}. To change that: ${ways.slice(0, -1).join(', ')}${ways.length > 1 ? ', or ' : ''}${ways[ways.length - 1]}.`;
};
