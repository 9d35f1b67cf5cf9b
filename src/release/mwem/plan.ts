import { cellsOf, type Domain } from '../../domain/domain.js';
import { marginal } from '../../query/marginal.js';
import type { Plan, PublicFacts } from '../plan.js';
import { planRounds } from '../rounds/plan-rounds.js';
import { defaultTotalShare } from '../rounds/private-multiplicative-weights.js';
import { chosenFrom, roundsOf } from '../rounds/rounds-settings.js';
import { defaultMarginalRounds } from './mwem-by-marginals.js';
import { type MwemSettings, marginalsChosenFrom } from './settings.js';

/** Cells of the whole domain. */
export const wholeDomain = (domain: Domain): number =>
  cellsOf(
    domain,
    domain.attributes.map(({ name }) => name),
  );

/** The plan of the rounds that choose whole marginals. */
const planMarginals = (facts: PublicFacts, settings: MwemSettings): Plan => {
  const { domain } = facts;
  const queries = marginalsChosenFrom(facts, settings).map(({ query }) => query);
  const cells = queries.reduce((sum, { attributes }) => sum + cellsOf(domain, attributes), 0);
  const times = roundsOf(settings) ?? defaultMarginalRounds(domain.attributes.length, queries.length);
  const [counted] = facts.preview([marginal()], defaultTotalShare);
  const whole = counted.kind === 'none' ? 1 : 1 - defaultTotalShare;
  const [noise] = facts.preview([queries[0]], whole / (2 * times));
  const modelBytes = 1e6 * settings.modelMegabytes;
  return {
    steps: [
      { act: 'measure', what: 'number of records', query: marginal(), answers: 1, times: 1, noise: counted },
      {
        act: 'select',
        what: `the marginal of ${queries.length} that is served worst`,
        answers: queries.length,
        times,
      },
      {
        act: 'measure',
        what: 'the selected marginal',
        answers: Math.round(cells / queries.length),
        times,
        noise,
      },
    ],
    memory: 3 * modelBytes + cells * 16,
    seconds: 0.5 + times * (cells * 12e-9 + (settings.estimator === 'pgm' ? 0.15 : modelBytes * 2e-8)),
    remarks: [
      'Which marginals are measured is chosen privately, round by round, among those that the model can still hold.',
    ],
  };
};

export const planMwem = (facts: PublicFacts, settings: MwemSettings): Plan =>
  settings.estimator !== 'weights'
    ? planMarginals(facts, settings)
    : planRounds(facts, chosenFrom(facts, settings, 'mwem'), {
        rows: wholeDomain(facts.domain),
        rounds: roundsOf(settings),
      });
