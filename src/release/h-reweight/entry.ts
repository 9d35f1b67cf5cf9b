import { householdPriorOf } from '../../model/households/household-prior.js';
import { askedOf } from '../asked-workload.js';
import { checkHouseholds, unable, unlessRefused } from '../fit.js';
import { householdEntry } from '../mechanism.js';
import { publicHouseholdsFit } from '../public-fit.js';
import { hReweight } from './h-reweight.js';
import { measuredHouseholds } from './measured-households.js';
import { planHReweight } from './plan.js';
import { type HReweightSettings, hReweightDefaults, hReweightWorkload } from './settings.js';

export const hReweightEntry = householdEntry<HReweightSettings>({
  name: 'h-reweight',
  level: 'households',
  summary: 'measures households and persons once and reweights the public households as far as signal goes',
  needs: 'public-table',
  defaults: hReweightDefaults,
  mostlyGaussian: () => true,
  replicates: 8,
  lighter: [
    { setting: 'iterations', least: 20, what: 'the fit may stop before it has used all that the noise leaves' },
    { setting: 'maxCells', least: 16, what: 'larger queries are not measured' },
  ],
  fits: (facts, settings) => {
    const { publicHouseholds } = facts;
    if (publicHouseholds === undefined) return unable('it needs public households, and there are none');
    return unlessRefused(
      () => {
        checkHouseholds(facts);
        measuredHouseholds(facts, hReweightWorkload(facts, settings), { table: publicHouseholds });
      },
      () => {
        const { verdict, why } = publicHouseholdsFit(facts);
        return verdict === 'fits' ? { score: 0.9, why } : { score: 0.1, why: `${why}, which can still be reweighted` };
      },
    );
  },
  plan: planHReweight,
  release: (session, _prior, run, settings) =>
    hReweight(session, householdPriorOf(run.publicHouseholds!), {
      ...run,
      workload: hReweightWorkload(askedOf(session, run), settings),
      iterations: settings.iterations,
    }),
});
