import { graphicalPrior } from '../../estimate/graphical/prior/prior.js';
import { type AimSettings, aimDefaults, aimLighter, askedAimWorkload, modelBytesOf } from '../adaptive/workload.js';
import { askedOf } from '../asked-workload.js';
import { unlessRefused } from '../fit.js';
import { entry } from '../mechanism.js';
import { publicFit } from '../public-fit.js';
import { aim } from './aim.js';
import { planAim } from './plan.js';

export const aimEntry = entry<AimSettings>({
  name: 'aim',
  summary:
    'picks, round by round, a marginal that a graphical model answers badly, and fits it anew; public table optional',
  needs: 'nothing',
  replicates: 8,
  defaults: aimDefaults,
  lighter: aimLighter,
  fits: (facts, settings) =>
    unlessRefused(
      () => facts.workload && askedAimWorkload(facts, settings),
      () => {
        const { verdict, why } = publicFit(facts);
        return {
          score: 0.5,
          why: verdict === 'none' ? `${why}, and a graphical model can hold a domain of any size` : why,
        };
      },
    ),
  plan: (facts, settings) => planAim(facts, askedAimWorkload(facts, settings), modelBytesOf(settings), settings.probes),
  release: async (session, prior, run, settings) =>
    aim(session, {
      ...run,
      workload: askedAimWorkload(askedOf(session, run), settings),
      modelBytes: modelBytesOf(settings),
      iterations: settings.iterations,
      mostProbes: settings.probes,
      prior: prior && graphicalPrior(session.domain, prior),
    }),
});
