import { askedOf } from '../asked-workload.js';
import { needsPublic, unlessRefused } from '../fit.js';
import { entry } from '../mechanism.js';
import type { PublicFacts } from '../plan.js';
import { directError, publicFit } from '../public-fit.js';
import { planReweight } from './plan.js';
import { type ReweightSettings, reweight, reweightDefaults } from './reweight.js';
import { widthFor } from './width.js';

/**
 * A measurement error of single attributes, as total variation, from which on a budget tells so little that even a thin public
 * table is the better source.
 */
const hopeless = 0.5;

const placed = (facts: PublicFacts): { readonly score: number; readonly why: string } => {
  const { verdict, why } = publicFit(facts);
  if (verdict === 'fits') return { score: 0.9, why };
  if (directError(facts) > hopeless)
    return { score: 0.7, why: `${why}, but the budget is too small to measure the table without it` };
  return { score: 0.3, why: `${why}, which can still be reweighted` };
};

export const reweightEntry = entry<ReweightSettings>({
  name: 'reweight',
  summary:
    'measures marginals once and reweights public rows and rows like them, as far as signal can be told from noise',
  needs: 'public-table',
  defaults: reweightDefaults,
  mostlyGaussian: () => true,
  replicates: 8,
  lighter: [
    { setting: 'degree', least: 2, what: 'what only three attributes together tell is not measured' },
    { setting: 'iterations', least: 20, what: 'the fit may stop before it has used all that the noise leaves' },
    { setting: 'probes', least: 1, what: 'where the fit should stop is judged by fewer perturbed fits' },
    { setting: 'maxCells', least: 16, what: 'larger pairs are not measured' },
  ],
  fits: (facts, settings) => {
    const { prior } = facts;
    if (prior === undefined) return needsPublic;
    return unlessRefused(
      () => widthFor(facts, prior, settings),
      () => placed(facts),
    );
  },
  plan: planReweight,
  release: async (session, prior, run, settings) => {
    const { workload, widening } = widthFor(askedOf(session, run), prior!, settings);
    const records = run.publicTable?.length;
    return reweight(session, prior!, {
      ...run,
      workload,
      maxCells: settings.maxCells,
      degree: settings.degree,
      widening: { ...widening, records },
      iterations: settings.iterations,
      mostProbes: settings.probes,
    });
  },
});
