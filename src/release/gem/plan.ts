import { cellsOf } from '../../domain/domain.js';
import { generatorBytes } from '../../estimate/generator/layout.js';
import { parameterCount } from '../../estimate/generator/network-shape.js';
import { marginal } from '../../query/marginal.js';
import { roundShares } from '../generator/selecting-part.js';
import { assumedRows, type Plan, type PublicFacts } from '../plan.js';
import { counting } from '../work.js';
import { totalShare } from './gem.js';
import { gemCost, gemWork } from './gem-work.js';
import { type GemSettings, gemWorkload } from './settings.js';

/** Script of one step of training. */
const stepSteps = 20_000;

/** The plan of GEM: the number of records, all attributes once, then rounds of one selection and one measured marginal each. */
export const planGem = (facts: PublicFacts, settings: GemSettings): Plan => {
  const { domain, budget, prior } = facts;
  const work = gemWork(domain, gemWorkload(facts, settings), settings);
  const { singles, rounds, needs } = work;
  const marginals = work.queries.filter((_, i) => work.weights[i] > 0);
  const cells = marginals.reduce((sum, { attributes }) => sum + cellsOf(domain, attributes), 0);
  const [counted] = facts.preview([marginal()], totalShare);
  const whole = counted.kind === 'none' ? 1 : 1 - totalShare;
  const first = whole * settings.oneWayShare;
  const noises = facts.preview(singles, first);
  const { measuring } = roundShares(whole - first, rounds, settings.alpha, budget.currency);
  const [noise] = facts.preview([marginals[0]], measuring);
  const cost = gemCost(work, parameterCount(needs.shape));
  const steps = settings.steps * (rounds + 1) + (prior === undefined ? 0 : settings.publicSteps);
  return {
    steps: [
      { act: 'measure', what: 'number of records', query: marginal(), answers: 1, times: 1, noise: counted },
      ...noises.map((own, i) => ({
        act: 'measure' as const,
        what: domain.attributes[i].name,
        query: singles[i],
        answers: domain.attributes[i].size,
        times: 1,
        noise: own,
      })),
      {
        act: 'select',
        what: `the marginal of ${marginals.length} that is served worst`,
        answers: marginals.length,
        times: rounds,
      },
      {
        act: 'measure',
        what: 'the selected marginal',
        answers: Math.round(cells / marginals.length),
        times: rounds,
        noise,
      },
    ],
    memory: generatorBytes(needs) + 20 * needs.batch * needs.shape.heads.reduce((sum, size) => sum + size, 0),
    work: [
      counting(assumedRows(facts), marginals.length, cells, rounds),
      {
        stage: 'training',
        amounts: { products: steps * cost.step + rounds * cost.score, steps: steps * stepSteps },
        shared: true,
      },
    ],
    range: [0.4, 1.5],
    remarks: [
      'Which marginals are measured is chosen privately, round by round; a round ends early where training has nothing left to do.',
      ...(prior === undefined ? [] : ['The generator is trained on the public table first, which costs nothing.']),
    ],
  };
};
