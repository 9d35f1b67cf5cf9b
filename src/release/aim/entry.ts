import { graphicalPrior } from '../../estimate/graphical/prior/prior.js';
import { type AimSettings, aimDefaults, askedAimWorkload, modelBytesOf } from '../adaptive/workload.js';
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
  lighter: [
    { setting: 'modelMegabytes', least: 1, what: 'smaller junction trees hold fewer marginals together' },
    { setting: 'degree', least: 2, what: 'fewer candidates' },
    { setting: 'maxCells', least: 64, what: 'larger marginals are no candidates' },
    { setting: 'iterations', least: 50, what: 'rounds are fitted less closely' },
  ],
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
  plan: (facts, settings) => planAim(facts, askedAimWorkload(facts, settings), modelBytesOf(settings)),
  release: async (session, prior, run, settings) =>
    aim(session, {
      ...run,
      workload: askedAimWorkload(askedOf(session, run), settings),
      modelBytes: modelBytesOf(settings),
      iterations: settings.iterations,
      prior: prior && graphicalPrior(session.domain, prior),
    }),
});
