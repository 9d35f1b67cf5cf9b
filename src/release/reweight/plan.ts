import { choosingWork } from '../../estimate/widen/choose-widening.js';
import { recordsBehind } from '../../estimate/widen/widening.js';
import { jointWork } from '../../model/support/joint-rows.js';
import { attributesOf } from '../../query/answer.js';
import { total } from '../../query/marginal.js';
import { pairsOrOneWays } from '../../query/workload/pairs-or-one-ways.js';
import { type Workload, workloadCells, workloadOf } from '../../query/workload/workload.js';
import { assumedRows, type Plan, type PublicFacts } from '../plan.js';
import { type OneShotWork, planOneShot } from '../plan-one-shot.js';
import { passesAStep, replicatePart, stepsInPractice } from '../steps-in-practice.js';
import { rowsFit, type StageWork } from '../work.js';
import { designFor, setsOf, totalPart } from './design.js';
import { type ReweightSettings, reweightParts } from './reweight.js';
import { widthFor } from './width.js';

/** Passes over rows and marginals of a rehearsal that chooses how far to widen: its iterations, there and back for the fit and two probes. */
const rehearsalPasses = 50 * 6;
/** Times as many steps that a fit to triples makes, as seen on four tables (1.1 to 2.8): they are measured where noise is small, and are many ways to go. */
const stepsOfTriples = 1.8;
/** What a replicate of such a fit takes, as a part of what one of other fits of as many steps would (0.27 to 0.45 on the same tables). */
const replicateOfTriples = 0.37;
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
  const fit = rowsFit('widen', { rows, marginals: sets.length, passes: fits * rehearsalPasses, joint });
  const steps = ((lookedSteps * length * (length - 1)) / 2) * (looked + prior!.length);
  return { stage: fit.stage, amounts: { ...fit.amounts, steps: fit.amounts.steps! + steps } };
};

export const planReweight = (facts: PublicFacts, settings: ReweightSettings): Plan => {
  const { widening, ...width } = widthFor(facts, facts.prior!, settings);
  const { lambda, draws = 0 } = widening;
  const { workload, parts, before, remarks, hasTriples } = width.workload
    ? asked(facts, width.workload)
    : designed(facts, settings);
  const plan = planOneShot(facts, workload, {
    parts,
    before,
    stage: 'reweight',
    passes: (noise, answers) =>
      Math.min(
        settings.iterations,
        (hasTriples ? stepsOfTriples : 1) * stepsInPractice(facts, noise, settings.iterations),
      ) * passesAStep(answers, settings.probes),
    replicate:
      (hasTriples ? replicateOfTriples : 1) * replicatePart(workloadCells(workload, facts.domain), settings.probes),
    vectors: 24,
    isJoint: true,
    // A second fit follows where the first one goes far from the prior, which is seldom.
    drawn: lambda === 0 ? undefined : { rows: draws, fits: 1.25 },
    beforehand: lambda === undefined ? rehearsing(facts) : undefined,
  });
  const drawn = lambda === 0 ? [] : [remarkOn(lambda, draws)];
  return { ...plan, remarks: [...plan.remarks, ...remarks, ...drawn] };
};

/** What is measured, each with its part of the budget. */
interface Parts {
  readonly workload: Workload;
  readonly parts: readonly number[];
  readonly before?: OneShotWork['before'];
  readonly remarks: readonly string[];
  readonly hasTriples?: boolean;
}

const asked = ({ domain }: PublicFacts, workload: Workload): Parts => ({
  workload,
  parts: reweightParts(domain, workload),
  remarks: [],
});

/** What a release would measure if it had as many records as are assumed. */
const designed = (facts: PublicFacts, { maxCells, degree }: ReweightSettings): Parts => {
  const prior = facts.prior!;
  const [noise] = facts.preview([total()], totalPart);
  // A number that is public costs nothing.
  const before = { noise, share: noise.kind === 'none' ? 0 : totalPart };
  const [records, publicRecords] = [assumedRows(facts), facts.publicTable?.length ?? recordsBehind(prior)];
  const { queries, weights, pairs, triples, alone, ofTriples } = designFor(facts, prior, {
    share: 1 - before.share,
    records,
    publicRecords,
    maxCells,
    degree,
  });
  const all = setsOf(facts.domain, maxCells).filter((set) => set.length === 2).length;
  return {
    workload: workloadOf(queries),
    parts: weights,
    hasTriples: triples > 0,
    before,
    remarks: [
      `With ${records.toLocaleString('en-US')} records ${Math.round(100 * alone)}% of the budget goes to attributes on their own${triples === 0 ? '' : `, ${Math.round(100 * ofTriples)}% to what ${triples.toLocaleString('en-US')} triples have beyond their pairs,`} and the rest to ${pairs.toLocaleString('en-US')} of ${all.toLocaleString('en-US')} pairs, where noise misplaces less than the public table is likely to${before.share === 0 ? '' : `; a release asks for the number of records first, with ${Math.round(100 * totalPart)}% of the budget, and goes by that`}.`,
    ],
  };
};

const remarkOn = (lambda: number | undefined, draws: number): string =>
  lambda === undefined
    ? `Up to ${draws.toLocaleString('en-US')} rows are drawn from a model of the public table and fitted with its rows; how much they weigh is found on the public table.`
    : `${draws.toLocaleString('en-US')} rows are drawn from a model of the public table and fitted with its rows; they have ${lambda} of the weight at first.`;
