import type { Settings } from '../../src/release/settings.js';

const small: Settings = { rounds: 2, batch: 60, steps: 8, publicSteps: 10 };

/** Every mechanism that keeps constraints, each way it has of doing so, with settings that make it quick. */
export const ways: readonly { readonly name: string; readonly settings: Settings }[] = [
  { name: 'reweight', settings: {} },
  { name: 'ide', settings: {} },
  { name: 'pmw-pub', settings: { rounds: 3 } },
  { name: 'mwem', settings: { rounds: 3 } },
  { name: 'mwem', settings: { estimator: 'pgm', rounds: 3 } },
  { name: 'aim', settings: {} },
  { name: 'pairs', settings: {} },
  { name: 'mst', settings: {} },
  { name: 'jam', settings: {} },
  { name: 'dual-query', settings: { rounds: 6, samples: 5 } },
  { name: 'dual-query', settings: { rounds: 6, samples: 5, estimator: 'records' } },
  { name: 'residual-planner', settings: { estimator: 'pgm' } },
  { name: 'residual-planner', settings: { estimator: 'reweight' } },
  { name: 'grouped', settings: { keys: 'sex', pool: 64, draws: 32 } },
  { name: 'privbayes', settings: { estimator: 'pgm' } },
  { name: 'privbayes', settings: { estimator: 'network' } },
  { name: 'hdmm', settings: {} },
  { name: 'gem', settings: small },
  { name: 'h-reweight', settings: {} },
  { name: 'h-mwem', settings: { rounds: 2, attributes: 2 } },
  { name: 'h-gem', settings: small },
];
