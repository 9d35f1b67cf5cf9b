import { askedOf } from '../asked-workload.js';
import { checkHouseholds, unlessRefused } from '../fit.js';
import { householdEntry } from '../mechanism.js';
import { householdNumbers } from './all-households.js';
import { hMwem, hMwemQueries } from './h-mwem.js';
import { planHMwem } from './plan.js';
import { type HMwemSettings, hMwemChoices, hMwemDefaults, hMwemOptions, hMwemWorkload } from './settings.js';

export const hMwemEntry = householdEntry<HMwemSettings>({
  name: 'h-mwem',
  level: 'households',
  summary: 'multiplicative weights on all possible households with their persons; for few attributes, no public table',
  needs: 'small-domain',
  defaults: hMwemDefaults,
  choices: hMwemChoices,
  lighter: [
    { setting: 'maxUpdates', least: 5, what: 'rounds use less of what was measured' },
    { setting: 'maxCells', least: 16, what: 'larger queries are not chosen from' },
  ],
  fits: (facts, settings) =>
    unlessRefused(
      () => {
        checkHouseholds(facts);
        hMwemQueries(hMwemWorkload(facts, settings), facts.domain, settings);
      },
      () => ({
        score: 0.15,
        why: `all ${householdNumbers(facts.domain).listed.toLocaleString('en-US')} possible households can be listed`,
      }),
    ),
  plan: planHMwem,
  release: (session, _prior, run, settings) =>
    hMwem(session, hMwemWorkload(askedOf(session, run), settings), { ...run, ...hMwemOptions(settings) }),
});
