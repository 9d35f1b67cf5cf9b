/** What privacy loss is counted in: epsilons of pure differential privacy, or rhos of zero-concentrated (zCDP). */
export type Currency = 'pure' | 'zcdp';

/** What a loss is called in each currency. */
export const lossName: Readonly<Record<Currency, string>> = { pure: 'epsilon', zcdp: 'rho' };
