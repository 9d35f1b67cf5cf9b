import { choosingWork } from '../../estimate/widen/choose-widening.js';
import { jointWork } from '../../model/support/joint-rows.js';
import { attributesOf } from '../../query/answer.js';
import { pairsOrOneWays } from '../../query/workload/pairs-or-one-ways.js';
import { workloadCells } from '../../query/workload/workload.js';
import type { Plan, PublicFacts } from '../plan.js';
import { planOneShot } from '../plan-one-shot.js';
import { passesAStep, replicatePart, stepsInPractice } from '../steps-in-practice.js';
import { rowsFit, type StageWork } from '../work.js';
import { type ReweightSettings, reweightParts } from './reweight.js';
import { widthFor } from './width.js';

/** Passes over rows and marginals of a rehearsal that chooses how far to widen: its iterations, there and back for the fit and two probes. */
const rehearsalPasses = 50 * 6;
/** Script for a row that is looked at for a pair. */
const lookedSteps = 0.12;

/** What choosing how far to widen takes. */
const rehearsing = ({ domain, prior, publicRows }: PublicFacts): StageWork => {
  const { length } = domain.attributes;
  const { fits, rows, attributes, looked } = choosingWork(publicRows ?? prior!.length, length);
  const some = { ...domain, attributes: domain.attributes.slice(0, attributes) };
  const { queries } = pairsOrOneWays(some);
  const sets = queries.map(({ query }) => attributesOf(query));
  const joint = { ...jointWork(some, sets, rows, 1), answers: workloadCells({ queries }, some) };
  const fit = rowsFit('rehearse', { rows, marginals: sets.length, passes: fits * rehearsalPasses, joint });
  const steps = ((lookedSteps * length * (length - 1)) / 2) * (looked + prior!.length);
  return { stage: fit.stage, amounts: { ...fit.amounts, steps: fit.amounts.steps! + steps } };
};

export const planReweight = (facts: PublicFacts, settings: ReweightSettings): Plan => {
  const { workload, widening } = widthFor(facts, facts.prior!, settings);
  const { lambda, draws = 0 } = widening;
  const plan = planOneShot(facts, workload, {
    parts: reweightParts(facts.domain, workload),
    stage: 'reweight',
    passes: (noise, answers) =>
      stepsInPractice(facts, noise, settings.iterations) * passesAStep(answers, settings.probes),
    replicate: replicatePart(workloadCells(workload, facts.domain), settings.probes),
    vectors: 24,
    isJoint: true,
    // A second fit follows where the first one goes far from the prior.
    drawn: lambda === 0 ? undefined : { rows: draws, fits: 2 },
    beforehand: lambda === undefined ? rehearsing(facts) : undefined,
  });
  return lambda === 0 ? plan : { ...plan, remarks: [...plan.remarks, remarkOn(lambda, draws)] };
};

const remarkOn = (lambda: number | undefined, draws: number): string =>
  lambda === undefined
    ? `Up to ${draws.toLocaleString('en-US')} rows are drawn from a model of the public table and fitted with its rows; how much they weigh is found on the public table.`
    : `${draws.toLocaleString('en-US')} rows are drawn from a model of the public table and fitted with its rows; they have ${lambda} of the weight at first.`;
