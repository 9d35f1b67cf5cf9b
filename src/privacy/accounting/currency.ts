/**
 * What privacy loss is counted in: epsilons of pure differential privacy, rhos of zero-concentrated (zCDP), or gdp, the half of mu squared of Gaussian
 * differential privacy, for which discrete Gaussian noise costs what it loses.
 */
export type Currency = 'pure' | 'zcdp' | 'gdp';

/** What a loss is called in each currency. */
export const lossName: Readonly<Record<Currency, string>> = { pure: 'epsilon', zcdp: 'rho', gdp: 'gdp' };
