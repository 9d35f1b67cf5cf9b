import { choosingWork } from '../../estimate/widen/choose-widening.js';
import type { Plan, PublicFacts } from '../plan.js';
import { planOneShot } from '../plan-one-shot.js';
import { type ReweightSettings, reweightParts } from './reweight.js';
import { widthFor } from './width.js';

/** Iterations that a fit makes in practice before it is stopped. */
const iterationsInPractice = 120;

/** Passes over rows and marginals in each of those: the fit and two probes, there and back. */
const passesEach = 6;
/** Iterations of a rehearsal that chooses how far to widen. */
const rehearsalIterations = 60;

export const planReweight = (facts: PublicFacts, settings: ReweightSettings): Plan => {
  const { workload, widening } = widthFor(facts, facts.prior!, settings);
  const { lambda, draws = 0 } = widening;
  const plan = planOneShot(facts, workload, {
    parts: reweightParts(facts.domain, workload),
    passes: Math.min(settings.iterations, iterationsInPractice) * passesEach,
    vectors: 24,
    // A second fit follows where the first one goes far from the prior.
    drawn: lambda === 0 ? undefined : { rows: draws, fits: 2 },
    beforehand: lambda === undefined ? choosingWork(rehearsalIterations * passesEach) : 0,
  });
  return lambda === 0 ? plan : { ...plan, remarks: [...plan.remarks, remarkOn(lambda, draws)] };
};

const remarkOn = (lambda: number | undefined, draws: number): string =>
  lambda === undefined
    ? `Up to ${draws.toLocaleString('en-US')} rows are drawn from a model of the public table and fitted with its rows; how much they weigh is found on the public table.`
    : `${draws.toLocaleString('en-US')} rows are drawn from a model of the public table and fitted with its rows; they have ${lambda} of the weight at first.`;
