import { askedOf } from '../asked-workload.js';
import { unlessRefused } from '../fit.js';
import { entry } from '../mechanism.js';
import { checkKept, hdmm } from './hdmm.js';
import { hdmmWorkload } from './own-workload.js';
import { planHdmmRelease } from './plan.js';
import { type HdmmSettings, hdmmChoices, hdmmDefaults } from './settings.js';

export const hdmmEntry = entry<HdmmSettings>({
  name: 'hdmm',
  summary: 'measures linear combinations of counts that are optimised for the workload, and fits a graphical model',
  needs: 'nothing',
  defaults: hdmmDefaults,
  mostlyGaussian: () => true,
  choices: hdmmChoices,
  drawsRows: ({ estimator }) => estimator === 'pgm',
  lighter: [
    { setting: 'iterations', least: 50, what: 'the fit may stop before it has converged' },
    { setting: 'maxCells', least: 16, what: 'larger pairs are not measured' },
  ],
  fits: (facts, settings) =>
    unlessRefused(
      () => {
        checkKept(facts.domain, settings.estimator);
        return hdmmWorkload(facts, settings);
      },
      () => ({ score: 0.2, why: 'the whole workload can be measured at once by strategies made for it' }),
    ),
  plan: (facts, settings) => planHdmmRelease(facts, hdmmWorkload(facts, settings), settings),
  release: async (session, _prior, run, settings) => {
    const { estimator, template, until, iterations } = settings;
    const workload = hdmmWorkload(askedOf(session, run), settings);
    return hdmm(session, { ...run, workload, estimator, template, until, iterations });
  },
});
