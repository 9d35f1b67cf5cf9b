import { unlessRefused } from '../fit.js';
import { entry } from '../mechanism.js';
import { publicFit } from '../public-fit.js';
import {
  checkNetworkOptions,
  type NetworkOptions,
  type PrivbayesSettings,
  privbayesChoices,
  privbayesDefaults,
} from './options.js';
import { planPrivbayes } from './plan.js';
import { privbayes } from './privbayes.js';

const networkOf = ({ theta, structure, parents, candidates }: PrivbayesSettings): Omit<NetworkOptions, 'random'> => ({
  theta,
  structure,
  parents,
  candidates,
});

export const privbayesEntry = entry<PrivbayesSettings>({
  name: 'privbayes',
  summary: 'a Bayesian network chosen by mutual information, and rows drawn from it or a graphical model',
  needs: 'nothing',
  replicates: 8,
  defaults: privbayesDefaults,
  choices: privbayesChoices,
  lighter: [
    { setting: 'candidates', least: 50, what: 'each choice looks at fewer sets of parents' },
    { setting: 'modelMegabytes', least: 1, what: 'the model holds fewer marginals together' },
  ],
  fits: (facts, settings) =>
    unlessRefused(
      () => checkNetworkOptions(networkOf(settings)),
      () => ({ score: 0.15, why: `${publicFit(facts).why}, and a network of small marginals fits any domain` }),
    ),
  plan: planPrivbayes,
  release: (session, _prior, run, settings) => {
    const { estimator, modelMegabytes, iterations } = settings;
    const { random, threads, workers, onProgress, signal } = run;
    return privbayes(session, {
      random,
      threads,
      workers,
      onProgress,
      signal,
      ...networkOf(settings),
      estimator,
      modelBytes: estimator === 'pgm' ? 1e6 * modelMegabytes : undefined,
      iterations: iterations === 0 ? undefined : iterations,
    });
  },
});
