import { cellsOf, sizesOf } from '../../domain/domain.js';
import { marginal } from '../../query/marginal.js';
import type { Workload } from '../../query/workload/workload.js';
import { marginalsOf } from '../marginals-of.js';
import { assumedRows, assumption, type Plan, type PlannedStep, type PublicFacts } from '../plan.js';
import { cellQuery, defaultRounds, defaultTotalShare, type RoundsKnown } from './private-multiplicative-weights.js';

export interface RoundsWork {
  /** Rows that the weights are spread over. */
  readonly rows: number;
  /** Number of rounds, or left to the mechanism. */
  readonly rounds?: number | undefined;
  /** Whether the number of rounds is found by rehearsals, which take about as long as the rounds. */
  readonly rehearsed?: boolean | undefined;
}

/** Script for one round, whatever its size. */
const roundSteps = 2e5;

/** What a release would know when it chooses its number of rounds, by public facts. */
export const roundsKnown = (facts: PublicFacts, workload: Workload, rows: number): RoundsKnown => {
  const { domain } = facts;
  const marginals = marginalsOf(workload);
  const cells = marginals.reduce((sum, { attributes }) => sum + cellsOf(domain, attributes), 0);
  const [counted] = facts.preview([marginal()], defaultTotalShare);
  const whole = counted.kind === 'none' ? 1 : 1 - defaultTotalShare;
  const cell = cellQuery(marginals[0], sizesOf(domain, marginals[0].attributes), 0);
  const [half] = facts.preview([cell], whole / 2);
  const records = assumedRows(facts);
  return {
    records,
    formula: defaultRounds(records / half.scale, rows, cells),
    noise: (rounds) => facts.preview([cell], whole / (2 * rounds))[0],
  };
};

/** The plan of private multiplicative weights: the number of records, then rounds of one selection and one measured cell each. */
export const planRounds = (
  facts: PublicFacts,
  workload: Workload,
  { rows, rounds, rehearsed = false }: RoundsWork,
): Plan => {
  const { domain } = facts;
  const marginals = marginalsOf(workload);
  const cells = marginals.reduce((sum, { attributes }) => sum + cellsOf(domain, attributes), 0);
  const [counted] = facts.preview([marginal()], defaultTotalShare);
  const { formula, noise: noiseOf } = roundsKnown(facts, workload, rows);
  const times = rounds ?? formula;
  const noise = noiseOf(times);
  const steps: PlannedStep[] = [
    { act: 'measure', what: 'number of records', query: marginal(), answers: 1, times: 1, noise: counted },
    {
      act: 'select',
      what: `the cell of ${marginals.length} marginals that is served worst`,
      answers: cells,
      times,
    },
    { act: 'measure', what: 'the selected cell', answers: 1, times, noise },
  ];
  const visits = rows * marginals.length;
  // A round refreshes all answers, scores all cells, and goes over the rows of each cell that was measured so far.
  const playing = {
    stage: 'rounds',
    amounts: {
      visits: times * (0.4 * visits + 15 * rows),
      cells: times * cells * 8,
      steps: times * (roundSteps + 2 * cells),
    },
    shared: true,
  };
  return {
    steps,
    memory: visits * 4 + cells * 24 + rows * 32,
    // Most rows coincide in the few attributes of a marginal, and the plan of the evaluation makes use of it.
    work: [
      { stage: 'measure', amounts: { counts: assumedRows(facts) * marginals.length, steps: visits } },
      ...(rehearsed ? [{ ...playing, stage: 'rehearse' }] : []),
      playing,
    ],
    range: [0.5, 2],
    remarks: [
      'Which cells are measured is chosen privately, round by round.',
      ...(rounds === undefined
        ? ['The number of rounds follows from the noisy number of records.', ...assumption(facts)]
        : []),
    ],
  };
};
