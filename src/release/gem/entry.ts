import { askedOf } from '../asked-workload.js';
import { unlessRefused } from '../fit.js';
import { generatorChoices } from '../generator/generator-settings.js';
import { entry } from '../mechanism.js';
import { publicFit } from '../public-fit.js';
import { gem } from './gem.js';
import { gemWork } from './gem-work.js';
import { planGem } from './plan.js';
import { type GemSettings, gemDefaults, gemWorkload } from './settings.js';

export const gemEntry = entry<GemSettings>({
  name: 'gem',
  summary: 'trains a neural generator on marginals that it answers badly, round by round; public table optional',
  needs: 'nothing',
  slow: true,
  defaults: gemDefaults,
  choices: generatorChoices,
  lighter: [
    { setting: 'steps', least: 10, what: 'rounds are trained for less long' },
    { setting: 'batch', least: 50, what: 'fewer product distributions are mixed' },
    { setting: 'maxCells', least: 64, what: 'larger marginals are not chosen from' },
  ],
  fits: (facts, settings) =>
    unlessRefused(
      () => gemWork(facts.domain, gemWorkload(facts, settings), settings),
      () => ({ score: 0.1, why: `${publicFit(facts).why}, and a network can hold a domain of any size` }),
    ),
  plan: planGem,
  release: async (session, prior, run, settings) =>
    gem(session, gemWorkload(askedOf(session, run), settings), { ...run, ...settings, prior }),
});
