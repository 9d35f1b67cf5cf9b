import { askedOf } from '../asked-workload.js';
import { needsPublic, unlessRefused } from '../fit.js';
import { entry } from '../mechanism.js';
import { ide } from './ide.js';
import { planIde } from './plan.js';
import { askedIdeWorkload, givenIdeWorkload, type IdeSettings, ideDefaults } from './workload.js';

export const ideEntry = entry<IdeSettings>({
  name: 'ide',
  summary: 'measures marginals once and fits the public rows to one after the other, by least divergence',
  needs: 'public-table',
  defaults: ideDefaults,
  mostlyGaussian: () => true,
  lighter: [
    { setting: 'epochs', least: 5, what: 'the fit may stop before it has converged' },
    { setting: 'maxCells', least: 16, what: 'larger pairs are not measured' },
  ],
  fits: ({ prior, workload, domain }) =>
    prior === undefined
      ? needsPublic
      : unlessRefused(
          () => workload && givenIdeWorkload(workload, domain),
          () => ({ score: 0.1, why: 'it can run on the public table' }),
        ),
  plan: planIde,
  release: async (session, prior, run, settings) => {
    const workload = askedIdeWorkload(askedOf(session, run), prior!, settings);
    return ide(session, prior!, { ...run, workload, epochs: settings.epochs });
  },
});
