import { cellsOf, type Domain } from '../../domain/domain.js';
import { marginal } from '../../query/marginal.js';
import { assumedRows, type Plan, type PublicFacts } from '../plan.js';
import { planRounds } from '../rounds/plan-rounds.js';
import { defaultTotalShare } from '../rounds/private-multiplicative-weights.js';
import { chosenFrom, roundsOf } from '../rounds/rounds-settings.js';
import { counting, treeFit } from '../work.js';
import { defaultMarginalRounds } from './mwem-by-marginals.js';
import { type MwemSettings, marginalsChosenFrom } from './settings.js';

/** Script for what the model says of one candidate, and runs of the oracle for each fit. */
const [answerSteps, runsARound] = [2000, 150];

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
  /** Cells of the model in the end: what was measured, and room for it. */
  const tree = Math.min(modelBytes / 8, (10 * times * cells) / queries.length);
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
    work: [
      counting(assumedRows(facts), queries.length, cells, times),
      { stage: 'rounds', amounts: { steps: times * queries.length * answerSteps } },
      settings.estimator === 'pgm'
        ? treeFit(
            'rounds',
            { walked: 3 * tree, length: tree / 4, steps: 6 * domain.attributes.length, bytes: 16 * tree },
            times * runsARound,
          )
        : { stage: 'rounds', amounts: { cells: times * tree * 40 } },
    ],
    range: [0.3, 3],
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
