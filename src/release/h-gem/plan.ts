import { generatorBytes } from '../../estimate/generator/layout.js';
import { headColumns } from '../../estimate/generator/network-shape.js';
import { holding } from '../../query/holding.js';
import { roundShares } from '../generator/selecting-part.js';
import { assumedRows, assumption, type Plan, type PlannedStep, type PublicFacts } from '../plan.js';
import { counting } from '../work.js';
import { defaultRounds, hGemCost, hGemWork } from './h-gem-work.js';
import { type HGemSettings, hGemWorkload } from './settings.js';

/** Script of one step of training. */
const stepSteps = 20_000;

/** The plan of H-GEM: the number of households, what is public at the unit, then rounds of one selection and one measured query each. */
export const planHGem = (facts: PublicFacts, settings: HGemSettings): Plan => {
  const { budget, publicHouseholds } = facts;
  const { totalShare } = settings;
  const work = hGemWork(facts, hGemWorkload(facts, settings), settings);
  const { queries, needs } = work;
  const [counted] = facts.preview([holding()], totalShare);
  const whole = counted.kind === 'none' ? 1 : 1 - totalShare;
  const rounds = settings.rounds || defaultRounds(facts, work, { households: assumedRows(facts), share: whole });
  const { measuring } = roundShares(whole, rounds, settings.alpha, budget.currency);
  const noises = queries.map((query) => facts.preview([query], measuring)[0]);
  const free = noises.filter(({ kind }) => kind === 'none').length;
  const open = queries.length - free;
  const noise = noises.reduce((most, one) => (one.scale > most.scale ? one : most));
  const { step, score, cells } = hGemCost({ ...work, rounds });
  const answers = Math.round(cells / queries.length);
  const times = open === 0 ? 0 : rounds;
  const before = (publicHouseholds === undefined ? 0 : 1) + (free === 0 ? 0 : 1);
  const trained = settings.steps * times + settings.publicSteps * before;
  const steps: PlannedStep[] = [
    { act: 'measure', what: 'number of households', query: holding(), answers: 1, times: 1, noise: counted },
  ];
  if (free > 0)
    steps.push({
      act: 'measure',
      what: 'what depends on households alone',
      answers,
      times: free,
      noise: { kind: 'none', scale: 0 },
    });
  if (open > 0)
    steps.push(
      { act: 'select', what: `the query of ${open} that is served worst`, answers: open, times },
      { act: 'measure', what: 'the selected query', answers, times, noise },
    );
  return {
    steps,
    memory: generatorBytes(needs) + 20 * needs.batch * headColumns(needs.shape),
    work: [
      counting(assumedRows(facts), queries.length, cells, times),
      {
        stage: 'training',
        amounts: { products: trained * step + times * score, steps: trained * stepSteps },
        shared: true,
      },
    ],
    range: [0.4, 1.5],
    remarks: [
      'Which queries are measured is chosen privately, round by round; the noise shown is that of the noisiest. A round ends early where training has nothing left to do.',
      ...(settings.rounds === 0
        ? ['The number of rounds follows from the noisy number of households.', ...assumption(facts)]
        : []),
      ...(publicHouseholds === undefined
        ? []
        : ['The generator is trained on the public households first, which costs nothing.']),
    ],
  };
};
