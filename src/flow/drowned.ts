import { expectedError } from '../privacy/expected-error.js';
import { attributesIn } from '../query/answer.js';
import { recordUnit } from '../query/record-unit.js';
import { assumedRows, type Plan, type PublicFacts } from '../release/plan.js';

/** Part of the records that the noise of a marginal may misplace before it says more of the noise than of the table. */
const most = 0.5;

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
  const measured = plan.steps.filter(
    ({ act, noise, answers }) => act === 'measure' && noise !== undefined && answers > 1,
  );
  const shares = measured.map(({ noise, answers, query, times }) => {
    const unit = query === undefined ? 1 : recordUnit(query, facts.domain);
    return { times, share: Math.min(1, (expectedError(noise!) * answers) / unit / 2 / records) };
  });
  const all = shares.reduce((sum, { times }) => sum + times, 0);
  const lost = shares.reduce((sum, { times, share }) => sum + (share > most ? times : 0), 0);
  if (all === 0 || 2 * lost <= all) return undefined;
  const several = measured.some(({ query }) => query === undefined || attributesIn(query).length > 1);
  const { length } = facts.domain.attributes;
  const ways = [
    ...(length > 2 ? ['release fewer columns'] : []),
    ...(several
      ? ['measure attributes one by one (a workload of single attributes)', 'use coarser bins']
      : ['use coarser bins']),
    'allow a larger epsilon',
  ];
  return `The noise drowns what is measured: in ${lost === all ? 'all' : `${Math.floor((100 * lost) / all)}% of the`} ${all.toLocaleString('en-US')} measured marginals it would put more than half of ${records.toLocaleString('en-US')} ${facts.domain.households === undefined ? 'records' : 'households'} into wrong cells${facts.prior === undefined && facts.publicHouseholds === undefined ? '' : ', so that the release would say what the public table says'}. To change that: ${ways.slice(0, -1).join(', ')}${ways.length > 1 ? ', or ' : ''}${ways[ways.length - 1]}.`;
};
