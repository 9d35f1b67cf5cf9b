import { choosingWork } from '../../estimate/widen/choose-widening.js';
import { workloadCells } from '../../query/workload/workload.js';
import type { Plan, PublicFacts } from '../plan.js';
import { planOneShot } from '../plan-one-shot.js';
import { passesAStep, replicatePart, stepsInPractice } from '../steps-in-practice.js';
import { type ReweightSettings, reweightParts } from './reweight.js';
import { widthFor } from './width.js';

/** Passes over rows and marginals of a rehearsal that chooses how far to widen: its iterations, there and back for the fit and two probes. */
const rehearsalPasses = 60 * 6;

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
    beforehand: lambda === undefined ? choosingWork(rehearsalPasses) : 0,
  });
  return lambda === 0 ? plan : { ...plan, remarks: [...plan.remarks, remarkOn(lambda, draws)] };
};

const remarkOn = (lambda: number | undefined, draws: number): string =>
  lambda === undefined
    ? `Up to ${draws.toLocaleString('en-US')} rows are drawn from a model of the public table and fitted with its rows; how much they weigh is found on the public table.`
    : `${draws.toLocaleString('en-US')} rows are drawn from a model of the public table and fitted with its rows; they have ${lambda} of the weight at first.`;
