import { type AimSettings, aimDefaults, aimLighter, askedAimWorkload, modelBytesOf } from '../adaptive/workload.js';
import { askedOf } from '../asked-workload.js';
import { needsPublic, unlessRefused } from '../fit.js';
import { entry } from '../mechanism.js';
import { publicFit } from '../public-fit.js';
import { jam } from './jam.js';
import { planJam } from './plan.js';

export const jamEntry = entry<AimSettings>({
  name: 'jam',
  summary: 'round by round measures a marginal or takes it from the public table, and fits a graphical model anew',
  needs: 'public-table',
  replicates: 8,
  defaults: aimDefaults,
  lighter: aimLighter,
  fits: (facts, settings) =>
    facts.prior === undefined
      ? needsPublic
      : unlessRefused(
          () => facts.workload && askedAimWorkload(facts, settings, 'jam'),
          () => ({ score: 0.2, why: publicFit(facts).why }),
        ),
  plan: (facts, settings) => planJam(facts, askedAimWorkload(facts, settings, 'jam'), modelBytesOf(settings)),
  release: async (session, prior, run, settings) =>
    jam(session, {
      ...run,
      publicRows: prior!,
      workload: askedAimWorkload(askedOf(session, run), settings, 'jam'),
      modelBytes: modelBytesOf(settings),
      iterations: settings.iterations,
      mostProbes: settings.probes,
    }),
});
