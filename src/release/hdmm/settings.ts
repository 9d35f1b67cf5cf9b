import { mostPairCells } from '../../query/workload/pairs-or-one-ways.js';

/** What HDMM is told where nobody says otherwise. */
export const hdmmDefaults = {
  estimator: 'pgm' as 'pgm' | 'lls',
  template: 'auto' as 'auto' | 'products' | 'marginals',
  until: 'validated' as 'validated' | 'converged',
  maxCells: mostPairCells,
  iterations: 3000,
};

export type HdmmSettings = typeof hdmmDefaults;

export const hdmmChoices = {
  estimator: ['pgm', 'lls'],
  template: ['auto', 'products', 'marginals'],
  until: ['validated', 'converged'],
} as const;
