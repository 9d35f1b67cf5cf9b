import { cellsOf } from '../../domain/domain.js';
import { holding } from '../../query/holding.js';
import { assumedRows, assumption, type Plan, type PublicFacts } from '../plan.js';
import { householdNumbers } from './all-households.js';
import { answerNoises, defaultRounds, hMwemQueries } from './h-mwem.js';
import { type HMwemSettings, hMwemOptions, hMwemWorkload } from './settings.js';

/** The plan of hierarchical MWEM: the number of households, then rounds of one selection and one measured answer each. */
export const planHMwem = (facts: PublicFacts, settings: HMwemSettings): Plan => {
  const { domain } = facts;
  const queries = hMwemQueries(hMwemWorkload(facts, settings), domain, settings);
  const cells = queries.reduce((sum, { attributes }) => sum + cellsOf(domain, attributes), 0);
  const { listed, persons, ordered } = householdNumbers(domain);
  const [counted] = facts.preview([holding()], settings.totalShare);
  const share = counted.kind === 'none' ? 1 : 1 - settings.totalShare;
  const { rounds } = hMwemOptions(settings);
  const times = rounds ?? defaultRounds(facts, queries, { households: assumedRows(facts), share });
  const noises = answerNoises(facts, queries, share / (2 * times));
  const noise = noises.reduce((most, one) => (one.scale > most.scale ? one : most));
  const visits = persons * queries.length;
  return {
    steps: [
      { act: 'measure', what: 'number of households', query: holding(), answers: 1, times: 1, noise: counted },
      {
        act: 'select',
        what: `the answer of ${queries.length} queries that is served worst`,
        answers: cells,
        times,
      },
      { act: 'measure', what: 'the selected answer', answers: 1, times, noise },
    ],
    memory: 4 * visits + persons * (8 + 4 * domain.attributes.length) + listed * 24 + cells * 8,
    // A scatter a round, and updates of at most `maxUpdates` answers, each over the households of its cell.
    work: [
      { stage: 'measure', amounts: { steps: visits } },
      {
        stage: 'rounds',
        amounts: {
          visits: times * 2 * visits,
          cells: times * (settings.passes * settings.maxUpdates * listed * 0.2 + 15 * cells),
        },
        shared: true,
      },
    ],
    range: [0.4, 2.5],
    remarks: [
      `The histogram lists ${listed.toLocaleString('en-US')} possible households (${ordered.toLocaleString('en-US')} with ordered persons).`,
      'Which answers are measured is chosen privately, round by round; the noise shown is that of the noisiest: a count of persons, where households are protected, has that of their largest number.',
      ...(rounds === undefined
        ? ['The number of rounds follows from the noisy number of households.', ...assumption(facts)]
        : []),
    ],
  };
};
