import { unlessRefused } from '../fit.js';
import { entry } from '../mechanism.js';
import { publicFit } from '../public-fit.js';
import { mst } from './mst.js';
import { checkMstOptions, type MstSettings, mstDefaults } from './options.js';
import { planMst } from './plan.js';

export const mstEntry = entry<MstSettings>({
  name: 'mst',
  summary: 'measures every attribute and the pairs of a privately chosen spanning tree, and fits a graphical model',
  needs: 'nothing',
  replicates: 8,
  defaults: mstDefaults,
  lighter: [
    { setting: 'candidates', least: 50, what: 'each choice looks at fewer pairs' },
    { setting: 'iterations', least: 50, what: 'the fit may stop before it has converged' },
  ],
  fits: (facts, settings) =>
    unlessRefused(
      () => checkMstOptions(settings),
      () => ({ score: 0.15, why: `${publicFit(facts).why}, and a tree of pairs fits any domain` }),
    ),
  plan: planMst,
  release: (session, _prior, { random, threads, workers, onProgress, signal }, settings) =>
    mst(session, { random, threads, workers, onProgress, signal, ...settings }),
});
