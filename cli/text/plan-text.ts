import {
  amongText,
  closedEnds,
  describeAmount,
  drownedIn,
  expectedError,
  formatAmount,
  recordUnit,
  unitText,
} from '../../src/advanced.js';
import type { Outside, PlannedRelease, PlannedStep } from '../../src/index.js';
import type { Io } from '../command.js';
import { bold, clip, count, dim, percent, table, yellow } from '../terminal/print.js';
import { plannedBeyondText } from './beyond-text.js';
import { forecastText } from './forecast-text.js';

/** A planned measurement with the errors that its noise alone brings. */
interface PredictedStep extends PlannedStep {
  /** Expected error of one answer, in records. */
  readonly answerError?: number | undefined;
  /** Records that the noise is expected to misplace in all answers together: half of the sum of errors. */
  readonly misplaced?: number | undefined;
  /** The same as a share of the expected records, at most 1. */
  readonly share?: number | undefined;
}

const predicted = ({ plan, facts }: PlannedRelease): PredictedStep[] =>
  plan.steps.map((step) => {
    if (step.noise === undefined) return step;
    const unit = step.query === undefined ? 1 : recordUnit(step.query, facts.domain);
    const answerError = expectedError(step.noise) / unit;
    // A single count has nowhere to misplace records to: its error is all there is.
    const { expectedRows } = facts;
    const expected = step.answers === 1 ? answerError : (answerError * step.answers) / 2;
    // More records than there are cannot be in a wrong cell.
    const misplaced = step.answers === 1 ? expected : Math.min(expected, expectedRows ?? Number.POSITIVE_INFINITY);
    const share = expectedRows === undefined ? undefined : Math.min(1, misplaced / expectedRows);
    return { ...step, answerError, misplaced, share };
  });

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const budgetOf = ({ facts }: PlannedRelease) => ({
  currency: facts.budget.currency,
  total: formatAmount(facts.budget.total),
  epsilon: facts.budget.epsilon === undefined ? undefined : formatAmount(facts.budget.epsilon),
  delta: facts.budget.delta,
});

/** The plan for programs; everything in it comes from public facts. */
export const planJson = (planned: PlannedRelease, notes: readonly string[]): string => {
  const { mechanism, settings, why, ranked, plan, facts, replicates, rehearsal, among, choosing, forecast, gaveUp } =
    planned;
  const body = {
    dryRun: true,
    mechanism: { name: mechanism.name, settings, why },
    ranked: ranked.map(({ mechanism: { name }, able, score, why: clause }) => ({ name, able, score, why: clause })),
    budget: budgetOf(planned),
    relation: facts.relation,
    unit: facts.unit,
    outside: planned.outside,
    beyond: planned.beyond,
    closedEnds: closedEnds(facts.domain),
    publicRows: facts.publicRows,
    among,
    choosing,
    expectedRows: facts.expectedRows,
    steps: predicted(planned),
    seconds: forecast.seconds,
    memory: forecast.memory,
    forecast,
    gaveUp,
    drowned: drownedIn(planned) ?? null,
    replicates,
    remarks: plan.remarks,
    notes,
    rehearsal,
  };
  return `${JSON.stringify(body, null, 2)}\n`;
};

/** Lines of the table for the noisiest and for the least noisy measurements; `--json` has all. */
const linesEach = 7;

const noiseText = ({ noise }: PlannedStep): string =>
  noise === undefined ? '' : noise.kind === 'none' ? 'none: public' : `${noise.kind} ${noise.scale.toPrecision(3)}`;

const records = (value: number | undefined): string => (value === undefined ? '' : count(Number(value.toPrecision(3))));

const outsidePlan: Readonly<Record<Outside, string>> = {
  declared: 'go to `other`, the null cell or the nearest end (its own cell where that is open), or stop the run',
  other: 'get a cell in every attribute',
  clip: 'go to `other`, the null cell, the nearest end or the first cell',
  stop: 'stop the run',
};

