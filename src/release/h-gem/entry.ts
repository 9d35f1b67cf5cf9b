import { askedOf } from '../asked-workload.js';
import { checkHouseholds, unlessRefused } from '../fit.js';
import { generatorChoices } from '../generator/generator-settings.js';
import { householdEntry } from '../mechanism.js';
import { hGem } from './h-gem.js';
import { hGemWork } from './h-gem-work.js';
import { planHGem } from './plan.js';
import { type HGemSettings, hGemDefaults, hGemWorkload } from './settings.js';

export const hGemEntry = householdEntry<HGemSettings>({
  name: 'h-gem',
  level: 'households',
  summary: 'trains a neural generator of households on queries it answers badly, round by round; public table optional',
  needs: 'nothing',
  slow: true,
  defaults: hGemDefaults,
  choices: generatorChoices,
  lighter: [
    { setting: 'steps', least: 10, what: 'rounds are trained for less long' },
    { setting: 'batch', least: 50, what: 'fewer product distributions are mixed' },
  ],
  fits: (facts, settings) =>
    unlessRefused(
      () => {
        checkHouseholds(facts);
        hGemWork(facts, hGemWorkload(facts, settings), settings);
      },
      () => ({ score: 0.2, why: 'a network can hold households of any number of attributes' }),
    ),
  plan: planHGem,
  release: (session, _prior, run, settings) =>
    hGem(session, hGemWorkload(askedOf(session, run), settings), { ...run, ...settings, prior: run.publicHouseholds }),
});
