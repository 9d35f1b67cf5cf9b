import { InputError } from '../../domain/input-error.js';
import { type Amount, parseAmount, zeroAmount } from './amount.js';
import { epsilonOf, rhoOf } from './conversion.js';
import type { Currency } from './currency.js';
import { decimal } from './decimal.js';

/** A budget as a person states it. Numbers are read as the decimals they print as. */
export type BudgetRequest =
  | { readonly epsilon: number | string; readonly delta?: undefined; readonly rho?: undefined }
  | { readonly epsilon: number | string; readonly delta: number | string; readonly rho?: undefined }
  | { readonly rho: number | string; readonly delta?: number | string | undefined; readonly epsilon?: undefined };

/**
 * What may be spent in all, and the guarantee that follows: epsilon-DP (`pure`), or (epsilon, delta)-DP from `total` rho
 * (`zcdp`; without a delta the guarantee is the rho itself).
 */
export interface Budget {
  readonly currency: Currency;
  readonly total: Amount;
  /** The epsilon of the statement: as asked for, or what rho gives at delta (rounded up). Absent for a bare rho. */
  readonly epsilon?: Amount | undefined;
  /** A decimal, as given. */
  readonly delta?: string | undefined;
}

/**
 * Turns a stated budget into what the ledger counts: a pure epsilon, or the rho (rounded down) that keeps (epsilon, delta).
 *
 * @example
 * ```ts
 * const pure = budgetOf({ epsilon: 1 });
 * const zcdp = budgetOf({ epsilon: 1, delta: 1e-9 });
 * ```
 */
export const budgetOf = (request: BudgetRequest): Budget => {
  const { epsilon, delta, rho } = request;
  if ((epsilon === undefined) === (rho === undefined))
    throw new InputError('budget: give either epsilon (with a delta for Gaussian noise) or rho, got both or neither', {
      kind: 'state-budget',
    });
  if (rho !== undefined) {
    const total = granted(parseAmount(rho, 'down', 'rho'), 'rho', rho);
    if (delta === undefined) return { currency: 'zcdp', total };
    return { currency: 'zcdp', total, epsilon: epsilonOf(total, delta), delta: deltaText(delta) };
  }
  const asked = granted(parseAmount(epsilon!, 'down', 'epsilon'), 'epsilon', epsilon!);
  if (delta === undefined) return { currency: 'pure', total: asked, epsilon: asked };
  const total = granted(rhoOf(asked, delta), 'epsilon', epsilon!);
  return { currency: 'zcdp', total, epsilon: asked, delta: deltaText(delta) };
};

const granted = (amount: Amount, subject: string, value: number | string): Amount => {
  if (amount === zeroAmount) throw new InputError(`${subject}: must grant at least 1e-18, got ${value}`);
  return amount;
};

const deltaText = (delta: number | string): string => {
  decimal(delta, 'delta');
  return String(delta).trim();
};