/** The plan for a person. */
export const planText = (planned: PlannedRelease, notes: readonly string[], io: Io): string => {
  const { mechanism, settings, why, plan, facts, replicates, rehearsal, among, forecast, gaveUp } = planned;
  const steps = predicted(planned);
  const expected = facts.expectedRows !== undefined;
  const sorted = [...steps].sort((a, b) => (b.misplaced ?? 0) - (a.misplaced ?? 0));
  const shown = steps.length <= 2 * linesEach ? steps : [...sorted.slice(0, linesEach), ...sorted.slice(-linesEach)];
  const list = table(
    [
      { title: 'asked' },
      { title: 'answers', align: 'right' },
      { title: 'times', align: 'right' },
      { title: 'noise' },
      { title: 'an answer is off by', align: 'right' },
      { title: `all together${expected ? '' : ', records'}`, align: 'right' },
    ],
    shown.map((step) => [
      `${step.act} ${clip(step.what, 44, io.unicode)}`,
      count(step.answers),
      count(step.times),
      noiseText(step),
      records(step.answerError),
      expected && step.share !== undefined ? percent(step.share) : records(step.misplaced),
    ]),
    io,
  );
  const measured = steps.filter((step) => step.misplaced !== undefined && step.answers > 1);
  const summary =
    measured.length === 0
      ? ''
      : `From noise alone, a measured marginal has ${records(meanOf(measured.map(({ misplaced }) => misplaced!)))} records in the wrong cell, on average over ${count(measured.length)}${expected ? ` (${percent(meanOf(measured.map(({ share }) => share!)))} of ${count(facts.expectedRows!)})` : '; say --expect-rows N to see shares'}. The fit averages much of it out.\n`;
  const drowned = drownedIn(planned);
  const { epsilon, delta } = facts.budget;
  const budget =
    epsilon === undefined ? '' : `epsilon ${formatAmount(epsilon)}${delta === undefined ? '' : `, delta ${delta}`}: `;
  const set = Object.entries(settings).map(([key, value]) => `${key}=${value}`);
  const rehearsed =
    rehearsal === undefined
      ? ''
      : `\n${bold('Rehearsed', io)} with one half of the public table in the private one's place (${count(rehearsal.rows)} rows drawn from it) and the other as public:
the release is off by ${percent(rehearsal.error.mean)} on average over ${count(rehearsal.pairs)} pairs of attributes (total variation distance), the half as it is by
${percent(rehearsal.asIs.error.mean)}; it took ${rehearsal.seconds.mean.toFixed(1)} s. A private table that has moved away from the public one is harder: try it with
surmise compare on a public stand-in.\n`;
  return `${notes.map((note) => `${note}\n`).join('')}${bold('Dry run: the private table was not opened, no ledger was touched, nothing was spent.', io)}

${dim('mechanism', io)}  ${why ?? `${mechanism.name}, as you said.`}
${dim('settings', io)}   ${set.join(', ') || 'none'}
${among === undefined ? '' : `${dim('public', io)}     ${amongText(among, planned.start!)}\n`}${dim('budget', io)}     ${budget}${describeAmount(facts.budget.total, facts.budget.currency)}
${dim('outside', io)}    --outside ${planned.outside}: values that the schema does not name ${outsidePlan[planned.outside]}
${dim('protects', io)}   ${unitText(facts.unit)}, ${facts.relation}

${list}${steps.length > shown.length ? dim(`... and ${count(steps.length - shown.length)} more between the noisiest and the least noisy; --json lists all\n`, io) : ''}
${summary}${planned.outside === 'stop' ? '' : plannedBeyondText(planned.beyond, closedEnds(facts.domain), facts.expectedRows)}${plan.remarks.map((remark) => `${remark}\n`).join('')}${drowned === undefined ? '' : `${yellow(drowned, io)}\n`}${gaveUp.map((what) => `Given up to stay within the limits: ${what}.\n`).join('')}${forecastText(forecast)}${replicates === 0 ? '' : ` ${count(replicates)} replicates for bounds are in it.`}
${rehearsed}`;
};
