import { rowBytes } from '../domain/table.js';
import { snapshotsHeld } from '../estimate/reweight/fit-weights.js';
import { balancingVisits } from '../model/balanced-counts.js';
import { jointWork } from '../model/support/joint-rows.js';
import type { Noise } from '../privacy/measurement.js';
import { answerSize, attributesOf } from '../query/answer.js';
import { describeQuery } from '../query/describe-query.js';
import { total } from '../query/marginal.js';
import type { Query } from '../query/query.js';
import type { Workload } from '../query/workload/workload.js';
import { assumedRows, type Plan, type PlannedStep, type PublicFacts } from './plan.js';
import { counting, rowsFit, type StageWork } from './work.js';

export interface OneShotWork {
  /** The number of records, where it is asked for first, and the part of the budget that this takes. */
  readonly before?: { readonly noise: Noise; readonly share: number } | undefined;
  /** Each query's part of the budget. */
  readonly parts: readonly number[];
  /** What the fit is called in progress events. */
  readonly stage: string;
  /** How often the fit goes over all rows in all marginals, by the noise of what is measured. */
  readonly passes: (noise: readonly Noise[], answers: number) => number;
  /** The same of one replicate, in parts of it. */
  readonly replicate?: number | undefined;
  /** Numbers held for each public row, besides its codes and its cell in every marginal. */
  readonly vectors: number;
  /** Whether marginals are summed out of joint tables (`openJointRows`), which need no cell of a row in every marginal. */
  readonly isJoint?: boolean | undefined;
  /** Rows that are drawn beside the public ones at most, and how many fits there are with them. */
  readonly drawn?: { readonly rows: number; readonly fits: number } | undefined;
  /** What is done before the fit. */
  readonly beforehand?: StageWork | undefined;
}

/** Script for a lookup when rows are drawn from the fitted support, for the release and for its report. */
const drawnSteps = 2.2;

/** Bytes for each answer: measured, expected, moved, and in kernel memory. */
const answerBytes = 96;

/** Bytes of the points on the way of a fit, of so many numbers each. */
const heldBytes = (numbers: number): number => 8 * numbers * snapshotsHeld(numbers);

const distinctSets = (sets: readonly (readonly string[])[]): (readonly string[])[] => [
  ...new Map(sets.map((set) => [JSON.stringify(set), set])).values(),
];

/** The plan of a mechanism that measures a workload at once with the whole budget and fits the public rows to the answers. */
export const planOneShot = (facts: PublicFacts, workload: Workload, work: OneShotWork): Plan => {
  const { domain, prior } = facts;
  const queries = workload.queries.map(({ query }) => query);
  const { before } = work;
  const noise = facts.preview(queries, 1 - (before?.share ?? 0), { weights: work.parts });
  const stepOf = (query: Query, own: Noise): PlannedStep => ({
    act: 'measure',
    what: describeQuery(query),
    query,
    answers: answerSize(query, domain),
    times: 1,
    noise: own,
  });
  const steps = [
    ...(before === undefined ? [] : [stepOf(total(), before.noise)]),
    ...queries.map((query, i) => stepOf(query, noise[i])),
  ];
  const cells = steps.reduce((sum, { answers }) => sum + answers, 0);
  const { drawn = { rows: 0, fits: 1 }, beforehand } = work;
  const rows = (prior?.length ?? 0) + drawn.rows;
  const passes = work.passes(noise, cells) * drawn.fits;
  const sets = distinctSets(queries.map(attributesOf));
  const marginals = sets.length;
  const joint = work.isJoint ? { ...jointWork(domain, sets, rows, 1), answers: cells } : undefined;
  const held = joint === undefined ? 4 * marginals : rowBytes(domain);
  return {
    steps,
    memory: rows * (held + 8 * work.vectors) + answerBytes * cells + (work.isJoint ? heldBytes(rows + cells) : 0),
    work: [
      counting(assumedRows(facts), marginals + (before === undefined ? 0 : 1), cells),
      ...(beforehand === undefined ? [] : [beforehand]),
      rowsFit(work.stage, { rows, marginals, passes, joint }),
      ...(rows === 0
        ? []
        : [
            {
              stage: 'draw',
              amounts: { steps: drawnSteps * balancingVisits(domain.attributes.length, rows) },
            },
          ]),
    ],
    replicate:
      work.replicate === undefined
        ? undefined
        : {
            // Its rows and their cells are found anew, and answers are drawn.
            work: [rowsFit(work.stage, { rows, marginals, passes: 3 + work.replicate * passes, joint })],
            bytes: 24 * rows,
          },
    range: [0.4, 2.5],
    remarks: [],
  };
};
