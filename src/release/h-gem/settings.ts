import { mostPairCells } from '../../query/workload/pairs-or-one-ways.js';
import type { Workload } from '../../query/workload/workload.js';
import { type Asked, askedOrHouseholds } from '../asked-workload.js';
import type { GeneratorSettings } from '../generator/generator-settings.js';

/** What can be set of H-GEM; 0 rounds leaves their number to the mechanism. */
export const hGemDefaults = {
  rounds: 0,
  batch: 500,
  steps: 100,
  rate: 5e-4,
  alpha: 0.25,
  score: 'sum' as GeneratorSettings['score'],
  loss: 'squares' as GeneratorSettings['loss'],
  gammaKeep: 0.5,
  gammaPart: 0.1,
  averageKeep: 0.5,
  publicSteps: 300,
  /** Share of the budget for the number of households, where that is private. */
  totalShare: 0.02,
  /** Attributes of a query at most, where no workload is given. */
  attributes: 3,
  /** Cells of a query at most, where no workload is given. */
  maxCells: mostPairCells,
};

export type HGemSettings = typeof hGemDefaults;

/** What the rounds choose from: what was asked, or both queries of all sets of so many attributes. */
export const hGemWorkload = (asked: Asked, settings: HGemSettings): Workload => askedOrHouseholds(asked, settings);
